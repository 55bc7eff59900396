/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A result's pairs of one target state, seen as a result of their own, from which a matrix can be
 * made.
 */
#ifndef IPI_REPORT_PLOT_PAIRS_H
#define IPI_REPORT_PLOT_PAIRS_H

#include "../stats/result.h"

/* Fewer are no map. */
#define IPI_PAIRS_MIN	3

/**
 * struct ipi_pairs_view - the view
 * @result:	with the cells of the pairs, which are the other result's, and a topology
 * @own:	the topology, where the other result has none: no levels, CPUs by number
 */
struct ipi_pairs_view {
	struct ipi_result result;
	struct ipi_topology *own;
};

/**
 * ipi_pairs_view__make - the pairs of a result
 * @view:	filled; free with ipi_pairs_view__free() where 1 was returned
 * @result:	must outlive it
 * @target:	the state of the targets: states are never mixed
 *
 * Return: 1, 0 where there are less than IPI_PAIRS_MIN pairs, -ENOMEM.
 */
int ipi_pairs_view__make(struct ipi_pairs_view *view, const struct ipi_result *result,
			 enum ipi_target target);
void ipi_pairs_view__free(struct ipi_pairs_view *view);

#endif
