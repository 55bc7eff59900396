// SPDX-License-Identifier: GPL-2.0
/*
 * The user backend: IPIs by system calls, no module. A table of triggers, tried in order; one
 * batch is a burst of one trigger's operations, each between two readings of the clock, while the
 * target threads hold their CPUs in the state the cell names.
 */
#include <errno.h>
#include <sched.h>
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
#include "sched.h"
#include "signals.h"
#include "target.h"
#include "trigger.h"

/* The first that can do a cell does it. */
static const struct ipi_trigger *const triggers[] = {
	&ipi_trigger_dry_run,
	&ipi_trigger_membarrier_self,
	&ipi_trigger_perf_read_self,
	&ipi_trigger_page_fault,
	&ipi_trigger_membarrier_cpu,
	&ipi_trigger_perf_read,
	&ipi_trigger_membarrier_all,
	&ipi_trigger_membarrier_rcu,
	&ipi_trigger_futex,
};

struct ipi_session {
	const struct ipi_trigger *trigger;
	const struct ipi_spec *spec;
	void *state;
	struct ipi_targets *targets;
	struct ipi_affinity affinity;
	u64 gap_ns;
	bool rt;
};

static bool fits(const struct ipi_trigger *trigger, const struct ipi_spec *spec)
{
	return trigger->scenarios & 1U << spec->scenario && trigger->targets & 1U << spec->target;
}

/* The trigger for a cell; of several that fit and can't work, the first says why. */
static const struct ipi_trigger *choose(const struct ipi_spec *spec, struct ipi_why *why)
{
	const struct ipi_trigger *first = NULL;
	struct ipi_why other;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(triggers); i++) {
		if (!fits(triggers[i], spec))
			continue;
		if (!triggers[i]->probe(first ? &other : why))
			return triggers[i];
		if (!first)
			first = triggers[i];
	}
	if (!first && spec->scenario == IPI_SCENARIO_STORM)
		ipi_why__set(why, 0, NULL, "needs the module: system calls send one at a time");
	else if (!first)
		ipi_why__set(why, EOPNOTSUPP, NULL,
			     "no system call does '%s' to %s targets (it reaches running threads of ours only)",
			     ipi_scenario__name(spec->scenario), ipi_target__name(spec->target));
	return NULL;
}

static int user_open(struct ipi_session **sessionp, const struct ipi_spec *spec,
		     const struct ipi_options *opt, struct ipi_cell *cell, struct ipi_why *why)
{
	enum ipi_target_policy policy = IPI_TARGET_POLICY_NORMAL;
	const struct ipi_trigger *trigger = choose(spec, why);
	struct ipi_session *session;
	int err;

	if (!trigger)
		return -EOPNOTSUPP;
	session = calloc(1, sizeof(*session));
	if (!session)
		return ipi_why__set(why, ENOMEM, NULL, "session");
	session->trigger = trigger;
	session->spec = spec;
	session->gap_ns = trigger->gap && spec->target == IPI_TARGET_IDLE ? opt->gap_ns : 0;
	/* A sleeper must be asleep again whatever the target does meanwhile. */
	if (trigger->async)
		session->gap_ns = opt->gap_ns;
	session->rt = opt->rt;
	if (opt->rt)
		policy = IPI_TARGET_POLICY_FIFO;
	else if (trigger->spinner_idle)
		policy = IPI_TARGET_POLICY_IDLE;
	err = ipi_sched__pin(spec->src, &session->affinity, why);
	if (err) {
		free(session);
		return err;
	}
	session->targets = ipi_targets__new(&spec->dst, spec->target, policy, why);
	err = session->targets ? trigger->open(spec, opt->rt, &session->state, why) : -EIO;
	if (err) {
		ipi_targets__delete(session->targets);
		ipi_sched__unpin(&session->affinity);
		free(session);
		return err;
	}
	snprintf(cell->trigger, sizeof(cell->trigger), "%s", trigger->name);
	if (trigger->remark)
		snprintf(cell->note, sizeof(cell->note), "%s", trigger->remark);
	cell->proof = trigger->proof;
	*sessionp = session;
	return 0;
}

/* One operation between two readings of the clock. */
static int fire_once(struct ipi_session *session, int (*fire)(void *state), struct ipi_call *call)
{
	int err;

	call->t_call = ipi_clock__now();
	err = fire(session->state);
	call->t_return = ipi_clock__now();
	return err;
}

