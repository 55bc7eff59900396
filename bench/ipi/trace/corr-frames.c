// SPDX-License-Identifier: GPL-2.0
/*
 * The target's side of the correlator: interrupts taken, functions run.
 *
 * A frame is an interrupt between its entry and its exit. A function that runs in one has gone by
 * interrupt, or rode on it; one that runs outside was run by the idle loop. What this means for
 * csds whose function doesn't show is in corr-list.c.
 */
#include <errno.h>
#include <string.h>

#include "corr.h"

static bool in_nmi(const struct ipi_event *event)
{
	return event->irq == IPI_IRQ_OTHER && event->ctx == IPI_CTX_NMI;
}

/* A run ends unseen. What hangs on a frame is completed with it. */
static void drop_run(struct ipi_corr *corr, struct corr_run *run)
{
	if (run->wait && !run->in_frame)
		ipi_corr__complete(corr, run->wait);
	run->wait = NULL;
}

static void drop_runs_since(struct ipi_corr *corr, struct corr_cpu *cpu, u64 t_entry)
{
	while (cpu->nr_runs && cpu->run[cpu->nr_runs - 1].t_entry >= t_entry)
		drop_run(corr, &cpu->run[--cpu->nr_runs]);
}

/* All it brought is complete; @t_exit is 0 where its exit was not seen. */
static void close_frame(struct ipi_corr *corr, struct corr_cpu *cpu, struct corr_frame *frame,
			u64 t_exit)
{
	struct corr_wait *wait, *next;

	if (cpu->nr_runs)
		drop_runs_since(corr, cpu, frame->t_entry);
	list_for_each_entry_safe(wait, next, &frame->inside, at) {
		wait->d.t_irq_exit = t_exit;
		ipi_corr__complete(corr, wait);
	}
	cpu->nr_open -= frame->open;
	frame->open = false;
}

/* The interrupts of one kind sent so far are all taken by one entry. */
static void take_bare(struct ipi_corr *corr, struct corr_cpu *cpu, struct corr_frame *frame,
		      const struct ipi_event *event)
{
	struct list_head *bare = &cpu->bare[event->irq];
	enum ipi_class class = IPI_CLASS_INTERRUPT;
	struct corr_wait *wait, *next;
	bool doubt = false;

	list_for_each_entry_safe(wait, next, bare, at) {
		/* If the first was taken in a hole, the second is not its companion. */
		doubt |= wait->doubt;
		wait->doubt = doubt;
		wait->d.class = class;
		wait->d.t_irq_entry = event->time;
		wait->d.dst_pid = event->pid;
		ipi_corr__leave(corr, wait);
		ipi_corr__wait_inside(frame, wait);
		class = IPI_CLASS_COALESCED;
	}
}

/*
 * perf doesn't sample what perf itself causes: the irq_work of a sample that wakes its reader is
 * seen to arrive only. No other CPU can have sent it.
 */
static bool unclaimed_work(const struct corr_frame *frame, const struct ipi_event *event)
{
	return event->irq == IPI_IRQ_WORK && list_empty(&frame->inside);
}

/* Where no send or queue was recorded the entry is the beginning. */
static int begin_with_entry(struct ipi_corr *corr, const struct corr_cpu *cpu,
			    struct corr_frame *frame, const struct ipi_event *event)
{
	struct corr_wait *wait;

	wait = ipi_corr__new_wait(corr, event, IPI_CLASS_INTERRUPT, event->irq);
	if (!wait)
		return -ENOMEM;
	wait->d.src = -1;
	wait->d.src_tid = -1;
	wait->d.src_ctx = IPI_CTX_TASK;
	wait->d.dst_pid = event->pid;
	wait->d.t_irq_entry = event->time;
	wait->doubt = corr->has_mark && cpu->hole;
	ipi_corr__wait_inside(frame, wait);
	return 0;
}

int ipi_corr__irq_entry(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event)
{
	struct corr_frame *frame = &cpu->frame[event->irq];
	int err = 0;

	cpu->seen.entries[event->irq]++;
	if (frame->open) {
		corr->stats.orphan_entry++;
		close_frame(corr, cpu, frame, 0);
	}
	if (!in_nmi(event))
		cpu->fog = false;

	frame->t_entry = event->time;
	frame->pid = event->pid;
	frame->ctx = event->ctx;
	frame->t_first = 0;
	frame->open = true;
	cpu->nr_open++;

	if (event->irq != IPI_IRQ_CALL || !corr->has_csd) {
		if (corr->has_mark)
			take_bare(corr, cpu, frame, event);
		if (!corr->has_mark || unclaimed_work(frame, event))
			err = begin_with_entry(corr, cpu, frame, event);
	}
	if (event->irq == IPI_IRQ_WORK)
		cpu->hole = false;
	if (!corr_can_exit(corr, event->irq))
		close_frame(corr, cpu, frame, 0);
	return err;
}

