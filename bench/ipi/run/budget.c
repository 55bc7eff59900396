// SPDX-License-Identifier: GPL-2.0
/*
 * Spends a time budget over the cells by how far their repetitions are apart.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../stats/median.h"
#include "../stats/spread.h"
#include "budget.h"
#include "clock.h"
#include "options.h"

#define ROUNDS_FIRST	3
#define ROUNDS_MAX	10000U
/* A precision alone may not be within reach at all. */
#define TIME_DEFAULT_NS	(60 * IPI_NSEC_PER_SEC)

static u64 time_limit(const struct ipi_options *opt)
{
	return opt->time_ns ? opt->time_ns : TIME_DEFAULT_NS;
}

static bool is_of(const struct ipi_cell *cell, const struct ipi_spec *spec)
{
	return cell->scenario == spec->scenario && cell->target == spec->target &&
	       cell->src == spec->src && cell->senders.nr == spec->senders.nr &&
	       cell->dst.nr == spec->dst.nr &&
	       (!spec->dst.nr || !memcmp(cell->dst.cpu, spec->dst.cpu,
					 (size_t)spec->dst.nr * sizeof(int)));
}

/* How far the repetitions of a cell are apart; negative where it has no headline. */
static double reach_of(const struct ipi_spec *spec, const struct ipi_spread *spread, int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		if (is_of(spread[i].cell, spec))
			return isnan(spread[i].reach) ? HUGE_VAL : spread[i].reach;
	}
	return -1;
}

/* Of the reaches that are not good enough, the one in the middle; negative where there is none. */
static double middle_of(const double *reach, int nr, double precision, double *sorted)
{
	int left = 0;
	int i;

	for (i = 0; i < nr; i++) {
		if (reach[i] >= 0 && reach[i] > precision)
			sorted[left++] = reach[i];
	}
	ipi_median__sort(sorted, left);
	return left ? sorted[left / 2] : -1;
}

static int choose_wide(const struct ipi_plan *plan, const struct ipi_options *opt,
		       const struct ipi_result *result, bool *chosen)
{
	double *reach = calloc((size_t)plan->nr * 2, sizeof(*reach));
	int nr_spread, nr = 0;
	struct ipi_spread *spread = ipi_spread__make(result, &nr_spread);
	double middle;
	int i;

	if (!reach || !spread) {
		free(reach);
		free(spread);
		return -ENOMEM;
	}
	for (i = 0; i < plan->nr; i++)
		reach[i] = reach_of(&plan->spec[i], spread, nr_spread);
	middle = middle_of(reach, plan->nr, opt->precision, reach + plan->nr);
	for (i = 0; i < plan->nr; i++) {
		chosen[i] = middle >= 0 && reach[i] >= middle && reach[i] > opt->precision;
		nr += chosen[i];
	}
	free(reach);
	free(spread);
	return nr;
}

int ipi_budget__choose(const struct ipi_plan *plan, const struct ipi_options *opt,
		       const struct ipi_result *result, unsigned int repetition, u64 spent_ns,
		       bool *chosen)
{
	bool budget = opt->time_ns || opt->precision > 0;
	int i;

	if (budget ? repetition >= ROUNDS_MAX : repetition >= opt->repeat)
		return 0;
	/* The first repetition is made in any case: there is nothing to print without. */
	if (budget && repetition && spent_ns >= time_limit(opt))
		return 0;
	if (budget && repetition >= ROUNDS_FIRST)
		return choose_wide(plan, opt, result, chosen);
	for (i = 0; i < plan->nr; i++)
		chosen[i] = true;
	return plan->nr;
}

unsigned int ipi_budget__permille(const struct ipi_options *opt, u64 spent_ns,
				  unsigned int permille)
{
	u64 share;

	if (!opt->time_ns)
		return permille;
	share = spent_ns * 1000 / opt->time_ns;
	return share < 1000 ? (unsigned int)share : 1000;
}
