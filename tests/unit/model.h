/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A model of how a kernel sends IPIs, as the source of schedules whose truth is known: per-CPU
 * lists of call-single data with a lock each, interrupt vectors with a pending bit each, idle
 * loops that halt or poll, tasks that are woken, contexts that nest. Each CPU takes one step at a
 * time; which one steps next, and what it does, is random. It records what tracepoints would
 * record, and beside that, from its own state, how each delivery went.
 *
 * It knows nothing of the correlator. Four things it leaves out, since no trace can tell them:
 * - a polling CPU rescheduled by a context whose last record is that it queued a function;
 * - a bare interrupt entered between the record of its send and the send itself;
 * - a wake-up put on a list of others between the moment the target takes the list and its first
 *   record of a function (of theirs, where no interrupt is recorded around it);
 * - an NMI between the unlocking of a csd and the record of its function in the idle loop.
 */
#ifndef TESTS_UNIT_MODEL_H
#define TESTS_UNIT_MODEL_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>

#include "bench/ipi/trace/event.h"

#define MODEL_CPUS	128
#define MODEL_LIST	2048	/* csds in one list */
#define MODEL_FUNC	0xffffffff81000000ULL
#define MODEL_TTWU	0xffffffff81ffff00ULL
#define MODEL_WORK	0xffffffff81eeee00ULL
#define MODEL_CALLBACK	0xffffffff81dddd00ULL
#define MODEL_CSD	0xffff888000000000ULL

enum model_type { MODEL_SYNC, MODEL_ASYNC, MODEL_IRQ_WORK, MODEL_WAKE };
enum model_mode { MODEL_BUSY, MODEL_HALTED, MODEL_POLLING };
enum model_vector { VECTOR_SINGLE, VECTOR_MANY, VECTOR_RESCHED, VECTOR_WORK, VECTOR_NR };
enum model_op { OP_NONE, OP_SINGLE, OP_MANY, OP_WAKE, OP_RESCHED, OP_WORK, OP_LOCAL };

/**
 * struct model_truth - a delivery as it was
 * @d:		what a correlator that sees all must say
 * @rode:	its function ran with another's csd
 * @started:	its function started: a later send is not what brought it
 * @polled:	ns, when its target was told without an IPI
 * @t_run:	ns, start of the function that ran it, another one's if it rode
 * @t_end:	ns, the last record about it
 * @leader:	index of the first of the bare interrupts that became one, -1 if none
 */
struct model_truth {
	struct ipi_delivery d;
	bool rode;
	bool started;
	u64 polled;
	u64 t_run;
	u64 t_end;
	int leader;
};

struct model_csd {
	u64 address;
	u64 func;
	enum model_type type;
	bool locked;
	int truth;
};

/* What a context is about to do. */
struct model_work {
	enum model_op op;
	int step;
	int ctx;
	int dst;
	bool wait;
	struct model_csd *csd;
	int nr_targets;
	int targets[MODEL_CPUS];
	int nr_first;
	int firsts[MODEL_CPUS];
	int truth;
	u64 func;
};

/**
 * struct model_flush - the emptying of a list
 * @csd:	what was in it
 * @copy:	as it was then: an unlocked csd may be in use again
 */
struct model_flush {
	int step;
	int item;
	int nr;
	struct model_csd *csd[MODEL_LIST];
	struct model_csd copy[MODEL_LIST];
	u64 t_entry;
};

struct model_list {
	int nr;
	int max;
	int *truth;
};

struct model_cpu {
	u64 t_next;
	enum model_mode mode;
	enum ipi_event_kind last[IPI_CTX_NR];
	bool need_resched;
	bool pending[VECTOR_NR];
	struct model_list bare[IPI_IRQ_NR];
	int nr_list;
	struct model_csd *list[MODEL_LIST];
	struct model_work task;
	struct model_work softirq;
	struct model_work nested;	/* in a function */
	struct model_work nmi;
	bool in_irq;
	bool in_idle_flush;
	bool list_taken;		/* and no function of it was recorded yet */
	bool no_nmi;
	int irq;
	u64 t_entry;
	int entry_pid;
	struct model_list frame;
	struct model_flush flush;
	struct model_csd single, stack[2], irq_csd[2], work_csd;
	struct model_csd many[MODEL_CPUS];
	u64 queued, sent, entries[IPI_IRQ_NR], functions;
};

struct model_record {
	struct ipi_event event;
	unsigned char mask[MODEL_CPUS / 8];
};

/**
 * struct model - all of it
 * @have:	IPI_EVENT_BIT() of what is recorded
 * @irq_exit:	bits of the interrupts whose exit is recorded
 * @polls:	idle CPUs may poll
 */
