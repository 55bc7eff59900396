// SPDX-License-Identifier: GPL-2.0
/*
 * Picks the rows of each sweep and has their law found.
 */
#include <errno.h>
#include <stdlib.h>

#include "law.h"

/* Standard error of a percentile that is the middle of its bucket: 1/64 wide, so 1/64/sqrt(12). */
#define RESOLUTION	0.0045

static bool counts(const struct ipi_cell *cell)
{
	return cell->scenario == IPI_SCENARIO_MULTICAST && cell->verdict == IPI_VERDICT_OK &&
	       ipi_cell__measured(cell, IPI_STAGE_TOTAL);
}

static bool same_sweep(const struct ipi_cell *a, const struct ipi_cell *b)
{
	return a->src == b->src && a->target == b->target && a->nowait == b->nowait;
}

static bool is_first(const struct ipi_result *result, int index)
{
	int i;

	for (i = 0; i < index; i++) {
		if (counts(&result->cell[i]) &&
		    same_sweep(&result->cell[i], &result->cell[index]))
			return false;
	}
	return true;
}

/* The points of the sweep that begins at @index. */
static int gather(const struct ipi_result *result, int index, struct ipi_fit_point *point)
{
	int nr = 0;
	int i;

	for (i = index; i < result->nr_cell; i++) {
		const struct ipi_cell *cell = &result->cell[i];

		if (!counts(cell) || !same_sweep(cell, &result->cell[index]))
			continue;
		point[nr].x = cell->dst.nr;
		point[nr].y = ipi_hist__percentile(cell->stage[IPI_STAGE_TOTAL], 5000);
		nr++;
	}
	return nr;
}

static int add(const struct ipi_result *result, int index, struct ipi_fit_point *point,
	       struct ipi_law **laws, int nr)
{
	int points = gather(result, index, point);
	struct ipi_law *grown;
	struct ipi_fit fit;

	if (ipi_fit__make(point, points, RESOLUTION, &fit))
		return nr;
	grown = reallocarray(*laws, (size_t)nr + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	*laws = grown;
	grown[nr].cell = &result->cell[index];
	grown[nr].nr = points;
	grown[nr].fit = fit;
	return nr + 1;
}

int ipi_law__list(const struct ipi_result *result, struct ipi_law **laws)
{
	struct ipi_fit_point *point;
	int nr = 0;
	int i;

	*laws = NULL;
	point = calloc((size_t)result->nr_cell + 1, sizeof(*point));
	if (!point)
		return -ENOMEM;
	for (i = 0; i < result->nr_cell && nr >= 0; i++) {
		if (counts(&result->cell[i]) && is_first(result, i))
			nr = add(result, i, point, laws, nr);
	}
	free(point);
	if (nr < 0) {
		free(*laws);
		*laws = NULL;
	}
	return nr;
}
