// SPDX-License-Identifier: GPL-2.0
/*
 * The arithmetic of a comparison, on logarithms.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "effect.h"
#include "median.h"

#define ROUNDS		2000	/* of the bootstrap */
#define CONFIDENCE	0.95
#define RESAMPLED_MIN	5	/* fewer repetitions make hardly any other samples */
#define FRACTIONS	300	/* terms of a continued fraction, far more than it ever takes */
#define FREEDOM_MAX	1e6	/* a normal distribution */
#define POWER_Z		0.8416	/* 80 % of a normal distribution lie below it */

/* Mean of some logarithms; its squared standard error, and that without what rounding adds. */
struct moments {
	double mean;
	double error2;
	double spread2;
	int nr;
};

/* splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators". */
static u64 next_random(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* In [0, 1). */
static double uniform(u64 *state)
{
	double bits = next_random(state) >> 11;

	return bits / 9007199254740992.0;
}

/* What rounding to @step can have done to a logarithm, as a width. */
static double blur(const struct ipi_series *series, int index)
{
	double width = series->step / series->value[index];

	return width < 1 ? width : 1;
}

static struct moments moments_of(const double *value, int nr)
{
	struct moments moments = { .nr = nr };
	double sum2 = 0;
	int i;

	for (i = 0; i < nr; i++)
		moments.mean += value[i] / nr;
	for (i = 0; i < nr; i++)
		sum2 += (value[i] - moments.mean) * (value[i] - moments.mean);
	moments.spread2 = nr > 1 ? sum2 / (nr - 1) / nr : 0;
	moments.error2 = moments.spread2;
	return moments;
}

/* Numbers no more than a step apart were rounded alike: their errors don't average out. */
static bool rounded_alike(const struct ipi_series *series)
{
	double least = series->value[0], most = least;
	int i;

	for (i = 1; i < series->nr; i++) {
		least = series->value[i] < least ? series->value[i] : least;
		most = series->value[i] > most ? series->value[i] : most;
	}
	return most - least <= series->step;
}

/* The logarithms as they are, with the variance that rounding has hidden. */
static struct moments measure(const struct ipi_series *series, double *value)
{
	struct moments moments;
	double hidden2 = 0;
	int i;

	for (i = 0; i < series->nr; i++) {
		double width = blur(series, i);

		value[i] = log(series->value[i]);
		hidden2 += width * width / 12 / series->nr;
	}
	moments = moments_of(value, series->nr);
	if (rounded_alike(series)) {
		/* Then what they differ by is rounding, too. */
		moments.error2 += hidden2;
		moments.spread2 = 0;
	} else {
		moments.error2 += hidden2 / series->nr;
	}
	return moments;
}

/* The logarithms of repetitions drawn with replacement. */
static struct moments resample(const struct ipi_series *series, const double *value, double *drawn,
			       u64 *state)
{
	int i;

	for (i = 0; i < series->nr; i++) {
		int pick = (int)(next_random(state) % (u64)series->nr);

		drawn[i] = value[pick] + blur(series, pick) * (uniform(state) - 0.5);
	}
	return moments_of(drawn, series->nr);
}

/* Of a sorted array, between its elements. */
static double quantile(const double *sorted, int nr, double share)
{
	double at = share * (nr - 1);
	int below = (int)at;

	if (below >= nr - 1)
		return sorted[nr - 1];
	return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

/*
 * Where the logarithm of the ratio lies: its distance from the truth, in standard errors, is
 * distributed as that of a resampled one from the sample's. Widens the interval there is.
 */
static int bootstrap(const struct ipi_series *base, const struct ipi_series *new,
		     const double *base_log, const double *new_log, u64 state, double centre,
		     double error, struct ipi_effect *effect)
{
	int room = base->nr > new->nr ? base->nr : new->nr;
	double *distance = malloc(ROUNDS * sizeof(*distance));
	double *drawn = malloc((size_t)room * sizeof(*drawn));
	int used = 0;
	int i;

	if (!distance || !drawn) {
		free(distance);
		free(drawn);
		return -ENOMEM;
	}
	for (i = 0; i < ROUNDS; i++) {
		struct moments b = resample(base, base_log, drawn, &state);
		struct moments n = resample(new, new_log, drawn, &state);
		double spread = sqrt(b.error2 + n.error2);

		/* The same repetition again and again has no spread to measure by. */
		if (spread > 0)
			distance[used++] = (n.mean - b.mean - centre) / spread;
	}
	ipi_median__sort(distance, used);
	if (used) {
		double low = exp(centre - error * quantile(distance, used, (1 + CONFIDENCE) / 2));
		double high = exp(centre - error * quantile(distance, used, (1 - CONFIDENCE) / 2));

		effect->low = low < effect->low ? low : effect->low;
		effect->high = high > effect->high ? high : effect->high;
	}
	free(distance);
	free(drawn);
	return 0;
}

/* Welch, Satterthwaite: how many repetitions' worth the variance is; rounding's needs none. */
static double freedom(const struct moments *a, const struct moments *b)
{
	double both = a->error2 + b->error2;
	double divisor = a->spread2 * a->spread2 / (a->nr - 1) +
			 b->spread2 * b->spread2 / (b->nr - 1);
	double df = divisor > 0 ? both * both / divisor : FREEDOM_MAX;

	return df < FREEDOM_MAX ? df : FREEDOM_MAX;
}

static int judge(const struct ipi_series *base, const struct ipi_series *new, double alpha,
		 u64 seed, double *base_log, double *new_log, struct ipi_effect *effect)
{
	struct moments b = measure(base, base_log);
	struct moments n = measure(new, new_log);
	double error = sqrt(b.error2 + n.error2);
	double centre = n.mean - b.mean;
	double df, reach;

	effect->base = exp(b.mean);
	effect->new = exp(n.mean);
	effect->ratio = exp(centre);
	if (base->nr < IPI_EFFECT_MIN || new->nr < IPI_EFFECT_MIN)
		return 0;
	df = freedom(&b, &n);
	if (error > 0)
		effect->chance = ipi_effect__tail(centre / error, df);
	else
		effect->chance = centre != 0 ? 0 : 1;
	effect->visible = exp((ipi_effect__critical(alpha, df) + POWER_Z) * error);
	reach = ipi_effect__critical(1 - CONFIDENCE, df) * error;
	effect->low = exp(centre - reach);
	effect->high = exp(centre + reach);
	if (base->nr < RESAMPLED_MIN || new->nr < RESAMPLED_MIN)
		return 0;
	return bootstrap(base, new, base_log, new_log, seed, centre, error, effect);
}

int ipi_effect__estimate(const struct ipi_series *base, const struct ipi_series *new, double alpha,
			 u64 seed, struct ipi_effect *effect)
{
	double *base_log = malloc(((size_t)base->nr + 1) * sizeof(*base_log));
	double *new_log = malloc(((size_t)new->nr + 1) * sizeof(*new_log));
	int err = -ENOMEM;

	effect->low = NAN;
	effect->high = NAN;
	effect->visible = NAN;
	effect->chance = 1;
	if (base_log && new_log)
		err = judge(base, new, alpha, seed, base_log, new_log, effect);
	free(base_log);
	free(new_log);
	return err;
}

/*
 * The continued fraction of the incomplete beta function, DLMF 8.17.22, by Lentz's method. It
 * converges fast for x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1));
	double sum = d;
	int m;

	for (m = 1; m <= FRACTIONS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		sum *= c * d;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		sum *= c * d;
		if (fabs(c * d - 1) < 1 / 1e15)
			break;
	}
	return sum;
}

/* The regularised incomplete beta function I_x(a, b), DLMF 8.17. */
static double beta_share(double a, double b, double x)
{
	double front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double ipi_effect__tail(double t, double df)
{
	return beta_share(df / 2, 0.5, df / (df + t * t));
}

double ipi_effect__critical(double alpha, double df)
{
	double low = 1 / 1e6, high = 1e9;
	int i;

	/* Each step halves the order of magnitude that is left, in the end to 1e-12. */
	for (i = 0; i < 46; i++) {
		double middle = sqrt(low * high);

		if (ipi_effect__tail(middle, df) > alpha)
			low = middle;
		else
			high = middle;
	}
	return high;
}
