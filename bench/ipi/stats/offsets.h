/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far apart the clocks of CPUs are, as far as a recording's own IPIs tell: by the shortest
 * delivery of each ordered pair.
 */
#ifndef IPI_STATS_OFFSETS_H
#define IPI_STATS_OFFSETS_H

#include <linux/types.h>

#include "../ipi.h"

#define IPI_OFFSETS_CPUS	4096	/* higher ones are left out */

struct ipi_offsets;

/**
 * struct ipi_offsets_found - what the deliveries say
 * @pairs:	ordered pairs of CPUs with a delivery whose send and entry were seen
 * @both_ways:	pairs (unordered) seen in both directions
 * @shortest:	ns, the shortest delivery of all; negative if a clock is behind
 * @shortest_src: CPUs of it
 * @shortest_dst: CPUs of it
 * @negative:	ordered pairs whose shortest delivery is negative
 * @offset:	ns, the largest offset of a pair seen both ways: the clock of @offset_dst is
 *		ahead of that of @offset_src by it. With equal ways there and back it is half the
 *		difference of the two shortest
 * @offset_src:	CPUs of it
 * @offset_dst:	CPUs of it
 */
struct ipi_offsets_found {
	u64 pairs;
	u64 both_ways;
	s64 shortest;
	int shortest_src;
	int shortest_dst;
	u64 negative;
	s64 offset;
	int offset_src;
	int offset_dst;
};

struct ipi_offsets *ipi_offsets__new(void);	/* NULL without memory */
void ipi_offsets__delete(struct ipi_offsets *offsets);

/* Return: 0 or -ENOMEM. */
int ipi_offsets__add(struct ipi_offsets *offsets, const struct ipi_delivery *delivery);

void ipi_offsets__find(const struct ipi_offsets *offsets, struct ipi_offsets_found *found);

#endif
