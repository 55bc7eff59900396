/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The blocks of a map: CPUs that are drawn together. For text-map.c alone.
 */
#ifndef IPI_REPORT_MAP_BLOCKS_H
#define IPI_REPORT_MAP_BLOCKS_H

#include <stdbool.h>

#include "../stats/matrix.h"

/* Some CPUs beside each other in the order of the matrix. */
struct ipi_map_block {
	int first;		/* place in the matrix */
	int nr;
	bool gap;		/* another cache, die, socket or node begins here */
};

/**
 * struct ipi_map - a map
 * @matrix:	of what
 * @block:	the rows, and the columns
 * @nr:		how many
 * @gaps:	gaps between them
 * @value:	ns by row times @nr plus column, the median of the pairs in there; -1 if none was
 *		measured
 * @possible:	values there could be
 * @filled:	values there are
 */
struct ipi_map {
	const struct ipi_matrix *matrix;
	struct ipi_map_block *block;
	int nr;
	int gaps;
	s64 *value;
	int possible;
	int filled;
};

/*
 * Blocks of up to @size CPUs; groups of at least as many are not crossed. Return: 0, or -ENOMEM;
 * free with ipi_map__free() in any case.
 */
int ipi_map__make(struct ipi_map *map, const struct ipi_matrix *matrix, int size, bool p99);
void ipi_map__free(struct ipi_map *map);

#endif
