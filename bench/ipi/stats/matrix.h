/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A result seen as a matrix of pairs: one stage of every cell of "normal" with one target, by
 * sender and target, repetitions put together; what is odd about it.
 */
#ifndef IPI_STATS_MATRIX_H
#define IPI_STATS_MATRIX_H

#include <stdbool.h>

#include "result.h"

/**
 * struct ipi_matrix_pair - an ordered pair
 * @distance:	how far they are apart
 * @nr:		repetitions that were measured and whose headline stands; 0: not measured
 * @p50:	ns, the median of the repetitions' p50; -1 if not measured
 * @p99:	ns, the median of the repetitions' p99
 * @low:	ns, the least p50 of a repetition
 * @high:	ns, the greatest
 */
struct ipi_matrix_pair {
	enum ipi_distance distance;
	int nr;
	s64 p50;
	s64 p99;
	s64 low;
	s64 high;
};

/**
 * struct ipi_matrix - all pairs
 * @topology:	the result's
 * @stage:	what is in it
 * @nr:		CPUs
 * @cpu:	them, in the order of ipi_topology__order()
 * @pair:	by place of the sender times @nr, plus place of the target
 * @measured:	pairs that were measured
 * @noise:	standard deviation of a pair's ln(p50) between repetitions, by the median difference
 *		of two that follow each other, and by what histograms round off; negative where
 *		no pair has two
 */
struct ipi_matrix {
	const struct ipi_topology *topology;
	enum ipi_stage stage;
	int nr;
	int *cpu;
	struct ipi_matrix_pair *pair;
	int measured;
	double noise;
};

/**
 * ipi_matrix__new - one stage of a result as a matrix
 * @result:	with a topology; must stay
 * @stage:	which stage
 *
 * Return: the matrix, NULL without memory.
 */
struct ipi_matrix *ipi_matrix__new(const struct ipi_result *result, enum ipi_stage stage);
void ipi_matrix__delete(struct ipi_matrix *matrix);

/* By the places of sender and target. */
const struct ipi_matrix_pair *ipi_matrix__at(const struct ipi_matrix *matrix, int from, int to);

/**
 * struct ipi_matrix_class - all pairs of one distance
 * @all:	pairs there are
 * @nr:		pairs that were measured; if 0, nothing below holds
 * @p50:	ns, the median of their p50
 * @p99:	ns, the median of their p99
 * @fastest:	ns, the least p50, of @fastest_src to @fastest_dst
 * @slowest:	ns, the greatest
 */
struct ipi_matrix_class {
	int all;
	int nr;
	s64 p50;
	s64 p99;
	s64 fastest;
	int fastest_src;
	int fastest_dst;
	s64 slowest;
	int slowest_src;
	int slowest_dst;
};

/* Return: 0 or -ENOMEM. */
int ipi_matrix__class(const struct ipi_matrix *matrix, enum ipi_distance distance,
		      struct ipi_matrix_class *class);

/* A pair that is slower one way than the other. */
struct ipi_matrix_odd {
	int src;		/* the slow way */
	int dst;
	s64 there;		/* ns, p50 */
	s64 back;
	double ratio;		/* of them, above 1 */
};

/* A CPU whose pairs are unlike others of their distance. */
struct ipi_matrix_outlier {
	int cpu;
	bool sends;		/* as sender; else as target */
	double ratio;		/* of its pairs' p50 to that of their distance */
	int pairs;		/* how many it rests on */
};

/* Two groups of a level between which one way is slower than the other. */
struct ipi_matrix_skew {
	enum ipi_distance level;
	int from;		/* the slow way; indexes of groups of the level */
	int to;
	s64 there;		/* ns, median p50 of the pairs */
	s64 back;
	double ratio;		/* median ratio of a pair's two ways, above 1 */
	int pairs;		/* unordered */
};

/**
 * struct ipi_matrix_finds - what is odd
 * @odd:	pairs, the most uneven first
 * @nr_odd:	how many
 * @nr_both_ways: unordered pairs that were measured both ways
 * @excused:	uneven pairs left out of @odd, since one of the two is an outlier
 * @outlier:	CPUs, the oddest first
 * @nr_outlier:	how many
 * @judged:	CPUs with enough pairs for that, of senders and targets together; none is called an
 *		outlier among too few
 * @skew:	pairs of groups, the most uneven first
 * @nr_skew:	how many
 */
struct ipi_matrix_finds {
	struct ipi_matrix_odd *odd;
	int nr_odd;
	int nr_both_ways;
	int excused;
	struct ipi_matrix_outlier *outlier;
	int nr_outlier;
	int judged;
	struct ipi_matrix_skew *skew;
	int nr_skew;
};

/**
 * ipi_matrix__find - look for what is odd
 * @matrix:	the matrix
 * @finds:	filled; free with ipi_matrix_finds__free(), also after an error
 *
 * A pair is uneven where the two ways differ by more than 5 % and by six standard deviations, and
 * where every repetition of the slow way was slower than any of the other. Without repetitions the
 * deviation is that of all pairs, by the median.
 *
 * A CPU is an outlier where the median of its pairs' p50, each over the median of its distance, is
 * more than 10 % and five standard deviations (by the median) from the middle of all CPUs; of at
 * least two pairs, among at least five CPUs.
 *
 * Groups are uneven where the median ratio of the two ways of their pairs is more than 3 % and five
 * standard errors from 1, of at least four pairs.
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_matrix__find(const struct ipi_matrix *matrix, struct ipi_matrix_finds *finds);
void ipi_matrix_finds__free(struct ipi_matrix_finds *finds);

#endif