struct model {
	u64 seed;
	unsigned int have;
	unsigned int irq_exit;
	bool polls;
	int nr_cpus;
	u64 now, t_last;
	u64 csd_end;
	struct model_cpu *cpu;
	int nr_tasks;
	struct model_csd *task;
	size_t nr_records, max_records;
	struct model_record *record;
	int nr_truths, max_truths;
	struct model_truth *truth;
};

static inline u64 model_random(struct model *m)
{
	/* xorshift64* */
	m->seed ^= m->seed >> 12;
	m->seed ^= m->seed << 25;
	m->seed ^= m->seed >> 27;
	return m->seed * 0x2545f4914f6cdd1dULL;
}

static inline unsigned int model_below(struct model *m, unsigned int n)
{
	return (model_random(m) >> 33) % n;
}

static inline bool model_one_in(struct model *m, unsigned int n)
{
	return !model_below(m, n);
}

static inline bool model_has(const struct model *m, enum ipi_event_kind kind)
{
	return m->have & IPI_EVENT_BIT(kind);
}

/* Function calls show by their csds. */
static inline bool model_has_csd(const struct model *m)
{
	return model_has(m, IPI_EVENT_QUEUE);
}

static inline bool model_has_send(const struct model *m)
{
	return model_has(m, IPI_EVENT_SEND) || model_has(m, IPI_EVENT_RAISE);
}

static inline void *model_grow(void *array, size_t nr, size_t *max, size_t size)
{
	if (nr < *max)
		return array;
	*max = *max ? *max * 2 : 64;
	array = realloc(array, *max * size);
	if (!array)
		abort();
	return array;
}

static inline void model_list_add(struct model_list *list, int truth)
{
	size_t max = list->max;

	list->truth = model_grow(list->truth, list->nr, &max, sizeof(int));
	list->max = max;
	list->truth[list->nr++] = truth;
}

static inline int model_pid(const struct model *m, int cpu)
{
	return m->cpu[cpu].mode == MODEL_BUSY ? 2000 + cpu : 0;
}

/* NULL if this kernel doesn't record it. No two records have the same time. */
static inline struct model_record *model_record(struct model *m, int cpu, enum ipi_event_kind kind,
						int ctx)
{
	struct model_record *record;

	if (!model_has(m, kind))
		return NULL;
	m->record = model_grow(m->record, m->nr_records, &m->max_records, sizeof(*record));
	record = &m->record[m->nr_records++];
	memset(record, 0, sizeof(*record));
	m->t_last = m->now > m->t_last ? m->now : m->t_last + 1;
	record->event.time = m->t_last;
	record->event.kind = kind;
	record->event.cpu = cpu;
	record->event.ctx = ctx;
	record->event.pid = model_pid(m, cpu);
	record->event.tid = model_pid(m, cpu);
	record->event.irq = IPI_IRQ_NR;
	record->event.target = -1;
	m->cpu[cpu].last[ctx] = kind;
	return record;
}

static inline int model_new_truth(struct model *m, int src, int dst, int ctx, enum ipi_class class,
				  enum ipi_irq irq)
{
	size_t max = m->max_truths;
	struct model_truth *truth;

	m->truth = model_grow(m->truth, m->nr_truths, &max, sizeof(*truth));
	m->max_truths = max;
	truth = &m->truth[m->nr_truths];
	memset(truth, 0, sizeof(*truth));
	truth->d.src = src;
	truth->d.dst = dst;
	truth->d.src_tid = model_pid(m, src);
	truth->d.src_ctx = ctx;
	truth->d.dst_pid = -1;
	truth->d.class = class;
	truth->d.irq = irq;
	truth->leader = -1;
	return m->nr_truths++;
}

/* An IPI for a function call leaves, or a flag is set. */
static inline void model_mark(struct model *m, int truth, u64 time, bool polled)
{
	if (truth < 0 || m->truth[truth].started)
		return;
	if (polled)
		m->truth[truth].polled = time;
	else
		m->truth[truth].d.t_send = time;
	m->truth[truth].t_end = time;
}

/* A bare interrupt leaves for one CPU; function calls are bare where csds don't show. */
static inline void model_bare(struct model *m, int src, int dst, int ctx, enum ipi_irq irq,
			      const struct ipi_event *sent)
{
	struct model_truth *truth;
	int i;

	if (!sent || (irq == IPI_IRQ_CALL && model_has_csd(m)))
		return;
	i = model_new_truth(m, src, dst, ctx, IPI_CLASS_MISSING, irq);
	truth = &m->truth[i];
	truth->d.t_send = sent->time;
	truth->t_end = sent->time;
	truth->d.callsite = sent->callsite;
	truth->d.func = irq == IPI_IRQ_CALL ? 0 : sent->func;
	model_list_add(&m->cpu[dst].bare[irq], i);
}

