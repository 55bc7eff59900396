// SPDX-License-Identifier: GPL-2.0
/*
 * The pairs of a result, picked out of its cells.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plot-pairs.h"

static bool is_pair(const struct ipi_cell *cell, enum ipi_target target)
{
	return cell->scenario == IPI_SCENARIO_NORMAL && cell->target == target &&
	       cell->verdict == IPI_VERDICT_OK && cell->dst.nr == 1 &&
	       cell->dst.cpu[0] != cell->src && cell->src >= 0 && cell->src < IPI_CPUS_MAX;
}

/* The first pairs there are, none twice. */
struct first_pairs {
	const struct ipi_cell *cell[IPI_PAIRS_MIN];
	int nr;
};

static void count(struct first_pairs *pairs, const struct ipi_cell *cell)
{
	int i;

	for (i = 0; i < pairs->nr; i++) {
		if (pairs->cell[i]->src == cell->src &&
		    pairs->cell[i]->dst.cpu[0] == cell->dst.cpu[0])
			return;
	}
	if (pairs->nr < IPI_PAIRS_MIN)
		pairs->cell[pairs->nr++] = cell;
}

/* A topology that knows nothing but its CPUs. */
static struct ipi_topology *bare_topology(const struct ipi_result *view)
{
	char *member = calloc(IPI_CPUS_MAX, 1);
	struct ipi_topology *topology = NULL;
	struct ipi_cpus cpus = { 0 };
	int err = member ? 0 : -ENOMEM;
	int i;

	for (i = 0; !err && i < view->nr_cell; i++) {
		member[view->cell[i].src] = 1;
		member[view->cell[i].dst.cpu[0]] = 1;
	}
	for (i = 0; !err && i < IPI_CPUS_MAX; i++) {
		if (member[i])
			err = ipi_cpus__add(&cpus, i);
	}
	if (!err)
		topology = ipi_topology__new("", &cpus);
	ipi_cpus__free(&cpus);
	free(member);
	return topology;
}

int ipi_pairs_view__make(struct ipi_pairs_view *view, const struct ipi_result *result,
			 enum ipi_target target)
{
	struct first_pairs pairs = { .nr = 0 };
	int i;

	memset(view, 0, sizeof(*view));
	view->result.cell = calloc((size_t)result->nr_cell + 1, sizeof(*view->result.cell));
	if (!view->result.cell)
		return -ENOMEM;
	for (i = 0; i < result->nr_cell; i++) {
		const struct ipi_cell *cell = &result->cell[i];

		if (!is_pair(cell, target))
			continue;
		count(&pairs, cell);
		view->result.cell[view->result.nr_cell++] = *cell;
	}
	if (pairs.nr == IPI_PAIRS_MIN && !result->topology)
		view->own = bare_topology(&view->result);
	view->result.topology = result->topology ? result->topology : view->own;
	if (pairs.nr == IPI_PAIRS_MIN && view->result.topology)
		return 1;
	ipi_pairs_view__free(view);
	return pairs.nr < IPI_PAIRS_MIN ? 0 : -ENOMEM;
}

void ipi_pairs_view__free(struct ipi_pairs_view *view)
{
	ipi_topology__delete(view->own);
	free(view->result.cell);
}
