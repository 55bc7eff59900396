// SPDX-License-Identifier: GPL-2.0
/*
 * The module backend: batches run by ipi_bench.ko on the sender's CPU, stamped by it at the call,
 * at both ends of the function on every target, and at the return. One operation is one call of the
 * scenario inside the kernel: no system call.
 *
 * Of a storm the calls of one sender are measured, those that it made while all the others were at
 * it: the others' are the weather.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/kernel.h>

#include "../trace/symbols.h"
#include "../why.h"
#include "backend.h"
#include "clock.h"
#include "module-dev.h"
#include "sched.h"
#include "storm.h"
#include "target.h"

/* Batches of a storm without a moment in which all were at it, before it is given up. */
#define APART_MAX	64
/* Of a few calls none may be made while all are at it. */
#define STORM_CALLS_MIN	64

struct ipi_session {
	const struct ipi_spec *spec;
	struct ipi_targets *targets;
	struct ipi_storm *storm;
	struct ipi_affinity affinity;
	struct ipi_module_dev dev;
	__u64 *mask;
	u32 mask_bytes;
	u32 *index;			/* the call in the buffer, of each call handed on */
	size_t max_calls;
	int apart;			/* batches in a row in which the senders didn't meet */
	enum ipi_inject inject;
	u64 inject_ns;
	u64 gap_ns;
	bool nowait;
	bool tick;			/* idle targets keep theirs */
	bool rt;
};

static const struct {
	enum ipi_scenario scenario;
	u32 number;
	bool others;		/* sends to other CPUs */
	bool nowait;		/* need not wait for them */
	unsigned int irqs;
	unsigned int proof;
	const char *trigger;
} scenarios[] = {
	{ IPI_SCENARIO_DRY_RUN, IPI_BENCH_DRY_RUN, false, false, 0,
	  1U << IPI_COUNTER_CALL | 1U << IPI_COUNTER_WORK, "nothing" },
	{ IPI_SCENARIO_SELF_CALL, IPI_BENCH_SELF_CALL, false, false, 1U << IPI_IRQ_CALL,
	  1U << IPI_COUNTER_CALL, "smp_call_function_single(own cpu)" },
	{ IPI_SCENARIO_SELF_IPI, IPI_BENCH_SELF_IPI, false, false, 1U << IPI_IRQ_WORK,
	  1U << IPI_COUNTER_WORK, "irq_work_queue()" },
	{ IPI_SCENARIO_NORMAL, IPI_BENCH_NORMAL, true, true, 1U << IPI_IRQ_CALL,
	  1U << IPI_COUNTER_CALL, "smp_call_function_single()" },
	{ IPI_SCENARIO_BROADCAST, IPI_BENCH_BROADCAST, true, true, 1U << IPI_IRQ_CALL,
	  1U << IPI_COUNTER_CALL, "smp_call_function_many()" },
	{ IPI_SCENARIO_BROADCAST_LOCK, IPI_BENCH_BROADCAST_LOCK, true, false,
	  1U << IPI_IRQ_CALL,
	  1U << IPI_COUNTER_CALL, "smp_call_function_many(), one lock" },
	{ IPI_SCENARIO_MULTICAST, IPI_BENCH_MULTICAST, true, true, 1U << IPI_IRQ_CALL,
	  1U << IPI_COUNTER_CALL, "smp_call_function_many()" },
	{ IPI_SCENARIO_STORM, IPI_BENCH_STORM, true, false, 1U << IPI_IRQ_CALL,
	  1U << IPI_COUNTER_CALL, "smp_call_function_many() of each sender" },
};

/* The row of a scenario, -1 if the module has none. */
static int row_of(enum ipi_scenario scenario)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		if (scenarios[i].scenario == scenario)
			return (int)i;
	}
	return -1;
}

static void set_bit_of(__u64 *mask, int cpu)
{
	mask[cpu / 64] |= 1ULL << (cpu % 64);
}

