// SPDX-License-Identifier: GPL-2.0
/*
 * The sender's side of the correlator: csds queued, IPIs sent and raised, polling CPUs woken.
 *
 * The kernel queues a csd and then sends an IPI only if the target's list was empty, or tells a
 * polling target without one. Nothing is recorded when it does neither. But between the queueing
 * and its outcome the sending context records nothing else than the queueing of the same function
 * for other CPUs (smp_call_function_many): this is a burst. The first other event of that context,
 * or any of another thread or of a context it had interrupted, ends it, and whatever was not marked
 * by then was not sent.
 */
#include <errno.h>

#include "corr.h"

static bool mask_has(const struct ipi_event *event, int cpu)
{
	u32 byte = (u32)cpu / 8;

	return byte < event->mask_bytes && (event->mask[byte] >> (cpu % 8) & 1);
}

/* The next of a mask after @prev (-1 to begin), -1 at the end; out of range ones are counted. */
static int next_target(struct ipi_corr *corr, const struct ipi_event *event, int prev)
{
	u32 bit = prev + 1, end = event->mask_bytes * 8;

	for (; bit < end; bit++) {
		unsigned int rest = event->mask[bit / 8] >> (bit % 8);

		if (!rest) {
			bit |= 7;
			continue;
		}
		bit += __builtin_ctz(rest);
		if (bit < (u32)corr->conf.max_cpus)
			return bit;
		corr->stats.bad++;
		break;
	}
	return -1;
}

/* The burst is over: nothing was sent for what is left of it. */
void ipi_corr__burst_end(struct ipi_corr *corr, struct corr_burst *burst)
{
	struct corr_wait *wait, *next;

	list_for_each_entry_safe(wait, next, &burst->waits, burst)
		ipi_corr__decided(corr, wait);
}

/* What interrupted this context has come to its end. */
void ipi_corr__end_higher(struct ipi_corr *corr, struct corr_cpu *cpu, int ctx)
{
	while (++ctx < IPI_CTX_NR) {
		corr_burst_end(corr, &cpu->burst[ctx]);
		cpu->burst[ctx].echo = IPI_IRQ_NR;
		cpu->burst[ctx].fresh = false;
	}
}

/* The loss may hide the send of whatever is undecided, and the beginning of what comes next. */
void ipi_corr__lost_sender(struct ipi_corr *corr, struct corr_cpu *cpu)
{
	struct corr_wait *wait;
	int i;

	for (i = 0; i < IPI_CTX_NR; i++) {
		struct corr_burst *burst = &cpu->burst[i];

		list_for_each_entry(wait, &burst->waits, burst)
			wait->doubt = true;
		ipi_corr__burst_end(corr, burst);
		burst->echo = IPI_IRQ_NR;
		burst->fresh = true;
	}
}

/*
 * It rides behind a function the idle loop ran. Could its own be the next, and it be no rider? In
 * an interrupt it would have run before the exit.
 */
static bool imminent(const struct ipi_corr *corr, const struct corr_cpu *target,
		     const struct corr_wait *wait)
{
	return !corr->conf.list_func && !wait->d.t_irq_exit &&
	       (target->nr_runs || target->t_apart <= wait->t_rode);
}

/*
 * The csd is in use again, so its last function has started, or does so right now: a csd without
 * a waiter is unlocked just before. The latter is settled by the target's next event.
 */
static void overtake(struct ipi_corr *corr, const struct ipi_event *event)
{
	const struct hlist_head *bucket = corr_bucket(corr, event->csd);
	struct corr_wait *wait;
	struct hlist_node *next;

	hlist_for_each_entry_safe(wait, next, bucket, hash) {
		struct corr_cpu *target = corr->cpu[wait->d.dst];

		if (wait->d.csd != event->csd)
			continue;
		if (wait->riding && !imminent(corr, target, wait)) {
			ipi_corr__complete(corr, wait);
		} else if (wait->overtaken) {
			/* Twice: it won't show. But its target's ring may have a hole here. */
			ipi_corr__bury(corr, wait);
		} else {
			wait->overtaken = true;
			wait->t_overtaken = event->time;
			target->nr_overtaken++;
		}
	}
}

int ipi_corr__queue(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event)
{
	struct corr_burst *burst = &cpu->burst[event->ctx];
	struct corr_cpu *target = ipi_corr__get_cpu(corr, event->target);
	struct corr_wait *wait;

	cpu->seen.queued++;
	if (burst->func != event->func)
		ipi_corr__burst_end(corr, burst);
	burst->func = event->func;
	if (!corr->has_csd)
		return 0;
	if (!target)
		return -ENOMEM;
	wait = ipi_corr__new_wait(corr, event, IPI_CLASS_MISSING, IPI_IRQ_CALL);
	if (!wait)
		return -ENOMEM;

	overtake(corr, event);
	wait->d.dst = event->target;
	wait->d.t_queue = event->time;
	ipi_corr__wait_queued(corr, target, wait);
	if (corr->has_mark)
		ipi_corr__undecided(corr, burst, wait);
	return 0;
}

