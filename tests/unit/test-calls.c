// SPDX-License-Identifier: GPL-2.0
/*
 * Which deliveries of a recording belong to which call of a thread, and the stages from the call
 * on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/ipi/stats/calls.h"

#define TID	71

struct all {
	struct ipi_kinds *kinds;
	struct ipi_calls *calls;
};

static void begin(struct all *all)
{
	all->kinds = ipi_kinds__new(IPI_BY_KIND);
	all->calls = ipi_calls__new(all->kinds);
	assert_non_null(all->kinds);
	assert_non_null(all->calls);
}

/* The one kind there is, NULL if there is none. */
static const struct ipi_kind *flush(struct all *all)
{
	assert_int_equal(ipi_calls__flush(all->calls), 0);
	assert_int_equal(ipi_kinds__sort(all->kinds, IPI_SORT_COUNT), 0);
	assert_true(ipi_kinds__nr(all->kinds) <= 1);
	return ipi_kinds__get(all->kinds, 0);
}

static void end(struct all *all)
{
	ipi_calls__delete(all->calls);
	ipi_kinds__delete(all->kinds);
}

/* Queued at @at, over 1000 later. */
static void deliver(struct all *all, u64 at, int tid, enum ipi_ctx ctx)
{
	const struct ipi_delivery d = {
		.t_queue = at, .t_send = at + 100, .t_irq_entry = at + 700,
		.t_func_entry = at + 800, .t_func_exit = at + 1000, .t_irq_exit = at + 1010,
		.func = 5, .src = 0, .dst = 1, .src_tid = tid, .src_ctx = ctx,
		.class = IPI_CLASS_INTERRUPT,
	};

	assert_int_equal(ipi_calls__delivery(all->calls, &d), 0);
}

static void check(const struct ipi_kind *kind, enum ipi_stage stage, u64 count, u64 sum)
{
	assert_int_equal(kind->stage[stage].count, count);
	assert_int_equal(kind->stage[stage].sum, sum);
}

static void test_stages(void **state)
{
	const struct ipi_kind *kind;
	struct all all;
	int i;

	(void)state;
	begin(&all);
	for (i = 1; i <= 10; i++) {
		ipi_calls__begin(all.calls, TID, 0, 10000 * i);
		if (i % 2)
			deliver(&all, 10000 * i + 50, TID, IPI_CTX_TASK);
		ipi_calls__end(all.calls, TID, 10000 * i + 1500, 0, 0);
		/* Known only now, and sent meanwhile. */
		if (!(i % 2))
			deliver(&all, 10000 * i + 50, TID, IPI_CTX_TASK);
	}
	kind = flush(&all);
	assert_non_null(kind);
	assert_int_equal(kind->count, 10);
	check(kind, IPI_STAGE_SEND, 10, 1500);
	check(kind, IPI_STAGE_SEND_LATENCY, 10, 7500);
	check(kind, IPI_STAGE_DELIVER, 10, 6000);
	check(kind, IPI_STAGE_ACK, 10, 4500);
	check(kind, IPI_STAGE_TOTAL_TRACED, 10, 15000);
	assert_int_equal(ipi_calls__stats(all.calls)->calls, 10);
	assert_int_equal(ipi_calls__stats(all.calls)->sent, 10);
	assert_int_equal(ipi_calls__stats(all.calls)->deliveries, 10);
	end(&all);
}

/* By another thread, from an interrupt, before or after the call: none of its. */
static void test_others(void **state)
{
	struct all all;

	(void)state;
	begin(&all);
	ipi_calls__begin(all.calls, TID, 0, 10000);
	deliver(&all, 10100, TID + 1, IPI_CTX_TASK);
	deliver(&all, 10100, TID, IPI_CTX_HARDIRQ);
	deliver(&all, 9000, TID, IPI_CTX_TASK);
	ipi_calls__end(all.calls, TID, 12000, 0, 0);
	deliver(&all, 12001, TID, IPI_CTX_TASK);
	assert_null(flush(&all));
	assert_int_equal(ipi_calls__stats(all.calls)->calls, 1);
	assert_int_equal(ipi_calls__stats(all.calls)->sent, 0);
	end(&all);
}

/* The call's own stamps are nearer than those of its events. */
static void test_stamps(void **state)
{
	const struct ipi_kind *kind;
	struct all all;

	(void)state;
	begin(&all);
	ipi_calls__begin(all.calls, TID, 0, 10000);
	deliver(&all, 10100, TID, IPI_CTX_TASK);
	ipi_calls__end(all.calls, TID, 12000, 10020, 11500);
	kind = flush(&all);
	check(kind, IPI_STAGE_SEND, 1, 180);
	check(kind, IPI_STAGE_TOTAL_TRACED, 1, 1480);
	check(kind, IPI_STAGE_ACK, 1, 400);
	end(&all);
}

/* It returned before its function ended: it doesn't wait, so there is no ack. */
static void test_no_ack(void **state)
{
	const struct ipi_kind *kind;
	struct all all;

	(void)state;
	begin(&all);
	ipi_calls__begin(all.calls, TID, 0, 10000);
	ipi_calls__end(all.calls, TID, 10500, 0, 0);
	deliver(&all, 10100, TID, IPI_CTX_TASK);
	kind = flush(&all);
	check(kind, IPI_STAGE_TOTAL_TRACED, 1, 500);
	check(kind, IPI_STAGE_ACK, 0, 0);
	end(&all);
}

/* A loss between beginning and end: the end is another call's. On another CPU it does nothing. */
static void test_lost(void **state)
{
	struct all all;

	(void)state;
	begin(&all);
	ipi_calls__end(all.calls, TID, 5000, 0, 0);
	ipi_calls__begin(all.calls, TID, 0, 10000);
	deliver(&all, 10100, TID, IPI_CTX_TASK);
	ipi_calls__lost(all.calls, 0);
	deliver(&all, 20000, TID, IPI_CTX_TASK);
	ipi_calls__end(all.calls, TID, 30000, 0, 0);
	ipi_calls__begin(all.calls, TID, 0, 40000);	/* whose end is not in the recording */
	deliver(&all, 40100, TID, IPI_CTX_TASK);
	assert_null(flush(&all));
	assert_int_equal(ipi_calls__stats(all.calls)->calls, 0);
	ipi_calls__begin(all.calls, TID, 0, 50000);
	deliver(&all, 50100, TID, IPI_CTX_TASK);
	ipi_calls__lost(all.calls, 1);
	ipi_calls__end(all.calls, TID, 52000, 0, 0);
	assert_int_equal(ipi_calls__flush(all.calls), 0);
	assert_int_equal(ipi_calls__stats(all.calls)->sent, 1);
	end(&all);
}

/* More threads than there was room for. */
static void test_threads(void **state)
{
	struct all all;
	int i;

	(void)state;
	begin(&all);
	for (i = 0; i < 1000; i++)
		ipi_calls__begin(all.calls, i * 7, 0, 10000 + i);
	for (i = 0; i < 1000; i++)
		deliver(&all, 20000 + i, i * 7, IPI_CTX_TASK);
	for (i = 0; i < 1000; i++)
		ipi_calls__end(all.calls, i * 7, 30000 + i, 0, 0);
	assert_int_equal(flush(&all)->count, 1000);
	end(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_stamps),
		cmocka_unit_test(test_no_ack),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
