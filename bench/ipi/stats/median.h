/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The middle of some numbers, and how far from it they usually are: what outliers can't move.
 */
#ifndef IPI_STATS_MEDIAN_H
#define IPI_STATS_MEDIAN_H

/* Sorts numbers, the smallest first. */
void ipi_median__sort(double *value, int nr);

/* The median of @nr > 0 numbers, which are sorted by it; of an even number the mean of the two. */
double ipi_median(double *value, int nr);

/*
 * 1.4826 times the median distance from @center: for normally distributed numbers, their standard
 * deviation. The numbers are replaced.
 */
double ipi_median__spread(double *value, int nr, double center);

#endif
