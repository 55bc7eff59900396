// SPDX-License-Identifier: GPL-2.0
/*
 * Deliveries into kinds: a hash of kinds by what makes one, a hash of (kind, CPU), and what a
 * delivery adds to each. Nothing is allocated for a delivery of a kind already seen.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kinds-table.h"

#define HISTS_MAX	4096		/* of 30 KiB each, most of which are never touched */
#define ROOM_MIN	64

struct ipi_kinds *ipi_kinds__new(enum ipi_by by)
{
	struct ipi_kinds *kinds = calloc(1, sizeof(*kinds));

	if (!kinds)
		return NULL;
	kinds->by = by;
	kinds->last = -1;
	kinds->added = -1;
	kinds->others = -1;
	kinds->total.src = -1;
	kinds->total.dst = -1;
	kinds->total.irq = IPI_IRQ_NR;
	kinds->hists_left = HISTS_MAX;
	kinds->slots = ROOM_MIN;
	kinds->slot = calloc(kinds->slots, sizeof(*kinds->slot));
	kinds->cpu_slots = ROOM_MIN;
	kinds->cpu = calloc(kinds->cpu_slots, sizeof(*kinds->cpu));
	if (kinds->slot && kinds->cpu)
		return kinds;
	ipi_kinds__delete(kinds);
	return NULL;
}

static void free_stages(struct ipi_kind *kind)
{
	int i;

	for (i = 0; i < IPI_STAGE_NR; i++)
		ipi_hist__delete(kind->stage[i].hist);
}

void ipi_kinds__delete(struct ipi_kinds *kinds)
{
	size_t i;

	if (!kinds)
		return;
	for (i = 0; i < kinds->nr; i++)
		free_stages(&kinds->kind[i]);
	free_stages(&kinds->total);
	free(kinds->kind);
	free(kinds->slot);
	free(kinds->cpu);
	free(kinds->order);
	free(kinds->cpu_order);
	free(kinds->cpu_first);
	free(kinds->run);
	free(kinds);
}

/* What matters of a delivery, the rest as in all others. */
static void key_of(enum ipi_by by, const struct ipi_delivery *delivery, const char *comm,
		   struct ipi_kind *key)
{
	memset(key, 0, offsetof(struct ipi_kind, count));
	key->src = -1;
	key->dst = -1;
	key->irq = IPI_IRQ_NR;
	if (by == IPI_BY_KIND || by == IPI_BY_CALLBACK || by == IPI_BY_SENDER) {
		key->irq = delivery->irq;
		key->func = delivery->func;
	}
	if (by == IPI_BY_KIND || by == IPI_BY_CALLSITE || by == IPI_BY_SENDER)
		key->callsite = delivery->callsite;
	if (by == IPI_BY_SRC || by == IPI_BY_PAIR)
		key->src = delivery->src;
	if (by == IPI_BY_DST || by == IPI_BY_PAIR)
		key->dst = delivery->dst;
	if (by == IPI_BY_SENDER && comm)
		strncpy(key->comm, comm, IPI_COMM_LEN - 1);
}

static bool same(const struct ipi_kind *a, const struct ipi_kind *b)
{
	return a->func == b->func && a->callsite == b->callsite && a->src == b->src &&
	       a->dst == b->dst && a->irq == b->irq && !a->others &&
	       !memcmp(a->comm, b->comm, IPI_COMM_LEN);
}

static size_t hash_of(const struct ipi_kind *key)
{
	const u64 golden = 0x9e3779b97f4a7c15ULL;
	u64 hash = key->func * golden ^ key->callsite, word;

	hash = (hash ^ (u64)(u32)key->src << 32 ^ (u32)key->dst) * golden ^ key->irq;
	memcpy(&word, key->comm, sizeof(word));
	hash = (hash ^ hash >> 29 ^ word) * golden;
	memcpy(&word, key->comm + sizeof(word), sizeof(word));
	hash = (hash ^ hash >> 31 ^ word) * golden;
	return hash ^ hash >> 32;
}

