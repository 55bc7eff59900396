// SPDX-License-Identifier: GPL-2.0
/*
 * The correlator's deliveries in the making: their memory (a pool, since they come and go by the
 * million), the lists they wait on, the lookup by csd, and how they end: emitted, held back until
 * their sender's next event, or counted as uncertain. What moves them along is in corr-send.c and
 * corr-frames.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "corr.h"

#define POOL_CHUNK	128
#define HASH_BITS_MIN	8
#define HASH_BITS_MAX	20

struct corr_pool_chunk {
	struct corr_pool_chunk *next;
	struct corr_wait wait[POOL_CHUNK];
};

bool ipi_corr__wait_init(struct ipi_corr *corr)
{
	INIT_LIST_HEAD(&corr->free);
	corr->hash_bits = HASH_BITS_MIN;
	corr->hash = calloc(1UL << corr->hash_bits, sizeof(*corr->hash));
	return corr->hash;
}

void ipi_corr__wait_exit(struct ipi_corr *corr)
{
	struct corr_pool_chunk *chunk, *next;

	for (chunk = corr->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(corr->hash);
}

/* All back to the pool, wherever they wait; what held them must be forgotten as well. */
void ipi_corr__drop_waits(struct ipi_corr *corr)
{
	struct corr_pool_chunk *chunk;
	int i;

	INIT_LIST_HEAD(&corr->free);
	for (chunk = corr->chunks; chunk; chunk = chunk->next) {
		for (i = 0; i < POOL_CHUNK; i++)
			list_add_tail(&chunk->wait[i].at, &corr->free);
	}
	memset(corr->hash, 0, sizeof(*corr->hash) << corr->hash_bits);
	corr->nr_hashed = 0;
}

/* A longer chain is slower, not wrong: without memory it stays as it is. */
static void hash_grow(struct ipi_corr *corr)
{
	size_t i, old_buckets = 1UL << corr->hash_bits;
	struct hlist_head *hash, *old = corr->hash;
	struct corr_wait *wait;
	struct hlist_node *next;

	hash = calloc(old_buckets << 2, sizeof(*hash));
	if (!hash)
		return;
	corr->hash = hash;
	corr->hash_bits += 2;
	for (i = 0; i < old_buckets; i++) {
		hlist_for_each_entry_safe(wait, next, &old[i], hash) {
			hlist_del(&wait->hash);
			hlist_add_head(&wait->hash, corr_bucket(corr, wait->d.csd));
		}
	}
	free(old);
}

static bool pool_grow(struct ipi_corr *corr)
{
	struct corr_pool_chunk *chunk = malloc(sizeof(*chunk));
	int i;

	if (!chunk)
		return false;
	chunk->next = corr->chunks;
	corr->chunks = chunk;
	for (i = 0; i < POOL_CHUNK; i++)
		list_add_tail(&chunk->wait[i].at, &corr->free);
	return true;
}

static struct corr_cpu *new_cpu(void)
{
	struct corr_cpu *cpu = calloc(1, sizeof(*cpu));
	int i;

	if (!cpu)
		return NULL;
	INIT_LIST_HEAD(&cpu->queued);
	for (i = 0; i < IPI_IRQ_NR; i++) {
		INIT_LIST_HEAD(&cpu->bare[i]);
		INIT_LIST_HEAD(&cpu->frame[i].inside);
	}
	for (i = 0; i < IPI_CTX_NR; i++) {
		INIT_LIST_HEAD(&cpu->burst[i].waits);
		cpu->burst[i].echo = IPI_IRQ_NR;
	}
	return cpu;
}

/* A CPU in range, of which nothing was heard before. */
struct corr_cpu *ipi_corr__new_cpu(struct ipi_corr *corr, int cpu)
{
	corr->cpu[cpu] = new_cpu();
	return corr->cpu[cpu];
}

/* Field by field: clearing all at once takes a string instruction, which takes long to start. */
static inline void clear(struct corr_wait *wait)
{
	wait->d.t_queue = 0;
	wait->d.t_send = 0;
	wait->d.t_irq_entry = 0;
	wait->d.t_func_entry = 0;
	wait->d.t_func_exit = 0;
	wait->d.t_irq_exit = 0;
	INIT_HLIST_NODE(&wait->hash);
	INIT_LIST_HEAD(&wait->at);
	INIT_LIST_HEAD(&wait->burst);
	wait->t_mark = 0;
	wait->t_decided = 0;
	wait->t_rode = 0;
	wait->t_overtaken = 0;
	wait->where = CORR_NOWHERE;
	wait->sent = false;
	wait->polled = false;
	wait->running = false;
	wait->riding = false;
	wait->torn = false;
	wait->unsure = false;
	wait->overtaken = false;
	wait->doubt = false;
	wait->complete = false;
}

/* On no list yet; the sender is who recorded @event; NULL without memory. */
struct corr_wait *ipi_corr__new_wait(struct ipi_corr *corr, const struct ipi_event *event,
				     enum ipi_class class, enum ipi_irq irq)
{
	struct corr_wait *wait;

	if (list_empty(&corr->free) && !pool_grow(corr))
		return NULL;
	wait = list_first_entry(&corr->free, struct corr_wait, at);
	list_del(&wait->at);

