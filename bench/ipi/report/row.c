// SPDX-License-Identifier: GPL-2.0
/*
 * What a row is called outside the table.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../stats/alike.h"
#include "row.h"

#define DIGITS_MAX	6	/* of a CPU number and its comma */

const char *ipi_row__short(const struct ipi_cell *cell, char *buf, size_t size)
{
	bool target = cell->target != IPI_TARGET_NONE;
	char label[32];

	snprintf(buf, size, "%s%s%s", ipi_cell__label(cell, label, sizeof(label)),
		 target ? "/" : "", target ? ipi_target__name(cell->target) : "");
	return buf;
}

char *ipi_row__dst(const struct ipi_cell *cell)
{
	size_t size = (size_t)cell->dst.nr * DIGITS_MAX + 1;
	char *list = malloc(size);

	if (!list)
		return NULL;
	list[0] = '\0';
	if (cell->dst.nr)
		ipi_cpus__format(&cell->dst, list, size);
	return list;
}

char *ipi_row__path(const struct ipi_cell *cell)
{
	char *dst = ipi_row__dst(cell);
	char *path = NULL;

	if (dst && asprintf(&path, "%d%s%s", cell->src, *dst ? ">" : "", dst) < 0)
		path = NULL;
	free(dst);
	return path;
}

const char *ipi_row__name(const struct ipi_result *result, const struct ipi_cell *cell, char *buf,
			  size_t size)
{
	bool elsewhere = false, again = false;
	char name[64], repetition[32] = "";
	char *path = NULL;
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		const struct ipi_cell *other = &result->cell[i];

		again = again || other->repetition;
		elsewhere = elsewhere || (!ipi_alike__order(cell, other) &&
					  ipi_alike__order_place(cell, other));
	}
	if (again)
		snprintf(repetition, sizeof(repetition), " repetition %u", cell->repetition + 1);
	if (elsewhere)
		path = ipi_row__path(cell);
	snprintf(buf, size, "%s%s%s%s", ipi_row__short(cell, name, sizeof(name)), path ? " " : "",
		 path ? path : "", repetition);
	free(path);
	return buf;
}
