/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Results built by hand, for the tests of what is printed from them. The figures are those of a
 * small guest, made up so that every percentile differs from the others.
 */
#ifndef TESTS_UNIT_SAMPLE_H
#define TESTS_UNIT_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/report/report.h"
#include "bench/ipi/trace/event.h"

#define SAMPLE_CALLS	2000

/* The bulk within twice the fastest, 2 % above three times, the slowest at ten times. */
static inline void sample_stage(struct ipi_cell *cell, enum ipi_stage stage, u64 fastest)
{
	struct ipi_hist *hist = ipi_cell__hist(cell, stage);
	u64 i;

	assert_non_null(hist);
	for (i = 0; i < SAMPLE_CALLS; i++) {
		if (i == SAMPLE_CALLS - 1)
			ipi_hist__add(hist, fastest * 10);
		else if (i >= SAMPLE_CALLS * 98 / 100)
			ipi_hist__add(hist, fastest * 3 + fastest * i / SAMPLE_CALLS);
		else
			ipi_hist__add(hist, fastest + fastest * i / SAMPLE_CALLS);
	}
}

/* A cell whose untraced pass was made, at CPU 1 unless it is the sender's own. */
static inline struct ipi_cell *sample_cell(struct ipi_result *result, enum ipi_scenario scenario,
					   enum ipi_target target, u64 fastest)
{
	struct ipi_cell *cell = ipi_result__add_cell(result);

	assert_non_null(cell);
	cell->scenario = scenario;
	cell->target = target;
	cell->backend = "user";
	if (target != IPI_TARGET_NONE)
		assert_int_equal(ipi_cpus__add(&cell->dst, 1), 0);
	cell->untraced.done = true;
	cell->untraced.calls = SAMPLE_CALLS;
	cell->ipis_per_call = scenario >= IPI_SCENARIO_SELF_IPI;
	cell->steal_ms = 0.5;
	sample_stage(cell, IPI_STAGE_TOTAL, fastest);
	return cell;
}

/* A cell in which nothing was measured. */
static inline struct ipi_cell *sample_bare(struct ipi_result *result, enum ipi_scenario scenario,
					   enum ipi_target target, enum ipi_verdict verdict,
					   const char *note)
{
	struct ipi_cell *cell = ipi_result__add_cell(result);

	assert_non_null(cell);
	cell->scenario = scenario;
	cell->target = target;
	cell->backend = "user";
	cell->verdict = verdict;
	snprintf(cell->note, sizeof(cell->note), "%s", note);
	return cell;
}

/* The traced pass was made too, and all went as the scenario says but for @polled. */
static inline void sample_traced(struct ipi_cell *cell, u64 polled, s64 observer)
{
	enum ipi_class class = cell->scenario == IPI_SCENARIO_SELF_CALL ? IPI_CLASS_LOCAL :
									  IPI_CLASS_INTERRUPT;

	cell->traced.done = true;
	cell->traced.calls = SAMPLE_CALLS;
	cell->classes[class] = SAMPLE_CALLS - polled;
	cell->classes[IPI_CLASS_POLLED] = polled;
	cell->observer_known = true;
	cell->observer_ns = observer;
	sample_stage(cell, IPI_STAGE_TOTAL_TRACED,
		     ipi_hist__min(cell->stage[IPI_STAGE_TOTAL]) + observer);
}

/* Every stage of an interrupt. */
static inline void sample_split(struct ipi_cell *cell, u64 send, u64 deliver, u64 dispatch,
				u64 handle, u64 ack)
{
	sample_stage(cell, IPI_STAGE_SEND, send);
	sample_stage(cell, IPI_STAGE_DELIVER, deliver);
	sample_stage(cell, IPI_STAGE_DISPATCH, dispatch);
	sample_stage(cell, IPI_STAGE_HANDLE, handle);
	sample_stage(cell, IPI_STAGE_ACK, ack);
	sample_stage(cell, IPI_STAGE_SEND_LATENCY, send + deliver);
	sample_stage(cell, IPI_STAGE_HANDLER_LATENCY, dispatch + handle);
	sample_stage(cell, IPI_STAGE_DELIVERY, send + deliver + dispatch);
}