void ipi_corr__irq_exit(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event)
{
	struct corr_frame *frame = &cpu->frame[event->irq];

	if (!frame->open) {
		corr->stats.orphan_exit++;
		if (!in_nmi(event))
			cpu->fog = false;
		return;
	}
	close_frame(corr, cpu, frame, event->time);
	if (event->irq == IPI_IRQ_CALL) {
		cpu->t_emptied = frame->t_entry;
		if (cpu->nr_queued)
			ipi_corr__settle_frame(corr, cpu, frame, event->time);
	}
}

/* The interrupt a function that starts now belongs to, NULL if none is known. */
static struct corr_frame *frame_of(const struct ipi_corr *corr, struct corr_cpu *cpu,
				   const struct ipi_event *event)
{
	struct corr_frame *frame = &cpu->frame[IPI_IRQ_CALL];

	if (frame->open)
		return frame;
	/* Without exit events: in an interrupt it is in the latest. */
	if (frame->t_entry && event->ctx >= IPI_CTX_HARDIRQ && !cpu->fog &&
	    !corr_can_exit(corr, IPI_IRQ_CALL))
		return frame;
	return NULL;
}

/*
 * Is this the start of the csd's use before, which a loss hides? As below: it comes at once, and
 * only if the csd was unlocked before.
 */
static bool maybe_hidden(const struct ipi_corr *corr, const struct corr_wait *wait,
			 const struct corr_frame *frame)
{
	const struct corr_cpu *target = corr->cpu[wait->d.dst];
	u64 t_lost = corr->cpu[wait->d.src]->t_lost;

	return t_lost && target->t_emptied < t_lost && target->t_last <= wait->d.t_queue &&
	       !list_empty(&wait->burst) && !(frame && frame->t_entry > wait->d.t_queue);
}

/*
 * The delivery whose function starts. There are two candidates where the csd was queued again
 * before its function was seen: by the kernel's csd lock the older one comes first, and comes at
 * once. But it may as well never have been recorded: it isn't taken from an interrupt that began
 * later, nor by the idle loop when the younger one's sender has gone on.
 */
static struct corr_wait *find_wait(struct ipi_corr *corr, const struct ipi_event *event,
				   const struct corr_frame *frame)
{
	const struct hlist_head *bucket = corr_bucket(corr, event->csd);
	struct corr_wait *wait, *older = NULL, *younger = NULL;
	bool undecided;

	hlist_for_each_entry(wait, bucket, hash) {
		if (wait->d.csd != event->csd || wait->d.func != event->func ||
		    wait->d.dst != event->cpu)
			continue;
		if (wait->overtaken)
			older = wait;
		else
			younger = wait;
	}
	if (!older && younger)
		younger->doubt |= maybe_hidden(corr, younger, frame);
	if (!older || !younger)
		return older ? older : younger;

	undecided = !list_empty(&younger->burst);
	if (older->doubt && (!undecided || (frame && frame->t_entry > younger->d.t_queue)))
		return younger;
	younger->doubt |= older->doubt;
	if (frame)
		return frame->t_entry <= older->t_overtaken ? older : younger;
	return undecided ? older : younger;
}

/* How it went is known when its function starts; a send recorded later didn't bring it here. */
static void classify(const struct ipi_corr *corr, const struct corr_cpu *cpu,
		     struct corr_wait *wait, const struct corr_frame *frame,
		     const struct ipi_event *event)
{
	bool brought;

	wait->d.t_func_entry = event->time;
	if (!frame && event->ctx < IPI_CTX_HARDIRQ) {
		wait->d.class = IPI_CLASS_POLLED;
		return;
	}
	if (!frame) {
		wait->doubt |= cpu->fog;
	} else {
		wait->d.t_irq_entry = frame->t_entry;
		wait->d.dst_pid = frame->pid;
		if (wait->d.t_send > frame->t_entry) {
			wait->sent = false;
			wait->d.t_send = 0;
		}
	}
	brought = corr->has_mark ? wait->sent : !frame || wait->d.t_queue <= frame->t_entry;
	wait->d.class = brought ? IPI_CLASS_INTERRUPT : IPI_CLASS_COALESCED;
}

static struct corr_wait *start_wait(struct ipi_corr *corr, struct corr_cpu *cpu,
				    struct corr_frame *frame, const struct ipi_event *event)
{
	struct corr_wait *wait = find_wait(corr, event, frame);

	if (!wait)
		return NULL;
	if (wait->riding && corr->conf.list_func) {
		/* A rider it is: this is the csd's next use, whose queueing is lost. */
		ipi_corr__complete(corr, wait);
		return NULL;
	}
	if (wait->riding) {
		/* It was no rider after all. */
		wait->riding = false;
		wait->d.t_func_exit = 0;
		wait->d.t_irq_entry = 0;
		wait->d.t_irq_exit = 0;
		wait->d.dst_pid = -1;
	}
	ipi_corr__leave(corr, wait);
	wait->unsure = false;
	wait->running = true;
	classify(corr, cpu, wait, frame, event);
	if (frame && frame->open)
		ipi_corr__wait_inside(frame, wait);
	return wait;
}