/* The targets; in a storm the sender as well, whom each caller's own CPU is left out for. */
static int make_mask(struct ipi_session *session, struct ipi_why *why)
{
	const struct ipi_spec *spec = session->spec;
	const struct ipi_cpus *dst = &spec->dst;
	int last, i;

	if (!scenarios[row_of(spec->scenario)].others)
		return 0;
	last = dst->cpu[dst->nr - 1] > spec->src ? dst->cpu[dst->nr - 1] : spec->src;
	session->mask_bytes = (u32)last / 64 * 8 + 8;
	session->mask = calloc(1, session->mask_bytes);
	if (!session->mask)
		return ipi_why__set(why, ENOMEM, NULL, "CPU mask");
	for (i = 0; i < dst->nr; i++)
		set_bit_of(session->mask, dst->cpu[i]);
	if (spec->senders.nr)
		set_bit_of(session->mask, spec->src);
	return 0;
}

static int make_room(struct ipi_session *session, struct ipi_why *why)
{
	int err = ipi_module_dev__map(&session->dev, session->spec->dst.nr, why);

	if (err)
		return err;
	session->max_calls = session->dev.max_calls;
	session->index = calloc(session->max_calls, sizeof(*session->index));
	return session->index ? 0 : ipi_why__set(why, ENOMEM, NULL, "calls");
}

static void module_close(struct ipi_session *session)
{
	ipi_targets__delete(session->targets);
	ipi_storm__delete(session->storm);
	ipi_module_dev__close(&session->dev);
	ipi_sched__unpin(&session->affinity);
	free(session->index);
	free(session->mask);
	free(session);
}

static int can_do(const struct ipi_session *session, struct ipi_why *why)
{
	const struct ipi_bench_info *info = &session->dev.info;
	enum ipi_scenario scenario = session->spec->scenario;
	int row = row_of(scenario);

	if (!(info->scenarios & 1ULL << scenarios[row].number))
		return ipi_why__set(why, EOPNOTSUPP, NULL, "this module has no scenario '%s'",
				    ipi_scenario__name(scenario));
	if (session->nowait && !(info->features & IPI_BENCH_FEATURE_NOWAIT))
		return ipi_why__set(why, EOPNOTSUPP, NULL, "this module can't leave out the wait");
	if (session->inject_ns > info->max_inject_ns)
		return ipi_why__set(why, ERANGE, NULL, "this module injects at most %llu ns",
				    (unsigned long long)info->max_inject_ns);
	if (session->inject == IPI_INJECT_IRQOFF &&
	    (!scenarios[row].others || scenario == IPI_SCENARIO_STORM))
		return ipi_why__set(why, EOPNOTSUPP, NULL, "irqoff needs targets that don't send");
	return 0;
}

static int start_targets(struct ipi_session *session, const struct ipi_options *opt,
			 struct ipi_why *why)
{
	const struct ipi_spec *spec = session->spec;
	int err = ipi_sched__pin(spec->src, &session->affinity, why);

	if (err)
		return err;
	session->targets = ipi_targets__new(&spec->dst, spec->target, opt->rt ?
					    IPI_TARGET_POLICY_FIFO : IPI_TARGET_POLICY_NORMAL,
					    why);
	if (!session->targets)
		return -EIO;
	if (!spec->senders.nr)
		return 0;
	session->storm = ipi_storm__new(spec, opt->rt, why);
	if (!session->storm)
		return -EIO;
	if (session->max_calls > ipi_storm__max_calls(session->storm))
		session->max_calls = ipi_storm__max_calls(session->storm);
	return 0;
}

/* CPUs that live without a tick are left without. */
static bool any_nohz_full(const struct ipi_cpus *cpus)
{
	struct ipi_cpus without;
	bool any = false;
	int i;

	if (ipi_cpus__read(&without, "/sys/devices/system/cpu/nohz_full", NULL))
		return false;
	for (i = 0; i < cpus->nr; i++)
		any = any || ipi_cpus__has(&without, cpus->cpu[i]);
	ipi_cpus__free(&without);
	return any;
}

/* What the options mean for this scenario. */
static void settle(struct ipi_session *session, const struct ipi_options *opt)
{
	const struct ipi_spec *spec = session->spec;

	session->rt = opt->rt;
	session->nowait = opt->nowait && scenarios[row_of(spec->scenario)].nowait;
	/* An idle target must fall idle again; without a wait a call would ride on the last. */
	if (spec->target == IPI_TARGET_IDLE || session->nowait)
		session->gap_ns = opt->gap_ns;
	/*
	 * No idle governor stops the tick for pauses as short as ours. Without one it depends on
	 * what else goes on, for minutes on end, and makes a fifth of the time.
	 */
	session->tick = spec->target == IPI_TARGET_IDLE && !opt->stop_tick &&
			!any_nohz_full(&spec->dst);
	/* There is nothing to delay where no function runs. */
	if (spec->scenario != IPI_SCENARIO_DRY_RUN) {
		session->inject = opt->inject;
		session->inject_ns = opt->inject_ns;
	}
}

