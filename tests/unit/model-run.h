/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The model's CPUs: they take interrupts, empty their lists, idle, and let their contexts work
 * (model-work.h). See model.h.
 */
#ifndef TESTS_UNIT_MODEL_RUN_H
#define TESTS_UNIT_MODEL_RUN_H

#include "model-work.h"

static inline void model_take_list(struct model_cpu *cpu)
{
	static const enum model_type order[] = { MODEL_SYNC, MODEL_ASYNC, MODEL_WAKE };
	struct model_flush *flush = &cpu->flush;
	int phase, i;

	flush->nr = 0;
	for (phase = 0; phase < 3; phase++) {
		for (i = 0; i < cpu->nr_list; i++) {
			enum model_type type = cpu->list[i]->type;

			if (type == MODEL_IRQ_WORK)
				type = MODEL_ASYNC;
			if (type != order[phase])
				continue;
			flush->copy[flush->nr] = *cpu->list[i];
			flush->csd[flush->nr++] = cpu->list[i];
		}
	}
	cpu->nr_list = 0;
	flush->item = 0;
	flush->step = 1;
	cpu->list_taken = flush->nr > 0;
}

/* The function of @csd starts, and it is known how that came about. */
static inline void model_started(struct model *m, int cpu, const struct model_csd *csd, u64 time,
				 bool rode)
{
	struct model_cpu *c = &m->cpu[cpu];
	struct model_truth *truth;
	bool brought;

	if (csd->truth < 0)
		return;
	truth = &m->truth[csd->truth];
	truth->started = true;
	truth->rode = rode;
	truth->d.t_func_entry = time;
	truth->t_run = time;
	truth->t_end = time;
	truth->d.class = rode ? IPI_CLASS_COALESCED : IPI_CLASS_POLLED;
	if (!c->in_irq)
		return;
	/* Only an IPI that was on its way before can be the one that was taken. */
	brought = truth->d.t_send && (!c->t_entry || truth->d.t_send < c->t_entry);
	truth->d.class = brought ? IPI_CLASS_INTERRUPT : IPI_CLASS_COALESCED;
	if (!brought)
		truth->d.t_send = 0;
	if (c->t_entry) {
		truth->d.t_irq_entry = c->t_entry;
		truth->d.dst_pid = c->entry_pid;
		model_list_add(&c->frame, csd->truth);
	}
}

static inline void model_ended(struct model *m, const struct model_csd *csd, u64 time)
{
	if (csd->truth < 0)
		return;
	m->truth[csd->truth].d.t_func_exit = time;
	m->truth[csd->truth].t_end = time;
}

/* The list of wake-ups is one function, recorded with the first task's csd. */
static inline bool model_step_wakes(struct model *m, int cpu, int ctx)
{
	struct model_cpu *c = &m->cpu[cpu];
	struct model_flush *flush = &c->flush;
	int i, first = flush->item;
	u64 time;

	switch (flush->step) {
	case 1:
		model_run_record(m, cpu, IPI_EVENT_FUNC_ENTRY, ctx, MODEL_TTWU,
				 flush->copy[first].address, &flush->t_entry);
		for (i = first; i < flush->nr; i++)
			model_started(m, cpu, &flush->copy[i], flush->t_entry, i > first);
		c->list_taken = false;
		flush->step = 2;
		return false;
	case 2:
		/* They run from now on, and may sleep and be woken again. */
		for (i = first; i < flush->nr; i++)
			flush->csd[i]->locked = false;
		flush->step = 3;
		return false;
	default:
		model_run_record(m, cpu, IPI_EVENT_FUNC_EXIT, ctx, MODEL_TTWU,
				 flush->copy[first].address, &time);
		for (i = first; i < flush->nr; i++)
			model_ended(m, &flush->copy[i], time);
		return true;
	}
}