static inline struct ipi_ledger_row *sample_rows(struct ipi_pass *pass, unsigned int have)
{
	pass->row = calloc(2, sizeof(*pass->row));
	assert_non_null(pass->row);
	pass->nr_row = 2;
	pass->have = have;
	pass->counters = 1U << IPI_COUNTER_CALL | 1U << IPI_COUNTER_RESCHED |
			 1U << IPI_COUNTER_WORK;
	pass->row[0].calls = pass->calls;
	pass->row[1].cpu = 1;
	pass->row[1].counter[IPI_COUNTER_CALL] = pass->calls + 3;
	return pass->row;
}

/* What each CPU did, in both passes. */
static inline void sample_ledger(struct ipi_cell *cell)
{
	struct ipi_ledger_row *row;

	sample_rows(&cell->untraced, 0);
	row = sample_rows(&cell->traced, IPI_EVENT_BIT(IPI_EVENT_QUEUE) |
					 IPI_EVENT_BIT(IPI_EVENT_SEND) |
					 IPI_EVENT_BIT(IPI_EVENT_IRQ_ENTRY) |
					 IPI_EVENT_BIT(IPI_EVENT_FUNC_ENTRY));
	row[0].queued = SAMPLE_CALLS;
	row[0].sent = SAMPLE_CALLS - 5;
	row[1].entries[IPI_IRQ_CALL] = SAMPLE_CALLS - 5;
	row[1].entries[IPI_IRQ_OTHER] = 1;
	row[1].functions = SAMPLE_CALLS;
}

static inline void sample_facts(struct ipi_result *result)
{
	struct ipi_facts *env = &result->environment;

	assert_int_equal(ipi_facts__str(env, "kernel", "6.18.44"), 0);
	assert_int_equal(ipi_facts__str(env, "machine", "x86_64"), 0);
	assert_int_equal(ipi_facts__str(env, "hypervisor", "KVM"), 0);
	assert_int_equal(ipi_facts__str(env, "cpus", "0-1"), 0);
	assert_int_equal(ipi_facts__num(env, "src", 0), 0);
	assert_int_equal(ipi_facts__str(env, "backend", "user"), 0);
	assert_int_equal(ipi_facts__str(env, "clock", "CLOCK_MONOTONIC_RAW"), 0);
	assert_int_equal(ipi_facts__str(env, "clock_source", "kvm-clock"), 0);
	assert_int_equal(ipi_facts__num(env, "skew_ns", 50), 0);
	assert_int_equal(ipi_facts__num(env, "clock_cost_ns", 25), 0);
	assert_int_equal(ipi_facts__num(env, "syscall_ns", 950), 0);
	assert_int_equal(ipi_facts__str(env, "irqchip", "x2apic"), 0);
	assert_int_equal(ipi_facts__str(env, "idle_driver", "haltpoll"), 0);
	assert_int_equal(ipi_facts__str(env, "rt", "SCHED_FIFO 10"), 0);
	assert_int_equal(ipi_facts__num(&result->options, "loop", SAMPLE_CALLS), 0);
}

static inline void sample_note(struct ipi_cell *cell, const char *first, const char *second)
{
	snprintf(cell->note, sizeof(cell->note), "%s %s", first, second);
}

static inline void sample_trigger(struct ipi_cell *cell, const char *trigger)
{
	snprintf(cell->trigger, sizeof(cell->trigger), "%s", trigger);
}

static inline struct ipi_result *sample_new(const char *title)
{
	struct ipi_result *result = ipi_result__new();

	assert_non_null(result);
	snprintf(result->title, sizeof(result->title), "%s", title);
	sample_facts(result);
	return result;
}

