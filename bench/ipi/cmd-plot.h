/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf bench ipi plot.
 */
#ifndef IPI_CMD_PLOT_H
#define IPI_CMD_PLOT_H

/* Draws results; @version is not asked for. Return: the exit status. */
int ipi_cmd__plot(int argc, const char **argv, const char *version);

#endif
