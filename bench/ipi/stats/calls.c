// SPDX-License-Identifier: GPL-2.0
/*
 * The latest calls of each thread, with their deliveries. A delivery may be known only after its
 * call has returned, and the stamps of a call only when it returns: a call is settled when some
 * later ones of its thread have begun.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

#define CALLS		4	/* of a thread, not yet settled */
#define DELIVERIES_MAX	65536	/* of a call: more than there are CPUs are of no one call */
#define THREADS_MIN	64

/**
 * struct call - one call
 * @t_call:	ns, 0 if there is none
 * @t_return:	ns, 0 while it goes on
 * @cpu:	where it began
 * @stamp_call:	ns, by its own stamp, 0 if it has none
 * @stamp_return: ns
 * @delivery:	what it caused
 * @nr:		how many
 * @room:	of @delivery
 */
struct call {
	u64 t_call;
	u64 t_return;
	u64 stamp_call;
	u64 stamp_return;
	struct ipi_delivery *delivery;
	size_t nr;
	size_t room;
	int cpu;
};

struct thread {
	int tid;
	bool used;
	unsigned int next;
	struct call call[CALLS];
};

/**
 * struct ipi_calls - the calls
 * @kinds:	where deliveries go
 * @thread:	by thread id, open addressing
 * @room:	of @thread, a power of two
 * @nr:		used
 * @stats:	as published
 */
struct ipi_calls {
	struct ipi_kinds *kinds;
	struct thread *thread;
	size_t room;
	size_t nr;
	struct ipi_calls_stats stats;
};

struct ipi_calls *ipi_calls__new(struct ipi_kinds *kinds)
{
	struct ipi_calls *calls = calloc(1, sizeof(*calls));

	if (!calls)
		return NULL;
	calls->kinds = kinds;
	calls->room = THREADS_MIN;
	calls->thread = calloc(calls->room, sizeof(*calls->thread));
	if (calls->thread)
		return calls;
	free(calls);
	return NULL;
}

void ipi_calls__delete(struct ipi_calls *calls)
{
	size_t i, j;

	if (!calls)
		return;
	for (i = 0; i < calls->room; i++) {
		for (j = 0; j < CALLS; j++)
			free(calls->thread[i].call[j].delivery);
	}
	free(calls->thread);
	free(calls);
}

static struct thread *find(struct thread *threads, size_t room, int tid)
{
	size_t at = ((u32)tid * 0x9e3779b1U) & (room - 1);

	while (threads[at].used && threads[at].tid != tid)
		at = (at + 1) & (room - 1);
	return &threads[at];
}

static int grow(struct ipi_calls *calls)
{
	struct thread *bigger = calloc(calls->room * 2, sizeof(*bigger));
	size_t i;

	if (!bigger)
		return -ENOMEM;
	for (i = 0; i < calls->room; i++) {
		if (calls->thread[i].used)
			*find(bigger, calls->room * 2, calls->thread[i].tid) = calls->thread[i];
	}
	free(calls->thread);
	calls->thread = bigger;
	calls->room *= 2;
	return 0;
}

/* The call with all its deliveries into the kinds. */
static int settle(struct ipi_calls *calls, struct call *call)
{
	u64 t_call = call->stamp_call ? call->stamp_call : call->t_call;
	u64 t_return = call->stamp_call ? call->stamp_return : call->t_return;
	bool ended = true, returned = call->t_return;
	u64 last_exit = 0;
	size_t i;
	int err;

	call->t_call = 0;
	if (!returned)
		call->nr = 0;
	for (i = 0; i < call->nr; i++) {
		struct ipi_delivery d = call->delivery[i];
		u64 exit = d.t_func_entry ? d.t_func_exit : d.t_irq_exit;

		d.t_queue = t_call;
		err = ipi_kinds__add(calls->kinds, &d, NULL);
		if (err)
			return err;
		ended &= exit && exit <= t_return;
		last_exit = exit > last_exit ? exit : last_exit;
	}
	calls->stats.calls += returned;
	calls->stats.sent += call->nr > 0;
	calls->stats.deliveries += call->nr;
	if (call->nr) {
		ipi_kinds__stage(calls->kinds, IPI_STAGE_TOTAL_TRACED, t_call, t_return);
		if (ended)
			ipi_kinds__stage(calls->kinds, IPI_STAGE_ACK, last_exit, t_return);
	}
	call->nr = 0;
	return 0;
}

