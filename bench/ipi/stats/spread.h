/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How well the repetitions of a place agree: the mean of their medians and its interval.
 */
#ifndef IPI_STATS_SPREAD_H
#define IPI_STATS_SPREAD_H

#include "places.h"

/**
 * struct ipi_spread - one place's totals over its repetitions
 * @cell:	the first of them
 * @nr:		repetitions
 * @mean:	ns, geometric mean of the p50s of the total
 * @reach:	half of the 95 % interval (Student's, on logarithms) as a share of @mean; NAN for
 *		less than three repetitions
 */
struct ipi_spread {
	const struct ipi_cell *cell;
	int nr;
	double mean;
	double reach;
};

/**
 * ipi_spread__make - the spreads of all places of a result
 * @result:	must outlive what is returned
 * @nr:		set to how many
 *
 * Return: an array to be freed, NULL without memory.
 */
struct ipi_spread *ipi_spread__make(const struct ipi_result *result, int *nr);

#endif