/* One step of __flush_smp_call_function_queue(). Return: true when the list is done. */
static inline bool model_step_flush(struct model *m, int cpu)
{
	struct model_cpu *c = &m->cpu[cpu];
	struct model_flush *flush = &c->flush;
	int ctx = c->in_irq ? IPI_CTX_HARDIRQ : IPI_CTX_TASK;
	const struct model_csd *csd = &flush->copy[flush->item];
	u64 time;

	if (flush->step == 0) {
		model_take_list(c);
		return !flush->nr;
	}
	if (csd->type == MODEL_WAKE)
		return model_step_wakes(m, cpu, ctx);

	switch (flush->step) {
	case 1:
		flush->step = csd->type == MODEL_IRQ_WORK ? 4 : 2;
		/* Who doesn't wait gets his csd back before the function starts. */
		c->no_nmi = csd->type == MODEL_ASYNC;
		flush->csd[flush->item]->locked = csd->type == MODEL_SYNC;
		return false;
	case 2:
		model_run_record(m, cpu, IPI_EVENT_FUNC_ENTRY, ctx, csd->func, csd->address, &time);
		model_started(m, cpu, csd, time, false);
		c->no_nmi = false;
		if (c->in_irq && model_has(m, IPI_EVENT_IRQ_ENTRY))
			c->list_taken = false;
		flush->step = 3;
		if (model_one_in(m, 4))
			model_begin(m, cpu, &c->nested, ctx);
		return false;
	case 3:
		model_run_record(m, cpu, IPI_EVENT_FUNC_EXIT, ctx, csd->func, csd->address, &time);
		model_ended(m, csd, time);
		flush->step = 4;
		return false;
	default:
		if (csd->type == MODEL_SYNC)
			flush->csd[flush->item]->locked = false;
		flush->step = 1;
		if (++flush->item < flush->nr)
			return false;
		c->list_taken = false;
		return true;
	}
}

/* All interrupts of one kind that are on their way are one. */
static inline void model_take_bare(struct model *m, int cpu, const struct ipi_event *entry)
{
	struct model_cpu *c = &m->cpu[cpu];
	struct model_list *bare = &c->bare[entry->irq];
	int i;

	if (!model_has_send(m) && (entry->irq != IPI_IRQ_CALL || !model_has_csd(m))) {
		i = model_new_truth(m, cpu, cpu, IPI_CTX_TASK, IPI_CLASS_INTERRUPT, entry->irq);
		m->truth[i].d.src = -1;
		m->truth[i].d.src_tid = -1;
		model_list_add(bare, i);
	}
	for (i = 0; i < bare->nr; i++) {
		struct model_truth *truth = &m->truth[bare->truth[i]];

		truth->d.class = i ? IPI_CLASS_COALESCED : IPI_CLASS_INTERRUPT;
		truth->leader = i ? bare->truth[0] : -1;
		truth->d.t_irq_entry = entry->time;
		truth->d.dst_pid = entry->pid;
		truth->t_end = entry->time;
		model_list_add(&c->frame, bare->truth[i]);
	}
	bare->nr = 0;
}

static inline void model_enter(struct model *m, int cpu, enum model_vector vector)
{
	static const enum ipi_irq irqs[] = {
		IPI_IRQ_CALL, IPI_IRQ_CALL, IPI_IRQ_RESCHED, IPI_IRQ_WORK,
	};
	struct model_cpu *c = &m->cpu[cpu];
	struct model_record *record;

	c->pending[vector] = false;
	c->in_irq = true;
	c->irq = irqs[vector];
	c->t_entry = 0;
	c->frame.nr = 0;
	c->flush.step = 0;
	record = model_record(m, cpu, IPI_EVENT_IRQ_ENTRY, IPI_CTX_HARDIRQ);
	if (record) {
		record->event.irq = c->irq;
		c->t_entry = record->event.time;
		c->entry_pid = record->event.pid;
		c->entries[c->irq]++;
		model_take_bare(m, cpu, &record->event);
	}
}

static inline void model_leave(struct model *m, int cpu)
{
	struct model_cpu *c = &m->cpu[cpu];
	struct model_record *record = NULL;
	int i;

	if (m->irq_exit & (1U << c->irq))
		record = model_record(m, cpu, IPI_EVENT_IRQ_EXIT, IPI_CTX_HARDIRQ);
	if (record) {
		record->event.irq = c->irq;
		for (i = 0; i < c->frame.nr; i++) {
			m->truth[c->frame.truth[i]].d.t_irq_exit = record->event.time;
			m->truth[c->frame.truth[i]].t_end = record->event.time;
		}
	}
	c->in_irq = false;
	if (c->mode != MODEL_BUSY && model_one_in(m, 2))
		c->need_resched = true;
	if (c->softirq.op == OP_NONE && c->task.op != OP_LOCAL && model_one_in(m, 8))
		model_begin(m, cpu, &c->softirq, IPI_CTX_SOFTIRQ);
}

static inline bool model_take_irq(struct model *m, int cpu)
{
	struct model_cpu *c = &m->cpu[cpu];
	int i, vector = model_below(m, VECTOR_NR);

	/* With interrupts off none is taken; else soon, from a halt at once. */
	if (c->task.op == OP_LOCAL || c->softirq.op == OP_LOCAL)
		return false;
	if (c->mode != MODEL_HALTED && !model_one_in(m, 3))
		return false;
	for (i = 0; i < VECTOR_NR; i++, vector = (vector + 1) % VECTOR_NR) {
		if (c->pending[vector]) {
			model_enter(m, cpu, vector);
			return true;
		}
	}
	return false;
}

