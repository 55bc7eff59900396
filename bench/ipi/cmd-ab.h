/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf bench ipi ab.
 */
#ifndef IPI_CMD_AB_H
#define IPI_CMD_AB_H

/* Two settings, run in turn and compared, by this @version of ours. Return: the exit status. */
int ipi_cmd__ab(int argc, const char **argv, const char *version);

#endif
