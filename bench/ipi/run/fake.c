// SPDX-License-Identifier: GPL-2.0
/*
 * The fake backend: no system calls, no interrupts, no clock. Calls follow a fixed schedule on a
 * clock of its own, and the events that such calls would have left go the same way as real ones:
 * decoding apart, the whole program runs on it, the same on every machine, without privilege. For
 * tests and for looking at outputs; its figures measure nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/kernel.h>

#include "../trace/correlate.h"
#include "../why.h"
#include "backend.h"

#define FAKE_TID	4242
#define FAKE_FUNC	0xffffffff81000000ULL
#define FAKE_CSD	0xffff888000001000ULL
#define CALL_EVERY_NS	10000
#define BACKLOG_MAX	16384

/* ns from the call; one target takes STEP longer than the one before it. */
#define QUEUE_AT	100
#define SEND_AT		300
#define ENTRY_AT	900
#define FUNC_AT		1000
#define FUNC_END_AT	1200
#define EXIT_AT		1300
#define RETURN_AT	1500
#define STEP		50
#define DRY_RETURN_AT	25
/* What tracing would add to a call. */
#define OBSERVER_NS	200

struct ipi_session {
	const struct ipi_spec *spec;
};

/* One call whose events are still to be drained. */
struct backlog_call {
	u64 t_call;
	const struct ipi_spec *spec;
};

/*
 * The virtual machine: its clock, its counters, its trace. One for all sessions and the source, as
 * there is one real machine for the other backends.
 */
static struct {
	u64 now;
	u64 calls;		/* IPIs counted for each target so far */
	int cpus;		/* CPUs it has, as far as anybody asked */
	bool tracing;
	struct backlog_call backlog[BACKLOG_MAX];
	size_t nr_backlog;
} machine = { .now = 1000000 };

static u64 jitter(u64 call)
{
	return call % 100;
}

static bool local(const struct ipi_spec *spec)
{
	return spec->scenario == IPI_SCENARIO_SELF_CALL;
}

static void have_cpu(int cpu)
{
	if (cpu >= machine.cpus)
		machine.cpus = cpu + 1;
}

static int fake_open(struct ipi_session **sessionp, const struct ipi_spec *spec,
		     const struct ipi_options *opt, struct ipi_cell *cell, struct ipi_why *why)
{
	struct ipi_session *session;

	(void)opt;
	if (spec->target == IPI_TARGET_ANY && !spec->senders.nr)
		return ipi_why__set(why, EOPNOTSUPP, NULL, "the fake backend has no target 'any'");
	session = calloc(1, sizeof(*session));
	if (!session)
		return ipi_why__set(why, ENOMEM, NULL, "session");
	session->spec = spec;
	have_cpu(spec->src);
	if (spec->dst.nr)
		have_cpu(spec->dst.cpu[spec->dst.nr - 1]);
	snprintf(cell->trigger, sizeof(cell->trigger), "schedule");
	cell->proof = 1U << IPI_COUNTER_CALL;
	*sessionp = session;
	return 0;
}

static u64 duration(const struct ipi_spec *spec)
{
	if (spec->scenario == IPI_SCENARIO_DRY_RUN)
		return DRY_RETURN_AT;
	return RETURN_AT + STEP * (u64)(spec->dst.nr - 1);
}

static int fake_batch(struct ipi_session *session, struct ipi_batch *batch)
{
	const struct ipi_spec *spec = session->spec;
	size_t i;

	for (i = 0; i < batch->max && i < BACKLOG_MAX; i++) {
		struct ipi_call *call = &batch->call[i];

		call->t_call = machine.now;
		call->t_return = machine.now + duration(spec) + jitter(i);
		if (machine.tracing) {
			call->t_return += OBSERVER_NS;
			if (machine.nr_backlog < BACKLOG_MAX)
				machine.backlog[machine.nr_backlog++] =
					(struct backlog_call){ machine.now, spec };
		}
		if (spec->dst.nr && !local(spec))
			machine.calls++;
		machine.now += CALL_EVERY_NS + duration(spec);
	}
	batch->nr = i;
	if (spec->senders.nr) {
		/* The others keep pace. */
		batch->others = i * (size_t)(spec->senders.nr - 1);
		batch->storm_calls = i + batch->others;
		batch->storm_ns = i * (CALL_EVERY_NS + duration(spec));
	}
	return 0;
}