/* Nothing runs: begin something, or sleep. */
static inline void model_choose(struct model *m, int cpu)
{
	struct model_cpu *c = &m->cpu[cpu];

	if (c->mode == MODEL_BUSY) {
		if (model_one_in(m, 6))
			c->mode = m->polls && model_one_in(m, 2) ? MODEL_POLLING : MODEL_HALTED;
		else if (model_one_in(m, 3))
			model_begin(m, cpu, &c->task, IPI_CTX_TASK);
		return;
	}
	if (c->need_resched || model_one_in(m, 30)) {
		/* It stops polling, then looks what there is to do. */
		if (c->mode == MODEL_POLLING) {
			c->mode = MODEL_HALTED;
			return;
		}
		c->in_idle_flush = true;
		c->flush.step = 0;
	}
}

static inline void model_step(struct model *m, int cpu)
{
	struct model_cpu *c = &m->cpu[cpu];

	if (c->nmi.op != OP_NONE) {
		model_step_work(m, cpu, &c->nmi);
	} else if (!c->no_nmi && model_one_in(m, 400)) {
		model_begin(m, cpu, &c->nmi, IPI_CTX_NMI);
	} else if (c->nested.op != OP_NONE) {
		model_step_work(m, cpu, &c->nested);
	} else if (c->in_irq) {
		if (c->irq != IPI_IRQ_CALL || model_step_flush(m, cpu))
			model_leave(m, cpu);
	} else if (c->in_idle_flush) {
		if (model_step_flush(m, cpu)) {
			c->in_idle_flush = false;
			c->need_resched = false;
			c->mode = MODEL_BUSY;
		}
	} else if (model_take_irq(m, cpu)) {
		return;
	} else if (c->softirq.op != OP_NONE) {
		model_step_work(m, cpu, &c->softirq);
	} else if (c->task.op != OP_NONE) {
		model_step_work(m, cpu, &c->task);
	} else {
		model_choose(m, cpu);
	}
}

static inline u64 model_pause(struct model *m, const struct model_cpu *cpu)
{
	/* A csd just unlocked is quickly followed by the record of its function. */
	if (cpu->no_nmi)
		return 5 + model_below(m, 20);
	/* A virtual CPU may stop anywhere. */
	if (model_one_in(m, 200))
		return 2000 + model_below(m, 20000);
	return 40 + model_below(m, 200);
}

static inline void model_csd_init(struct model_csd *csd, u64 *address)
{
	csd->address = *address;
	*address += 64;
}

static inline void model_init(struct model *m, int nr_cpus, u64 seed)
{
	u64 address = MODEL_CSD;
	int i, j;

	m->seed = seed ? seed : 1;
	m->nr_cpus = nr_cpus;
	m->nr_tasks = 2 * nr_cpus;
	m->cpu = calloc(nr_cpus, sizeof(*m->cpu));
	m->task = calloc(m->nr_tasks, sizeof(*m->task));
	if (!m->cpu || !m->task)
		abort();
	m->now = 1000;
	for (i = 0; i < m->nr_tasks; i++)
		model_csd_init(&m->task[i], &address);
	for (i = 0; i < nr_cpus; i++) {
		struct model_cpu *c = &m->cpu[i];

		c->t_next = m->now + model_below(m, 1000);
		model_csd_init(&c->single, &address);
		model_csd_init(&c->work_csd, &address);
		for (j = 0; j < 2; j++) {
			model_csd_init(&c->stack[j], &address);
			model_csd_init(&c->irq_csd[j], &address);
		}
		for (j = 0; j < nr_cpus; j++)
			model_csd_init(&c->many[j], &address);
	}
	m->csd_end = address;
}

/* Until there are so many deliveries; what is under way then stays so. */
static inline void model_run(struct model *m, int nr_truths)
{
	int i, cpu;

	while (m->nr_truths < nr_truths) {
		cpu = 0;
		for (i = 1; i < m->nr_cpus; i++) {
			if (m->cpu[i].t_next < m->cpu[cpu].t_next)
				cpu = i;
		}
		m->now = m->cpu[cpu].t_next;
		model_step(m, cpu);
		m->cpu[cpu].t_next = m->now + model_pause(m, &m->cpu[cpu]);
	}
}

static inline void model_exit(struct model *m)
{
	int i, irq;

	for (i = 0; i < m->nr_cpus; i++) {
		free(m->cpu[i].frame.truth);
		for (irq = 0; irq < IPI_IRQ_NR; irq++)
			free(m->cpu[i].bare[irq].truth);
	}
	free(m->cpu);
	free(m->task);
	free(m->record);
	free(m->truth);
}

#endif
