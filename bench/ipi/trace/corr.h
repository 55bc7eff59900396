/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the correlator share. Private to correlate.c and the corr-*.c: everybody else
 * includes correlate.h.
 *
 * The life of a delivery here, a struct corr_wait:
 *  - a csd is queued: in the hash by csd, on the target's list of those to run, and in the burst
 *    of its sender until a later event of the sender says whether an IPI was sent for it;
 *  - its function starts: out of the hash; on the target's frame if it runs in an interrupt;
 *  - it is complete: emitted, or held until the burst is decided (a loss may hide the send).
 * A bare interrupt waits on the target's list for its kind, then on the frame.
 */
#ifndef IPI_TRACE_CORR_H
#define IPI_TRACE_CORR_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/list.h>

#include "correlate.h"

#define CORR_MAX_RUNS		8	/* functions inside functions on one CPU */
#define CORR_MAX_WAITING	16384	/* deliveries waiting for one CPU that never shows up */

/* Which list a delivery in the making is on. */
enum corr_where {
	CORR_NOWHERE,
	CORR_QUEUED,		/* the target's queued csds, and in the hash */
	CORR_BARE,		/* the target's bare interrupts not yet taken */
	CORR_INSIDE,		/* a frame's */
};

/**
 * struct corr_wait - a delivery in the making
 * @d:		what is known of it so far
 * @hash:	by csd, while its function may still start
 * @at:		linked on the list @where says
 * @burst:	in its sender's burst while it is undecided whether an IPI was sent for it
 * @t_mark:	ns, when it was marked sent or polled
 * @t_decided:	ns, when it was known whether an IPI was sent for it
 * @t_rode:	ns, when it came out that it rides
 * @t_overtaken: ns, when its csd was queued again
 * @where:	enum corr_where
 * @sent:	an IPI was sent for it
 * @polled:	its target was polling: no IPI needed
 * @running:	its function started
 * @riding:	its function probably ran unseen, behind another one of the same list
 * @torn:	its target's ring had a hole since it rides: in doubt if it doesn't
 * @unsure:	its function may have run behind another one whose interrupt a hole hides: in doubt
 *		unless more of it shows
 * @overtaken:	its csd was queued again
 * @doubt:	a loss may hide a record of it: counted as uncertain in place of being emitted
 * @complete:	only its burst holds it back
 */
struct corr_wait {
	struct ipi_delivery d;
	struct hlist_node hash;
	struct list_head at;
	struct list_head burst;
	u64 t_mark;
	u64 t_decided;
	u64 t_rode;
	u64 t_overtaken;
	u8 where;
	bool sent;
	bool polled;
	bool running;
	bool riding;
	bool torn;
	bool unsure;
	bool overtaken;
	bool doubt;
	bool complete;
};

/**
 * struct corr_run - a function running
 * @func:	the function
 * @csd:	its csd, 0 if local
 * @t_entry:	ns
 * @wait:	its delivery, NULL if its beginning was not seen
 * @in_frame:	the delivery hangs on the frame: completed there
 */
struct corr_run {
	u64 func;
	u64 csd;
	u64 t_entry;
	struct corr_wait *wait;
	bool in_frame;
};

/**
 * struct corr_frame - an interrupt being handled; a kind can't interrupt itself
 * @open:	it is
 * @t_entry:	ns
 * @t_first:	ns, when its first function started, 0 if none did: the list was taken before
 * @pid:	process it hit
 * @ctx:	context its entry was recorded in
 * @inside:	deliveries it brought
 * @last:	the last function that started in it (its list's head, if it is a list)
 * @last_exit:	ns, 0 if that function didn't end
 */
struct corr_frame {
	bool open;
	u64 t_entry;
	u64 t_first;
	int pid;
	u8 ctx;
	struct list_head inside;
	struct corr_run last;
	u64 last_exit;
};

/**
 * struct corr_burst - a sender's latest run of queue events, of one thread and function
 * @waits:	those not yet decided, complete ones among them
 * @nr:	how many
 * @func:	the function
 * @tid:	the thread
 * @echo:	enum ipi_irq of a send whose raise is to follow, IPI_IRQ_NR if none
 * @fresh:	nothing came since a loss: what went before this event isn't known
 */
