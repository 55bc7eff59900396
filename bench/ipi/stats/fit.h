/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The law behind a sweep: base + slope * x, how sure it is, and where the slope changes. Knows
 * numbers only.
 */
#ifndef IPI_STATS_FIT_H
#define IPI_STATS_FIT_H

#define IPI_FIT_KNEES_MAX	2

/* One point of a sweep; @y is positive. */
struct ipi_fit_point {
	double x;
	double y;
};

/**
 * struct ipi_fit_knee - where the slope changes
 * @x:		the last point of the slope before
 * @slope:	from there on
 * @slope_err:	its standard error
 */
struct ipi_fit_knee {
	double x;
	double slope;
	double slope_err;
};

/**
 * struct ipi_fit - the law
 * @base:	at x = 0
 * @base_err:	its standard error
 * @slope:	per unit of x, up to the first knee
 * @slope_err:	its standard error
 * @knee:	in the order of x
 * @nr_knee:	how many, 0 of a straight line
 */
struct ipi_fit {
	double base;
	double base_err;
	double slope;
	double slope_err;
	struct ipi_fit_knee knee[IPI_FIT_KNEES_MAX];
	int nr_knee;
};

/**
 * ipi_fit__make - find the law
 * @point:	the sweep, in any order; an x may be there several times
 * @nr:		how many
 * @resolution:	a y may be off by that share of it at least, however well the points agree
 * @fit:	filled
 *
 * Least squares in which a point counts by its own size, since what is measured of a time is off by
 * a share of it. A knee is one where the slope changes by a fifth of itself at least and chance
 * gives as much in less than one of 100 straight lines; it lies on a point and has three different
 * x up to it and two beyond.
 *
 * Return: 0, or -EDOM where there are less than three different x, or a y is not positive.
 */
int ipi_fit__make(const struct ipi_fit_point *point, int nr, double resolution,
		  struct ipi_fit *fit);

#endif
