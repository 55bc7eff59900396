// SPDX-License-Identifier: GPL-2.0
/*
 * The correlator's front: takes events in time order, keeps the counts, and hands each event to
 * the sender's side (corr-send.c) or the target's (corr-frames.c). What a loss means is decided
 * here: the records of one CPU between two of its events are gone, so both sides of that CPU
 * doubt what they hold.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "corr.h"

static bool has(const struct ipi_corr *corr, enum ipi_event_kind kind)
{
	return corr->conf.have & IPI_EVENT_BIT(kind);
}

/* What an event must have. */
#define HAVE_CPU	1U
#define HAVE_IRQ	2U
#define HAVE_TARGET	4U
#define HAVE_TARGETS	8U	/* one, or a mask */

/* By kind, none for those that aren't ours. */
static const u8 must_have[IPI_EVENT_NR] = {
	[IPI_EVENT_QUEUE]	= HAVE_CPU | HAVE_TARGET,
	[IPI_EVENT_SEND]	= HAVE_CPU | HAVE_IRQ | HAVE_TARGETS,
	[IPI_EVENT_RAISE]	= HAVE_CPU | HAVE_IRQ | HAVE_TARGETS,
	[IPI_EVENT_IRQ_ENTRY]	= HAVE_CPU | HAVE_IRQ,
	[IPI_EVENT_IRQ_EXIT]	= HAVE_CPU | HAVE_IRQ,
	[IPI_EVENT_FUNC_ENTRY]	= HAVE_CPU,
	[IPI_EVENT_FUNC_EXIT]	= HAVE_CPU,
	[IPI_EVENT_POLL_WAKE]	= HAVE_CPU | HAVE_TARGET,
	[IPI_EVENT_LOST]	= HAVE_CPU,
};

static void make_rules(struct ipi_corr *corr)
{
	const u64 any = UINT32_MAX + 1ULL;
	u64 max = corr->conf.max_cpus;
	int i;

	for (i = 0; i < IPI_EVENT_NR; i++) {
		struct corr_rule *rule = &corr->rule[i];
		u8 must = must_have[i];

		rule->cpu_end = must & HAVE_CPU ? max : 0;
		rule->irq_end = must & HAVE_IRQ ? IPI_IRQ_NR : IPI_IRQ_NR + 1;
		rule->target_end[true] = must & HAVE_TARGET ? max : any;
		rule->target_end[false] = must & HAVE_TARGETS ? max : rule->target_end[true];
	}
}

struct ipi_corr *ipi_corr__new(const struct ipi_corr_conf *conf)
{
	struct ipi_corr *corr;

	if (conf->max_cpus <= 0 || !conf->emit) {
		errno = EINVAL;
		return NULL;
	}
	corr = calloc(1, sizeof(*corr));
	if (!corr)
		return NULL;
	corr->conf = *conf;
	if (!has(corr, IPI_EVENT_IRQ_EXIT))
		corr->conf.irq_exit = 0;
	else if (!conf->irq_exit)
		corr->conf.irq_exit = ~0U;
	corr->has_csd = has(corr, IPI_EVENT_QUEUE) && has(corr, IPI_EVENT_FUNC_ENTRY);
	corr->has_send = has(corr, IPI_EVENT_SEND);
	corr->has_mark = corr->has_send || has(corr, IPI_EVENT_RAISE);
	make_rules(corr);
	corr->cpu = calloc(conf->max_cpus, sizeof(*corr->cpu));
	if (!corr->cpu || !ipi_corr__wait_init(corr)) {
		free(corr->cpu);
		free(corr);
		errno = ENOMEM;
		return NULL;
	}
	return corr;
}

static void free_cpus(struct ipi_corr *corr)
{
	int i;

	for (i = 0; i < corr->conf.max_cpus; i++) {
		free(corr->cpu[i]);
		corr->cpu[i] = NULL;
	}
}

void ipi_corr__delete(struct ipi_corr *corr)
{
	if (!corr)
		return;
	free_cpus(corr);
	free(corr->cpu);
	ipi_corr__wait_exit(corr);
	free(corr);
}

static bool in_range(const struct ipi_corr *corr, const struct ipi_event *event)
{
	const struct corr_rule *rule;

	if (event->kind >= IPI_EVENT_NR || event->ctx >= IPI_CTX_NR)
		return false;
	rule = &corr->rule[event->kind];
	return (u32)event->cpu < rule->cpu_end && event->irq < rule->irq_end &&
	       (u32)event->target < rule->target_end[!!event->mask];
}

static int feed_sender(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event,
		       struct corr_burst *burst)
{
	int err;

	if (burst->tid != event->tid)
		corr_burst_end(corr, burst);
	burst->tid = event->tid;
	if (event->kind == IPI_EVENT_QUEUE)
		err = ipi_corr__queue(corr, cpu, event);
	else if (event->kind == IPI_EVENT_SEND)
		err = ipi_corr__send(corr, cpu, event);
	else if (event->kind == IPI_EVENT_RAISE)
		err = ipi_corr__raise(corr, cpu, event);
	else
		err = ipi_corr__poll_wake(corr, cpu, event);
	/* What is queued may be the rest of a call that began in the hole. */
	if (event->kind != IPI_EVENT_QUEUE)
		burst->fresh = false;
	if (event->kind != IPI_EVENT_SEND)
		burst->echo = IPI_IRQ_NR;
	return err;
}

