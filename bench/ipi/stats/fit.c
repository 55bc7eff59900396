// SPDX-License-Identifier: GPL-2.0
/*
 * Weighted least squares of a line with up to IPI_FIT_KNEES_MAX bends in it: the columns of the
 * model are 1, x and max(0, x - bend) for each. Places for the bends are few (points of a sweep
 * that doubles), so all are tried.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "effect.h"
#include "fit.h"

#define COLUMNS_MAX	(2 + IPI_FIT_KNEES_MAX)
#define PLACES_MAX	64		/* different x: more than any sweep has */
#define LEAST_CHANGE	0.2
#define CHANCE		0.01

/* The points, and the different x among them. */
struct sweep {
	const struct ipi_fit_point *point;
	int nr;
	double resolution;
	double place[PLACES_MAX];
	int nr_place;
};

/* A line with bends: coefficients, the inverse of the normal equations, what is left over. */
struct model {
	double bend[IPI_FIT_KNEES_MAX];
	int nr_bend;
	double coef[COLUMNS_MAX];
	double inverse[COLUMNS_MAX][COLUMNS_MAX];
	double left;
};

static int columns_of(const struct model *model)
{
	return 2 + model->nr_bend;
}

static double column(const struct model *model, int index, double x)
{
	if (index < 2)
		return index ? x : 1;
	return x > model->bend[index - 2] ? x - model->bend[index - 2] : 0;
}

/* Gauss and Jordan, in place beside a unit matrix. False where there is no one solution. */
static bool invert(double a[COLUMNS_MAX][COLUMNS_MAX], double b[COLUMNS_MAX][COLUMNS_MAX], int nr)
{
	int row, col, pivot, i;

	for (col = 0; col < nr; col++) {
		double by;

		for (pivot = col, i = col + 1; i < nr; i++) {
			if (fabs(a[i][col]) > fabs(a[pivot][col]))
				pivot = i;
		}
		if (!(fabs(a[pivot][col]) > 0))
			return false;
		for (i = 0; i < nr; i++) {
			double swap = a[col][i], unit = b[col][i];

			a[col][i] = a[pivot][i];
			a[pivot][i] = swap;
			b[col][i] = b[pivot][i];
			b[pivot][i] = unit;
		}
		by = a[col][col];
		for (i = 0; i < nr; i++) {
			a[col][i] /= by;
			b[col][i] /= by;
		}
		for (row = 0; row < nr; row++) {
			by = row == col ? 0 : a[row][col];
			for (i = 0; i < nr; i++) {
				a[row][i] -= by * a[col][i];
				b[row][i] -= by * b[col][i];
			}
		}
	}
	return true;
}

static double predict(const struct model *model, double x)
{
	double y = 0;
	int i;

	for (i = 0; i < columns_of(model); i++)
		y += model->coef[i] * column(model, i, x);
	return y;
}

/* Fills all but the bends, which are given. */
static bool solve(const struct sweep *sweep, struct model *model)
{
	double normal[COLUMNS_MAX][COLUMNS_MAX] = { 0 }, right[COLUMNS_MAX] = { 0 };
	int nr = columns_of(model);
	int p, i, j;

	memset(model->inverse, 0, sizeof(model->inverse));
	for (p = 0; p < sweep->nr; p++) {
		const struct ipi_fit_point *point = &sweep->point[p];
		double weight = 1 / (point->y * point->y);

		for (i = 0; i < nr; i++) {
			double by = weight * column(model, i, point->x);

			right[i] += by * point->y;
			for (j = 0; j < nr; j++)
				normal[i][j] += by * column(model, j, point->x);
		}
	}
	for (i = 0; i < nr; i++)
		model->inverse[i][i] = 1;
	if (!invert(normal, model->inverse, nr))
		return false;
	for (i = 0; i < nr; i++) {
		model->coef[i] = 0;
		for (j = 0; j < nr; j++)
			model->coef[i] += model->inverse[i][j] * right[j];
	}
	model->left = 0;
	for (p = 0; p < sweep->nr; p++) {
		double off = predict(model, sweep->point[p].x) / sweep->point[p].y - 1;

		model->left += off * off;
	}
	return true;
}