/* Field by field: a copy would be read as a whole before it has got where it is read from. */
static inline void begin_run(struct corr_run *run, const struct ipi_event *event,
			     struct corr_wait *wait, bool in_frame)
{
	run->func = event->func;
	run->csd = event->csd;
	run->t_entry = event->time;
	run->wait = wait;
	run->in_frame = in_frame;
}

int ipi_corr__func_entry(struct ipi_corr *corr, struct corr_cpu *cpu,
			 const struct ipi_event *event)
{
	struct corr_frame *frame = event->csd ? frame_of(corr, cpu, event) : NULL;
	bool in_frame = frame && frame->open;
	struct corr_wait *wait = NULL;

	cpu->seen.functions++;
	if (!event->csd) {
		wait = ipi_corr__new_wait(corr, event, IPI_CLASS_LOCAL, IPI_IRQ_CALL);
		if (!wait)
			return -ENOMEM;
		wait->d.t_func_entry = event->time;
	} else if (corr->has_csd) {
		wait = start_wait(corr, cpu, frame, event);
	}

	if (cpu->nr_runs == CORR_MAX_RUNS) {
		drop_run(corr, &cpu->run[0]);
		cpu->nr_runs--;
		memmove(&cpu->run[0], &cpu->run[1], cpu->nr_runs * sizeof(cpu->run[0]));
	}
	begin_run(&cpu->run[cpu->nr_runs++], event, wait, in_frame);
	if (in_frame) {
		if (!frame->t_first)
			frame->t_first = event->time;
		begin_run(&frame->last, event, wait, in_frame);
		frame->last_exit = 0;
	}
	return 0;
}

void ipi_corr__func_exit(struct ipi_corr *corr, struct corr_cpu *cpu,
			 const struct ipi_event *event)
{
	const struct corr_run *run;
	int i = cpu->nr_runs;

	while (i && (cpu->run[i - 1].func != event->func || cpu->run[i - 1].csd != event->csd))
		i--;
	if (!i) {
		corr->stats.orphan_exit++;
		return;
	}
	while (cpu->nr_runs > i)
		drop_run(corr, &cpu->run[--cpu->nr_runs]);

	run = &cpu->run[--cpu->nr_runs];
	if (run->wait)
		run->wait->d.t_func_exit = event->time;
	if (run->in_frame) {
		cpu->frame[IPI_IRQ_CALL].last_exit = event->time;
		return;
	}
	if (run->wait)
		ipi_corr__complete(corr, run->wait);
	if (run->csd && cpu->nr_queued)
		ipi_corr__settle_idle(corr, cpu, run, event->time);
}

/* A record from outside of interrupts: no frame can be open that was entered in one. */
void ipi_corr__close_hardirq(struct ipi_corr *corr, struct corr_cpu *cpu)
{
	int i;

	for (i = 0; cpu->nr_open && i < IPI_IRQ_NR; i++) {
		struct corr_frame *frame = &cpu->frame[i];

		if (frame->open && frame->ctx >= IPI_CTX_HARDIRQ) {
			corr->stats.orphan_entry++;
			close_frame(corr, cpu, frame, 0);
		}
	}
}

static void doubt_all(struct list_head *list)
{
	struct corr_wait *wait;

	list_for_each_entry(wait, list, at)
		wait->doubt = true;
}

/* Whatever was on its way to this CPU may have come, run or ended in the hole. */
void ipi_corr__lost_target(struct ipi_corr *corr, struct corr_cpu *cpu)
{
	int i;

	for (i = 0; i < cpu->nr_runs; i++) {
		if (cpu->run[i].wait)
			cpu->run[i].wait->doubt = true;
	}
	drop_runs_since(corr, cpu, 0);
	for (i = 0; i < IPI_IRQ_NR; i++) {
		doubt_all(&cpu->bare[i]);
		doubt_all(&cpu->frame[i].inside);
		close_frame(corr, cpu, &cpu->frame[i], 0);
	}
	ipi_corr__doubt_queued(corr, cpu);
	cpu->fog = corr->conf.have & IPI_EVENT_BIT(IPI_EVENT_IRQ_ENTRY);
	cpu->hole = true;
}

/* The window ends: everything goes out as it stands. Interrupts and functions stay open. */
void ipi_corr__flush_target(struct ipi_corr *corr, struct corr_cpu *cpu)
{
	struct corr_wait *wait, *next;
	int i;

	for (i = 0; i < cpu->nr_runs; i++)
		drop_run(corr, &cpu->run[i]);
	for (i = 0; i < IPI_IRQ_NR; i++) {
		list_for_each_entry_safe(wait, next, &cpu->frame[i].inside, at)
			ipi_corr__complete(corr, wait);
		list_for_each_entry_safe(wait, next, &cpu->bare[i], at)
			ipi_corr__give_up(corr, wait);
	}
}
