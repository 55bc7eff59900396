// SPDX-License-Identifier: GPL-2.0
/*
 * Deliveries into kinds: a hash of kinds by what makes one, a hash of (kind, CPU), and what a
 * delivery adds to each. Nothing is allocated for a delivery of a kind already seen.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/compiler.h>

#include "kinds-table.h"

#define HISTS_MAX	4096		/* of 30 KiB each, most of which are never touched */
#define ROOM_MIN	32
#define BITS_MIN	6

struct ipi_kinds *ipi_kinds__new(enum ipi_by by)
{
	struct ipi_kinds *kinds = calloc(1, sizeof(*kinds));

	if (!kinds)
		return NULL;
	kinds->by = by;
	kinds->added = -1;
	kinds->others = -1;
	kinds->total.src = -1;
	kinds->total.dst = -1;
	kinds->total.irq = IPI_IRQ_NR;
	kinds->hists_left = HISTS_MAX;
	kinds->slot_bits = BITS_MIN;
	kinds->slot = calloc(1UL << kinds->slot_bits, sizeof(*kinds->slot));
	kinds->cpu_bits = BITS_MIN;
	kinds->cpu = calloc(1UL << kinds->cpu_bits, sizeof(*kinds->cpu));
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

/* What matters of a delivery, the rest as in all others. In words, which are compared as such. */
static inline void key_of(enum ipi_by by, const struct ipi_delivery *delivery, const char *comm,
			  struct kinds_key *key)
{
	u32 src = -1, dst = -1;

	key->func = 0;
	key->callsite = 0;
	key->irq = IPI_IRQ_NR;
	key->comm[0] = 0;
	key->comm[1] = 0;