/* The variance of a point's share, no smaller than the resolution says. */
static double variance(const struct sweep *sweep, const struct model *model)
{
	int freedom = sweep->nr - columns_of(model) - model->nr_bend;
	double least = sweep->resolution * sweep->resolution;
	double found = freedom > 0 ? model->left / freedom : INFINITY;

	return found > least ? found : least;
}

/* Standard error of the sum of coefficients @from to @to. */
static double error_of(const struct sweep *sweep, const struct model *model, int from, int to)
{
	double sum = 0;
	int i, j;

	for (i = from; i <= to; i++) {
		for (j = from; j <= to; j++)
			sum += model->inverse[i][j];
	}
	return sqrt(sum > 0 ? sum * variance(sweep, model) : 0);
}

/* Is every bend one, were @tries of them looked at? */
static bool stands(const struct sweep *sweep, const struct model *model, int tries)
{
	int freedom = sweep->nr - columns_of(model) - model->nr_bend;
	double slope = model->coef[1];
	int i;

	if (freedom < 1)
		return false;
	for (i = 2; i < columns_of(model); i++) {
		double change = model->coef[i];
		double error = error_of(sweep, model, i, i);

		if (!(fabs(change) >= LEAST_CHANGE * fabs(slope)))
			return false;
		if (error > 0 &&
		    ipi_effect__tail(change / error, freedom) * tries > CHANCE)
			return false;
		slope += change;
	}
	return true;
}

/* The line with @bends bends that fits best. Return: how many were tried. */
static int search(const struct sweep *sweep, int bends, struct model *best)
{
	int last = sweep->nr_place - 3;
	struct model model = { .nr_bend = bends };
	int tries = 0;
	int i, j;

	best->left = INFINITY;
	for (i = 2; i <= last; i++) {
		/* One bend has no second, which then stays where it is. */
		for (j = bends > 1 ? i + 2 : last; j <= last; j++) {
			model.bend[0] = sweep->place[i];
			if (bends > 1)
				model.bend[1] = sweep->place[j];
			if (!solve(sweep, &model))
				continue;
			tries++;
			if (model.left < best->left)
				*best = model;
		}
	}
	return tries;
}

static int order_places(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return a < b ? -1 : a > b;
}

static int list_places(struct sweep *sweep)
{
	int i, j;

	for (i = 0; i < sweep->nr; i++) {
		if (!(sweep->point[i].y > 0))
			return -EDOM;
		for (j = 0; j < sweep->nr_place && sweep->place[j] != sweep->point[i].x; j++)
			;
		if (j == sweep->nr_place && j < PLACES_MAX)
			sweep->place[sweep->nr_place++] = sweep->point[i].x;
	}
	qsort(sweep->place, (size_t)sweep->nr_place, sizeof(*sweep->place), order_places);
	return sweep->nr_place < 3 ? -EDOM : 0;
}

static void fill(const struct sweep *sweep, const struct model *model, struct ipi_fit *fit)
{
	double slope = model->coef[1];
	int i;

	fit->base = model->coef[0];
	fit->base_err = error_of(sweep, model, 0, 0);
	fit->slope = slope;
	fit->slope_err = error_of(sweep, model, 1, 1);
	fit->nr_knee = model->nr_bend;
	for (i = 0; i < model->nr_bend; i++) {
		slope += model->coef[2 + i];
		fit->knee[i].x = model->bend[i];
		fit->knee[i].slope = slope;
		fit->knee[i].slope_err = error_of(sweep, model, 1, 2 + i);
	}
}

int ipi_fit__make(const struct ipi_fit_point *point, int nr, double resolution,
		  struct ipi_fit *fit)
{
	struct sweep sweep = { .point = point, .nr = nr, .resolution = resolution };
	struct model best = { .nr_bend = 0 }, bent = best;
	int err, bends, tries;

	memset(fit, 0, sizeof(*fit));
	err = list_places(&sweep);
	if (err)
		return err;
	if (!solve(&sweep, &best))
		return -EDOM;
	for (bends = 1; bends <= IPI_FIT_KNEES_MAX; bends++) {
		tries = search(&sweep, bends, &bent);
		if (tries && bent.left < best.left && stands(&sweep, &bent, tries))
			best = bent;
	}
	fill(&sweep, &best, fit);
	return 0;
}
