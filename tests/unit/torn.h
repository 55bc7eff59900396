/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Holes in the rings of the model, and what they can hide. This is the yardstick for the
 * correlator's silence: a delivery that no hole can have touched has to be said.
 */
#ifndef TESTS_UNIT_TORN_H
#define TESTS_UNIT_TORN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "model-run.h"

/* What a kernel records. */
struct kernel {
	const char *name;
	unsigned int have;
	unsigned int irq_exit;
	bool polls;
};

/* Records of a CPU between @after and @before are gone, exclusively. */
struct hole {
	u64 after;
	u64 before;
	int nr;
};

struct holes {
	size_t nr, max;
	struct hole *hole;
};

struct run {
	const struct kernel *kernel;
	bool list_known;		/* which function runs as a list */
	bool flushing;
	struct model model;
	struct holes *holes;		/* by CPU, NULL without loss */
	int *by_begin;			/* truths by their beginning */
	bool *said;
	u64 *decided;			/* by truth: when its sender went on */
	int *before;			/* by truth: the use of its csd before */
	int nr_said;
	int nr_safe;
	int nr_confused;
	u64 nr_lost;
	u64 nr_uncertain;
	const char *wrong;
	struct ipi_delivery last;
	int last_truth;
};

static inline u64 began(const struct ipi_delivery *d)
{
	return d->t_queue ? d->t_queue : d->t_send ? d->t_send :
	       d->t_irq_entry ? d->t_irq_entry : d->t_func_entry;
}

static inline bool hidden(const struct run *run, int cpu, u64 time)
{
	size_t i;

	for (i = 0; run->holes && time && i < run->holes[cpu].nr; i++) {
		const struct hole *hole = &run->holes[cpu].hole[i];

		if (time > hole->after && time < hole->before)
			return true;
	}
	return false;
}

static inline void add_hole(struct holes *holes, u64 after)
{
	holes->hole = model_grow(holes->hole, holes->nr, &holes->max, sizeof(*holes->hole));
	holes->hole[holes->nr].after = after;
	holes->hole[holes->nr].before = UINT64_MAX;
	holes->hole[holes->nr++].nr = 0;
}

/* Tear holes: each CPU's records are counted, and now and then a few are torn out. */
static inline void tear(struct run *run)
{
	struct model *m = &run->model;
	int *torn = calloc(m->nr_cpus, sizeof(*torn));
	u64 *last = calloc(m->nr_cpus, sizeof(*last));
	size_t i;

	run->holes = calloc(m->nr_cpus, sizeof(*run->holes));
	assert_true(torn && last && run->holes);
	for (i = 0; i < m->nr_records; i++) {
		struct ipi_event *event = &m->record[i].event;
		struct holes *holes = &run->holes[event->cpu];

		if (!torn[event->cpu] && model_one_in(m, 400)) {
			torn[event->cpu] = 1 + model_below(m, model_one_in(m, 4) ? 40 : 4);
			/* One that touches the one before is the same. */
			if (!holes->nr || holes->hole[holes->nr - 1].before != UINT64_MAX)
				add_hole(holes, last[event->cpu]);
		}
		if (torn[event->cpu]) {
			torn[event->cpu]--;
			holes->hole[holes->nr - 1].nr++;
			run->nr_lost++;
			continue;
		}
		if (holes->nr && holes->hole[holes->nr - 1].before == UINT64_MAX)
			holes->hole[holes->nr - 1].before = event->time;
		last[event->cpu] = event->time;
	}
	free(torn);
	free(last);
}

/* For each csd queued: when its sender recorded something that isn't part of the same call. */
static inline void find_decided(struct run *run)
{
	struct model *m = &run->model;
	u64 (*next)[IPI_CTX_NR] = calloc(m->nr_cpus, sizeof(*next));
	const struct ipi_event *(*queue)[IPI_CTX_NR] = calloc(m->nr_cpus, sizeof(*queue));
	size_t i = m->nr_records;
	int truth = m->nr_truths;

	assert_true(next && queue);
	memset(next, 0xff, m->nr_cpus * sizeof(*next));
	/* Backwards: the next such record of each context is known then. */
	while (i--) {
		const struct ipi_event *event = &m->record[i].event;
		const struct ipi_event **later = &queue[event->cpu][event->ctx];
		int ctx = event->ctx;

		/* What had interrupted this context has ended as well. */
		while (++ctx < IPI_CTX_NR) {
			next[event->cpu][ctx] = event->time;
			queue[event->cpu][ctx] = NULL;
		}
		if (event->kind != IPI_EVENT_QUEUE) {
			next[event->cpu][event->ctx] = event->time;
			*later = NULL;
			continue;
		}
		if (*later && (*later)->func != event->func)
			next[event->cpu][event->ctx] = (*later)->time;
		*later = event;
		while (truth && (!m->truth[truth - 1].d.t_queue ||
				 m->truth[truth - 1].d.t_queue > event->time))
			truth--;
		if (truth && m->truth[truth - 1].d.t_queue == event->time)
			run->decided[truth - 1] = next[event->cpu][event->ctx];
	}
	free(next);
	free(queue);
}

