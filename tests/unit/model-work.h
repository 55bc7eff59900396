/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the model's contexts do step by step: calling functions on other CPUs, waking tasks,
 * rescheduling, irq_work. See model.h.
 */
#ifndef TESTS_UNIT_MODEL_WORK_H
#define TESTS_UNIT_MODEL_WORK_H

#include "model.h"

static inline int model_other(struct model *m, int cpu)
{
	return (cpu + 1 + model_below(m, m->nr_cpus - 1)) % m->nr_cpus;
}

/* With interrupts off nobody waits: not for a lock, not for the end. */
static inline bool model_may_wait(const struct model *m, int cpu, const struct model_work *work)
{
	return work->ctx == IPI_CTX_TASK && !m->cpu[cpu].in_idle_flush;
}

static inline struct model_csd *model_pick_csd(struct model *m, int cpu, struct model_work *work)
{
	struct model_cpu *c = &m->cpu[cpu];

	if (!model_may_wait(m, cpu, work))
		return &c->irq_csd[model_below(m, 2)];
	return work->wait ? &c->stack[model_below(m, 2)] : &c->single;
}

static inline bool model_step_single(struct model *m, int cpu, struct model_work *work)
{
	switch (work->step) {
	case 0:
		work->csd = model_pick_csd(m, cpu, work);
		if (work->csd->locked)
			return !model_may_wait(m, cpu, work);
		model_lock(m, cpu, work->ctx, work->dst, work->csd,
			   work->wait ? MODEL_SYNC : MODEL_ASYNC, work->func);
		work->truth = work->csd->truth;
		work->step++;
		return false;
	case 1:
		work->step = model_add(m, work->dst, work->csd) ? 2 : 3;
		return false;
	case 2:
		model_send_single(m, cpu, work->ctx, work->dst, work->truth);
		work->step++;
		return false;
	default:
		return !work->wait || !work->csd->locked;
	}
}

/* irq_work_queue_on(): a csd whose function is recorded nowhere. */
static inline bool model_step_remote_work(struct model *m, int cpu, struct model_work *work)
{
	struct model_csd *csd = &m->cpu[cpu].work_csd;

	if (work->step == 0) {
		if (csd->locked)
			return true;
		model_lock(m, cpu, work->ctx, work->dst, csd, MODEL_IRQ_WORK, MODEL_WORK);
		work->truth = csd->truth;
		work->step = 1;
		return false;
	}
	if (work->step == 1) {
		work->step = 2;
		return !model_add(m, work->dst, csd);
	}
	model_send_single(m, cpu, work->ctx, work->dst, work->truth);
	return true;
}

static inline void model_many_send(struct model *m, int cpu, struct model_work *work)
{
	int truths[MODEL_CPUS], i;
	u64 time;

	for (i = 0; i < work->nr_first; i++)
		truths[i] = m->cpu[cpu].many[work->firsts[i]].truth;
	if (work->nr_first == 1) {
		model_send_single(m, cpu, work->ctx, work->firsts[0], truths[0]);
	} else if (work->nr_first > 1) {
		time = model_send(m, cpu, work->ctx, VECTOR_MANY, IPI_IRQ_CALL, work->firsts,
				  work->nr_first);
		for (i = 0; i < work->nr_first; i++)
			model_mark(m, truths[i], time, false);
	}
}

/* smp_call_function_many(): step 2n queues for target n, step 2n + 1 adds to its list. */
static inline bool model_step_many(struct model *m, int cpu, struct model_work *work)
{
	struct model_csd *csd;
	int i;

	if (work->step < 2 * work->nr_targets) {
		i = work->targets[work->step / 2];
		csd = &m->cpu[cpu].many[i];
		if (work->step % 2 == 0) {
			if (csd->locked)
				return false;
			model_lock(m, cpu, work->ctx, i, csd,
				   work->wait ? MODEL_SYNC : MODEL_ASYNC, work->func);
		} else if (model_add(m, i, csd)) {
			work->firsts[work->nr_first++] = i;
		}
		work->step++;
		return false;
	}
	if (work->step == 2 * work->nr_targets) {
		model_many_send(m, cpu, work);
		work->step++;
		return false;
	}
	for (i = 0; work->wait && i < work->nr_targets; i++) {
		if (m->cpu[cpu].many[work->targets[i]].locked)
			return false;
	}
	return true;
}

/* ttwu_queue_wakelist(): queues and adds at once, see model.h. */
static inline bool model_step_wake(struct model *m, int cpu, struct model_work *work)
{
	struct model_csd *task = &m->task[model_below(m, m->nr_tasks)];

	if (work->step == 1) {
		model_send_single(m, cpu, work->ctx, work->dst, work->truth);
		return true;
	}
	if (task->locked || m->cpu[work->dst].list_taken)
		return true;
	model_lock(m, cpu, work->ctx, work->dst, task, MODEL_WAKE, MODEL_TTWU);
	work->truth = task->truth;
	work->step = 1;
	return !model_add(m, work->dst, task);
}

