// SPDX-License-Identifier: GPL-2.0
/*
 * Deliveries into kinds: what makes one, what is counted and recorded, their order; the longest
 * deliveries; offsets of clocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/stats/kinds.h"
#include "bench/ipi/stats/offsets.h"
#include "bench/ipi/stats/worst.h"

/* 100 to send, 1000 to deliver, 10 to dispatch, 200 to handle, 5 more to the exit. */
static struct ipi_delivery delivery(u64 at, int src, int dst, u64 func)
{
	struct ipi_delivery d = {
		.t_queue = at, .t_send = at + 100, .t_irq_entry = at + 1100,
		.t_func_entry = at + 1110, .t_func_exit = at + 1310, .t_irq_exit = at + 1315,
		.func = func, .callsite = func + 0x1000, .csd = 5, .src = src, .dst = dst,
		.class = IPI_CLASS_INTERRUPT, .irq = IPI_IRQ_CALL,
	};

	return d;
}

static void add(struct ipi_kinds *kinds, struct ipi_delivery d, const char *comm)
{
	assert_int_equal(ipi_kinds__add(kinds, &d, comm), 0);
}

static void check_stage(const struct ipi_kind *kind, enum ipi_stage stage, u64 count, u64 sum)
{
	assert_int_equal(kind->stage[stage].count, count);
	assert_int_equal(kind->stage[stage].sum, sum);
}

static void test_stages(void **state)
{
	struct ipi_kinds *kinds = ipi_kinds__new(IPI_BY_KIND);
	const struct ipi_kind *kind;

	(void)state;
	add(kinds, delivery(1000, 0, 1, 7), NULL);
	add(kinds, delivery(9000, 2, 3, 7), NULL);
	assert_int_equal(ipi_kinds__sort(kinds, IPI_SORT_COUNT), 0);
	assert_int_equal(ipi_kinds__nr(kinds), 1);
	kind = ipi_kinds__get(kinds, 0);
	assert_null(ipi_kinds__get(kinds, 1));
	assert_int_equal(kind->count, 2);
	assert_int_equal(kind->classes[IPI_CLASS_INTERRUPT], 2);
	assert_int_equal(kind->handler_ns, 400);
	assert_int_equal(kind->negative, 0);
	check_stage(kind, IPI_STAGE_SEND, 2, 200);
	check_stage(kind, IPI_STAGE_DELIVER, 2, 2000);
	check_stage(kind, IPI_STAGE_SEND_LATENCY, 2, 2200);
	check_stage(kind, IPI_STAGE_DISPATCH, 2, 20);
	check_stage(kind, IPI_STAGE_HANDLE, 2, 400);
	check_stage(kind, IPI_STAGE_HANDLER_LATENCY, 2, 420);
	check_stage(kind, IPI_STAGE_DELIVERY, 2, 2220);
	check_stage(kind, IPI_STAGE_ACK, 0, 0);
	assert_in_range(ipi_kind__percentile(kind, IPI_STAGE_DELIVER, 5000), 992, 1008);
	assert_int_equal(ipi_kind__percentile(kind, IPI_STAGE_ACK, 5000), 0);
	ipi_kinds__delete(kinds);
}

/* What ran without an interrupt has no send latency; what has no function, no handle. */
static void test_classes(void **state)
{
	struct ipi_kinds *kinds = ipi_kinds__new(IPI_BY_CALLSITE);
	struct ipi_delivery d = delivery(1000, 0, 1, 7);
	const struct ipi_kind *kind;

	(void)state;
	d.class = IPI_CLASS_LOCAL;
	add(kinds, d, NULL);
	d = delivery(2000, 0, 1, 7);
	d.class = IPI_CLASS_POLLED;
	add(kinds, d, NULL);
	d = delivery(3000, 0, 1, 7);
	d.class = IPI_CLASS_COALESCED;
	add(kinds, d, NULL);
	add(kinds, d, NULL);			/* another that rode on the same run */
	d = delivery(5000, 0, 1, 7);
	d.t_func_entry = 0;
	d.t_func_exit = 0;
	add(kinds, d, NULL);			/* 215 in the whole interrupt */
	d = delivery(7000, 0, 1, 7);
	d.t_irq_entry = 7050;			/* before it was sent */
	add(kinds, d, NULL);
	d = (struct ipi_delivery){ .t_queue = 9000, .src = -1, .dst = 1, .callsite = 0x1007,
				   .class = IPI_CLASS_MISSING };
	add(kinds, d, NULL);
	assert_int_equal(ipi_kinds__sort(kinds, IPI_SORT_COUNT), 0);
	kind = ipi_kinds__get(kinds, 0);
	assert_int_equal(kind->count, 7);
	assert_int_equal(kind->classes[IPI_CLASS_COALESCED], 2);
	assert_int_equal(kind->classes[IPI_CLASS_MISSING], 1);
	assert_int_equal(kind->negative, 1);
	assert_int_equal(kind->handler_ns, 200 * 4 + 215);
	check_stage(kind, IPI_STAGE_SEND, 2, 200);
	check_stage(kind, IPI_STAGE_DELIVER, 1, 1000);
	check_stage(kind, IPI_STAGE_HANDLE, 3, 600);
	check_stage(kind, IPI_STAGE_DELIVERY, 2, 2220);
	assert_int_equal(ipi_kinds__total(kinds)->count, 7);
	assert_int_equal(ipi_kinds__total(kinds)->handler_ns, kind->handler_ns);
	ipi_kinds__delete(kinds);
}