static void fake_rule(const struct ipi_session *session, const struct ipi_symbols *symbols,
		      struct ipi_attach_rule *rule)
{
	(void)symbols;
	memset(rule, 0, sizeof(*rule));
	rule->src = session->spec->src;
	rule->tid = FAKE_TID;
	rule->func = FAKE_FUNC;
	rule->irqs = 1U << IPI_IRQ_CALL;
	rule->dst = session->spec->dst.cpu;
	rule->nr_dst = session->spec->dst.nr;
}

static int fake_alive(const struct ipi_session *session, struct ipi_why *why)
{
	(void)session;
	(void)why;
	return 0;
}

static int fake_interrupts(struct ipi_interrupts *irqs)
{
	int i;

	memset(irqs, 0, sizeof(*irqs));
	irqs->cpu = calloc((size_t)machine.cpus, sizeof(*irqs->cpu));
	irqs->count[IPI_COUNTER_CALL] = calloc((size_t)machine.cpus, sizeof(u64));
	if (!irqs->cpu || !irqs->count[IPI_COUNTER_CALL]) {
		ipi_interrupts__free(irqs);
		return -ENOMEM;
	}
	for (i = 0; i < machine.cpus; i++) {
		irqs->cpu[i] = i;
		irqs->count[IPI_COUNTER_CALL][i] = machine.calls;
	}
	irqs->nr = machine.cpus;
	irqs->have = 1U << IPI_COUNTER_CALL;
	return 0;
}

static double fake_steal_ms(const struct ipi_cpus *cpus)
{
	(void)cpus;
	return -1;
}

static void fake_close(struct ipi_session *session)
{
	free(session);
}

static struct ipi_event make_event(const struct backlog_call *call, enum ipi_event_kind kind,
				   int cpu, u64 at)
{
	const struct ipi_event event = {
		.time = call->t_call + at, .kind = kind, .cpu = cpu, .func = FAKE_FUNC,
		.irq = IPI_IRQ_CALL, .tid = FAKE_TID,
		/* What the target is said to do. */
		.pid = call->spec->target == IPI_TARGET_IDLE ? 0 : getpid(),
	};

	return event;
}

/* As the kernel does: one send for all targets, by mask if they are several. */
static int feed_send(struct ipi_corr *corr, const struct backlog_call *call)
{
	const struct ipi_cpus *dst = &call->spec->dst;
	struct ipi_event event = make_event(call, IPI_EVENT_SEND, call->spec->src, SEND_AT);
	unsigned char *mask;
	int err, i;

	if (dst->nr == 1) {
		event.target = dst->cpu[0];
		return ipi_corr__feed(corr, &event);
	}
	event.mask_bytes = (u32)dst->cpu[dst->nr - 1] / 64 * 8 + 8;
	mask = calloc(1, event.mask_bytes);
	if (!mask)
		return -ENOMEM;
	for (i = 0; i < dst->nr; i++)
		mask[dst->cpu[i] / 8] |= (unsigned char)(1U << dst->cpu[i] % 8);
	event.mask = mask;
	err = ipi_corr__feed(corr, &event);
	free(mask);
	return err;
}

/* One moment of a call: an event for each target. */
static int feed_targets(struct ipi_corr *corr, const struct backlog_call *call,
			enum ipi_event_kind kind, u64 at)
{
	const struct ipi_cpus *dst = &call->spec->dst;
	struct ipi_event event;
	int err = 0;
	int i;

	for (i = 0; !err && i < dst->nr; i++) {
		event = make_event(call, kind, kind == IPI_EVENT_QUEUE ? call->spec->src :
				   dst->cpu[i], at);
		event.target = dst->cpu[i];
		event.csd = FAKE_CSD + (u64)dst->cpu[i] * 64;
		err = ipi_corr__feed(corr, &event);
	}
	return err;
}

