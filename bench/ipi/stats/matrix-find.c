// SPDX-License-Identifier: GPL-2.0
/*
 * What is odd about a matrix: CPUs, pairs, and groups of CPUs. Works on logarithms of ratios, where
 * "twice as slow" and "twice as fast" are as far from "the same", and on medians, which what it
 * looks for can't move.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>

#include "matrix.h"
#include "median.h"

#define ODD_RATIO	1.05
#define ODD_SIGMAS	6
#define OUTLIER_RATIO	1.10
#define OUTLIER_SIGMAS	5
#define OUTLIER_PAIRS	2
#define OUTLIER_CPUS	5
#define SKEW_RATIO	1.03
#define SKEW_ERRORS	5
#define SKEW_PAIRS	4
#define SKEW_GROUPS	16
/* The standard error of a median is that much greater than that of a mean. */
#define MEDIAN_ERROR	1.2533

/* What a search works with. */
struct search {
	const struct ipi_matrix *matrix;
	struct ipi_matrix_finds *finds;
	double class_p50[IPI_DISTANCE_NR];	/* 0 where there is none */
	double *room;				/* for all pairs */
	bool *outlier;				/* by place */
};

/* ln of how much slower a pair is than its back way; false where one was not measured. */
static bool uneven(const struct ipi_matrix *matrix, int from, int to, double *ratio)
{
	const struct ipi_matrix_pair *there = ipi_matrix__at(matrix, from, to);
	const struct ipi_matrix_pair *back = ipi_matrix__at(matrix, to, from);

	if (there->p50 <= 0 || back->p50 <= 0)
		return false;
	*ratio = log((double)there->p50 / (double)back->p50);
	return true;
}

/* ln of a CPU's pairs over those of their distance: the median. Return: how many pairs. */
static int score(const struct search *search, int cpu, bool sends, double *value)
{
	const struct ipi_matrix *matrix = search->matrix;
	int nr = 0;
	int i;

	for (i = 0; i < matrix->nr; i++) {
		const struct ipi_matrix_pair *pair = sends ? ipi_matrix__at(matrix, cpu, i) :
							     ipi_matrix__at(matrix, i, cpu);

		if (i == cpu || pair->p50 <= 0 || search->class_p50[pair->distance] <= 0)
			continue;
		search->room[nr++] = log((double)pair->p50 / search->class_p50[pair->distance]);
	}
	if (nr)
		*value = ipi_median(search->room, nr);
	return nr;
}

static void add_outlier(struct search *search, int cpu, bool sends, double value, int pairs)
{
	struct ipi_matrix_finds *finds = search->finds;

	search->outlier[cpu] = true;
	finds->outlier[finds->nr_outlier++] = (struct ipi_matrix_outlier){
		.cpu = search->matrix->cpu[cpu], .sends = sends, .ratio = exp(value),
		.pairs = pairs,
	};
}

/* All CPUs in one of the two roles. */
static int find_outliers(struct search *search, bool sends)
{
	size_t nr = (size_t)search->matrix->nr;
	double *value = calloc(nr + 1, sizeof(*value));
	double *copy = calloc(nr + 1, sizeof(*copy));
	int *pairs = calloc(nr + 1, sizeof(*pairs));
	double center, limit;
	int judged = 0;
	size_t i;
	int err = value && copy && pairs ? 0 : -ENOMEM;

	for (i = 0; !err && i < nr; i++) {
		pairs[i] = score(search, (int)i, sends, &value[i]);
		if (pairs[i] >= OUTLIER_PAIRS)
			copy[judged++] = value[i];
	}
	if (judged >= OUTLIER_CPUS) {
		center = ipi_median(copy, judged);
		limit = fmax(log(OUTLIER_RATIO),
			     OUTLIER_SIGMAS * ipi_median__spread(copy, judged, center));
		for (i = 0; i < nr; i++) {
			if (pairs[i] >= OUTLIER_PAIRS && fabs(value[i] - center) > limit)
				add_outlier(search, (int)i, sends, value[i], pairs[i]);
		}
		search->finds->judged += judged;
	}
	free(value);
	free(copy);
	free(pairs);
	return err;
}