/* An IPI was sent for it, or its polling target told. After its function started it is neither. */
static void mark(struct ipi_corr *corr, struct corr_wait *wait, u64 time, bool polled)
{
	bool ended = wait->complete && wait->d.class != IPI_CLASS_MISSING;

	if (!wait->running && !ended) {
		wait->t_mark = time;
		wait->polled = polled;
		wait->unsure = false;
		wait->sent = !polled;
		if (wait->sent)
			wait->d.t_send = time;
		if (wait->riding) {
			wait->riding = false;
			wait->doubt |= wait->torn;
			wait->d.t_irq_entry = 0;
			wait->d.t_func_entry = 0;
			wait->d.t_func_exit = 0;
			wait->d.t_irq_exit = 0;
			wait->d.dst_pid = -1;
			wait->d.class = IPI_CLASS_MISSING;
		}
	}
	ipi_corr__decided(corr, wait);
}

/*
 * An IPI for functions queued before. Of a target's csds in the burst it is the latest: an older
 * one must have found the list not empty.
 */
static void mark_sent(struct ipi_corr *corr, struct corr_burst *burst,
		      const struct ipi_event *event)
{
	struct corr_wait *wait, *next;

	corr->mark++;
	list_for_each_entry_safe_reverse(wait, next, &burst->waits, burst) {
		struct corr_cpu *target = corr->cpu[wait->d.dst];

		if (target->mark == corr->mark)
			continue;
		if (event->mask ? !mask_has(event, wait->d.dst) : wait->d.dst != event->target)
			continue;
		target->mark = corr->mark;
		mark(corr, wait, event->time, false);
		if (!event->mask)
			break;
	}
}

static int open_bare(struct ipi_corr *corr, const struct ipi_event *event, int dst)
{
	struct corr_cpu *target = ipi_corr__get_cpu(corr, dst);
	struct corr_wait *wait;

	if (!target)
		return -ENOMEM;
	wait = ipi_corr__new_wait(corr, event, IPI_CLASS_MISSING, event->irq);
	if (!wait)
		return -ENOMEM;
	wait->d.dst = dst;
	wait->d.t_send = event->time;
	/* The callback of a function call is the kernel's own, not what is to run. */
	if (event->irq == IPI_IRQ_CALL)
		wait->d.func = 0;
	ipi_corr__wait_bare(corr, target, wait);
	return 0;
}

static int leaves_for(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event,
		      bool bare, int dst)
{
	cpu->seen.sent++;
	return bare ? open_bare(corr, event, dst) : 0;
}

static int leaves_for_mask(struct ipi_corr *corr, struct corr_cpu *cpu,
			   const struct ipi_event *event, bool bare)
{
	int dst = next_target(corr, event, -1), err = 0;

	for (; dst >= 0 && !err; dst = next_target(corr, event, dst))
		err = leaves_for(corr, cpu, event, bare, dst);
	return err;
}

/* An IPI leaves, said by a send or by a raise without one. */
static int leaves(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event)
{
	struct corr_burst *burst = &cpu->burst[event->ctx];
	bool bare = event->irq != IPI_IRQ_CALL || !corr->has_csd;
	int err;

	if (!bare)
		mark_sent(corr, burst, event);
	if (event->mask)
		err = leaves_for_mask(corr, cpu, event, bare);
	else
		err = leaves_for(corr, cpu, event, bare, event->target);
	corr_burst_end(corr, burst);
	return err;
}

int ipi_corr__send(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event)
{
	int err = leaves(corr, cpu, event);

	if (corr->conf.have & IPI_EVENT_BIT(IPI_EVENT_RAISE))
		cpu->burst[event->ctx].echo = event->irq;
	return err;
}

int ipi_corr__raise(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event)
{
	struct corr_burst *burst = &cpu->burst[event->ctx];

	if (corr->has_send && burst->echo == event->irq)
		return 0;
	if (corr->has_send && burst->fresh) {
		/* Its send may be in the hole. */
		corr->stats.uncertain++;
		return 0;
	}
	return leaves(corr, cpu, event);
}

/* The target polls: told by a flag. Without a csd it was to be rescheduled. */
int ipi_corr__poll_wake(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event)
{
	struct corr_burst *burst = &cpu->burst[event->ctx];
	struct corr_wait *wait;

	list_for_each_entry_reverse(wait, &burst->waits, burst) {
		if (wait->d.dst == event->target) {
			mark(corr, wait, event->time, true);
			ipi_corr__burst_end(corr, burst);
			return 0;
		}
	}
	ipi_corr__burst_end(corr, burst);

	if (!ipi_corr__get_cpu(corr, event->target))
		return -ENOMEM;
	wait = ipi_corr__new_wait(corr, event, IPI_CLASS_POLLED, IPI_IRQ_RESCHED);
	if (!wait)
		return -ENOMEM;
	wait->d.dst = event->target;
	wait->d.func = 0;
	wait->d.t_send = event->time;
	wait->doubt = burst->fresh;	/* its csd may be in the hole */
	ipi_corr__finish(corr, wait);
	return 0;
}