static size_t find_slot(const struct ipi_kinds *kinds, const struct ipi_kind *key)
{
	size_t at = hash_of(key) & (kinds->slots - 1);

	while (kinds->slot[at] && !same(&kinds->kind[kinds->slot[at] - 1], key))
		at = (at + 1) & (kinds->slots - 1);
	return at;
}

static int grow_slots(struct ipi_kinds *kinds)
{
	u32 *old = kinds->slot;
	size_t i;

	kinds->slot = calloc(kinds->slots * 2, sizeof(*kinds->slot));
	if (!kinds->slot) {
		kinds->slot = old;
		return -ENOMEM;
	}
	kinds->slots *= 2;
	for (i = 0; i < kinds->nr; i++) {
		if (!kinds->kind[i].others)
			kinds->slot[find_slot(kinds, &kinds->kind[i])] = i + 1;
	}
	free(old);
	return 0;
}

static int add_kind(struct ipi_kinds *kinds, const struct ipi_kind *key)
{
	struct ipi_kind *more;
	size_t room;

	if (kinds->nr == kinds->room) {
		room = kinds->room ? kinds->room * 2 : ROOM_MIN / 2;
		more = realloc(kinds->kind, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		kinds->kind = more;
		kinds->room = room;
	}
	memset(&kinds->kind[kinds->nr], 0, sizeof(*kinds->kind));
	memcpy(&kinds->kind[kinds->nr], key, offsetof(struct ipi_kind, count));
	return kinds->nr++;
}

/* The kind that takes what has no room. */
static int other_kind(struct ipi_kinds *kinds)
{
	struct ipi_kind key = { .src = -1, .dst = -1, .irq = IPI_IRQ_NR, .others = true };

	if (kinds->others < 0)
		kinds->others = add_kind(kinds, &key);
	return kinds->others;
}

/* Index of the delivery's kind, or -ENOMEM. */
static int find_kind(struct ipi_kinds *kinds, const struct ipi_delivery *delivery,
		     const char *comm)
{
	struct ipi_kind key;
	size_t at;
	int kind;

	key_of(kinds->by, delivery, comm, &key);
	if (kinds->last >= 0 && same(&kinds->kind[kinds->last], &key))
		return kinds->last;
	at = find_slot(kinds, &key);
	if (!kinds->slot[at]) {
		if (kinds->nr >= IPI_KINDS_MAX)
			return other_kind(kinds);
		if (kinds->nr >= kinds->slots / 2) {
			if (grow_slots(kinds))
				return -ENOMEM;
			at = find_slot(kinds, &key);
		}
		kind = add_kind(kinds, &key);
		if (kind < 0)
			return kind;
		kinds->slot[at] = kind + 1;
	}
	kinds->last = kinds->slot[at] - 1;
	return kinds->last;
}

static void add_stage(struct ipi_kinds *kinds, struct ipi_kind *kind, enum ipi_stage index,
		      u64 from, u64 to)
{
	struct ipi_kind_stage *stage = &kind->stage[index];
	u64 ns = to - from;

	if (!from || !to)
		return;
	if (to < from) {
		kind->negative++;
		return;
	}
	if (!stage->count || ns < stage->min)
		stage->min = ns;
	if (ns > stage->max)
		stage->max = ns;
	stage->sum += ns;
	if (!stage->count++ && kinds->hists_left) {
		kinds->hists_left--;
		stage->hist = ipi_hist__new();
	}
	if (stage->hist)
		ipi_hist__add(stage->hist, ns);
}

void ipi_kinds__stage(struct ipi_kinds *kinds, enum ipi_stage stage, u64 from, u64 to)
{
	if (kinds->added >= 0)
		add_stage(kinds, &kinds->kind[kinds->added], stage, from, to);
}

static void add_stages(struct ipi_kinds *kinds, struct ipi_kind *kind,
		       const struct ipi_delivery *d)
{
	u64 begin = d->t_queue ? d->t_queue : d->t_send;

	if (d->class == IPI_CLASS_INTERRUPT) {
		add_stage(kinds, kind, IPI_STAGE_SEND, d->t_queue, d->t_send);
		add_stage(kinds, kind, IPI_STAGE_DELIVER, d->t_send, d->t_irq_entry);
		add_stage(kinds, kind, IPI_STAGE_SEND_LATENCY, begin, d->t_irq_entry);
		add_stage(kinds, kind, IPI_STAGE_DISPATCH, d->t_irq_entry, d->t_func_entry);
		add_stage(kinds, kind, IPI_STAGE_HANDLER_LATENCY, d->t_irq_entry,
			  d->t_func_entry ? d->t_func_exit : d->t_irq_exit);
	}
	if (d->class == IPI_CLASS_INTERRUPT || d->class == IPI_CLASS_POLLED)
		add_stage(kinds, kind, IPI_STAGE_DELIVERY, begin, d->t_func_entry);
	if (d->class != IPI_CLASS_COALESCED)
		add_stage(kinds, kind, IPI_STAGE_HANDLE, d->t_func_entry, d->t_func_exit);
}

/* Wake-ups ride on one run of their function: its time is counted once. */
static bool counted(struct ipi_kinds *kinds, const struct ipi_delivery *d)
{
	struct kinds_run *run;
	size_t room;
	int i;

	if ((size_t)d->dst >= kinds->nr_runs) {
		room = (d->dst + 64) & ~63;
		run = realloc(kinds->run, room * sizeof(*run));
		if (!run)
			return false;
		memset(run + kinds->nr_runs, 0, (room - kinds->nr_runs) * sizeof(*run));
		kinds->run = run;
		kinds->nr_runs = room;
	}
	run = &kinds->run[d->dst];
	for (i = 0; i < KINDS_RUNS; i++) {
		if (run->t_entry[i] == d->t_func_entry)
			return true;
	}
	run->t_entry[run->next++ % KINDS_RUNS] = d->t_func_entry;
	return false;
}

static u64 handler_time(struct ipi_kinds *kinds, const struct ipi_delivery *d)
{
	if (d->t_func_entry)
		return d->t_func_exit > d->t_func_entry && !counted(kinds, d) ?
		       d->t_func_exit - d->t_func_entry : 0;
	if (d->class != IPI_CLASS_INTERRUPT || !d->t_irq_entry || d->t_irq_exit < d->t_irq_entry)
		return 0;
	return d->t_irq_exit - d->t_irq_entry;
}

static void count_in(struct ipi_kinds *kinds, struct ipi_kind *kind,
		     const struct ipi_delivery *delivery, u64 handler_ns)
{
	kind->count++;
	kind->classes[delivery->class]++;
	kind->handler_ns += handler_ns;
	add_stages(kinds, kind, delivery);
}

int ipi_kinds__add(struct ipi_kinds *kinds, const struct ipi_delivery *delivery, const char *comm)
{
	int kind = find_kind(kinds, delivery, comm);
	struct ipi_kind_cpu *cpu;
	u64 handler_ns;

	if (kind < 0)
		return kind;
	kinds->added = kind;
	handler_ns = handler_time(kinds, delivery);
	count_in(kinds, &kinds->kind[kind], delivery, handler_ns);
	kinds->total.count++;
	kinds->total.classes[delivery->class]++;
	kinds->total.handler_ns += handler_ns;

	if (delivery->src >= 0) {
		cpu = ipi_kinds__cpu_cell(kinds, kind, delivery->src);
		if (!cpu)
			return -ENOMEM;
		cpu->sent++;
	}
	cpu = ipi_kinds__cpu_cell(kinds, kind, delivery->dst);
	if (!cpu)
		return -ENOMEM;
	cpu->taken++;
	cpu->handler_ns += handler_ns;
	return 0;
}
