/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Did it change? The ratio of two settings from their repetitions, how sure it is, and the smallest
 * one these data could have shown. Knows numbers only.
 *
 * The unit is the repetition: samples inside one are correlated, a thousand of them are no thousand
 * witnesses. Each repetition gives one number (its p50, say). Ratios are compared as differences of
 * logarithms, so that twice and half are equally far from the same.
 */
#ifndef IPI_STATS_EFFECT_H
#define IPI_STATS_EFFECT_H

#include <linux/types.h>

/* Below that many repetitions on either side nothing is claimed. */
#define IPI_EFFECT_MIN	3

/**
 * struct ipi_series - one setting's repetitions
 * @value:	a number of each, positive
 * @nr:		how many
 * @step:	resolution of the numbers, in their unit: a value may be off by half of it
 */
struct ipi_series {
	const double *value;
	int nr;
	double step;
};

/**
 * struct ipi_effect - what became of it
 * @base:	geometric mean of the base's repetitions
 * @new:	of the new ones
 * @ratio:	@new / @base
 * @low:	95 % interval of @ratio; NAN where either side has less than IPI_EFFECT_MIN
 * @high:	and its other end
 * @chance:	how often chance alone would give that much or more where nothing had changed; 1
 *		where it can't be told
 * @visible:	the smallest ratio above 1 that would have been seen in 4 of 5 such comparisons;
 *		NAN as @low
 */
struct ipi_effect {
	double base;
	double new;
	double ratio;
	double low;
	double high;
	double chance;
	double visible;
};

/**
 * ipi_effect__estimate - compare two settings
 * @base:	the one
 * @new:	the other
 * @alpha:	chance at which a change would be called one, for @effect->visible
 * @seed:	of the resampling: the same gives the same
 * @effect:	filled
 *
 * The interval is a studentised bootstrap over repetitions (Efron, Tibshirani: An Introduction to
 * the Bootstrap, 12.5), smoothed by the resolution, since numbers that were rounded to the same are
 * not known to be the same; but nowhere narrower than Welch's, which is better where some
 * repetitions are far off, and which is taken alone where there are less than five. @chance is
 * Welch's t-test.
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_effect__estimate(const struct ipi_series *base, const struct ipi_series *new, double alpha,
			 u64 seed, struct ipi_effect *effect);

/* Two-sided tail of Student's t with @df degrees of freedom, and its inverse. */
double ipi_effect__tail(double t, double df);
double ipi_effect__critical(double alpha, double df);

#endif
