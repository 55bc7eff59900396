// SPDX-License-Identifier: GPL-2.0
/*
 * The shortest way from send to interrupt entry, for each ordered pair of CPUs: a row for each
 * sender, as long as its farthest target asks. A way takes at least some time, so with clocks that
 * differ by d it reads (way + d) there and (way - d) back.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "offsets.h"

#define NONE	INT_MIN

/* ns; what is longer than INT_MAX is no shortest one anybody needs. */
struct row {
	int *shortest;
	int nr;
};

struct ipi_offsets {
	struct row row[IPI_OFFSETS_CPUS];
};

struct ipi_offsets *ipi_offsets__new(void)
{
	return calloc(1, sizeof(struct ipi_offsets));
}

void ipi_offsets__delete(struct ipi_offsets *offsets)
{
	int i;

	if (!offsets)
		return;
	for (i = 0; i < IPI_OFFSETS_CPUS; i++)
		free(offsets->row[i].shortest);
	free(offsets);
}

static int grow(struct row *row, int dst)
{
	int nr = (dst + 16) & ~15, i;
	int *shortest = realloc(row->shortest, nr * sizeof(*shortest));

	if (!shortest)
		return -ENOMEM;
	for (i = row->nr; i < nr; i++)
		shortest[i] = NONE;
	row->shortest = shortest;
	row->nr = nr;
	return 0;
}

int ipi_offsets__add(struct ipi_offsets *offsets, const struct ipi_delivery *delivery)
{
	int src = delivery->src, dst = delivery->dst;
	struct row *row;
	s64 ns;

	if (delivery->class != IPI_CLASS_INTERRUPT || !delivery->t_send ||
	    !delivery->t_irq_entry || src == dst || src < 0 || src >= IPI_OFFSETS_CPUS ||
	    dst >= IPI_OFFSETS_CPUS)
		return 0;
	ns = delivery->t_irq_entry - delivery->t_send;
	if (ns > INT_MAX || ns <= INT_MIN)
		return 0;
	row = &offsets->row[src];
	if (dst >= row->nr && grow(row, dst))
		return -ENOMEM;
	if (row->shortest[dst] == NONE || ns < row->shortest[dst])
		row->shortest[dst] = ns;
	return 0;
}

static int shortest_of(const struct ipi_offsets *offsets, int src, int dst)
{
	const struct row *row = &offsets->row[src];

	return dst < row->nr ? row->shortest[dst] : NONE;
}

static void look_at(const struct ipi_offsets *offsets, int src, int dst,
		    struct ipi_offsets_found *found)
{
	int there = shortest_of(offsets, src, dst), back = shortest_of(offsets, dst, src);
	s64 offset;

	if (there == NONE)
		return;
	if (!found->pairs++ || there < found->shortest) {
		found->shortest = there;
		found->shortest_src = src;
		found->shortest_dst = dst;
	}
	found->negative += there < 0;
	/* Of the two orders, the one in which the target's clock is ahead. */
	if (back == NONE || there < back || (there == back && src > dst))
		return;
	offset = ((s64)there - back) / 2;
	if (!found->both_ways++ || offset > found->offset) {
		found->offset = offset;
		found->offset_src = src;
		found->offset_dst = dst;
	}
}

void ipi_offsets__find(const struct ipi_offsets *offsets, struct ipi_offsets_found *found)
{
	static const struct ipi_offsets_found nothing = {
		.shortest_src = -1, .shortest_dst = -1, .offset_src = -1, .offset_dst = -1,
	};
	int src, dst;

	*found = nothing;
	for (src = 0; src < IPI_OFFSETS_CPUS; src++) {
		for (dst = 0; dst < offsets->row[src].nr; dst++)
			look_at(offsets, src, dst, found);
	}
}