static int feed_target(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event,
		       struct corr_burst *burst)
{
	corr_burst_end(corr, burst);
	burst->tid = event->tid;
	burst->fresh = false;
	burst->echo = IPI_IRQ_NR;

	if (event->kind == IPI_EVENT_IRQ_ENTRY)
		return ipi_corr__irq_entry(corr, cpu, event);
	if (event->kind == IPI_EVENT_FUNC_ENTRY)
		return ipi_corr__func_entry(corr, cpu, event);
	if (event->kind == IPI_EVENT_IRQ_EXIT)
		ipi_corr__irq_exit(corr, cpu, event);
	else
		ipi_corr__func_exit(corr, cpu, event);
	return 0;
}

static void feed_loss(struct ipi_corr *corr, struct corr_cpu *cpu, const struct ipi_event *event)
{
	corr->stats.lost += event->lost;
	cpu->t_lost = event->time;
	cpu->top = IPI_CTX_NR - 1;
	ipi_corr__lost_sender(corr, cpu);
	ipi_corr__lost_target(corr, cpu);
}

#define SENDERS	(IPI_EVENT_BIT(IPI_EVENT_QUEUE) | IPI_EVENT_BIT(IPI_EVENT_SEND) | \
		 IPI_EVENT_BIT(IPI_EVENT_RAISE) | IPI_EVENT_BIT(IPI_EVENT_POLL_WAKE))
#define RUNS	(IPI_EVENT_BIT(IPI_EVENT_FUNC_ENTRY) | IPI_EVENT_BIT(IPI_EVENT_FUNC_EXIT))

static bool is_senders(const struct ipi_event *event)
{
	return IPI_EVENT_BIT(event->kind) & SENDERS;
}

static bool is_csd_run(const struct ipi_event *event)
{
	return event->csd && (IPI_EVENT_BIT(event->kind) & RUNS);
}

/* What the context of a record says of others: what has interrupted it has come to its end. */
static inline void settle_context(struct ipi_corr *corr, struct corr_cpu *cpu, u8 ctx)
{
	if (ctx < IPI_CTX_HARDIRQ) {
		cpu->fog = false;
		if (cpu->nr_open)
			ipi_corr__close_hardirq(corr, cpu);
	}
	if (cpu->top > ctx)
		ipi_corr__end_higher(corr, cpu, ctx);
	cpu->top = ctx;
}

int ipi_corr__feed(struct ipi_corr *corr, const struct ipi_event *event)
{
	struct corr_burst *burst;
	struct corr_cpu *cpu;
	int err;

	corr->stats.events++;
	if (!in_range(corr, event)) {
		corr->stats.bad++;
		return 0;
	}
	if (event->time < corr->t_last)
		corr->stats.unordered++;
	else
		corr->t_last = event->time;
	cpu = ipi_corr__get_cpu(corr, event->cpu);
	if (!cpu)
		return -ENOMEM;
	if (event->kind == IPI_EVENT_LOST) {
		feed_loss(corr, cpu, event);
		return 0;
	}

	settle_context(corr, cpu, event->ctx);
	burst = &cpu->burst[event->ctx];
	err = is_senders(event) ? feed_sender(corr, cpu, event, burst) :
				  feed_target(corr, cpu, event, burst);
	cpu->t_last = event->time;
	if (!cpu->nr_runs && !is_csd_run(event))
		cpu->t_apart = event->time;
	if (cpu->nr_overtaken)
		ipi_corr__settle_overtaken(corr, cpu);
	return err;
}

void ipi_corr__flush(struct ipi_corr *corr)
{
	int i, ctx;

	for (i = 0; i < corr->conf.max_cpus; i++) {
		if (!corr->cpu[i])
			continue;
		ipi_corr__flush_queued(corr, corr->cpu[i]);
		ipi_corr__flush_target(corr, corr->cpu[i]);
	}
	for (i = 0; i < corr->conf.max_cpus; i++) {
		for (ctx = 0; corr->cpu[i] && ctx < IPI_CTX_NR; ctx++)
			ipi_corr__burst_end(corr, &corr->cpu[i]->burst[ctx]);
	}
}

void ipi_corr__cut(struct ipi_corr *corr)
{
	int i;

	for (i = 0; i < corr->conf.max_cpus; i++) {
		if (!corr->cpu[i])
			continue;
		ipi_corr__lost_sender(corr, corr->cpu[i]);
		ipi_corr__lost_target(corr, corr->cpu[i]);
	}
}

/* Nothing is emitted: the deliveries in the making just go back to the pool. */
void ipi_corr__reset(struct ipi_corr *corr)
{
	ipi_corr__drop_waits(corr);
	free_cpus(corr);
	memset(&corr->stats, 0, sizeof(corr->stats));
	corr->t_last = 0;
}

const struct ipi_corr_cpu *ipi_corr__cpu(const struct ipi_corr *corr, int cpu)
{
	static const struct ipi_corr_cpu nothing;

	if (cpu < 0 || cpu >= corr->conf.max_cpus)
		return NULL;
	return corr->cpu[cpu] ? &corr->cpu[cpu]->seen : &nothing;
}

const struct ipi_corr_stats *ipi_corr__stats(const struct ipi_corr *corr)
{
	return &corr->stats;
}