/* ln of the ratio of two ways that is more than chance; @room holds all of them. */
static double odd_limit(const struct search *search, int nr, int repetitions)
{
	double sigma = search->matrix->noise;

	if (sigma >= 0)
		sigma *= MEDIAN_ERROR * sqrt(2.0 / repetitions);
	else
		sigma = ipi_median__spread(search->room, nr, ipi_median(search->room, nr));
	return fmax(log(ODD_RATIO), ODD_SIGMAS * sigma);
}

/* The slow way of a pair that is uneven; one of an outlier needs no other reason. */
static void judge_pair(struct search *search, int from, int to, double limit)
{
	const struct ipi_matrix_pair *there = ipi_matrix__at(search->matrix, from, to);
	const struct ipi_matrix_pair *back = ipi_matrix__at(search->matrix, to, from);
	struct ipi_matrix_finds *finds = search->finds;
	double ratio;

	if (!uneven(search->matrix, from, to, &ratio) || ratio <= limit ||
	    there->low <= back->high)
		return;
	if (search->outlier[from] || search->outlier[to]) {
		finds->excused++;
		return;
	}
	finds->odd[finds->nr_odd++] = (struct ipi_matrix_odd){
		.src = search->matrix->cpu[from], .dst = search->matrix->cpu[to],
		.there = there->p50, .back = back->p50, .ratio = exp(ratio),
	};
}

static void find_odd(struct search *search)
{
	const struct ipi_matrix *matrix = search->matrix;
	int repetitions = INT_MAX;
	double limit, ratio;
	int from, to, nr = 0;

	for (from = 0; from < matrix->nr; from++) {
		for (to = from + 1; to < matrix->nr; to++) {
			if (!uneven(matrix, from, to, &ratio))
				continue;
			search->room[nr++] = ratio;
			repetitions = min(repetitions, ipi_matrix__at(matrix, from, to)->nr);
			repetitions = min(repetitions, ipi_matrix__at(matrix, to, from)->nr);
		}
	}
	search->finds->nr_both_ways = nr;
	if (!nr)
		return;
	limit = odd_limit(search, nr, repetitions);
	for (from = 0; from < matrix->nr; from++) {
		for (to = 0; to < matrix->nr; to++)
			judge_pair(search, from, to, limit);
	}
}

/* The widest level that divides the CPUs; -1 if none does, or one does into too many. */
static int widest_level(const struct ipi_topology *topology)
{
	static const enum ipi_distance order[] = {
		IPI_DISTANCE_SOCKET, IPI_DISTANCE_NODE, IPI_DISTANCE_DIE, IPI_DISTANCE_LLC,
	};
	int width = 0;
	int level = -1;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(order); i++) {
		if (topology->level[order[i]].nr < 2 ||
		    topology->level[order[i]].nr > SKEW_GROUPS ||
		    ipi_topology__width(topology, order[i]) <= width)
			continue;
		width = ipi_topology__width(topology, order[i]);
		level = order[i];
	}
	return level;
}

/* ns, the median p50 from one group to another. */
static s64 median_between(const struct search *search, const int *of, int one, int other)
{
	const struct ipi_matrix *matrix = search->matrix;
	int nr = 0;
	int from, to;

	for (from = 0; from < matrix->nr; from++) {
		for (to = 0; to < matrix->nr; to++) {
			double ratio;

			if (of[matrix->cpu[from]] - 1 == one && of[matrix->cpu[to]] - 1 == other &&
			    uneven(matrix, from, to, &ratio))
				search->room[nr++] = (double)ipi_matrix__at(matrix, from, to)->p50;
		}
	}
	return nr ? llround(ipi_median(search->room, nr)) : -1;
}

