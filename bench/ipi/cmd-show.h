/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf bench ipi show: saved results in any output.
 */
#ifndef IPI_CMD_SHOW_H
#define IPI_CMD_SHOW_H

/* The exit status. @argv[0] is "show"; parse_options() sorts the rest in place. */
int ipi_cmd__show(int argc, const char **argv, const char *version);

#endif
