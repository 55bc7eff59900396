/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A matrix on the terminal.
 */
#ifndef IPI_REPORT_MATRIX_H
#define IPI_REPORT_MATRIX_H

#include "report.h"

struct ipi_matrix;

/**
 * struct ipi_matrix_conf - how it should look
 * @stages:	a bit per enum ipi_stage; those that were not measured are left out
 * @verbose:	a map for every stage, of p99 as well
 * @colour:	the file is a terminal and colours are wanted
 * @shades:	it has 256 of them
 * @columns:	its width
 */
struct ipi_matrix_conf {
	unsigned int stages;
	int verbose;
	bool colour;
	bool shades;
	int columns;
};

/* A result with a topology: the table by distance, the map, what is odd. */
void ipi_matrix__print(FILE *file, const struct ipi_result *result,
		       const struct ipi_matrix_conf *conf);

/**
 * ipi_matrix__map - draw one stage, from row to column
 * @file:	where it goes
 * @matrix:	what is drawn
 * @conf:	how
 * @p99:	p99; else p50
 *
 * In numbers where they fit, else in letters, shaded where the terminal can. Where there are too
 * many CPUs for the width, or too few pairs were measured, CPUs are drawn together: as few as
 * possible, of one group where they can be.
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_matrix__map(FILE *file, const struct ipi_matrix *matrix,
		    const struct ipi_matrix_conf *conf, bool p99);

#endif