/* Two groups: the ways of each pair between them. */
static void judge_groups(struct search *search, int level, int one, int other)
{
	const struct ipi_matrix *matrix = search->matrix;
	const int *of = matrix->topology->level[level].of;
	struct ipi_matrix_finds *finds = search->finds;
	double center, error, ratio;
	int nr = 0;
	int from, to, slow;

	for (from = 0; from < matrix->nr; from++) {
		for (to = 0; to < matrix->nr; to++) {
			if (of[matrix->cpu[from]] - 1 == one && of[matrix->cpu[to]] - 1 == other &&
			    uneven(matrix, from, to, &ratio))
				search->room[nr++] = ratio;
		}
	}
	if (nr < SKEW_PAIRS)
		return;
	center = ipi_median(search->room, nr);
	error = MEDIAN_ERROR * ipi_median__spread(search->room, nr, center) / sqrt(nr);
	if (fabs(center) <= fmax(log(SKEW_RATIO), SKEW_ERRORS * error))
		return;
	slow = center > 0 ? one : other;
	finds->skew[finds->nr_skew++] = (struct ipi_matrix_skew){
		.level = level, .from = slow, .to = one + other - slow, .pairs = nr,
		.ratio = exp(fabs(center)),
		.there = median_between(search, of, slow, one + other - slow),
		.back = median_between(search, of, one + other - slow, slow),
	};
}

static void find_skew(struct search *search)
{
	int level = widest_level(search->matrix->topology);
	int one, other;

	for (one = 0; level >= 0 && one < search->matrix->topology->level[level].nr; one++) {
		for (other = one + 1; other < search->matrix->topology->level[level].nr; other++)
			judge_groups(search, level, one, other);
	}
}

static int compare_odd(const void *left, const void *right)
{
	const struct ipi_matrix_odd *a = left, *b = right;

	return (a->ratio < b->ratio) - (a->ratio > b->ratio);
}

static int compare_skew(const void *left, const void *right)
{
	const struct ipi_matrix_skew *a = left, *b = right;

	return (a->ratio < b->ratio) - (a->ratio > b->ratio);
}

static int compare_outliers(const void *left, const void *right)
{
	const struct ipi_matrix_outlier *a = left, *b = right;
	double one = fabs(log(a->ratio));
	double two = fabs(log(b->ratio));

	return (one < two) - (one > two);
}

static int prepare(struct search *search)
{
	const struct ipi_matrix *matrix = search->matrix;
	size_t nr = (size_t)matrix->nr;
	struct ipi_matrix_finds *finds = search->finds;
	struct ipi_matrix_class class;
	int i;

	search->room = calloc(nr * nr + 1, sizeof(*search->room));
	search->outlier = calloc(nr + 1, sizeof(*search->outlier));
	finds->odd = calloc((size_t)matrix->measured + 1, sizeof(*finds->odd));
	finds->outlier = calloc(2 * nr + 1, sizeof(*finds->outlier));
	finds->skew = calloc(SKEW_GROUPS * SKEW_GROUPS, sizeof(*finds->skew));
	if (!search->room || !search->outlier || !finds->odd || !finds->outlier || !finds->skew)
		return -ENOMEM;
	for (i = 0; i < IPI_DISTANCE_NR; i++) {
		if (ipi_matrix__class(matrix, i, &class))
			return -ENOMEM;
		search->class_p50[i] = class.nr ? (double)class.p50 : 0;
	}
	return 0;
}

int ipi_matrix__find(const struct ipi_matrix *matrix, struct ipi_matrix_finds *finds)
{
	struct search search = { .matrix = matrix, .finds = finds };
	int err;

	memset(finds, 0, sizeof(*finds));
	err = prepare(&search);
	if (!err)
		err = find_outliers(&search, true);
	if (!err)
		err = find_outliers(&search, false);
	if (!err) {
		find_odd(&search);
		find_skew(&search);
		qsort(finds->odd, (size_t)finds->nr_odd, sizeof(*finds->odd), compare_odd);
		qsort(finds->outlier, (size_t)finds->nr_outlier, sizeof(*finds->outlier),
		      compare_outliers);
		qsort(finds->skew, (size_t)finds->nr_skew, sizeof(*finds->skew), compare_skew);
	}
	free(search.room);
	free(search.outlier);
	return err;
}

void ipi_matrix_finds__free(struct ipi_matrix_finds *finds)
{
	free(finds->odd);
	free(finds->outlier);
	free(finds->skew);
	memset(finds, 0, sizeof(*finds));
}
