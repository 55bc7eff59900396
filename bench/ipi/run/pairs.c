// SPDX-License-Identifier: GPL-2.0
/*
 * The pairs of a matrix. Works on unordered pairs, which it shuffles by a fixed seed, so that what
 * disturbs the machine for a while hits pairs all over the matrix and not one CPU's row.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../why.h"
#include "pairs.h"

/* Pairs of a sample that each CPU has part in, and of each distance, where there are so many. */
#define SAMPLE_CPU	4
#define SAMPLE_DISTANCE	8
/* Couples for which a sample isn't worth it. */
#define SAMPLE_MIN	120
#define SEED		0x9e3779b97f4a7c15ULL

/* Unordered, by the index of a CPU in the topology. */
struct couple {
	int a;
	int b;
};

/* Those of one distance; from @taken on they are free. */
struct stratum {
	struct couple *couple;
	u64 nr;
	u64 taken;
};

struct sample {
	const struct ipi_topology *topology;
	struct ipi_pairs *pairs;
	struct stratum stratum[IPI_DISTANCE_NR];
	int *had;		/* pairs that each CPU is part of already */
};

/* xorshift64* */
static u64 next_random(u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

static void shuffle(struct stratum *stratum)
{
	u64 state = SEED;
	u64 i;

	for (i = stratum->nr; i > 1; i--) {
		u64 other = next_random(&state) % i;
		struct couple couple = stratum->couple[i - 1];

		stratum->couple[i - 1] = stratum->couple[other];
		stratum->couple[other] = couple;
	}
}

/* All couples, by distance. */
static int make_strata(struct sample *sample)
{
	const struct ipi_cpus *cpus = &sample->topology->cpus;
	int a, b, k;

	for (a = 0; a < cpus->nr; a++) {
		for (b = a + 1; b < cpus->nr; b++)
			sample->pairs->all[ipi_topology__distance(sample->topology, cpus->cpu[a],
								  cpus->cpu[b])] += 2;
	}
	for (k = 0; k < IPI_DISTANCE_NR; k++) {
		struct stratum *stratum = &sample->stratum[k];

		stratum->couple = calloc(sample->pairs->all[k] / 2 + 1, sizeof(*stratum->couple));
		if (!stratum->couple)
			return -ENOMEM;
	}
	for (a = 0; a < cpus->nr; a++) {
		for (b = a + 1; b < cpus->nr; b++) {
			struct stratum *stratum =
				&sample->stratum[ipi_topology__distance(sample->topology,
									cpus->cpu[a],
									cpus->cpu[b])];

			stratum->couple[stratum->nr++] = (struct couple){ a, b };
		}
	}
	for (k = 0; k < IPI_DISTANCE_NR; k++)
		shuffle(&sample->stratum[k]);
	return 0;
}

/* Of those that are free, one whose CPUs have had the fewest; the first of several. */
static u64 find_rarest(const struct sample *sample, const struct stratum *stratum)
{
	u64 best = stratum->taken;
	int fewest = INT_MAX;
	int least = INT_MAX;
	u64 i;
	int k;

	for (k = 0; k < sample->topology->cpus.nr; k++) {
		if (sample->had[k] < least)
			least = sample->had[k];
	}
	for (i = stratum->taken; i < stratum->nr && fewest > 2 * least; i++) {
		int had = sample->had[stratum->couple[i].a] + sample->had[stratum->couple[i].b];

		if (had < fewest) {
			fewest = had;
			best = i;
		}
	}
	return best;
}

/* The couple at @at of a distance, both ways. */
static void take(struct sample *sample, enum ipi_distance distance, u64 at)
{
	const struct ipi_cpus *cpus = &sample->topology->cpus;
	struct stratum *stratum = &sample->stratum[distance];
	struct couple couple = stratum->couple[at];
	struct ipi_pairs *pairs = sample->pairs;
	int a = cpus->cpu[couple.a];
	int b = cpus->cpu[couple.b];

	stratum->couple[at] = stratum->couple[stratum->taken];
	stratum->couple[stratum->taken++] = couple;
	sample->had[couple.a]++;
	sample->had[couple.b]++;
	pairs->pair[pairs->nr++] = (struct ipi_pair){ a, b, distance };
	pairs->pair[pairs->nr++] = (struct ipi_pair){ b, a, distance };
}

static int nr_distances(const struct sample *sample)
{
	int nr = 0;
	int k;

	for (k = 0; k < IPI_DISTANCE_NR; k++)
		nr += sample->stratum[k].nr > 0;
	return nr;
}

/* Couples of a sample. */
static u64 sample_size(const struct sample *sample)
{
	u64 by_cpu = (u64)sample->topology->cpus.nr * SAMPLE_CPU / 2;
	u64 by_distance = (u64)nr_distances(sample) * SAMPLE_DISTANCE;

	if (by_cpu < by_distance)
		by_cpu = by_distance;
	return by_cpu > SAMPLE_MIN ? by_cpu : SAMPLE_MIN;
}

/*
 * A couple of each distance in turn until there are @nr, or none is left. Of all of them the rarest
 * needn't be looked for.
 */
static void take_in_turn(struct sample *sample, u64 nr, bool full)
{
	u64 left = nr;
	bool any = true;
	int k;

	while (left && any) {
		any = false;
		for (k = 0; k < IPI_DISTANCE_NR && left; k++) {
			struct stratum *stratum = &sample->stratum[k];

			if (stratum->taken == stratum->nr)
				continue;
			take(sample, k, full ? stratum->taken : find_rarest(sample, stratum));
			any = true;
			left--;
		}
	}
}

int ipi_pairs__make(struct ipi_pairs *pairs, const struct ipi_topology *topology, bool full,
		    struct ipi_why *why)
{
	u64 couples = (u64)topology->cpus.nr * (u64)(topology->cpus.nr - 1) / 2;
	struct sample sample = { .topology = topology, .pairs = pairs };
	int err = 0;
	int k;

	memset(pairs, 0, sizeof(*pairs));
	if (topology->cpus.nr < 2)
		return ipi_why__set(why, 0, "name more with --cpus", "a matrix needs two CPUs");
	/* Many times what a run could get through. */
	if (couples > INT_MAX / 4)
		return ipi_why__set(why, EOVERFLOW, "name fewer with --cpus", "too many pairs");
	pairs->pair = calloc(couples * 2, sizeof(*pairs->pair));
	sample.had = calloc((size_t)topology->cpus.nr, sizeof(*sample.had));
	if (!pairs->pair || !sample.had || make_strata(&sample)) {
		err = ipi_why__set(why, ENOMEM, NULL, "pairs");
	} else {
		if (!full && couples > sample_size(&sample))
			couples = sample_size(&sample);
		take_in_turn(&sample, couples, full);
		pairs->least = nr_distances(&sample) * 2;
	}
	for (k = 0; k < IPI_DISTANCE_NR; k++)
		free(sample.stratum[k].couple);
	free(sample.had);
	return err;
}

void ipi_pairs__free(struct ipi_pairs *pairs)
{
	free(pairs->pair);
	memset(pairs, 0, sizeof(*pairs));
}

int ipi_pairs__fit(const struct ipi_pairs *pairs, u64 fixed_ns, u64 pair_ns, u64 budget_ns)
{
	u64 left = budget_ns > fixed_ns ? budget_ns - fixed_ns : 0;
	u64 nr = pair_ns ? left / pair_ns / 2 * 2 : (u64)pairs->nr;

	if (nr < (u64)pairs->least)
		return pairs->least;
	return nr < (u64)pairs->nr ? (int)nr : pairs->nr;
}
