// SPDX-License-Identifier: GPL-2.0
/*
 * The CPUs of kinds, and the order of both for printing. Ties keep the order in which kinds were
 * first seen, so that one recording always reads the same.
 */
#include <errno.h>
#include <stdlib.h>

#include "kinds-table.h"

static const char *const by_names[IPI_BY_NR] = {
	[IPI_BY_KIND]		= "kind",
	[IPI_BY_CALLBACK]	= "callback",
	[IPI_BY_CALLSITE]	= "callsite",
	[IPI_BY_SRC]		= "src",
	[IPI_BY_DST]		= "dst",
	[IPI_BY_PAIR]		= "pair",
	[IPI_BY_SENDER]		= "sender",
};

static const char *const sort_names[IPI_SORT_NR] = {
	[IPI_SORT_COUNT]	= "count",
	[IPI_SORT_TIME]		= "time",
	[IPI_SORT_LATENCY]	= "latency",
	[IPI_SORT_MAX]		= "max",
};

const char *ipi_by__name(enum ipi_by by)
{
	return ipi_name__of(by_names, IPI_BY_NR, by);
}

int ipi_by__find(const char *name)
{
	return ipi_name__find(by_names, IPI_BY_NR, name);
}

const char *ipi_sort__name(enum ipi_sort sort)
{
	return ipi_name__of(sort_names, IPI_SORT_NR, sort);
}

int ipi_sort__find(const char *name)
{
	return ipi_name__find(sort_names, IPI_SORT_NR, name);
}

static struct ipi_kind_cpu *find_cell(struct ipi_kind_cpu *cells, unsigned int bits, u32 kind,
				      u32 cpu)
{
	size_t at = kinds_cell_slot(bits, kind, cpu);

	while (kinds_cell_used(&cells[at]) && (cells[at].kind != kind || cells[at].cpu != cpu))
		at = (at + 1) & ((1UL << bits) - 1);
	return &cells[at];
}

static int grow_cells(struct ipi_kinds *kinds)
{
	unsigned int bits = kinds->cpu_bits + 1;
	struct ipi_kind_cpu *cells, *cell;
	size_t i;

	cells = calloc(1UL << bits, sizeof(*cells));
	if (!cells)
		return -ENOMEM;
	for (i = 0; i < 1UL << kinds->cpu_bits; i++) {
		cell = &kinds->cpu[i];
		if (kinds_cell_used(cell))
			*find_cell(cells, bits, cell->kind, cell->cpu) = *cell;
	}
	free(kinds->cpu);
	kinds->cpu = cells;
	kinds->cpu_bits = bits;
	return 0;
}

struct ipi_kind_cpu *ipi_kinds__cpu_cell(struct ipi_kinds *kinds, u32 kind, u32 cpu)
{
	struct ipi_kind_cpu *cell = find_cell(kinds->cpu, kinds->cpu_bits, kind, cpu);

	if (kinds_cell_used(cell))
		return cell;
	if (kinds->nr_cpus >= 1UL << (kinds->cpu_bits - 1)) {
		if (grow_cells(kinds))
			return NULL;
		cell = find_cell(kinds->cpu, kinds->cpu_bits, kind, cpu);
	}
	kinds->nr_cpus++;
	cell->kind = kind;
	cell->cpu = cpu;
	return cell;
}

u64 ipi_kind__percentile(const struct ipi_kind *kind, enum ipi_stage stage,
			 unsigned int permille10)
{
	return ipi_hist__percentile(kind->stage[stage].hist, permille10);
}

/* A kind's rank is by @value, the greatest first; @index keeps ties as they were. */
struct rank {
	u64 value;
	u32 index;
	bool others;
};

static u64 value_of(const struct ipi_kind *kind, enum ipi_sort sort)
{
	switch (sort) {
	case IPI_SORT_TIME:
		return kind->handler_ns;
	case IPI_SORT_LATENCY:
		return ipi_kind__percentile(kind, IPI_STAGE_SEND_LATENCY, 9900);
	case IPI_SORT_MAX:
		return kind->stage[IPI_STAGE_SEND_LATENCY].max;
	case IPI_SORT_COUNT:
	case IPI_SORT_NR:
	default:
		return kind->count;
	}
}