static void fire_all(struct ipi_session *session, int (*fire)(void *state),
		     struct ipi_batch *batch)
{
	int (*arm)(void *state) = session->trigger->arm;
	size_t tries = batch->max * 2 + 16;
	int src = session->spec->src;
	struct ipi_call call;
	int err;

	while (batch->nr < batch->max && tries--) {
		if (session->gap_ns)
			ipi_clock__spin(session->gap_ns);
		err = arm ? arm(session->state) : 0;
		if (!err)
			err = fire_once(session, fire, &call);
		if (err < 0) {
			batch->errors++;
			if (!batch->error)
				batch->error = err;
			/* Not a million times the same: the driver looks into it. */
			if (batch->errors >= 16)
				return;
		} else if (sched_getcpu() != src) {
			batch->migrations++;
		} else if (!err) {
			batch->call[batch->nr++] = call;
		}
		if (ipi_signals__pending() || (!err && call.t_return >= batch->deadline_ns))
			return;
	}
}

static int run_burst(struct ipi_session *session, int (*fire)(void *state),
		     struct ipi_batch *batch)
{
	struct ipi_burst burst;
	u64 end;
	int err;

	err = ipi_burst__begin(&burst, session->targets, session->rt);
	if (err)
		return err;
	end = burst.limit_ns - ipi_targets__burst_ns(session->targets) / 10;
	if (batch->deadline_ns > end)
		batch->deadline_ns = end;
	fire_all(session, fire, batch);
	ipi_burst__end(&burst);
	return 0;
}

static int user_batch(struct ipi_session *session, struct ipi_batch *batch)
{
	return run_burst(session, session->trigger->fire, batch);
}

static int user_baseline(struct ipi_session *session, struct ipi_batch *batch)
{
	if (!session->trigger->baseline)
		return -EOPNOTSUPP;
	return run_burst(session, session->trigger->baseline, batch);
}

static const char *user_baseline_what(const struct ipi_session *session)
{
	return session->trigger->baseline_what;
}

static void user_rule(const struct ipi_session *session, const struct ipi_symbols *symbols,
		      struct ipi_attach_rule *rule)
{
	const struct ipi_trigger *trigger = session->trigger;

	memset(rule, 0, sizeof(*rule));
	rule->src = session->spec->src;
	rule->tid = (int)syscall(__NR_gettid);
	rule->any_sender = trigger->any_sender;
	if (trigger->func && symbols)
		rule->func = ipi_symbols__address(symbols, trigger->func);
	rule->irqs = trigger->irqs;
	rule->dst = session->spec->dst.cpu;
	rule->nr_dst = session->spec->dst.nr;
	rule->async = trigger->async;
}

static int user_alive(const struct ipi_session *session, struct ipi_why *why)
{
	return ipi_sched__alive(session->spec->src, &session->spec->dst, why);
}

static void user_close(struct ipi_session *session)
{
	if (session->trigger->close)
		session->trigger->close(session->state);
	ipi_targets__delete(session->targets);
	ipi_sched__unpin(&session->affinity);
	free(session);
}

static void user_list(void (*line)(void *ctx, enum ipi_scenario scenario, const char *name,
				   const char *needs, const struct ipi_why *why), void *ctx)
{
	int scenario;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(triggers); i++) {
		struct ipi_why why;
		int err = triggers[i]->probe(&why);

		for (scenario = 0; scenario < IPI_SCENARIO_NR; scenario++) {
			if (triggers[i]->scenarios & 1U << scenario)
				line(ctx, (enum ipi_scenario)scenario, triggers[i]->name,
				     triggers[i]->needs, err ? &why : NULL);
		}
	}
}

const struct ipi_backend ipi_backend_user = {
	.name = "user",
	.what = "system calls that make the kernel send IPIs",
	.open = user_open,
	.batch = user_batch,
	.baseline = user_baseline,
	.baseline_what = user_baseline_what,
	.rule = user_rule,
	.alive = user_alive,
	.interrupts = ipi_backend__interrupts,
	.steal_ms = ipi_backend__steal_ms,
	.close = user_close,
	.source = ipi_backend__source,
	.list = user_list,
};
