// SPDX-License-Identifier: GPL-2.0
/*
 * The matrix of a result: cells sorted by pair and repetition, a pair's repetitions put together by
 * their median, so that one that was disturbed doesn't count. Looks for nothing: matrix-find.c.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"
#include "median.h"

/* The standard deviation by the median of the absolute difference of two draws. */
#define DIFFERENCE_TO_SIGMA	(1.4826 * M_SQRT1_2)
/* A histogram's buckets are 1/128 wide: what that rounds off is noise as well. */
#define ROUNDING_SIGMA		(1 / 128.0 / sqrt(12))

/* One cell's part. */
struct sample {
	int pair;
	unsigned int repetition;
	s64 p50;
	s64 p99;
};

static int compare_samples(const void *left, const void *right)
{
	const struct sample *a = left, *b = right;

	if (a->pair != b->pair)
		return a->pair < b->pair ? -1 : 1;
	return (a->repetition > b->repetition) - (a->repetition < b->repetition);
}

/* The place of each CPU by its number, -1 if it has none. */
static int *make_places(const struct ipi_matrix *matrix)
{
	int *place = malloc(IPI_CPUS_MAX * sizeof(*place));
	int i;

	if (!place)
		return NULL;
	for (i = 0; i < IPI_CPUS_MAX; i++)
		place[i] = -1;
	for (i = 0; i < matrix->nr; i++)
		place[matrix->cpu[i]] = i;
	return place;
}

/* A cell's pair, -1 if it has no place in the matrix or nothing to say. */
static int pair_of(const struct ipi_matrix *matrix, const int *place, const struct ipi_cell *cell)
{
	if (cell->scenario != IPI_SCENARIO_NORMAL || cell->dst.nr != 1 ||
	    cell->verdict != IPI_VERDICT_OK || !ipi_cell__measured(cell, matrix->stage))
		return -1;
	if (cell->src < 0 || cell->src >= IPI_CPUS_MAX || place[cell->src] < 0 ||
	    place[cell->dst.cpu[0]] < 0)
		return -1;
	return place[cell->src] * matrix->nr + place[cell->dst.cpu[0]];
}

/* Return: how many, -1 without memory. */
static int collect(const struct ipi_matrix *matrix, const struct ipi_result *result,
		   struct sample *sample)
{
	int *place = make_places(matrix);
	int nr = 0;
	int i;

	if (!place)
		return -1;
	for (i = 0; i < result->nr_cell; i++) {
		const struct ipi_cell *cell = &result->cell[i];
		const struct ipi_hist *hist = cell->stage[matrix->stage];
		int pair = pair_of(matrix, place, cell);

		if (pair < 0)
			continue;
		sample[nr].pair = pair;
		sample[nr].repetition = cell->repetition;
		sample[nr].p50 = (s64)ipi_hist__percentile(hist, 5000);
		sample[nr++].p99 = (s64)ipi_hist__percentile(hist, 9900);
	}
	free(place);
	qsort(sample, (size_t)nr, sizeof(*sample), compare_samples);
	return nr;
}

/* The samples of one pair. */
static void put_together(struct ipi_matrix_pair *pair, const struct sample *sample, int nr,
			 double *room)
{
	int i;

	pair->nr = nr;
	pair->low = sample[0].p50;
	pair->high = sample[0].p50;
	for (i = 0; i < nr; i++) {
		room[i] = (double)sample[i].p50;
		if (sample[i].p50 < pair->low)
			pair->low = sample[i].p50;
		if (sample[i].p50 > pair->high)
			pair->high = sample[i].p50;
	}
	pair->p50 = llround(ipi_median(room, nr));
	for (i = 0; i < nr; i++)
		room[i] = (double)sample[i].p99;
	pair->p99 = llround(ipi_median(room, nr));
}

/* What one repetition differs from the next. */
static double measure_noise(const struct sample *sample, int nr, double *room)
{
	int differences = 0;
	int i;

	for (i = 1; i < nr; i++) {
		if (sample[i].pair != sample[i - 1].pair || sample[i].p50 <= 0 ||
		    sample[i - 1].p50 <= 0)
			continue;
		room[differences++] = fabs(log((double)sample[i].p50 / (double)sample[i - 1].p50));
	}
	if (!differences)
		return -1;
	return hypot(DIFFERENCE_TO_SIGMA * ipi_median(room, differences), ROUNDING_SIGMA);
}