/* Records of an IPI to @nr targets; the vectors become pending. Return: its time, 0 if unseen. */
static inline u64 model_send(struct model *m, int src, int ctx, enum model_vector vector,
			     enum ipi_irq irq, const int *targets, int nr)
{
	static const enum ipi_event_kind kinds[] = { IPI_EVENT_SEND, IPI_EVENT_RAISE };
	struct ipi_event sent = { .time = 0 };
	int i, j;

	for (i = 0; i < 2; i++) {
		struct model_record *record = model_record(m, src, kinds[i], ctx);

		if (!record)
			continue;
		record->event.irq = irq;
		if (kinds[i] == IPI_EVENT_RAISE || nr > 1) {
			record->event.mask_bytes = (m->nr_cpus + 63) / 64 * 8;
			record->event.mask = record->mask;
			for (j = 0; j < nr; j++)
				record->mask[targets[j] / 8] |= 1 << (targets[j] % 8);
		} else {
			record->event.target = targets[0];
		}
		if (kinds[i] == IPI_EVENT_SEND) {
			record->event.callsite = MODEL_CALLBACK + 0x36;
			record->event.func = irq == IPI_IRQ_CALL ? MODEL_CALLBACK :
					     irq == IPI_IRQ_WORK ? MODEL_WORK : 0;
		}
		if (!sent.time) {
			sent = record->event;
			m->cpu[src].sent += nr;
		}
	}
	for (j = 0; j < nr; j++) {
		m->cpu[targets[j]].pending[vector] = true;
		model_bare(m, src, targets[j], ctx, irq, sent.time ? &sent : NULL);
	}
	return sent.time;
}

/* set_nr_if_polling() */
static inline bool model_poll(struct model *m, int dst)
{
	if (m->cpu[dst].mode != MODEL_POLLING)
		return false;
	m->cpu[dst].need_resched = true;
	return true;
}

static inline u64 model_poll_wake(struct model *m, int src, int ctx, int dst)
{
	struct model_record *record = model_record(m, src, IPI_EVENT_POLL_WAKE, ctx);

	if (!record)
		return 0;
	record->event.target = dst;
	return record->event.time;
}

/* send_call_function_single_ipi() */
static inline void model_send_single(struct model *m, int src, int ctx, int dst, int truth)
{
	u64 time;

	if (model_poll(m, dst)) {
		time = model_poll_wake(m, src, ctx, dst);
		if (time && model_has_csd(m)) {
			model_mark(m, truth, time, true);
		} else if (time) {
			/* Nothing tells it from a reschedule. */
			truth = model_new_truth(m, src, dst, ctx, IPI_CLASS_POLLED,
						IPI_IRQ_RESCHED);
			m->truth[truth].d.t_send = time;
			m->truth[truth].t_end = time;
		}
		return;
	}
	time = model_send(m, src, ctx, VECTOR_SINGLE, IPI_IRQ_CALL, &dst, 1);
	model_mark(m, truth, time, false);
}

static inline void model_lock(struct model *m, int src, int ctx, int dst, struct model_csd *csd,
			      enum model_type type, u64 func)
{
	struct model_record *record;

	csd->locked = true;
	csd->type = type;
	csd->func = func;
	csd->truth = -1;
	record = model_record(m, src, IPI_EVENT_QUEUE, ctx);
	if (!record)
		return;
	m->cpu[src].queued++;
	record->event.target = dst;
	record->event.func = func;
	record->event.csd = csd->address;
	record->event.callsite = func + 0x11;
	csd->truth = model_new_truth(m, src, dst, ctx, IPI_CLASS_MISSING, IPI_IRQ_CALL);
	m->truth[csd->truth].d.t_queue = record->event.time;
	m->truth[csd->truth].t_end = record->event.time;
	m->truth[csd->truth].d.func = func;
	m->truth[csd->truth].d.csd = csd->address;
	m->truth[csd->truth].d.callsite = record->event.callsite;
}

/* llist_add(): was it empty? */
static inline bool model_add(struct model *m, int dst, struct model_csd *csd)
{
	struct model_cpu *cpu = &m->cpu[dst];

	if (cpu->nr_list == MODEL_LIST)
		abort();
	cpu->list[cpu->nr_list++] = csd;
	return cpu->nr_list == 1;
}

static inline bool model_run_record(struct model *m, int cpu, enum ipi_event_kind kind, int ctx,
				    u64 func, u64 csd, u64 *time)
{
	struct model_record *record = model_record(m, cpu, kind, ctx);

	*time = 0;
	if (!record)
		return false;
	record->event.func = func;
	record->event.csd = csd;
	*time = record->event.time;
	if (kind == IPI_EVENT_FUNC_ENTRY)
		m->cpu[cpu].functions++;
	return true;
}

#endif
