// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of csds queued for a CPU whose own function doesn't show. A CPU that takes a
 * function call interrupt empties its list, and so does its idle loop now and then: afterwards it
 * is known of each csd queued before whether more of it can come. Wake-ups are queued one by one
 * and run as one list: only the first csd shows, and the others ride behind it. Whether an unsent
 * csd does that, or was just a moment too late for the list, may come out later.
 */
#include "corr.h"

/* Behind @run in a list of which only the first shows, or so it seems until its own entry comes. */
static void ride(struct ipi_corr *corr, struct corr_wait *wait, const struct corr_run *run,
		 u64 t_func_exit, const struct corr_frame *frame, u64 t_irq_exit)
{
	wait->riding = true;
	wait->doubt |= wait->unsure;
	wait->t_rode = corr->t_last;
	wait->d.class = IPI_CLASS_COALESCED;
	wait->d.t_func_entry = run->t_entry;
	wait->d.t_func_exit = t_func_exit;
	if (frame) {
		wait->d.t_irq_entry = frame->t_entry;
		wait->d.t_irq_exit = t_irq_exit;
		wait->d.dst_pid = frame->pid;
	}
	/* That's all if its csd is in use again, if this is the list, or if it was in before. */
	if (wait->overtaken ||
	    (list_empty(&wait->burst) &&
	     (corr->conf.list_func || (frame && wait->t_decided < frame->t_entry))))
		ipi_corr__complete(corr, wait);
}

/*
 * Could @wait be in the list whose head is @run, and which was taken before @begin? The head's
 * function is the last one a CPU runs of what it found; whoever was sent for had found the list
 * empty, and is a head himself.
 */
static bool may_ride(const struct ipi_corr *corr, const struct corr_wait *wait,
		     const struct corr_run *run, u64 begin)
{
	if (corr->conf.list_func && corr->conf.list_func != run->func)
		return false;
	return !wait->sent && !wait->polled && !wait->riding &&
	       wait->d.func == run->func && wait->d.t_queue < begin;
}

/* A frame of function calls, about to close, has emptied the list: who was in it? */
void ipi_corr__settle_frame(struct ipi_corr *corr, struct corr_cpu *cpu,
			    const struct corr_frame *frame, u64 t_exit)
{
	struct corr_wait *wait, *next;

	list_for_each_entry_safe(wait, next, &cpu->queued, at) {
		if (wait->d.t_queue >= frame->t_entry && wait->d.t_queue >= frame->t_first)
			break;
		if (may_ride(corr, wait, &frame->last, frame->t_first)) {
			ride(corr, wait, &frame->last, frame->last_exit, frame, t_exit);
		} else if (wait->d.t_queue >= frame->t_entry) {
			continue;
		} else if (wait->doubt) {
			/* It ran in the hole, if not in this frame. */
			ipi_corr__complete(corr, wait);
		} else if (wait->riding) {
			/* Any other than a rider would have run here, were it in the list. */
			if (list_empty(&wait->burst) && wait->t_decided < frame->t_entry)
				ipi_corr__complete(corr, wait);
		} else if (wait->t_mark && wait->t_mark < frame->t_entry) {
			/* It was in the list: its function is one that doesn't show. */
			ipi_corr__give_up(corr, wait);
		}
	}
}

/* After a function run by the idle loop: who rode behind it? */
void ipi_corr__settle_idle(struct ipi_corr *corr, struct corr_cpu *cpu, const struct corr_run *run,
			   u64 t_exit)
{
	struct corr_wait *wait, *next;

	list_for_each_entry_safe(wait, next, &cpu->queued, at) {
		if (wait->d.t_queue >= run->t_entry)
			break;
		if (!may_ride(corr, wait, run, run->t_entry))
			continue;
		if (cpu->fog)
			wait->unsure = true;
		else
			ride(corr, wait, run, t_exit, NULL, 0);
	}
}

/* Its own function won't show: if that of the list did, it was in it. */
static void give_up_queued(struct ipi_corr *corr, struct corr_wait *wait)
{
	wait->doubt |= wait->unsure;
	if (wait->riding)
		ipi_corr__complete(corr, wait);
	else
		ipi_corr__give_up(corr, wait);
}

/*
 * The target's ring went on without a loss, and not with the function: unless it is right now
 * running what it found, it never showed.
 */
void ipi_corr__settle_overtaken(struct ipi_corr *corr, struct corr_cpu *cpu)
{
	const struct corr_frame *frame = &cpu->frame[IPI_IRQ_CALL];
	struct corr_wait *wait, *next;

	list_for_each_entry_safe(wait, next, &cpu->queued, at) {
		if (!wait->overtaken)
			continue;
		if (frame->open && frame->t_entry <= wait->t_overtaken)
			continue;
		if (cpu->nr_runs && cpu->run[0].t_entry <= wait->t_overtaken)
			continue;
		give_up_queued(corr, wait);
	}
}

/* A list that is known as such and is just running: who is in it? */
static void ride_unended(struct ipi_corr *corr, struct corr_cpu *cpu)
{
	const struct corr_frame *frame = &cpu->frame[IPI_IRQ_CALL];
	const struct corr_run *run = frame->open ? &frame->last : &cpu->run[0];
	u64 begin = frame->open ? frame->t_first : run->t_entry;
	u64 t_func_exit = frame->open ? frame->last_exit : 0;
	struct corr_wait *wait, *next;

	if (!corr->conf.list_func || (!frame->open && !cpu->nr_runs))
		return;
	list_for_each_entry_safe(wait, next, &cpu->queued, at) {
		if (may_ride(corr, wait, run, begin))
			ride(corr, wait, run, t_func_exit, frame->open ? frame : NULL, 0);
	}
}

/* The window ends: what rides has run, the rest is missing. */
void ipi_corr__flush_queued(struct ipi_corr *corr, struct corr_cpu *cpu)
{
	struct corr_wait *wait, *next;

	ride_unended(corr, cpu);
	list_for_each_entry_safe(wait, next, &cpu->queued, at)
		give_up_queued(corr, wait);
}

/* Their functions may have run in the hole. Riders did before, unless they aren't any. */
void ipi_corr__doubt_queued(struct ipi_corr *corr, struct corr_cpu *cpu)
{
	struct corr_wait *wait;

	list_for_each_entry(wait, &cpu->queued, at) {
		if (wait->riding && corr->conf.list_func)
			wait->torn = true;
		else
			wait->doubt = true;
	}
}
