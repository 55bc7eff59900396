/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the two files of the kinds share: kinds.c adds, kinds-order.c brings into order. Private to
 * them.
 */
#ifndef IPI_STATS_KINDS_TABLE_H
#define IPI_STATS_KINDS_TABLE_H

#include <stddef.h>

#include "kinds.h"

#define KINDS_RUNS	4	/* latest functions of a CPU whose time is counted */

struct kinds_run {
	u64 t_entry[KINDS_RUNS];
	unsigned int next;
};

/**
 * struct ipi_kinds - the kinds
 * @by:		what makes a kind
 * @kind:	in the order they were seen
 * @nr:		how many
 * @room:	of @kind
 * @slot:	1 + index of a kind, by hash
 * @slots:	of them, a power of two
 * @last:	index of the latest, -1 if none
 * @added:	index of the one the last delivery was of, -1 if none
 * @others:	index of the one for all others, -1 if none
 * @total:	of all, without stages
 * @hists_left:	histograms that may still be made
 * @cpu:	CPUs of kinds, by hash: a free one has neither sent nor taken
 * @cpu_slots:	of them, a power of two
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
	u32 *slot;
	size_t slots;
	int last;
	int added;
	int others;
	struct ipi_kind total;
	int hists_left;
	struct ipi_kind_cpu *cpu;
	size_t cpu_slots;
	size_t nr_cpus;
	struct kinds_run *run;
	size_t nr_runs;
	u32 *order;
	struct ipi_kind_cpu *cpu_order;
	size_t *cpu_first;
};

/* The cell of a CPU of a kind; NULL without memory. */
struct ipi_kind_cpu *ipi_kinds__cpu_cell(struct ipi_kinds *kinds, u32 kind, u32 cpu);

#endif