static inline void sample_add_self(struct ipi_result *result)
{
	struct ipi_cell *cell;

	cell = sample_cell(result, IPI_SCENARIO_DRY_RUN, IPI_TARGET_NONE, 25);
	sample_trigger(cell, "nothing");

	cell = sample_cell(result, IPI_SCENARIO_SELF_CALL, IPI_TARGET_NONE, 1600);
	sample_trigger(cell, "membarrier(RSEQ, own CPU)");
	sample_traced(cell, 0, 1900);
	sample_stage(cell, IPI_STAGE_DELIVERY, 1000);
	sample_stage(cell, IPI_STAGE_HANDLE, 190);
	sample_stage(cell, IPI_STAGE_ACK, 1500);

	cell = sample_cell(result, IPI_SCENARIO_SELF_IPI, IPI_TARGET_NONE, 16800);
	sample_trigger(cell, "page fault, its sample wakes");
	sample_traced(cell, 0, 1200);
	sample_stage(cell, IPI_STAGE_SEND_LATENCY, 6000);
	sample_stage(cell, IPI_STAGE_DELIVERY, 6000);
	strcpy(cell->inseparable, "send + deliver (no event where irq_work is queued)\n"
	       "dispatch + handle (irq_work_exit can't be sampled)");
	cell->baseline_ns = 9600;
	strcpy(cell->baseline_what, "same fault, no wake-up");
}

/* Two CPUs, every tracepoint: every row has its headline. */
static inline struct ipi_result *sample_ok(void)
{
	struct ipi_result *result = sample_new("all");
	struct ipi_cell *cell;

	sample_add_self(result);

	cell = sample_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY, 52600);
	sample_trigger(cell, "membarrier(RSEQ, CPU)");
	sample_traced(cell, 5, 4000);
	sample_split(cell, 1310, 48600, 600, 190, 2000);
	sample_ledger(cell);
	cell->off_state = 3;

	cell = sample_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_IDLE, 5800);
	sample_trigger(cell, "read of a counter of that CPU");
	sample_traced(cell, 10, -120);
	sample_split(cell, 1200, 5750, 600, 960, 11000);
	cell->foreign = 12;

	cell = sample_cell(result, IPI_SCENARIO_BROADCAST_LOCK, IPI_TARGET_ANY, 120000);
	sample_trigger(cell, "membarrier(GLOBAL)");
	sample_note(cell, "an approximation: the handlers of an expedited grace period share",
		    "a lock, and a kernel thread sends");
	sample_traced(cell, 0, 3600);
	sample_split(cell, 30000, 60000, 700, 800, 0);
	ipi_hist__delete(cell->stage[IPI_STAGE_ACK]);
	cell->stage[IPI_STAGE_ACK] = NULL;
	return result;
}

/* Everything that can go wrong. */
static inline struct ipi_result *sample_bad(void)
{
	struct ipi_result *result = sample_new("normal,broadcast,wake");
	struct ipi_cell *cell;

	sample_cell(result, IPI_SCENARIO_DRY_RUN, IPI_TARGET_NONE, 25);

	cell = sample_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY, 7052600);
	sample_traced(cell, 0, 4000);
	sample_split(cell, 1310, 7048600, 600, 190, 2000);
	cell->lost = 4;
	cell->vanished = 25;
	cell->uncertain = 2;
	cell->negative = 1;
	cell->migrations = 6;
	cell->untraced.errors = 2;
	cell->traced.errors = 1;

	cell = sample_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_IDLE, 70);
	sample_traced(cell, 1980, 4000);
	cell->classes[IPI_CLASS_MISSING] = 8;
	cell->classes[IPI_CLASS_INTERRUPT] = 12;
	cell->ipis_per_call = 0.02;
	cell->verdict = IPI_VERDICT_REFUSED;
	sample_note(cell, "12 interrupt, 1980 polled, 8 missing of 2000 deliveries where 95 % must",
		    "be interrupt; 0.02 IPIs per call in /proc/interrupts where 1.00 were due");

	sample_bare(result, IPI_SCENARIO_BROADCAST, IPI_TARGET_BUSY, IPI_VERDICT_UNSUPPORTED,
		    "needs three CPUs to differ from normal");
	cell = sample_cell(result, IPI_SCENARIO_WAKE, IPI_TARGET_BUSY, 70000);
	cell->interrupted = true;
	cell->untraced.calls = 812;
	sample_bare(result, IPI_SCENARIO_WAKE, IPI_TARGET_IDLE, IPI_VERDICT_FAILED,
		    "CPU 1 went offline");
	result->interrupted = true;
	return result;
}