static size_t kinds_by(enum ipi_by by)
{
	struct ipi_kinds *kinds = ipi_kinds__new(by);
	struct ipi_delivery d;
	size_t nr;

	add(kinds, delivery(1000, 0, 1, 7), "a");
	add(kinds, delivery(2000, 0, 2, 7), "a");
	add(kinds, delivery(3000, 1, 2, 7), "b");
	add(kinds, delivery(4000, 0, 1, 8), "b");
	d = delivery(5000, 0, 1, 8);
	d.callsite = 99;
	add(kinds, d, "b");
	d.irq = IPI_IRQ_RESCHED;
	add(kinds, d, NULL);
	assert_int_equal(ipi_kinds__sort(kinds, IPI_SORT_COUNT), 0);
	nr = ipi_kinds__nr(kinds);
	ipi_kinds__delete(kinds);
	return nr;
}

static void test_by(void **state)
{
	(void)state;
	assert_int_equal(kinds_by(IPI_BY_KIND), 4);
	assert_int_equal(kinds_by(IPI_BY_CALLBACK), 3);
	assert_int_equal(kinds_by(IPI_BY_CALLSITE), 3);
	assert_int_equal(kinds_by(IPI_BY_SRC), 2);
	assert_int_equal(kinds_by(IPI_BY_DST), 2);
	assert_int_equal(kinds_by(IPI_BY_PAIR), 3);
	assert_int_equal(kinds_by(IPI_BY_SENDER), 5);
	assert_int_equal(ipi_by__find("pair"), IPI_BY_PAIR);
	assert_int_equal(ipi_by__find("none"), -1);
	assert_int_equal(ipi_sort__find("latency"), IPI_SORT_LATENCY);
	assert_int_equal(ipi_sort__find(""), -1);
}

static void check_first(enum ipi_sort sort, u64 func)
{
	struct ipi_kinds *kinds = ipi_kinds__new(IPI_BY_CALLBACK);
	struct ipi_delivery d;

	add(kinds, delivery(1000, 0, 1, 1), NULL);	/* twice */
	add(kinds, delivery(5000, 0, 1, 1), NULL);
	d = delivery(10000, 0, 1, 2);			/* long in its handler */
	d.t_func_exit += 5000;
	add(kinds, d, NULL);
	d = delivery(20000, 0, 1, 3);			/* long on its way */
	d.t_queue -= 9000;
	add(kinds, d, NULL);
	assert_int_equal(ipi_kinds__sort(kinds, sort), 0);
	assert_int_equal(ipi_kinds__nr(kinds), 3);
	assert_int_equal(ipi_kinds__get(kinds, 0)->func, func);
	ipi_kinds__delete(kinds);
}

static void test_sort(void **state)
{
	(void)state;
	check_first(IPI_SORT_COUNT, 1);
	check_first(IPI_SORT_TIME, 2);
	check_first(IPI_SORT_LATENCY, 3);
	check_first(IPI_SORT_MAX, 3);
}

static void test_cpus(void **state)
{
	struct ipi_kinds *kinds = ipi_kinds__new(IPI_BY_CALLBACK);
	const struct ipi_kind_cpu *cpu;
	size_t pos = 0;
	int i;

	(void)state;
	for (i = 0; i < 300; i++)
		add(kinds, delivery(10000 * i + 1, i % 100, 100 + i % 3, 7), NULL);
	add(kinds, delivery(1, 5, 6, 8), NULL);
	assert_int_equal(ipi_kinds__sort(kinds, IPI_SORT_COUNT), 0);
	for (i = 0; (cpu = ipi_kinds__cpu(kinds, 0, &pos)); i++) {
		assert_int_equal(cpu->cpu, i);
		assert_int_equal(cpu->sent, i < 100 ? 3 : 0);
		assert_int_equal(cpu->taken, i < 100 ? 0 : 100);
		assert_int_equal(cpu->handler_ns, i < 100 ? 0 : 20000);
	}
	assert_int_equal(i, 103);
	pos = 0;
	assert_int_equal(ipi_kinds__cpu(kinds, 1, &pos)->cpu, 5);
	assert_int_equal(ipi_kinds__cpu(kinds, 1, &pos)->cpu, 6);
	assert_null(ipi_kinds__cpu(kinds, 1, &pos));
	ipi_kinds__delete(kinds);
}

