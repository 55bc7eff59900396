// SPDX-License-Identifier: GPL-2.0
/*
 * Which delivery is whose: windows, senders, targets, and what is left over.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/trace/attach.h"

#define FUNC	0xffffffff81000100ULL
#define OTHER	0xffffffff81000200ULL
#define TID	4242
#define MAX	64

/* What came of it, in the order it came. */
struct heard {
	int nr_called;
	size_t call[MAX];
	int dst[MAX];
	u64 began[MAX];		/* 0 for a missing one */
	int nr_foreign;
	u64 foreign[MAX];
};

static u64 first_time(const struct ipi_delivery *d)
{
	return d->t_queue ? d->t_queue : d->t_send ? d->t_send :
	       d->t_irq_entry ? d->t_irq_entry : d->t_func_entry;
}

static void hear_delivery(void *ctx, size_t call, int dst, const struct ipi_delivery *delivery)
{
	struct heard *heard = ctx;

	assert_true(heard->nr_called < MAX);
	heard->call[heard->nr_called] = call;
	heard->dst[heard->nr_called] = dst;
	heard->began[heard->nr_called++] = delivery ? first_time(delivery) : 0;
	if (delivery)
		assert_int_equal(delivery->dst, dst);
}

static void hear_foreign(void *ctx, const struct ipi_delivery *delivery)
{
	struct heard *heard = ctx;

	assert_true(heard->nr_foreign < MAX);
	heard->foreign[heard->nr_foreign++] = first_time(delivery);
}

static const struct ipi_attach_ops ops = {
	.delivery = hear_delivery,
	.foreign = hear_foreign,
};

static const int targets[] = { 1, 3 };

static struct ipi_attach_rule make_rule(void)
{
	struct ipi_attach_rule rule = {
		.src = 0, .tid = TID, .func = FUNC, .irqs = 1U << IPI_IRQ_CALL,
		.dst = targets, .nr_dst = 2,
	};

	return rule;
}

static struct ipi_delivery make(u64 t_queue, int dst)
{
	struct ipi_delivery delivery = {
		.t_queue = t_queue, .t_send = t_queue ? t_queue + 1 : 0,
		.t_irq_entry = t_queue + 5000, .func = FUNC, .src = 0, .dst = dst,
		.src_tid = TID, .dst_pid = 7, .irq = IPI_IRQ_CALL,
	};

	return delivery;
}

/* Calls at 1000, 2000, ... that take 100. */
static void attach(struct heard *heard, const struct ipi_attach_rule *rule, size_t nr_calls,
		   struct ipi_delivery *deliveries, size_t nr)
{
	struct ipi_call calls[MAX] = { { 0 } };
	size_t i;

	for (i = 0; i < nr_calls; i++) {
		calls[i].t_call = 1000 * (i + 1);
		calls[i].t_return = calls[i].t_call + 100;
	}
	memset(heard, 0, sizeof(*heard));
	assert_int_equal(ipi_attach__batch(rule, calls, nr_calls, deliveries, nr, &ops, heard), 0);
	assert_int_equal(heard->nr_called, nr_calls * rule->nr_dst);
}

static void test_calls_and_targets(void **state)
{
	struct ipi_attach_rule rule = make_rule();
	struct ipi_delivery deliveries[] = {
		/* In any order; the third call's first target is missing. */
		make(3050, 3), make(1010, 3), make(2000, 1), make(1005, 1), make(2100, 3),
	};
	struct heard heard;
	int i;

	(void)state;
	attach(&heard, &rule, 3, deliveries, ARRAY_SIZE(deliveries));
	for (i = 0; i < 6; i++) {
		assert_int_equal(heard.call[i], i / 2);
		assert_int_equal(heard.dst[i], targets[i % 2]);
	}
	assert_int_equal(heard.began[0], 1005);
	assert_int_equal(heard.began[1], 1010);
	/* The ends of a window belong to it. */
	assert_int_equal(heard.began[2], 2000);
	assert_int_equal(heard.began[3], 2100);
	assert_int_equal(heard.began[4], 0);
	assert_int_equal(heard.began[5], 3050);
	assert_int_equal(heard.nr_foreign, 0);
}