/* An older kernel: interrupts are seen, who sent them and what they ran is not. */
static inline struct ipi_result *sample_sums_only(void)
{
	static const char what[] = "send + deliver (no ipi_send_cpu on this kernel)\n"
				   "dispatch + handle (no csd_function_entry on this kernel)";
	struct ipi_result *result = sample_new("normal");
	struct ipi_cell *cell;

	cell = sample_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY, 1700);
	sample_traced(cell, 0, 260);
	sample_stage(cell, IPI_STAGE_SEND_LATENCY, 900);
	sample_stage(cell, IPI_STAGE_HANDLER_LATENCY, 210);
	strcpy(cell->inseparable, what);
	cell = sample_cell(result, IPI_SCENARIO_BROADCAST, IPI_TARGET_BUSY, 2500);
	assert_int_equal(ipi_cpus__add(&cell->dst, 2), 0);
	assert_int_equal(ipi_cpus__add(&cell->dst, 3), 0);
	cell->ipis_per_call = 3;
	sample_traced(cell, 0, 700);
	sample_stage(cell, IPI_STAGE_SEND_LATENCY, 1400);
	sample_stage(cell, IPI_STAGE_HANDLER_LATENCY, 210);
	strcpy(cell->inseparable, what);
	strcpy(result->missing, "what was polled is not told: no sched_wake_idle_without_ipi\n"
				"what was queued is not told: no csd_queue_cpu");
	return result;
}

/* Without privilege: triggers, clock, /proc/interrupts. */
static inline struct ipi_result *sample_no_split(void)
{
	struct ipi_result *result = sample_new("dry-run,normal");

	sample_cell(result, IPI_SCENARIO_DRY_RUN, IPI_TARGET_NONE, 25);
	sample_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY, 52600);
	strcpy(result->trace, "tracepoints need root: Permission denied (paranoid is 2)");
	return result;
}

/* One CPU: what needs another is named, the rest is there. */
static inline struct ipi_result *sample_one_cpu(void)
{
	struct ipi_result *result = sample_new("all");

	sample_add_self(result);
	sample_bare(result, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY, IPI_VERDICT_UNSUPPORTED,
		    "needs two CPUs");
	sample_bare(result, IPI_SCENARIO_BROADCAST, IPI_TARGET_BUSY, IPI_VERDICT_UNSUPPORTED,
		    "needs two CPUs");
	sample_bare(result, IPI_SCENARIO_BROADCAST_LOCK, IPI_TARGET_ANY, IPI_VERDICT_UNSUPPORTED,
		    "needs two CPUs");
	sample_bare(result, IPI_SCENARIO_WAKE, IPI_TARGET_IDLE, IPI_VERDICT_UNSUPPORTED,
		    "needs two CPUs");
	return result;
}

/* Two repetitions, the second a little slower and sent by another CPU. */
static inline struct ipi_result *sample_repeated(void)
{
	struct ipi_result *result = sample_new("dry-run,normal");
	unsigned int i;

	for (i = 0; i < 2; i++) {
		sample_cell(result, IPI_SCENARIO_DRY_RUN, IPI_TARGET_NONE, 25 + i)->repetition = i;
		sample_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY, 50000 + 1000 * i);
		result->cell[result->nr_cell - 1].repetition = i;
		result->cell[result->nr_cell - 1].src = i;
		result->cell[result->nr_cell - 1].dst.cpu[0] = 1 - i;
	}
	return result;
}

#endif