	if (by == IPI_BY_KIND || by == IPI_BY_CALLBACK || by == IPI_BY_SENDER) {
		key->irq = delivery->irq;
		key->func = delivery->func;
	}
	if (by == IPI_BY_KIND || by == IPI_BY_CALLSITE || by == IPI_BY_SENDER)
		key->callsite = delivery->callsite;
	if (by == IPI_BY_SRC || by == IPI_BY_PAIR)
		src = delivery->src;
	if (by == IPI_BY_DST || by == IPI_BY_PAIR)
		dst = delivery->dst;
	key->pair = (u64)src << 32 | dst;
	if (by == IPI_BY_SENDER && comm)
		strncpy((char *)key->comm, comm, IPI_COMM_LEN - 1);
}

static inline bool same(const struct kinds_key *a, const struct kinds_key *b)
{
	return !((a->func ^ b->func) | (a->callsite ^ b->callsite) | (a->pair ^ b->pair) |
		 (a->irq ^ b->irq) | (a->comm[0] ^ b->comm[0]) | (a->comm[1] ^ b->comm[1]));
}

/* Each part has bits of its own, and the product's highest bits come of them all. */
static inline size_t hash_of(const struct kinds_key *key, unsigned int bits)
{
	u64 hash = key->func ^ key->callsite << 20 ^ key->pair ^ key->pair << 48 ^ key->irq << 60 ^
		   key->comm[0] ^ key->comm[1] << 29;

	return (hash ^ hash >> 32) * KINDS_GOLDEN >> (64 - bits);
}

/* Where it is, or would be. */
static inline struct kinds_slot *find_slot(struct kinds_slot *slots, unsigned int bits,
					   const struct kinds_key *key)
{
	size_t at = hash_of(key, bits);

	while (slots[at].used && !same(&slots[at].key, key))
		at = (at + 1) & ((1UL << bits) - 1);
	return &slots[at];
}

static int grow_slots(struct ipi_kinds *kinds)
{
	unsigned int bits = kinds->slot_bits + 1;
	struct kinds_slot *slots;
	size_t i;

	slots = calloc(1UL << bits, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	for (i = 0; i < 1UL << kinds->slot_bits; i++) {
		if (kinds->slot[i].used)
			*find_slot(slots, bits, &kinds->slot[i].key) = kinds->slot[i];
	}
	free(kinds->slot);
	kinds->slot = slots;
	kinds->slot_bits = bits;
	return 0;
}

static int add_kind(struct ipi_kinds *kinds, const struct kinds_key *key)
{
	struct ipi_kind *kind;
	size_t room;

	if (kinds->nr == kinds->room) {
		room = kinds->room ? kinds->room * 2 : ROOM_MIN;
		kind = realloc(kinds->kind, room * sizeof(*kind));
		if (!kind)
			return -ENOMEM;
		kinds->kind = kind;
		kinds->room = room;
	}
	kind = &kinds->kind[kinds->nr];
	memset(kind, 0, sizeof(*kind));
	kind->func = key->func;
	kind->callsite = key->callsite;
	kind->src = key->pair >> 32;
	kind->dst = (u32)key->pair;
	kind->irq = key->irq;
	memcpy(kind->comm, key->comm, IPI_COMM_LEN);
	return kinds->nr++;
}

/* The kind that takes what has no room. */
static int other_kind(struct ipi_kinds *kinds)
{
	const struct kinds_key key = { .pair = ~0ULL, .irq = IPI_IRQ_NR };

	if (kinds->others < 0) {
		kinds->others = add_kind(kinds, &key);
		if (kinds->others >= 0)
			kinds->kind[kinds->others].others = true;
	}
	return kinds->others;
}

static noinline int new_kind(struct ipi_kinds *kinds, const struct kinds_key *key)
{
	struct kinds_slot *slot;
	int kind;

	if (kinds->nr >= IPI_KINDS_MAX)
		return other_kind(kinds);
	if (kinds->nr >= 1UL << (kinds->slot_bits - 1) && grow_slots(kinds))
		return -ENOMEM;
	kind = add_kind(kinds, key);
	if (kind < 0)
		return kind;
	slot = find_slot(kinds->slot, kinds->slot_bits, key);
	slot->key = *key;
	slot->kind = kind;
	slot->used = true;
	return kind;
}

/* Index of the delivery's kind, or -ENOMEM. */
static inline int find_kind(struct ipi_kinds *kinds, const struct ipi_delivery *delivery,
			    const char *comm)
{
	const struct kinds_slot *slot;
	struct kinds_key key;

	key_of(kinds->by, delivery, comm, &key);
	slot = find_slot(kinds->slot, kinds->slot_bits, &key);
	return slot->used ? (int)slot->kind : new_kind(kinds, &key);
}

/* The first of a stage, or one where there is no memory to spend on one more histogram. */
static noinline void add_apart(struct ipi_kinds *kinds, struct ipi_kind_stage *stage, u64 ns)
{
	if (!stage->count && kinds->hists_left) {
		kinds->hists_left--;
		stage->hist = ipi_hist__new();
	}
	if (stage->hist) {
		ipi_hist__add(stage->hist, ns);
		return;
	}
	if (!stage->count || ns < stage->min)
		stage->min = ns;
	if (ns > stage->max)
		stage->max = ns;
	stage->sum += ns;
	stage->count++;
}

/* Where there is a histogram, all is in it until ipi_kinds__sort(). */
static void add_stage(struct ipi_kinds *kinds, struct ipi_kind *kind, enum ipi_stage index,
		      u64 from, u64 to)
{
	struct ipi_kind_stage *stage = &kind->stage[index];

	if (!from || !to)
		return;
	if (to < from)
		kind->negative++;
	else if (stage->hist)
		ipi_hist__add(stage->hist, to - from);
	else
		add_apart(kinds, stage, to - from);
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
		cpu = kinds_cpu_cell(kinds, kind, delivery->src);
		if (!cpu)
			return -ENOMEM;
		cpu->sent++;
	}
	cpu = kinds_cpu_cell(kinds, kind, delivery->dst);
	if (!cpu)
		return -ENOMEM;
	cpu->taken++;
	cpu->handler_ns += handler_ns;
	return 0;
}
