// SPDX-License-Identifier: GPL-2.0
/*
 * Which cells of a result are the same thing measured again, and which of another result's are.
 */
#include <errno.h>
#include <stdlib.h>

#include "alike.h"
#include "places.h"

/* The same but for the CPUs. */
static bool same_kind(const struct ipi_cell *a, const struct ipi_cell *b)
{
	return !ipi_alike__order(a, b);
}

bool ipi_places__same(const struct ipi_cell *a, const struct ipi_cell *b)
{
	return !ipi_alike__order_place(a, b);
}

static bool counts(const struct ipi_cell *cell)
{
	return cell->verdict == IPI_VERDICT_OK;
}

static int order_cells(const void *x, const void *y)
{
	const struct ipi_cell *a = *(const struct ipi_cell *const *)x;
	const struct ipi_cell *b = *(const struct ipi_cell *const *)y;
	int order = ipi_alike__order_place(a, b);

	/* Cells are an array: what comes first is first. */
	return order ? order : a < b ? -1 : a > b;
}

int ipi_places__list(struct ipi_places *places, const struct ipi_result *result)
{
	int i;

	places->nr = 0;
	places->cell = calloc((size_t)result->nr_cell + 1, sizeof(*places->cell));
	if (!places->cell)
		return -ENOMEM;
	for (i = 0; i < result->nr_cell; i++) {
		if (counts(&result->cell[i]))
			places->cell[places->nr++] = &result->cell[i];
	}
	qsort(places->cell, (size_t)places->nr, sizeof(*places->cell), order_cells);
	return 0;
}

int ipi_places__end(const struct ipi_places *places, int first)
{
	int end = first + 1;

	while (end < places->nr && ipi_places__same(places->cell[first], places->cell[end]))
		end++;
	return end;
}

bool ipi_places__alone(const struct ipi_places *places, int first, int end)
{
	return (!first || !same_kind(places->cell[first - 1], places->cell[first])) &&
	       (end == places->nr || !same_kind(places->cell[end], places->cell[first]));
}

/* The first cell that does not come before @cell. */
static int find_first(const struct ipi_places *places, const struct ipi_cell *cell,
		      int (*order)(const struct ipi_cell *a, const struct ipi_cell *b))
{
	int low = 0, high = places->nr;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (order(places->cell[middle], cell) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int ipi_places__find(const struct ipi_places *places, const struct ipi_cell *cell, bool alone)
{
	int first = find_first(places, cell, ipi_alike__order_place);

	if (first < places->nr && ipi_places__same(places->cell[first], cell))
		return first;
	first = find_first(places, cell, ipi_alike__order);
	if (alone && first < places->nr && same_kind(places->cell[first], cell) &&
	    ipi_places__alone(places, first, ipi_places__end(places, first)))
		return first;
	return -1;
}

void ipi_places__free(struct ipi_places *places)
{
	free(places->cell);
	places->cell = NULL;
	places->nr = 0;
}