static void test_outside_of_calls(void **state)
{
	struct ipi_attach_rule rule = make_rule();
	struct ipi_delivery deliveries[] = { make(999, 1), make(1101, 1), make(2101, 3) };
	struct heard heard;
	int i;

	(void)state;
	attach(&heard, &rule, 2, deliveries, 3);
	for (i = 0; i < 4; i++)
		assert_int_equal(heard.began[i], 0);
	assert_int_equal(heard.nr_foreign, 3);
	assert_int_equal(heard.foreign[0], 999);
	assert_int_equal(heard.foreign[2], 2101);
}

/* The first that began is the call's. */
static void test_several_for_one(void **state)
{
	struct ipi_attach_rule rule = make_rule();
	struct ipi_delivery deliveries[] = { make(1030, 1), make(1010, 1), make(1020, 1) };
	struct heard heard;

	(void)state;
	attach(&heard, &rule, 1, deliveries, 3);
	assert_int_equal(heard.began[0], 1010);
	assert_int_equal(heard.nr_foreign, 2);
}

static void expect_foreign(const struct ipi_attach_rule *rule, const struct ipi_delivery *delivery)
{
	struct ipi_delivery copy = *delivery;
	struct heard heard;

	attach(&heard, rule, 1, &copy, 1);
	assert_int_equal(heard.nr_foreign, 1);
}

static void expect_ours(const struct ipi_attach_rule *rule, const struct ipi_delivery *delivery)
{
	struct ipi_delivery copy = *delivery;
	struct heard heard;

	attach(&heard, rule, 1, &copy, 1);
	assert_int_equal(heard.nr_foreign, 0);
}

static void test_whose(void **state)
{
	struct ipi_attach_rule rule = make_rule();
	const struct ipi_delivery ours = make(1010, 1);
	struct ipi_delivery other;

	(void)state;
	expect_ours(&rule, &ours);
	other = ours;
	other.src = 2;
	expect_foreign(&rule, &other);
	other = ours;
	other.src_tid = TID + 1;
	expect_foreign(&rule, &other);
	other = ours;
	other.func = OTHER;
	expect_foreign(&rule, &other);
	other = ours;
	other.irq = IPI_IRQ_RESCHED;
	expect_foreign(&rule, &other);
	other = ours;
	other.dst = 2;
	expect_foreign(&rule, &other);
	other = ours;
	other.irq = IPI_IRQ_NR;
	expect_foreign(&rule, &other);
	/* A timer that hit the caller. */
	other = ours;
	other.src_ctx = IPI_CTX_HARDIRQ;
	expect_foreign(&rule, &other);
	/* A kernel that doesn't name functions. */
	other = ours;
	other.func = 0;
	expect_ours(&rule, &other);
	/* A trigger whose function can't be told. */
	rule.func = 0;
	expect_ours(&rule, &ours);
	rule.irqs = 1U << IPI_IRQ_RESCHED | 1U << IPI_IRQ_CALL;
	other = ours;
	other.irq = IPI_IRQ_RESCHED;
	other.func = 0;
	expect_ours(&rule, &other);
}

/* A thread of the kernel's sends: the function decides. */
static void test_any_sender(void **state)
{
	struct ipi_attach_rule rule = make_rule();
	struct ipi_delivery other = make(1010, 1);

	(void)state;
	rule.any_sender = true;
	other.src = 2;
	other.src_tid = 17;
	other.src_ctx = IPI_CTX_SOFTIRQ;
	expect_ours(&rule, &other);
	other.func = OTHER;
	expect_foreign(&rule, &other);
	/* A kernel whose events name no function. */
	other.func = 0;
	expect_ours(&rule, &other);
	/* One that does, whose symbols are hidden. */
	other.func = OTHER;
	rule.func = 0;
	expect_foreign(&rule, &other);
}

