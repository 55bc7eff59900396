/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf bench ipi diff.
 */
#ifndef IPI_CMD_DIFF_H
#define IPI_CMD_DIFF_H

/* Compares results; @version is not asked for. Return: the exit status. */
int ipi_cmd__diff(int argc, const char **argv, const char *version);

#endif
