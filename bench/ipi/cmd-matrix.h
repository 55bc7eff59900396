/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sub-command "matrix".
 */
#ifndef IPI_CMD_MATRIX_H
#define IPI_CMD_MATRIX_H

/* Measures ordered pairs of CPUs; @version is the program's. Return: the exit status. */
int ipi_cmd__matrix(int argc, const char **argv, const char *version);

#endif