static int module_open(struct ipi_session **sessionp, const struct ipi_spec *spec,
		       const struct ipi_options *opt, struct ipi_cell *cell, struct ipi_why *why)
{
	struct ipi_session *session;
	int row = row_of(spec->scenario);
	int err;

	if (row < 0)
		return ipi_why__set(why, EOPNOTSUPP, "--backend auto or user",
				    "the module has no scenario '%s'",
				    ipi_scenario__name(spec->scenario));
	session = calloc(1, sizeof(*session));
	if (!session)
		return ipi_why__set(why, ENOMEM, NULL, "session");
	session->spec = spec;
	settle(session, opt);
	err = ipi_module_dev__open(&session->dev, why);
	if (!err)
		err = can_do(session, why);
	session->tick = session->tick && session->dev.info.features & IPI_BENCH_FEATURE_TICK;
	if (!err)
		err = make_mask(session, why);
	if (!err)
		err = make_room(session, why);
	if (!err)
		err = start_targets(session, opt, why);
	if (err) {
		module_close(session);
		return err;
	}
	snprintf(cell->trigger, sizeof(cell->trigger), "%s%s%s", scenarios[row].trigger,
		 session->nowait ? ", no wait" : "", session->tick ? ", tick kept" : "");
	cell->proof = scenarios[row].proof;
	cell->nowait = session->nowait;
	cell->stamped = spec->scenario != IPI_SCENARIO_DRY_RUN;
	*sessionp = session;
	return 0;
}

/* @end: ns, when the targets' burst allows no more. */
static void make_run(const struct ipi_session *session, const struct ipi_batch *batch, u64 end,
		     struct ipi_bench_run *run)
{
	static const u32 injects[] = {
		[IPI_INJECT_NONE] = IPI_BENCH_INJECT_NONE,
		[IPI_INJECT_HANDLER] = IPI_BENCH_INJECT_HANDLER,
		[IPI_INJECT_IRQOFF] = IPI_BENCH_INJECT_IRQOFF,
	};
	u64 now = ipi_clock__now();
	size_t calls = batch->max;

	if (session->storm && calls < STORM_CALLS_MIN)
		calls = batch->room < STORM_CALLS_MIN ? batch->room : STORM_CALLS_MIN;
	memset(run, 0, sizeof(*run));
	run->scenario = scenarios[row_of(session->spec->scenario)].number;
	run->flags = (session->nowait ? IPI_BENCH_RUN_NOWAIT : 0) |
		     (session->tick ? IPI_BENCH_RUN_TICK : 0);
	run->first = run->scenario == IPI_BENCH_MULTICAST ? (u32)session->spec->dst.nr : 0;
	run->calls = (u32)(calls < session->max_calls ? calls : session->max_calls);
	if (end > batch->deadline_ns)
		end = batch->deadline_ns;
	run->max_ns = end > now ? end - now : 1;
	if (run->max_ns > session->dev.info.max_ns)
		run->max_ns = session->dev.info.max_ns;
	run->targets = (uintptr_t)session->mask;
	run->targets_bytes = session->mask_bytes;
	run->gap_ns = session->gap_ns;
	run->inject = injects[session->inject];
	run->inject_ns = session->inject_ns;
	if (session->storm) {
		run->gate_fd = session->dev.fd;
		run->gate_callers = (u32)session->spec->senders.nr;
	}
}

/* The calls that were made between @from and @to. */
static void take_calls(struct ipi_session *session, struct ipi_batch *batch, u64 from, u64 to)
{
	const struct ipi_bench_call *call = ipi_module_dev__calls(&session->dev);
	const struct ipi_bench_run *run = &session->dev.run;
	u32 i;

	for (i = 0; i < run->done && batch->nr < batch->max; i++) {
		/* Not made: every target was offline. */
		if (!call[i].t_call || call[i].t_call < from || call[i].t_return > to)
			continue;
		session->index[batch->nr] = i;
		batch->call[batch->nr].t_call = call[i].t_call;
		batch->call[batch->nr].t_return = call[i].t_return;
		batch->nr++;
	}
	batch->errors = ipi_module_dev__errors(&session->dev);
	batch->migrations = run->migrated;
	if (batch->errors)
		batch->error = -EIO;
}