	clear(wait);
	wait->d.src = event->cpu;
	wait->d.dst = event->cpu;
	wait->d.src_tid = event->tid;
	wait->d.dst_pid = -1;
	wait->d.src_ctx = event->ctx;
	wait->d.func = event->func;
	wait->d.csd = event->csd;
	wait->d.callsite = event->callsite;
	wait->d.class = class;
	wait->d.irq = irq;
	return wait;
}

/* Its csd is queued for @target. A CPU that isn't traced never runs one: the oldest makes room. */
void ipi_corr__wait_queued(struct ipi_corr *corr, struct corr_cpu *target, struct corr_wait *wait)
{
	if (target->nr_queued == CORR_MAX_WAITING)
		ipi_corr__give_up(corr, list_first_entry(&target->queued, struct corr_wait, at));
	if (corr->nr_hashed > 2UL << corr->hash_bits && corr->hash_bits < HASH_BITS_MAX)
		hash_grow(corr);

	hlist_add_head(&wait->hash, corr_bucket(corr, wait->d.csd));
	corr->nr_hashed++;
	list_add_tail(&wait->at, &target->queued);
	target->nr_queued++;
	wait->where = CORR_QUEUED;
}

/* A bare interrupt left for @target. */
void ipi_corr__wait_bare(struct ipi_corr *corr, struct corr_cpu *target, struct corr_wait *wait)
{
	unsigned int irq = wait->d.irq;

	if (target->nr_bare[irq] == CORR_MAX_WAITING)
		ipi_corr__give_up(corr,
				  list_first_entry(&target->bare[irq], struct corr_wait, at));
	list_add_tail(&wait->at, &target->bare[irq]);
	target->nr_bare[irq]++;
	wait->where = CORR_BARE;
}

/* It is complete when @frame is. On no list yet. */
void ipi_corr__wait_inside(struct corr_frame *frame, struct corr_wait *wait)
{
	list_add_tail(&wait->at, &frame->inside);
	wait->where = CORR_INSIDE;
}

/* Its function can't start any more, were it queued: out of the hash. */
void ipi_corr__bury(struct ipi_corr *corr, struct corr_wait *wait)
{
	if (hlist_unhashed(&wait->hash))
		return;
	hlist_del_init(&wait->hash);
	corr->nr_hashed--;
}

/* Off the list it waits on. */
void ipi_corr__leave(struct ipi_corr *corr, struct corr_wait *wait)
{
	struct corr_cpu *target = corr->cpu[wait->d.dst];

	list_del_init(&wait->at);
	if (wait->where == CORR_QUEUED) {
		ipi_corr__bury(corr, wait);
		target->nr_queued--;
		if (wait->overtaken)
			target->nr_overtaken--;
	} else if (wait->where == CORR_BARE) {
		target->nr_bare[wait->d.irq]--;
	}
	wait->where = CORR_NOWHERE;
}

/* It isn't known whether an IPI is sent for it: last of @burst, its sender's. */
void ipi_corr__undecided(struct ipi_corr *corr, struct corr_burst *burst, struct corr_wait *wait)
{
	/* One call queues at most one for each CPU: the oldest is of another. */
	if (burst->nr == corr->conf.max_cpus)
		ipi_corr__decided(corr,
				  list_first_entry(&burst->waits, struct corr_wait, burst));
	list_add_tail(&wait->burst, &burst->waits);
	burst->nr++;
}

static void leave_burst(struct ipi_corr *corr, struct corr_wait *wait)
{
	if (list_empty(&wait->burst))
		return;
	list_del_init(&wait->burst);
	corr->cpu[wait->d.src]->burst[wait->d.src_ctx].nr--;
}

/* It is known whether an IPI was sent for it. A rider of a list known as such is one then. */
void ipi_corr__decided(struct ipi_corr *corr, struct corr_wait *wait)
{
	leave_burst(corr, wait);
	wait->t_decided = corr->t_last;
	if (wait->complete || (wait->riding && corr->conf.list_func))
		ipi_corr__finish(corr, wait);
}

/* Out of all lists, to the caller or into the count of uncertain ones, and back to the pool. */
void ipi_corr__finish(struct ipi_corr *corr, struct corr_wait *wait)
{
	leave_burst(corr, wait);
	ipi_corr__leave(corr, wait);

	if (wait->doubt)
		corr->stats.uncertain++;
	else
		corr->conf.emit(corr->conf.ctx, &wait->d);
	list_add(&wait->at, &corr->free);
}

/*
 * All of it was seen. Until it is known whether an IPI was sent for it, it is held: the next thing
 * in its sender's ring may be a loss with the send in it, or the send itself, then idle.
 */
void ipi_corr__complete(struct ipi_corr *corr, struct corr_wait *wait)
{
	if (list_empty(&wait->burst)) {
		ipi_corr__finish(corr, wait);
		return;
	}
	ipi_corr__leave(corr, wait);
	wait->complete = true;
}

/* Its function or its interrupt was not seen, and can't come any more. */
void ipi_corr__give_up(struct ipi_corr *corr, struct corr_wait *wait)
{
	if (wait->overtaken && !wait->doubt)
		corr->stats.requeued++;
	wait->d.class = IPI_CLASS_MISSING;
	ipi_corr__complete(corr, wait);
}
