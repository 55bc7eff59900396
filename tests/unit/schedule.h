/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Schedules for the correlator, written by hand: short names for the events, and for what is
 * expected of it.
 */
#ifndef TESTS_UNIT_SCHEDULE_H
#define TESTS_UNIT_SCHEDULE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <linux/kernel.h>

#include "bench/ipi/trace/correlate.h"

#define BIT(kind)	IPI_EVENT_BIT(IPI_EVENT_##kind)
#define EXIT(irq)	(1U << IPI_IRQ_##irq)
#define X86		(BIT(QUEUE) | BIT(SEND) | BIT(IRQ_ENTRY) | BIT(IRQ_EXIT) |	\
			 BIT(FUNC_ENTRY) | BIT(FUNC_EXIT) | BIT(POLL_WAKE))
#define ARM64		(X86 | BIT(RAISE))
#define X86_EXITS	(EXIT(CALL) | EXIT(RESCHED))
#define ARM64_EXITS	(EXIT(CALL) | EXIT(RESCHED) | EXIT(WORK) | EXIT(OTHER))

#define FUNC		0xffffffff81000100ULL
#define OTHER_FUNC	0xffffffff81000200ULL
#define WAKE_FUNC	0xffffffff81000300ULL
#define CALLBACK	0xffffffff81000400ULL
#define CALLSITE	0xffffffff81000436ULL
#define CSD		0xffff888000000040ULL
#define CSD2		0xffff888000000080ULL
#define CSD3		0xffff8880000000c0ULL
#define MAX_SAID	64

struct test {
	struct ipi_corr *corr;
	u64 time;		/* of the latest event */
	int ctx;		/* of senders from now on */
	int nr;
	struct ipi_delivery said[MAX_SAID];
};

static inline void emit(void *ctx, const struct ipi_delivery *delivery)
{
	struct test *t = ctx;

	assert_true(t->nr < MAX_SAID);
	t->said[t->nr++] = *delivery;
}

static inline void begin(struct test *t, unsigned int have, unsigned int irq_exit)
{
	struct ipi_corr_conf conf = {
		.max_cpus = 8, .have = have, .irq_exit = irq_exit, .list_func = WAKE_FUNC,
		.emit = emit, .ctx = t,
	};

	memset(t, 0, sizeof(*t));
	t->corr = ipi_corr__new(&conf);
	assert_non_null(t->corr);
}

static inline const struct ipi_corr_stats *stats(const struct test *t)
{
	return ipi_corr__stats(t->corr);
}

/* Nothing more may come, and nothing may have gone wrong that the test has not asked for. */
static inline void end(struct test *t, int nr)
{
	ipi_corr__flush(t->corr);
	assert_int_equal(t->nr, nr);
	ipi_corr__delete(t->corr);
}

static inline void feed(struct test *t, const struct ipi_event *event)
{
	t->time = event->time;
	assert_int_equal(ipi_corr__feed(t->corr, event), 0);
}

/* On CPU N runs thread 100 + N; CPU 7 is idle. */
static inline struct ipi_event make(u64 time, enum ipi_event_kind kind, int cpu, int ctx)
{
	struct ipi_event event = {
		.time = time, .kind = kind, .cpu = cpu, .target = -1, .ctx = ctx,
		.irq = IPI_IRQ_NR, .pid = cpu == 7 ? 0 : 100 + cpu, .tid = cpu == 7 ? 0 : 100 + cpu,
	};

	return event;
}

static inline void queue(struct test *t, u64 time, int cpu, int target, u64 func, u64 csd)
{
	struct ipi_event event = make(time, IPI_EVENT_QUEUE, cpu, t->ctx);

	event.target = target;
	event.func = func;
	event.csd = csd;
	event.callsite = CALLSITE;
	feed(t, &event);
}

static inline u64 callback(enum ipi_irq irq)
{
	return irq == IPI_IRQ_CALL ? CALLBACK : irq == IPI_IRQ_WORK ? OTHER_FUNC : 0;
}

static inline void send(struct test *t, u64 time, int cpu, int target, enum ipi_irq irq)
{
	struct ipi_event event = make(time, IPI_EVENT_SEND, cpu, t->ctx);

	event.target = target;
	event.irq = irq;
	event.func = callback(irq);
	event.callsite = CALLSITE + 1;
	feed(t, &event);
}

