/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which ordered pairs of CPUs a matrix measures, and in which order.
 */
#ifndef IPI_RUN_PAIRS_H
#define IPI_RUN_PAIRS_H

#include <stdbool.h>
#include <linux/types.h>

#include "../topology.h"

struct ipi_why;

/**
 * struct ipi_pair - an ordered pair
 * @src:	who sends
 * @dst:	who is hit
 * @distance:	how far they are apart
 */
struct ipi_pair {
	int src;
	int dst;
	enum ipi_distance distance;
};

/**
 * struct ipi_pairs - the pairs of a matrix, both directions of one beside each other
 * @pair:	them
 * @nr:		how many, an even number
 * @least:	of these so many at the beginning are at least to be measured: one of each distance,
 *		both ways
 * @all:	how many pairs these CPUs have, by distance
 */
struct ipi_pairs {
	struct ipi_pair *pair;
	int nr;
	int least;
	u64 all[IPI_DISTANCE_NR];
};

/**
 * ipi_pairs__make - choose pairs
 * @pairs:	filled; free with ipi_pairs__free(), also after an error
 * @topology:	the CPUs
 * @full:	all of them; else a sample
 * @why:	filled on error
 *
 * The sample takes a pair of each distance in turn, always of CPUs that have had the fewest so far:
 * any part of it from its beginning on is stratified, and as soon as it may be every CPU has sent
 * and been hit. Which of equal ones is by a fixed seed: the same CPUs have the same sample.
 *
 * Return: 0, -EINVAL where there are not two CPUs, -ENOMEM.
 */
int ipi_pairs__make(struct ipi_pairs *pairs, const struct ipi_topology *topology, bool full,
		    struct ipi_why *why);
void ipi_pairs__free(struct ipi_pairs *pairs);

/**
 * ipi_pairs__fit - how many of them can be had for a time
 * @pairs:	the pairs
 * @fixed_ns:	what a matrix takes without any pair
 * @pair_ns:	what each pair takes
 * @budget_ns:	the time there is
 *
 * Return: an even number, not less than @pairs->least and not more than @pairs->nr.
 */
int ipi_pairs__fit(const struct ipi_pairs *pairs, u64 fixed_ns, u64 pair_ns, u64 budget_ns);

#endif