/* Calls made while all were at it; how many the others made, and how fast all of them were. */
static void take_storm(struct ipi_session *session, struct ipi_batch *batch)
{
	const struct ipi_storm *storm = session->storm;
	u64 from = 0, to = UINT64_MAX;
	u64 others;

	ipi_storm__window(storm, &from, &to);
	take_calls(session, batch, from, to);
	if (batch->nr) {
		from = from > batch->call[0].t_call ? from : batch->call[0].t_call;
		if (to > batch->call[batch->nr - 1].t_return)
			to = batch->call[batch->nr - 1].t_return;
	}
	others = ipi_storm__calls(storm, from, to);
	batch->others = ipi_storm__calls(storm, 0, UINT64_MAX) + session->dev.run.done - batch->nr;
	batch->errors += ipi_storm__errors(storm);
	if (batch->errors)
		batch->error = -EIO;
	if (batch->nr) {
		batch->storm_calls = batch->nr + others;
		batch->storm_ns = to - from;
		session->apart = 0;
	} else if (++session->apart >= APART_MAX) {
		batch->error = -ETIMEDOUT;
	}
}

static int module_batch(struct ipi_session *session, struct ipi_batch *batch)
{
	struct ipi_burst burst;
	int err, others = 0;

	err = ipi_burst__begin(&burst, session->targets, session->rt);
	if (err)
		return err;
	/* So long before the targets leave: the last call may be a slow one. */
	make_run(session, batch, burst.limit_ns - ipi_targets__burst_ns(session->targets) / 5,
		 &session->dev.run);
	if (session->storm)
		ipi_storm__begin(session->storm, &session->dev.run);
	err = ipi_module_dev__run(&session->dev);
	if (session->storm)
		others = ipi_storm__end(session->storm);
	ipi_burst__end(&burst);
	if (err == -EINTR)
		return 0;
	if (!err)
		err = others;
	if (!err && session->storm)
		take_storm(session, batch);
	else if (!err)
		take_calls(session, batch, 0, UINT64_MAX);
	return err;
}

static int module_stamps(const struct ipi_session *session, size_t call, int cpu, u64 *entry,
			 u64 *exit)
{
	const struct ipi_bench_delivery *delivery;

	delivery = ipi_module_dev__deliveries(&session->dev, cpu);
	if (!delivery)
		return -ENOENT;
	delivery += session->index[call];
	if (!delivery->t_entry || !delivery->t_exit)
		return -ENODATA;
	*entry = delivery->t_entry;
	*exit = delivery->t_exit;
	return 0;
}

static void module_rule(const struct ipi_session *session, const struct ipi_symbols *symbols,
			struct ipi_attach_rule *rule)
{
	int row = row_of(session->spec->scenario);

	(void)symbols;
	memset(rule, 0, sizeof(*rule));
	rule->src = session->spec->src;
	rule->tid = (int)syscall(__NR_gettid);
	rule->irqs = scenarios[row].irqs;
	rule->dst = session->spec->dst.cpu;
	rule->nr_dst = session->spec->dst.nr;
	rule->async = session->nowait;
}

static int module_alive(const struct ipi_session *session, struct ipi_why *why)
{
	return ipi_sched__alive(session->spec->src, &session->spec->dst, why);
}

static void module_list(void (*line)(void *ctx, enum ipi_scenario scenario, const char *name,
				     const char *needs, const struct ipi_why *why), void *ctx)
{
	struct ipi_why why;
	bool usable = !ipi_module_dev__probe(&why);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scenarios); i++)
		line(ctx, scenarios[i].scenario, scenarios[i].trigger,
		     "root; the module ipi_bench.ko", usable ? NULL : &why);
}

const struct ipi_backend ipi_backend_module = {
	.name = "module",
	.what = "the companion module ipi_bench.ko",
	.open = module_open,
	.batch = module_batch,
	.stamps = module_stamps,
	.rule = module_rule,
	.alive = module_alive,
	.interrupts = ipi_backend__interrupts,
	.steal_ms = ipi_backend__steal_ms,
	.close = module_close,
	.source = ipi_backend__source,
	.list = module_list,
};
