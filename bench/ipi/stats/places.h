/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places: cells of the same scenario, target state, sender, targets and number of senders are one
 * place, measured in several repetitions. Places that differ in the CPUs alone are of one kind.
 */
#ifndef IPI_STATS_PLACES_H
#define IPI_STATS_PLACES_H

#include "result.h"

/**
 * struct ipi_places - the cells of a result that have a headline, place by place
 * @cell:	them; those of one place stand together, in the order they ran
 * @nr:		how many
 */
struct ipi_places {
	const struct ipi_cell **cell;
	int nr;
};

/* The result must outlive it. 0 or -ENOMEM; free it in either case. */
int ipi_places__list(struct ipi_places *places, const struct ipi_result *result);
void ipi_places__free(struct ipi_places *places);

/* Are two cells of one place? */
bool ipi_places__same(const struct ipi_cell *a, const struct ipi_cell *b);

/* Where the place that begins at @first ends: the index behind its last cell. */
int ipi_places__end(const struct ipi_places *places, int first);

/* Is the place from @first to before @end the only one of its kind? */
bool ipi_places__alone(const struct ipi_places *places, int first, int end);

/**
 * ipi_places__find - where the counterpart of a place begins
 * @places:	of another result
 * @cell:	a cell of the place
 * @alone:	it is the only one of its kind: so may its counterpart be, on other CPUs
 *
 * Return: the index, or -1 if there is none.
 */
int ipi_places__find(const struct ipi_places *places, const struct ipi_cell *cell, bool alone);

#endif
