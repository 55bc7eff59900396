/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the two files of the kinds share: kinds.c adds, kinds-order.c brings into order. Private to
 * them.
 */
#ifndef IPI_STATS_KINDS_TABLE_H
#define IPI_STATS_KINDS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "kinds.h"

#define KINDS_RUNS	4	/* latest functions of a CPU whose time is counted */

#define KINDS_GOLDEN	0x9e3779b97f4a7c15ULL	/* 2^64 by the golden ratio: for hashes */

struct kinds_run {
	u64 t_entry[KINDS_RUNS];
	unsigned int next;
};

/* What makes a kind, 0 or -1 where it doesn't matter. */
struct kinds_key {
	u64 func;
	u64 callsite;
	u64 pair;			/* source and target */
	u64 irq;
	u64 comm[IPI_COMM_LEN / 8];
};

struct kinds_slot {
	struct kinds_key key;
	u32 kind;			/* index */
	bool used;
};

/**
 * struct ipi_kinds - the kinds
 * @by:		what makes a kind
 * @kind:	in the order they were seen
 * @nr:		how many
 * @room:	of @kind
 * @slot:	which kind has a key, by hash; not the one for all others
 * @slot_bits:	log2 of their number
 * @added:	index of the one the last delivery was of, -1 if none
 * @others:	index of the one for all others, -1 if none
 * @total:	of all, without stages
 * @hists_left:	histograms that may still be made
 * @cpu:	CPUs of kinds, by hash: a free one has neither sent nor taken
 * @cpu_bits:	log2 of their number
 * @nr_cpus:	used ones
 * @run:	by CPU
 * @nr_runs:	of them
 * @order:	indices of kinds, once sorted
 * @cpu_order:	used cells, by rank of their kind and CPU
 * @cpu_first:	index into @cpu_order, by rank; one more than there are kinds
 */
struct ipi_kinds {
	enum ipi_by by;
	struct ipi_kind *kind;
	size_t nr;
	size_t room;
	struct kinds_slot *slot;
	unsigned int slot_bits;
	int added;
	int others;
	struct ipi_kind total;
	int hists_left;
	struct ipi_kind_cpu *cpu;
	unsigned int cpu_bits;
	size_t nr_cpus;
	struct kinds_run *run;
	size_t nr_runs;
	u32 *order;
	struct ipi_kind_cpu *cpu_order;
	size_t *cpu_first;
};

static inline size_t kinds_cell_slot(unsigned int bits, u32 kind, u32 cpu)
{
	return ((u64)kind << 32 | cpu) * KINDS_GOLDEN >> (64 - bits);
}

static inline bool kinds_cell_used(const struct ipi_kind_cpu *cell)
{
	return cell->sent | cell->taken;
}

/* The cell of a CPU of a kind, used or to be used; NULL without memory. */
struct ipi_kind_cpu *ipi_kinds__cpu_cell(struct ipi_kinds *kinds, u32 kind, u32 cpu);

/* Most are where they belong. */
static inline struct ipi_kind_cpu *kinds_cpu_cell(struct ipi_kinds *kinds, u32 kind, u32 cpu)
{
	struct ipi_kind_cpu *cell = &kinds->cpu[kinds_cell_slot(kinds->cpu_bits, kind, cpu)];

	if (cell->kind == kind && cell->cpu == cpu && kinds_cell_used(cell))
		return cell;
	return ipi_kinds__cpu_cell(kinds, kind, cpu);
}

#endif