struct corr_burst {
	struct list_head waits;
	int nr;
	u64 func;
	int tid;
	u8 echo;
	bool fresh;
};

/**
 * struct corr_cpu - one CPU
 * @seen:	for the ledger
 * @queued:	csds queued for it whose function didn't start
 * @nr_queued:	how many
 * @nr_overtaken: how many of them are overtaken
 * @bare:	interrupts sent to it and not yet taken, by kind
 * @nr_bare:	how many
 * @frame:	the interrupt being handled, by kind
 * @nr_open:	how many of them are open
 * @run:	functions running, the innermost last
 * @nr_runs:	how many
 * @burst:	what it sends, by context
 * @t_last:	ns, its latest event
 * @t_apart:	ns, its latest event that isn't part of emptying its list
 * @t_lost:	ns, its latest loss, 0 if there was none
 * @t_emptied:	ns, entry of the latest interrupt that is known to have emptied its list
 * @mark:	the mask send that last touched it
 * @top:	the highest context whose burst there may be something to end of
 * @fog:	after a loss: it isn't known whether it is in an interrupt
 * @hole:	after a loss: an irq_work on its way may have been sent in it
 */
struct corr_cpu {
	struct ipi_corr_cpu seen;
	struct list_head queued;
	unsigned int nr_queued;
	unsigned int nr_overtaken;
	struct list_head bare[IPI_IRQ_NR];
	unsigned int nr_bare[IPI_IRQ_NR];
	struct corr_frame frame[IPI_IRQ_NR];
	unsigned int nr_open;
	struct corr_run run[CORR_MAX_RUNS];
	int nr_runs;
	struct corr_burst burst[IPI_CTX_NR];
	u64 t_last;
	u64 t_apart;
	u64 t_lost;
	u64 t_emptied;
	u64 mark;
	u8 top;
	bool fog;
	bool hole;
};

/**
 * struct corr_rule - what an event of a kind must have
 * @target_end:	its target is below; of one with a mask the second
 * @cpu_end:	its CPU is below
 * @irq_end:	its irq is below
 */
struct corr_rule {
	u64 target_end[2];
	u32 cpu_end;
	u32 irq_end;
};

struct corr_pool_chunk;

/**
 * struct ipi_corr - the correlator
 * @conf:	as given
 * @has_csd:	queue and function events are there: they make the deliveries by function call
 * @has_send:	send events are there
 * @has_mark:	send or raise events are there
 * @stats:	what could not be joined
 * @rule:	by kind
 * @cpu:	by number, NULL until its first event
 * @t_last:	ns, the latest event
 * @mark:	counts mask sends
 * @hash:	csds queued, by address
 * @hash_bits:	log2 of its buckets
 * @nr_hashed:	csds in it
 * @chunks:	memory of the waits
 * @free:	unused ones, linked by @at
 */
struct ipi_corr {
	struct ipi_corr_conf conf;
	bool has_csd;
	bool has_send;
	bool has_mark;
	struct ipi_corr_stats stats;
	struct corr_rule rule[IPI_EVENT_NR];
	struct corr_cpu **cpu;
	u64 t_last;
	u64 mark;
	struct hlist_head *hash;
	unsigned int hash_bits;
	unsigned int nr_hashed;
	struct corr_pool_chunk *chunks;
	struct list_head free;
};

static inline bool corr_can_exit(const struct ipi_corr *corr, unsigned int irq)
{
	return corr->conf.irq_exit & (1U << irq);
}

/* corr-wait.c: the memory of deliveries in the making, where they wait, how they end. */
bool ipi_corr__wait_init(struct ipi_corr *corr);
void ipi_corr__wait_exit(struct ipi_corr *corr);
void ipi_corr__drop_waits(struct ipi_corr *corr);
struct corr_cpu *ipi_corr__new_cpu(struct ipi_corr *corr, int cpu);
struct corr_wait *ipi_corr__new_wait(struct ipi_corr *corr, const struct ipi_event *event,
				     enum ipi_class class, enum ipi_irq irq);