/* A function called on one's own CPU has no csd. */
static int feed_local(struct ipi_corr *corr, const struct backlog_call *call)
{
	struct ipi_event event = make_event(call, IPI_EVENT_FUNC_ENTRY, call->spec->src, FUNC_AT);
	int err = ipi_corr__feed(corr, &event);

	if (err)
		return err;
	event = make_event(call, IPI_EVENT_FUNC_EXIT, call->spec->src, FUNC_END_AT);
	return ipi_corr__feed(corr, &event);
}

static int feed_call(struct ipi_corr *corr, const struct backlog_call *call)
{
	static const struct {
		enum ipi_event_kind kind;
		u64 at;
	} taken[] = {
		{ IPI_EVENT_IRQ_ENTRY, ENTRY_AT },	{ IPI_EVENT_FUNC_ENTRY, FUNC_AT },
		{ IPI_EVENT_FUNC_EXIT, FUNC_END_AT },	{ IPI_EVENT_IRQ_EXIT, EXIT_AT },
	};
	size_t i;
	int err;

	if (!call->spec->dst.nr)
		return 0;
	if (local(call->spec))
		return feed_local(corr, call);
	err = feed_targets(corr, call, IPI_EVENT_QUEUE, QUEUE_AT);
	if (!err)
		err = feed_send(corr, call);
	for (i = 0; !err && i < ARRAY_SIZE(taken); i++)
		err = feed_targets(corr, call, taken[i].kind, taken[i].at);
	return err;
}

static int source_drain(struct ipi_source *source, struct ipi_corr *corr)
{
	size_t i;
	int err = 0;

	(void)source;
	for (i = 0; corr && !err && i < machine.nr_backlog; i++)
		err = feed_call(corr, &machine.backlog[i]);
	machine.nr_backlog = 0;
	return err;
}

static int source_loss(struct ipi_source *source, struct ipi_source_loss *loss)
{
	(void)source;
	memset(loss, 0, sizeof(*loss));
	return 0;
}

static int source_reset(struct ipi_source *source)
{
	return source_drain(source, NULL);
}

static void source_close(struct ipi_source *source)
{
	machine.tracing = false;
	free(source);
}

static struct ipi_source *fake_source(const struct ipi_cpus *cpus, const struct ipi_options *opt,
				      struct ipi_why *why)
{
	static const struct ipi_source_ops ops = {
		.drain = source_drain,
		.loss = source_loss,
		.reset = source_reset,
		.close = source_close,
	};
	struct ipi_source *source = calloc(1, sizeof(*source));

	(void)cpus;
	(void)opt;
	if (!source) {
		ipi_why__set(why, ENOMEM, NULL, "fake source");
		return NULL;
	}
	source->ops = &ops;
	source->have = IPI_EVENT_BIT(IPI_EVENT_QUEUE) | IPI_EVENT_BIT(IPI_EVENT_SEND) |
		       IPI_EVENT_BIT(IPI_EVENT_IRQ_ENTRY) | IPI_EVENT_BIT(IPI_EVENT_IRQ_EXIT) |
		       IPI_EVENT_BIT(IPI_EVENT_FUNC_ENTRY) | IPI_EVENT_BIT(IPI_EVENT_FUNC_EXIT);
	source->irq_exit = 1U << IPI_IRQ_CALL;
	machine.tracing = true;
	return source;
}

static void fake_list(void (*line)(void *ctx, enum ipi_scenario scenario, const char *name,
				   const char *needs, const struct ipi_why *why), void *ctx)
{
	int i;

	for (i = 0; i < IPI_SCENARIO_NR; i++)
		line(ctx, (enum ipi_scenario)i, "schedule", "nothing: its figures are synthetic",
		     NULL);
}

const struct ipi_backend ipi_backend_fake = {
	.name = "fake",
	.what = "a fixed schedule on a virtual clock, for tests: measures nothing",
	.simulated = true,
	.open = fake_open,
	.batch = fake_batch,
	.rule = fake_rule,
	.alive = fake_alive,
	.interrupts = fake_interrupts,
	.steal_ms = fake_steal_ms,
	.close = fake_close,
	.source = fake_source,
	.list = fake_list,
};