static inline void send_mask(struct test *t, u64 time, enum ipi_event_kind kind, int cpu,
			     unsigned char mask, enum ipi_irq irq)
{
	struct ipi_event event = make(time, kind, cpu, t->ctx);
	unsigned char bytes[8] = { mask };

	event.mask = bytes;
	event.mask_bytes = sizeof(bytes);
	event.irq = irq;
	event.func = kind == IPI_EVENT_SEND ? callback(irq) : 0;
	feed(t, &event);
}

static inline void raise_mask(struct test *t, u64 time, int cpu, unsigned char mask,
			      enum ipi_irq irq)
{
	send_mask(t, time, IPI_EVENT_RAISE, cpu, mask, irq);
}

static inline void poll_wake(struct test *t, u64 time, int cpu, int target)
{
	struct ipi_event event = make(time, IPI_EVENT_POLL_WAKE, cpu, t->ctx);

	event.target = target;
	feed(t, &event);
}

static inline void irq(struct test *t, u64 time, enum ipi_event_kind kind, int cpu,
		       enum ipi_irq which)
{
	struct ipi_event event = make(time, kind, cpu, IPI_CTX_HARDIRQ);

	event.irq = which;
	feed(t, &event);
}

static inline void irq_entry(struct test *t, u64 time, int cpu, enum ipi_irq which)
{
	irq(t, time, IPI_EVENT_IRQ_ENTRY, cpu, which);
}

static inline void irq_exit(struct test *t, u64 time, int cpu, enum ipi_irq which)
{
	irq(t, time, IPI_EVENT_IRQ_EXIT, cpu, which);
}

static inline void func(struct test *t, u64 time, enum ipi_event_kind kind, int cpu, int ctx,
			u64 function, u64 csd)
{
	struct ipi_event event = make(time, kind, cpu, ctx);

	event.func = function;
	event.csd = csd;
	feed(t, &event);
}

/* In an interrupt, at @time and @time + 10. */
static inline void run(struct test *t, u64 time, int cpu, u64 function, u64 csd)
{
	func(t, time, IPI_EVENT_FUNC_ENTRY, cpu, IPI_CTX_HARDIRQ, function, csd);
	func(t, time + 10, IPI_EVENT_FUNC_EXIT, cpu, IPI_CTX_HARDIRQ, function, csd);
}

/* By the idle loop, or local. */
static inline void run_task(struct test *t, u64 time, int cpu, u64 function, u64 csd)
{
	func(t, time, IPI_EVENT_FUNC_ENTRY, cpu, IPI_CTX_TASK, function, csd);
	func(t, time + 10, IPI_EVENT_FUNC_EXIT, cpu, IPI_CTX_TASK, function, csd);
}

static inline void lost(struct test *t, u64 time, int cpu)
{
	struct ipi_event event = make(time, IPI_EVENT_LOST, cpu, IPI_CTX_TASK);

	event.lost = 3;
	feed(t, &event);
}

/* A whole call of FUNC with CSD from CPU 0 to CPU 1 in 100 ns. */
static inline void call(struct test *t, u64 time)
{
	queue(t, time, 0, 1, FUNC, CSD);
	send(t, time + 10, 0, 1, IPI_IRQ_CALL);
	irq_entry(t, time + 50, 1, IPI_IRQ_CALL);
	run(t, time + 60, 1, FUNC, CSD);
	irq_exit(t, time + 100, 1, IPI_IRQ_CALL);
}

static inline void expect_times(const struct ipi_delivery *d, u64 queued, u64 sent, u64 entry,
				u64 started, u64 ended, u64 left)
{
	assert_int_equal(d->t_queue, queued);
	assert_int_equal(d->t_send, sent);
	assert_int_equal(d->t_irq_entry, entry);
	assert_int_equal(d->t_func_entry, started);
	assert_int_equal(d->t_func_exit, ended);
	assert_int_equal(d->t_irq_exit, left);
}

static inline void expect(const struct ipi_delivery *d, enum ipi_class class, enum ipi_irq which,
			  int src, int dst)
{
	assert_string_equal(ipi_class__name(d->class), ipi_class__name(class));
	assert_string_equal(ipi_irq__name(d->irq), ipi_irq__name(which));
	assert_int_equal(d->src, src);
	assert_int_equal(d->dst, dst);
}

static inline void expect_call(const struct ipi_delivery *d, u64 time)
{
	expect(d, IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 1);
	expect_times(d, time, time + 10, time + 50, time + 60, time + 70, time + 100);
	assert_true(d->func == FUNC && d->csd == CSD && d->callsite == CALLSITE);
}

#endif