/* No event names the sender: time, target and interrupt decide. */
static void test_no_sender(void **state)
{
	struct ipi_attach_rule rule = make_rule();
	struct ipi_delivery other = make(0, 1);

	(void)state;
	other.t_irq_entry = 1050;
	other.func = 0;
	other.src = -1;
	other.src_tid = -1;
	expect_ours(&rule, &other);
	other.dst = 2;
	expect_foreign(&rule, &other);
	other.dst = 1;
	other.irq = IPI_IRQ_WORK;
	expect_foreign(&rule, &other);
}

/* Where only the arrival shows it may come after the call has returned; a sending may not. */
static void test_async(void **state)
{
	struct ipi_attach_rule rule = make_rule();
	struct ipi_delivery arrivals[3];
	struct ipi_delivery sent = make(1150, 1);
	struct heard heard;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		arrivals[i] = make(0, 1);
		arrivals[i].src = -1;
	}
	arrivals[0].t_irq_entry = 1150;
	arrivals[1].t_irq_entry = 2999;
	arrivals[2].t_irq_entry = 99000;
	expect_foreign(&rule, &arrivals[0]);
	rule.async = true;
	expect_foreign(&rule, &sent);
	attach(&heard, &rule, 3, arrivals, 3);
	assert_int_equal(heard.nr_foreign, 0);
	assert_int_equal(heard.began[0], 1150);
	assert_int_equal(heard.began[2], 2999);
	assert_int_equal(heard.began[4], 99000);
}

static void test_local(void **state)
{
	static const int self[] = { 0 };
	struct ipi_attach_rule rule = make_rule();
	struct ipi_delivery local = {
		.t_func_entry = 1010, .t_func_exit = 1020, .func = FUNC, .src = 0, .dst = 0,
		.src_tid = TID, .dst_pid = -1, .class = IPI_CLASS_LOCAL,
	};

	(void)state;
	rule.dst = self;
	rule.nr_dst = 1;
	expect_ours(&rule, &local);
}

static void test_nothing(void **state)
{
	struct ipi_attach_rule rule = make_rule();
	struct ipi_delivery delivery = make(1010, 1);
	struct heard heard;

	(void)state;
	attach(&heard, &rule, 0, &delivery, 1);
	assert_int_equal(heard.nr_foreign, 1);
	attach(&heard, &rule, 2, NULL, 0);
	assert_int_equal(heard.nr_called, 4);
	rule.nr_dst = 0;
	attach(&heard, &rule, 2, &delivery, 1);
	assert_int_equal(heard.nr_foreign, 1);
}

/* As many as a batch has, shuffled. */
static void test_many(void **state)
{
	static const int one[] = { 1 };
	const size_t nr = MAX;
	struct ipi_delivery deliveries[MAX];
	struct ipi_attach_rule rule = make_rule();
	struct heard heard;
	size_t i;

	(void)state;
	rule.dst = one;
	rule.nr_dst = 1;
	for (i = 0; i < nr; i++)
		deliveries[i] = make(1000 * (i * 37 % nr + 1) + i % 100, 1);
	attach(&heard, &rule, nr, deliveries, nr);
	assert_int_equal(heard.nr_foreign, 0);
	for (i = 0; i < nr; i++)
		assert_int_equal(heard.began[i] / 1000, i + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls_and_targets),
		cmocka_unit_test(test_outside_of_calls),
		cmocka_unit_test(test_several_for_one),
		cmocka_unit_test(test_whose),
		cmocka_unit_test(test_any_sender),
		cmocka_unit_test(test_no_sender),
		cmocka_unit_test(test_async),
		cmocka_unit_test(test_local),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
