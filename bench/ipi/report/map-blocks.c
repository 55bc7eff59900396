// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the blocks of a map and what is in them. Draws nothing.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../stats/median.h"
#include "map-blocks.h"

#define GAPS_MAX	8

/* The narrowest level but SMT with few enough groups to set them apart; -1 if none. */
static int gap_level(const struct ipi_topology *topology)
{
	enum ipi_distance level[IPI_LEVEL_NR];
	int nr = ipi_topology__levels(topology, level);
	int i;

	for (i = 0; i < nr; i++) {
		int groups = topology->level[level[i]].nr;

		if (level[i] != IPI_DISTANCE_SMT && groups > 1 && groups <= GAPS_MAX)
			return level[i];
	}
	return -1;
}

/* Does another group of the level begin at a place? */
static bool begins(const struct ipi_matrix *matrix, int level, int place)
{
	return ipi_topology__group(matrix->topology, level, matrix->cpu[place]) !=
	       ipi_topology__group(matrix->topology, level, matrix->cpu[place - 1]);
}

/* Is there a group of @size or more that ends before a place? */
static bool is_border(const struct ipi_matrix *matrix, int size, int place)
{
	int level;

	for (level = 0; level < IPI_LEVEL_NR; level++) {
		if (ipi_topology__width(matrix->topology, level) >= size &&
		    begins(matrix, level, place))
			return true;
	}
	return false;
}

static void divide(struct ipi_map *map, int size)
{
	const struct ipi_matrix *matrix = map->matrix;
	int level = gap_level(matrix->topology);
	struct ipi_map_block *block = NULL;
	int i;

	for (i = 0; i < matrix->nr; i++) {
		if (!block || block->nr == size || is_border(matrix, size, i)) {
			block = &map->block[map->nr++];
			block->first = i;
			block->gap = i && level >= 0 && begins(matrix, level, i);
			map->gaps += block->gap;
		}
		block->nr++;
	}
}

/* The median of the pairs from one block to another. */
static s64 value_between(const struct ipi_matrix *matrix, const struct ipi_map_block *row,
			 const struct ipi_map_block *column, bool p99, double *room)
{
	int from, to, nr = 0;

	for (from = row->first; from < row->first + row->nr; from++) {
		for (to = column->first; to < column->first + column->nr; to++) {
			const struct ipi_matrix_pair *pair = ipi_matrix__at(matrix, from, to);

			if (from != to && pair->nr)
				room[nr++] = (double)(p99 ? pair->p99 : pair->p50);
		}
	}
	return nr ? llround(ipi_median(room, nr)) : -1;
}

int ipi_map__make(struct ipi_map *map, const struct ipi_matrix *matrix, int size, bool p99)
{
	size_t nr = (size_t)matrix->nr;
	double *room = calloc(nr * nr + 1, sizeof(*room));
	int row, column;

	memset(map, 0, sizeof(*map));
	map->matrix = matrix;
	map->block = calloc(nr + 1, sizeof(*map->block));
	map->value = calloc(nr * nr + 1, sizeof(*map->value));
	if (!room || !map->block || !map->value) {
		free(room);
		return -ENOMEM;
	}
	divide(map, size);
	for (row = 0; row < map->nr; row++) {
		for (column = 0; column < map->nr; column++) {
			s64 value = value_between(matrix, &map->block[row], &map->block[column],
						  p99, room);

			map->value[row * map->nr + column] = value;
			map->filled += value >= 0;
			map->possible += row != column || map->block[row].nr > 1;
		}
	}
	free(room);
	return 0;
}

void ipi_map__free(struct ipi_map *map)
{
	free(map->block);
	free(map->value);
	memset(map, 0, sizeof(*map));
}