static int by_rank(const void *va, const void *vb)
{
	const struct rank *a = va, *b = vb;

	if (a->others != b->others)
		return a->others ? 1 : -1;
	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static int by_cpu(const void *va, const void *vb)
{
	const struct ipi_kind_cpu *a = va, *b = vb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static int sort_cells(struct ipi_kinds *kinds)
{
	u32 *rank = calloc(kinds->nr + 1, sizeof(*rank));
	size_t i, nr = 0;

	kinds->cpu_order = calloc(kinds->nr_cpus + 1, sizeof(*kinds->cpu_order));
	kinds->cpu_first = calloc(kinds->nr + 2, sizeof(*kinds->cpu_first));
	if (!rank || !kinds->cpu_order || !kinds->cpu_first) {
		free(rank);
		return -ENOMEM;
	}
	for (i = 0; i < kinds->nr; i++)
		rank[kinds->order[i]] = i;
	for (i = 0; i < 1UL << kinds->cpu_bits; i++) {
		if (!kinds_cell_used(&kinds->cpu[i]))
			continue;
		kinds->cpu_order[nr] = kinds->cpu[i];
		kinds->cpu_order[nr].kind = rank[kinds->cpu[i].kind];
		kinds->cpu_first[kinds->cpu_order[nr].kind + 1]++;
		nr++;
	}
	free(rank);
	for (i = 0; i < kinds->nr; i++)
		kinds->cpu_first[i + 1] += kinds->cpu_first[i];
	qsort(kinds->cpu_order, nr, sizeof(*kinds->cpu_order), by_cpu);
	return 0;
}

/* What the histograms counted. */
static void sum_up(struct ipi_kind *kind)
{
	struct ipi_kind_stage *stage;

	for (stage = kind->stage; stage < kind->stage + IPI_STAGE_NR; stage++) {
		if (!stage->hist)
			continue;
		stage->count = ipi_hist__count(stage->hist);
		stage->sum = ipi_hist__sum(stage->hist);
		stage->min = ipi_hist__min(stage->hist);
		stage->max = ipi_hist__max(stage->hist);
	}
}

int ipi_kinds__sort(struct ipi_kinds *kinds, enum ipi_sort sort)
{
	struct rank *ranks = calloc(kinds->nr + 1, sizeof(*ranks));
	size_t i;

	kinds->order = calloc(kinds->nr + 1, sizeof(*kinds->order));
	if (!ranks || !kinds->order) {
		free(ranks);
		return -ENOMEM;
	}
	for (i = 0; i < kinds->nr; i++) {
		sum_up(&kinds->kind[i]);
		ranks[i].value = value_of(&kinds->kind[i], sort);
		ranks[i].index = i;
		ranks[i].others = kinds->kind[i].others;
	}
	qsort(ranks, kinds->nr, sizeof(*ranks), by_rank);
	for (i = 0; i < kinds->nr; i++)
		kinds->order[i] = ranks[i].index;
	free(ranks);
	return sort_cells(kinds);
}

size_t ipi_kinds__nr(const struct ipi_kinds *kinds)
{
	return kinds->nr;
}

const struct ipi_kind *ipi_kinds__get(const struct ipi_kinds *kinds, size_t rank)
{
	return rank < kinds->nr ? &kinds->kind[kinds->order[rank]] : NULL;
}

const struct ipi_kind *ipi_kinds__total(const struct ipi_kinds *kinds)
{
	return &kinds->total;
}

const struct ipi_kind_cpu *ipi_kinds__cpu(const struct ipi_kinds *kinds, size_t rank, size_t *pos)
{
	size_t at = kinds->cpu_first[rank] + *pos;

	if (at >= kinds->cpu_first[rank + 1])
		return NULL;
	++*pos;
	return &kinds->cpu_order[at];
}