/* Kinds without end: what has no room is still counted, and stands last. */
static void test_others(void **state)
{
	struct ipi_kinds *kinds = ipi_kinds__new(IPI_BY_CALLBACK);
	const struct ipi_kind *last;
	u64 i, all = 0;

	(void)state;
	for (i = 0; i < IPI_KINDS_MAX + 500; i++)
		add(kinds, delivery(1000 + 4000 * i, 0, 1, i + 1), NULL);
	add(kinds, delivery(1, 0, 1, 1), NULL);
	assert_int_equal(ipi_kinds__sort(kinds, IPI_SORT_COUNT), 0);
	assert_int_equal(ipi_kinds__nr(kinds), IPI_KINDS_MAX + 1);
	assert_int_equal(ipi_kinds__get(kinds, 0)->func, 1);
	last = ipi_kinds__get(kinds, IPI_KINDS_MAX);
	assert_true(last->others);
	assert_int_equal(last->count, 500);
	for (i = 0; i <= IPI_KINDS_MAX; i++)
		all += ipi_kinds__get(kinds, i)->stage[IPI_STAGE_SEND].sum;
	assert_int_equal(all, 100ULL * (IPI_KINDS_MAX + 501));
	ipi_kinds__delete(kinds);
}

static void test_worst(void **state)
{
	struct ipi_worst *worst = ipi_worst__new(3);
	struct ipi_delivery d;
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		d = delivery(100000 * (i + 1), 0, 1, i);
		d.t_func_exit += i * 37 % 100;
		ipi_worst__add(worst, &d, i % 2 ? "odd" : NULL);
	}
	d.t_queue = 0;
	d.t_send = 0;
	d.t_irq_entry = 0;
	d.t_func_entry = 0;
	ipi_worst__add(worst, &d, NULL);		/* without a beginning it has no length */
	ipi_worst__sort(worst);
	assert_int_equal(ipi_worst__nr(worst), 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(ipi_worst__get(worst, i)->ns, 1310 + 99 - i);
	assert_int_equal(ipi_worst__get(worst, 0)->delivery.func, 27);
	assert_string_equal(ipi_worst__get(worst, 0)->comm, "odd");
	assert_null(ipi_worst__get(worst, 3));
	ipi_worst__delete(worst);
}

static void sent(struct ipi_offsets *offsets, int src, int dst, s64 ns)
{
	struct ipi_delivery d = delivery(1000000, src, dst, 1);

	d.t_irq_entry = d.t_send + ns;
	assert_int_equal(ipi_offsets__add(offsets, &d), 0);
}

static void test_offsets(void **state)
{
	struct ipi_offsets *offsets = ipi_offsets__new();
	struct ipi_offsets_found found;

	(void)state;
	ipi_offsets__find(offsets, &found);
	assert_int_equal(found.pairs, 0);
	assert_int_equal(found.both_ways, 0);
	sent(offsets, 0, 1, 900);
	sent(offsets, 0, 1, 700);
	sent(offsets, 0, 1, 1700);
	sent(offsets, 1, 0, 300);		/* 1 is 200 ahead of 0 */
	sent(offsets, 2, 40, 50);
	sent(offsets, 3, 2, 1250);
	sent(offsets, 2, 3, -250);		/* 2 is 750 ahead of 3 */
	sent(offsets, 4, 4, -9999);		/* to oneself tells nothing */
	ipi_offsets__find(offsets, &found);
	assert_int_equal(found.pairs, 5);
	assert_int_equal(found.both_ways, 2);
	assert_int_equal(found.shortest, -250);
	assert_int_equal(found.shortest_src, 2);
	assert_int_equal(found.shortest_dst, 3);
	assert_int_equal(found.negative, 1);
	assert_int_equal(found.offset, 750);
	assert_int_equal(found.offset_src, 3);
	assert_int_equal(found.offset_dst, 2);
	ipi_offsets__delete(offsets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_by),
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_worst),
		cmocka_unit_test(test_offsets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
