/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf bench ipi diff.
 */
#ifndef IPI_CMD_DIFF_H
#define IPI_CMD_DIFF_H

/* Compares results. Return: the exit status. */
int ipi_cmd__diff(int argc, const char **argv);

#endif