int ipi_calls__begin(struct ipi_calls *calls, int tid, int cpu, u64 time)
{
	struct thread *thread = find(calls->thread, calls->room, tid);
	struct call *call;
	int err;

	if (!thread->used) {
		if (calls->nr >= calls->room / 2) {
			if (grow(calls))
				return -ENOMEM;
			thread = find(calls->thread, calls->room, tid);
		}
		calls->nr++;
		thread->used = true;
		thread->tid = tid;
	}
	call = &thread->call[thread->next++ % CALLS];
	err = call->t_call ? settle(calls, call) : 0;
	call->t_call = time;
	call->cpu = cpu;
	call->t_return = 0;
	call->stamp_call = 0;
	return err;
}

int ipi_calls__end(struct ipi_calls *calls, int tid, u64 time, u64 t_call, u64 t_return)
{
	struct thread *thread = find(calls->thread, calls->room, tid);
	struct call *call = &thread->call[(thread->next - 1) % CALLS];

	/* Its beginning is not in the recording. */
	if (!thread->used || !call->t_call || call->t_return)
		return 0;
	call->t_return = time;
	call->stamp_call = t_call;
	call->stamp_return = t_return;
	return 0;
}

void ipi_calls__lost(struct ipi_calls *calls, int cpu)
{
	struct call *call;
	size_t i, j;

	for (i = 0; i < calls->room; i++) {
		for (j = 0; j < CALLS; j++) {
			call = &calls->thread[i].call[j];
			if (call->t_return || call->cpu != cpu)
				continue;
			call->t_call = 0;
			call->nr = 0;
		}
	}
}

static int attach(struct call *call, const struct ipi_delivery *delivery)
{
	struct ipi_delivery *more;
	size_t room;

	if (call->nr == DELIVERIES_MAX)
		return 0;
	if (call->nr == call->room) {
		room = call->room ? call->room * 2 : 4;
		more = realloc(call->delivery, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		call->delivery = more;
		call->room = room;
	}
	call->delivery[call->nr++] = *delivery;
	return 0;
}

int ipi_calls__delivery(struct ipi_calls *calls, const struct ipi_delivery *delivery)
{
	u64 begin = delivery->t_queue ? delivery->t_queue : delivery->t_send;
	struct thread *thread;
	int i;

	/* A local run has but its function. */
	if (!begin && delivery->class == IPI_CLASS_LOCAL)
		begin = delivery->t_func_entry;
	if (!calls->nr || !begin || delivery->src_ctx != IPI_CTX_TASK || delivery->src_tid < 0)
		return 0;
	thread = find(calls->thread, calls->room, delivery->src_tid);
	for (i = 0; thread->used && i < CALLS; i++) {
		struct call *call = &thread->call[i];

		if (call->t_call && call->t_call <= begin &&
		    (!call->t_return || begin <= call->t_return))
			return attach(call, delivery);
	}
	return 0;
}

int ipi_calls__flush(struct ipi_calls *calls)
{
	size_t i, j;
	int err;

	for (i = 0; i < calls->room; i++) {
		for (j = 0; j < CALLS; j++) {
			struct call *call = &calls->thread[i].call[j];

			err = call->t_call ? settle(calls, call) : 0;
			if (err)
				return err;
		}
	}
	return 0;
}

const struct ipi_calls_stats *ipi_calls__stats(const struct ipi_calls *calls)
{
	return &calls->stats;
}