static inline void find_before(struct run *run)
{
	const struct model *m = &run->model;
	size_t nr_csds = (m->csd_end - MODEL_CSD) / 64, i;
	int *last = calloc(nr_csds, sizeof(*last));
	int truth;

	assert_non_null(last);
	for (i = 0; i < nr_csds; i++)
		last[i] = -1;
	for (truth = 0; truth < m->nr_truths; truth++) {
		u64 csd = m->truth[truth].d.csd;

		run->before[truth] = csd ? last[(csd - MODEL_CSD) / 64] : -1;
		if (csd)
			last[(csd - MODEL_CSD) / 64] = truth;
	}
	free(last);
}

static inline size_t first_record(const struct model *m, u64 time)
{
	size_t low = 0, high = m->nr_records;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (m->record[mid].event.time < time)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The first entry of its kind on a CPU after a hole that ends at @time; UINT64_MAX if none. */
static inline u64 first_entry_since(const struct run *run, int cpu, int irq, u64 time)
{
	const struct model *m = &run->model;
	size_t i;

	for (i = first_record(m, time); i < m->nr_records; i++) {
		const struct ipi_event *event = &m->record[i].event;

		if (event->cpu == cpu && event->kind == IPI_EVENT_IRQ_ENTRY && event->irq == irq &&
		    !hidden(run, cpu, event->time))
			return event->time;
	}
	return UINT64_MAX;
}

/* When it shows that a CPU isn't in an interrupt that began in the hole that ends at @time. */
static inline u64 fog_end(const struct run *run, int cpu, u64 time)
{
	const struct model *m = &run->model;
	size_t i;

	for (i = first_record(m, time); i < m->nr_records; i++) {
		const struct ipi_event *event = &m->record[i].event;

		if (event->cpu == cpu && !hidden(run, cpu, event->time) &&
		    (event->ctx < IPI_CTX_HARDIRQ || event->kind == IPI_EVENT_IRQ_ENTRY ||
		     event->kind == IPI_EVENT_IRQ_EXIT))
			return event->time;
	}
	return UINT64_MAX;
}

/* May a hole in the target's ring hide something of it, or make it ambiguous? */
static inline bool torn_at_target(const struct run *run, const struct model_truth *truth)
{
	const struct ipi_delivery *d = &truth->d;
	const struct holes *holes = &run->holes[d->dst];
	bool unended = d->class == IPI_CLASS_MISSING || (d->t_func_entry && !d->t_func_exit) ||
		       (d->t_irq_entry && !d->t_irq_exit && run->model.irq_exit & (1U << d->irq));
	size_t i;

	for (i = 0; i < holes->nr; i++) {
		const struct hole *hole = &holes->hole[i];

		if (began(d) < hole->before && (truth->t_end > hole->after || unended))
			return true;
		/* A list not known as such is seen to be one only when it has passed. */
		if (truth->rode && !run->list_known && hole->after >= truth->t_end)
			return true;
		/* It may have ridden in an interrupt that began in the hole. */
		if ((d->func == MODEL_TTWU || !run->list_known) && truth->t_end > hole->after &&
		    began(d) < fog_end(run, d->dst, hole->before))
			return true;
		/* Interrupted by an interrupt that the hole began. */
		if (d->t_irq_entry && hidden(run, d->dst, d->t_irq_entry))
			return true;
		/* The first bare interrupt after the hole may bring others from the hole. */
		if (!d->t_queue && began(d) > hole->after &&
		    d->t_irq_entry && d->t_irq_entry ==
		    first_entry_since(run, d->dst, d->irq, hole->before))
			return true;
	}
	return false;
}

static inline bool torn_at_source(const struct run *run, int i)
{
	const struct model_truth *truth = &run->model.truth[i];
	const struct ipi_delivery *d = &truth->d;
	const struct holes *holes = &run->holes[d->src];
	size_t j;

	if (hidden(run, d->src, began(d)) || hidden(run, d->src, d->t_send))
		return true;
	for (j = 0; j < holes->nr; j++) {
		const struct hole *hole = &holes->hole[j];

		/* Its sending, or that it wasn't sent, is in the hole. */
		if (d->t_queue && d->t_queue < hole->before && run->decided[i] > hole->after)
			return true;
		/* A function that started at once may be that of the csd's use before. */
		if (d->t_queue && truth->t_run && truth->t_run < run->decided[i] &&
		    hole->before <= d->t_queue)
			return true;
		/* What looks like a wake-up alone may be the end of more. */
		if (d->class == IPI_CLASS_POLLED && !d->t_queue && d->t_send >= hole->before)
			return true;
	}
	return false;
}

/* Its csd's use before is hidden, and the two can't be told apart. */
static inline bool torn_before(const struct run *run, int i)
{
	const struct model_truth *truth = &run->model.truth[i];
	int before = run->before[i];

	return before >= 0 && !run->said[before] &&
	       (run->model.truth[before].t_run > truth->d.t_queue ||
		(truth->t_run && truth->t_run < run->decided[i]));
}

#endif