void ipi_corr__wait_queued(struct ipi_corr *corr, struct corr_cpu *target,
			   struct corr_wait *wait);
void ipi_corr__wait_bare(struct ipi_corr *corr, struct corr_cpu *target, struct corr_wait *wait);
void ipi_corr__wait_inside(struct corr_frame *frame, struct corr_wait *wait);
void ipi_corr__bury(struct ipi_corr *corr, struct corr_wait *wait);
void ipi_corr__leave(struct ipi_corr *corr, struct corr_wait *wait);
void ipi_corr__undecided(struct ipi_corr *corr, struct corr_burst *burst,
			 struct corr_wait *wait);
void ipi_corr__decided(struct ipi_corr *corr, struct corr_wait *wait);
void ipi_corr__finish(struct ipi_corr *corr, struct corr_wait *wait);
void ipi_corr__complete(struct ipi_corr *corr, struct corr_wait *wait);
void ipi_corr__give_up(struct ipi_corr *corr, struct corr_wait *wait);

/* By the golden ratio: csds differ in their middle bits only. */
static inline struct hlist_head *corr_bucket(const struct ipi_corr *corr, u64 csd)
{
	return &corr->hash[(csd * 0x61c8864680b583ebULL) >> (64 - corr->hash_bits)];
}

/* The state of a CPU in range; NULL without memory. */
static inline struct corr_cpu *ipi_corr__get_cpu(struct ipi_corr *corr, int cpu)
{
	return corr->cpu[cpu] ? corr->cpu[cpu] : ipi_corr__new_cpu(corr, cpu);
}

/* corr-send.c: what a sender does. */
int ipi_corr__queue(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event);
int ipi_corr__send(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event);
int ipi_corr__raise(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event);
int ipi_corr__poll_wake(struct ipi_corr *corr, struct corr_cpu *cpu,
			const struct ipi_event *event);
void ipi_corr__burst_end(struct ipi_corr *corr, struct corr_burst *burst);
void ipi_corr__end_higher(struct ipi_corr *corr, struct corr_cpu *cpu, int ctx);
void ipi_corr__lost_sender(struct ipi_corr *corr, struct corr_cpu *cpu);

/* Most are empty. */
static inline void corr_burst_end(struct ipi_corr *corr, struct corr_burst *burst)
{
	if (!list_empty(&burst->waits))
		ipi_corr__burst_end(corr, burst);
}

/* corr-frames.c: what happens on a target. */
int ipi_corr__irq_entry(struct ipi_corr *corr, struct corr_cpu *cpu,
			const struct ipi_event *event);
void ipi_corr__irq_exit(struct ipi_corr *corr, struct corr_cpu *cpu,
			const struct ipi_event *event);
int ipi_corr__func_entry(struct ipi_corr *corr, struct corr_cpu *cpu,
			 const struct ipi_event *event);
void ipi_corr__func_exit(struct ipi_corr *corr, struct corr_cpu *cpu,
			 const struct ipi_event *event);
void ipi_corr__close_hardirq(struct ipi_corr *corr, struct corr_cpu *cpu);
void ipi_corr__lost_target(struct ipi_corr *corr, struct corr_cpu *cpu);
void ipi_corr__flush_target(struct ipi_corr *corr, struct corr_cpu *cpu);

/* corr-list.c: csds whose own function doesn't show. */
void ipi_corr__settle_frame(struct ipi_corr *corr, struct corr_cpu *cpu,
			    const struct corr_frame *frame, u64 t_exit);
void ipi_corr__settle_idle(struct ipi_corr *corr, struct corr_cpu *cpu, const struct corr_run *run,
			   u64 t_exit);
void ipi_corr__settle_overtaken(struct ipi_corr *corr, struct corr_cpu *cpu);
void ipi_corr__flush_queued(struct ipi_corr *corr, struct corr_cpu *cpu);
void ipi_corr__doubt_queued(struct ipi_corr *corr, struct corr_cpu *cpu);

#endif