static int fill(struct ipi_matrix *matrix, const struct ipi_result *result)
{
	struct sample *sample = calloc((size_t)result->nr_cell + 1, sizeof(*sample));
	double *room = calloc((size_t)result->nr_cell + 1, sizeof(*room));
	int nr = sample && room ? collect(matrix, result, sample) : -1;
	int first, i;

	for (first = 0; first < nr; first = i) {
		for (i = first; i < nr && sample[i].pair == sample[first].pair; i++)
			;
		put_together(&matrix->pair[sample[first].pair], &sample[first], i - first, room);
		matrix->measured++;
	}
	if (nr >= 0)
		matrix->noise = measure_noise(sample, nr, room);
	free(sample);
	free(room);
	return nr < 0 ? -ENOMEM : 0;
}

struct ipi_matrix *ipi_matrix__new(const struct ipi_result *result, enum ipi_stage stage)
{
	struct ipi_matrix *matrix = calloc(1, sizeof(*matrix));
	size_t nr = (size_t)result->topology->cpus.nr;
	size_t i;

	if (!matrix)
		return NULL;
	matrix->topology = result->topology;
	matrix->stage = stage;
	matrix->nr = (int)nr;
	matrix->cpu = calloc(nr + 1, sizeof(*matrix->cpu));
	matrix->pair = calloc(nr * nr + 1, sizeof(*matrix->pair));
	if (!matrix->cpu || !matrix->pair ||
	    ipi_topology__order(matrix->topology, matrix->cpu)) {
		ipi_matrix__delete(matrix);
		return NULL;
	}
	for (i = 0; i < nr * nr; i++) {
		matrix->pair[i].p50 = -1;
		matrix->pair[i].p99 = -1;
		matrix->pair[i].distance = ipi_topology__distance(matrix->topology,
								  matrix->cpu[i / nr],
								  matrix->cpu[i % nr]);
	}
	if (fill(matrix, result)) {
		ipi_matrix__delete(matrix);
		return NULL;
	}
	return matrix;
}

void ipi_matrix__delete(struct ipi_matrix *matrix)
{
	if (!matrix)
		return;
	free(matrix->cpu);
	free(matrix->pair);
	free(matrix);
}

const struct ipi_matrix_pair *ipi_matrix__at(const struct ipi_matrix *matrix, int from, int to)
{
	return &matrix->pair[(size_t)from * (size_t)matrix->nr + (size_t)to];
}

/* One pair more into its class. */
static void add_to_class(struct ipi_matrix_class *class, const struct ipi_matrix *matrix, int from,
			 int to)
{
	s64 p50 = ipi_matrix__at(matrix, from, to)->p50;

	if (!class->nr || p50 < class->fastest) {
		class->fastest = p50;
		class->fastest_src = matrix->cpu[from];
		class->fastest_dst = matrix->cpu[to];
	}
	if (!class->nr || p50 > class->slowest) {
		class->slowest = p50;
		class->slowest_src = matrix->cpu[from];
		class->slowest_dst = matrix->cpu[to];
	}
	class->nr++;
}

int ipi_matrix__class(const struct ipi_matrix *matrix, enum ipi_distance distance,
		      struct ipi_matrix_class *class)
{
	double *p50 = calloc((size_t)matrix->measured + 1, sizeof(*p50));
	double *p99 = calloc((size_t)matrix->measured + 1, sizeof(*p99));
	int err = p50 && p99 ? 0 : -ENOMEM;
	int from, to;

	memset(class, 0, sizeof(*class));
	for (from = 0; !err && from < matrix->nr; from++) {
		for (to = 0; to < matrix->nr; to++) {
			const struct ipi_matrix_pair *pair = ipi_matrix__at(matrix, from, to);

			if (from == to || pair->distance != distance)
				continue;
			class->all++;
			if (!pair->nr)
				continue;
			p50[class->nr] = (double)pair->p50;
			p99[class->nr] = (double)pair->p99;
			add_to_class(class, matrix, from, to);
		}
	}
	if (class->nr) {
		class->p50 = llround(ipi_median(p50, class->nr));
		class->p99 = llround(ipi_median(p99, class->nr));
	}
	free(p50);
	free(p99);
	return err;
}
