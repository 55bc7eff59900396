// SPDX-License-Identifier: GPL-2.0
/*
 * Median and median absolute deviation.
 */
#include <math.h>
#include <stdlib.h>

#include "median.h"

#define NORMAL_MAD	1.4826	/* 1 / the third quartile of the standard normal distribution */

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

void ipi_median__sort(double *value, int nr)
{
	qsort(value, (size_t)nr, sizeof(*value), compare);
}

double ipi_median(double *value, int nr)
{
	ipi_median__sort(value, nr);
	return (value[(nr - 1) / 2] + value[nr / 2]) / 2;
}

double ipi_median__spread(double *value, int nr, double center)
{
	int i;

	for (i = 0; i < nr; i++)
		value[i] = fabs(value[i] - center);
	return NORMAL_MAD * ipi_median(value, nr);
}
