/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sub-command "report".
 */
#ifndef IPI_CMD_REPORT_H
#define IPI_CMD_REPORT_H

/* Splits the IPIs of a recording of perf record; @version is not asked for. Return: exit status. */
int ipi_cmd__report(int argc, const char **argv, const char *version);

#endif