static inline void model_resched(struct model *m, int cpu, struct model_work *work)
{
	bool already = m->cpu[work->dst].need_resched;
	int truth;
	u64 time;

	if (m->cpu[work->dst].mode == MODEL_POLLING &&
	    m->cpu[cpu].last[work->ctx] == IPI_EVENT_QUEUE)
		return;
	if (!model_poll(m, work->dst)) {
		model_send(m, cpu, work->ctx, VECTOR_RESCHED, IPI_IRQ_RESCHED, &work->dst, 1);
		return;
	}
	time = already ? 0 : model_poll_wake(m, cpu, work->ctx, work->dst);
	if (time) {
		truth = model_new_truth(m, cpu, work->dst, work->ctx, IPI_CLASS_POLLED,
					IPI_IRQ_RESCHED);
		m->truth[truth].d.t_send = time;
		m->truth[truth].t_end = time;
	}
}

/* smp_call_function_single() to oneself; interrupts are off in between. */
static inline bool model_step_local(struct model *m, int cpu, struct model_work *work)
{
	u64 time;

	if (work->step == 0) {
		work->step = 1;
		work->truth = -1;
		if (!model_run_record(m, cpu, IPI_EVENT_FUNC_ENTRY, work->ctx, work->func, 0,
				      &time))
			return false;
		work->truth = model_new_truth(m, cpu, cpu, work->ctx, IPI_CLASS_LOCAL,
					      IPI_IRQ_CALL);
		m->truth[work->truth].d.t_func_entry = time;
		m->truth[work->truth].d.func = work->func;
		m->truth[work->truth].t_end = time;
		return false;
	}
	if (model_run_record(m, cpu, IPI_EVENT_FUNC_EXIT, work->ctx, work->func, 0, &time)) {
		m->truth[work->truth].d.t_func_exit = time;
		m->truth[work->truth].t_end = time;
	}
	return true;
}

/* Return: true when it is done. */
static inline bool model_step_work(struct model *m, int cpu, struct model_work *work)
{
	bool done = true;

	switch (work->op) {
	case OP_SINGLE:
		done = work->func == MODEL_WORK ? model_step_remote_work(m, cpu, work) :
						  model_step_single(m, cpu, work);
		break;
	case OP_MANY:
		done = model_step_many(m, cpu, work);
		break;
	case OP_WAKE:
		done = model_step_wake(m, cpu, work);
		break;
	case OP_RESCHED:
		model_resched(m, cpu, work);
		break;
	case OP_WORK:
		/* irq_work_queue(): one interrupt for the whole list. */
		if (!m->cpu[cpu].pending[VECTOR_WORK])
			model_send(m, cpu, work->ctx, VECTOR_WORK, IPI_IRQ_WORK, &cpu, 1);
		break;
	case OP_LOCAL:
		done = model_step_local(m, cpu, work);
		break;
	case OP_NONE:
	default:
		break;
	}
	if (done)
		work->op = OP_NONE;
	return done;
}

static inline void model_begin(struct model *m, int cpu, struct model_work *work, int ctx)
{
	static const enum model_op task_ops[] = {
		OP_SINGLE, OP_SINGLE, OP_SINGLE, OP_MANY, OP_WAKE, OP_WAKE, OP_RESCHED, OP_WORK,
		OP_LOCAL,
	};
	static const enum model_op irq_ops[] = {
		OP_SINGLE, OP_WAKE, OP_RESCHED, OP_WORK, OP_LOCAL,
	};
	int i, first;

	work->ctx = ctx;
	if (ctx == IPI_CTX_NMI)
		work->op = OP_WORK;
	else if (model_may_wait(m, cpu, work))
		work->op = task_ops[model_below(m, ARRAY_SIZE(task_ops))];
	else
		work->op = irq_ops[model_below(m, ARRAY_SIZE(irq_ops))];
	work->step = 0;
	work->dst = model_other(m, cpu);
	work->wait = model_one_in(m, 2) && model_may_wait(m, cpu, work);
	work->func = MODEL_FUNC + 0x1000 * model_below(m, 5);
	if (work->op == OP_SINGLE && !work->wait && model_one_in(m, 6))
		work->func = MODEL_WORK;
	work->nr_first = 0;
	work->nr_targets = 0;
	first = model_below(m, m->nr_cpus);
	for (i = 0; work->op == OP_MANY && i < m->nr_cpus; i++) {
		int target = (first + i) % m->nr_cpus;

		if (target != cpu && (m->nr_cpus < 8 || model_one_in(m, m->nr_cpus / 4)))
			work->targets[work->nr_targets++] = target;
	}
}

#endif
