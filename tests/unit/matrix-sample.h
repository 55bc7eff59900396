/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Results of a matrix built by hand: a machine of 2 x 56 CPUs, times by distance with a little
 * noise from a seed, and whatever else a test plants.
 */
#ifndef TESTS_UNIT_MATRIX_SAMPLE_H
#define TESTS_UNIT_MATRIX_SAMPLE_H

#include <stdlib.h>
#include <string.h>

#include "machine-model.h"

#include "bench/ipi/run/pairs.h"
#include "bench/ipi/stats/result.h"
#include "random.h"

/* What a test does to a pair's time; NULL for nothing. */
typedef double (*matrix_plant)(int src, int dst);

/* -1 to 1, uniform. */
static inline double matrix_noise(u64 *seed)
{
	return (double)(next_random(seed) >> 11) / (double)(1ULL << 52) - 1;
}

/* p50 is @ns, p99 twice that. */
static inline void matrix_stage(struct ipi_cell *cell, enum ipi_stage stage, double ns)
{
	struct ipi_hist *hist = ipi_cell__hist(cell, stage);
	int i;

	assert_non_null(hist);
	for (i = 0; i < 100; i++)
		ipi_hist__add(hist, (u64)(i < 98 ? ns : 2 * ns));
}

static inline struct ipi_cell *matrix_cell(struct ipi_result *result, int src, int dst,
					   unsigned int repetition)
{
	struct ipi_cell *cell = ipi_result__add_cell(result);

	assert_non_null(cell);
	cell->scenario = IPI_SCENARIO_NORMAL;
	cell->backend = "user";
	cell->target = IPI_TARGET_BUSY;
	cell->src = src;
	cell->repetition = repetition;
	assert_int_equal(ipi_cpus__add(&cell->dst, dst), 0);
	cell->untraced.done = true;
	cell->untraced.calls = 100;
	return cell;
}

static inline double matrix_base(enum ipi_distance distance)
{
	return distance == IPI_DISTANCE_SMT ? 800 : distance == IPI_DISTANCE_LLC ? 1500 : 2600;
}

/* @noise: 0.02 for 2 % up or down. */
static inline struct ipi_result *matrix_sample(struct ipi_topology *topology, bool full,
					       unsigned int repeat, double noise, u64 seed,
					       matrix_plant plant)
{
	struct ipi_result *result = ipi_result__new();
	struct ipi_pairs pairs;
	unsigned int k;
	int i;

	assert_non_null(result);
	snprintf(result->title, sizeof(result->title), "matrix");
	result->topology = topology;
	assert_int_equal(ipi_pairs__make(&pairs, topology, full, NULL), 0);
	for (k = 0; k < repeat; k++) {
		for (i = 0; i < pairs.nr; i++) {
			const struct ipi_pair *pair = &pairs.pair[i];
			double ns = matrix_base(pair->distance);

			ns *= 1 + noise * matrix_noise(&seed);
			if (plant)
				ns *= plant(pair->src, pair->dst);
			matrix_stage(matrix_cell(result, pair->src, pair->dst, k),
				     IPI_STAGE_TOTAL, ns);
		}
	}
	ipi_pairs__free(&pairs);
	return result;
}

#endif
