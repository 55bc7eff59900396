// SPDX-License-Identifier: GPL-2.0
/*
 * The spread of repetitions, place by place.
 */
#include <math.h>
#include <stdlib.h>

#include "effect.h"
#include "spread.h"

static double log_p50(const struct ipi_cell *cell)
{
	u64 ns = ipi_hist__percentile(cell->stage[IPI_STAGE_TOTAL], 5000);

	return log(ns ? (double)ns : 1);
}

static void take(struct ipi_spread *spread, const struct ipi_places *places, int first, int end)
{
	double mean = 0, sum2 = 0;
	int i;

	spread->cell = places->cell[first];
	spread->nr = end - first;
	spread->reach = NAN;
	for (i = first; i < end; i++)
		mean += log_p50(places->cell[i]) / spread->nr;
	spread->mean = exp(mean);
	if (spread->nr < IPI_EFFECT_MIN)
		return;
	for (i = first; i < end; i++)
		sum2 += pow(log_p50(places->cell[i]) - mean, 2);
	/* What is below this is the arithmetic's own. */
	if (sum2 < 1 / 1e20)
		sum2 = 0;
	spread->reach = expm1(ipi_effect__critical(0.05, spread->nr - 1) *
			      sqrt(sum2 / (spread->nr - 1) / spread->nr));
}

struct ipi_spread *ipi_spread__make(const struct ipi_result *result, int *nr)
{
	struct ipi_spread *spread = calloc((size_t)result->nr_cell + 1, sizeof(*spread));
	struct ipi_places places;
	int i, end;

	*nr = 0;
	if (!spread || ipi_places__list(&places, result)) {
		free(spread);
		return NULL;
	}
	for (i = 0; i < places.nr; i = end) {
		end = ipi_places__end(&places, i);
		take(&spread[(*nr)++], &places, i, end);
	}
	ipi_places__free(&places);
	return spread;
}
