// SPDX-License-Identifier: GPL-2.0
/*
 * From literal deliveries to stages: which intervals are recorded, of which deliveries, with which
 * ends seen, and when a call has an acknowledgment.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <linux/kernel.h>
#include "bench/ipi/stats/split.h"

#define OUR_PID	4711
#define NONE	-1

struct bench {
	struct ipi_result *result;
	struct ipi_cell *cell;
	struct ipi_split split;
};

/* One call from 1000 to 9000. */
static void begin(struct bench *bench, enum ipi_scenario scenario, enum ipi_target target)
{
	const struct ipi_call call = { .t_call = 1000, .t_return = 9000 };

	bench->result = ipi_result__new();
	assert_non_null(bench->result);
	bench->cell = ipi_result__add_cell(bench->result);
	assert_non_null(bench->cell);
	bench->cell->scenario = scenario;
	bench->cell->target = target;
	ipi_split__begin(&bench->split, bench->cell, &call, OUR_PID);
}

static void end(struct bench *bench)
{
	ipi_result__delete(bench->result);
}

/* A function call with every end seen. */
static struct ipi_delivery full(void)
{
	return (struct ipi_delivery) {
		.t_queue = 1200,
		.t_send = 1500,
		.t_irq_entry = 6000,
		.t_func_entry = 6600,
		.t_func_exit = 6790,
		.t_irq_exit = 7200,
		.func = 0x1000,
		.csd = 0x2000,
		.dst = 1,
		.dst_pid = OUR_PID,
		.class = IPI_CLASS_INTERRUPT,
		.irq = IPI_IRQ_CALL,
	};
}

static void add(struct bench *bench, const struct ipi_delivery *delivery)
{
	assert_int_equal(ipi_split__delivery(&bench->split, delivery), 0);
}

static void finish(struct bench *bench)
{
	assert_int_equal(ipi_split__end(&bench->split), 0);
}

/* A stage with one sample of @ns; NONE: it was not measured. */
static void expect(const struct bench *bench, enum ipi_stage stage, int ns)
{
	const struct ipi_hist *hist = bench->cell->stage[stage];

	if (ipi_hist__count(hist) != (ns == NONE ? 0 : 1))
		fail_msg("%s: %llu samples", ipi_stage__name(stage),
			 (unsigned long long)ipi_hist__count(hist));
	if (ns != NONE && ipi_hist__max(hist) != (u64)ns)
		fail_msg("%s: %llu, not %d", ipi_stage__name(stage),
			 (unsigned long long)ipi_hist__max(hist), ns);
}

static void expect_no_stages(const struct bench *bench)
{
	int i;

	for (i = 0; i < IPI_STAGE_NR; i++) {
		if (i != IPI_STAGE_TOTAL_TRACED)
			expect(bench, i, NONE);
	}
}

static void test_full(void **state)
{
	const struct ipi_delivery delivery = full();
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY);
	add(&bench, &delivery);
	finish(&bench);
	expect(&bench, IPI_STAGE_SEND, 500);
	expect(&bench, IPI_STAGE_DELIVER, 4500);
	expect(&bench, IPI_STAGE_DISPATCH, 600);
	expect(&bench, IPI_STAGE_HANDLE, 190);
	expect(&bench, IPI_STAGE_ACK, 9000 - 6790);
	expect(&bench, IPI_STAGE_SEND_LATENCY, 5000);
	expect(&bench, IPI_STAGE_HANDLER_LATENCY, 790);
	expect(&bench, IPI_STAGE_DELIVERY, 5600);
	expect(&bench, IPI_STAGE_TOTAL_TRACED, 8000);
	/* The untraced total comes from another pass. */
	expect(&bench, IPI_STAGE_TOTAL, NONE);
	assert_int_equal(bench.cell->classes[IPI_CLASS_INTERRUPT], 1);
	assert_int_equal(bench.cell->negative, 0);
	assert_int_equal(bench.cell->off_state, 0);
	end(&bench);
}

/* x86, 6.1: only the interrupt's own events. */
static void test_interrupt_only(void **state)
{
	struct ipi_delivery delivery = full();
	struct bench bench;

	(void)state;
	delivery.t_queue = 0;
	delivery.t_send = 0;
	delivery.t_func_entry = 0;
	delivery.t_func_exit = 0;
	begin(&bench, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY);
	add(&bench, &delivery);
	finish(&bench);
	expect(&bench, IPI_STAGE_SEND, NONE);
	expect(&bench, IPI_STAGE_DELIVER, NONE);
	expect(&bench, IPI_STAGE_DISPATCH, NONE);
	expect(&bench, IPI_STAGE_HANDLE, NONE);
	expect(&bench, IPI_STAGE_SEND_LATENCY, 5000);
	expect(&bench, IPI_STAGE_HANDLER_LATENCY, 1200);
	expect(&bench, IPI_STAGE_DELIVERY, 5000);
	/* The caller is let go by the function, whose end did not show. */
	expect(&bench, IPI_STAGE_ACK, NONE);
	end(&bench);
}

/* A reschedule interrupt runs no function: it ends itself. */
static void test_bare(void **state)
{
	struct ipi_delivery delivery = full();
	struct bench bench;

	(void)state;
	delivery.t_queue = 0;
	delivery.t_func_entry = 0;
	delivery.t_func_exit = 0;
	delivery.irq = IPI_IRQ_RESCHED;
	begin(&bench, IPI_SCENARIO_WAKE, IPI_TARGET_BUSY);
	add(&bench, &delivery);
	finish(&bench);
	expect(&bench, IPI_STAGE_SEND, 500);
	expect(&bench, IPI_STAGE_DELIVER, 4500);
	expect(&bench, IPI_STAGE_DISPATCH, NONE);
	expect(&bench, IPI_STAGE_HANDLE, NONE);
	expect(&bench, IPI_STAGE_SEND_LATENCY, 5000);
	expect(&bench, IPI_STAGE_HANDLER_LATENCY, 1200);
	expect(&bench, IPI_STAGE_DELIVERY, 5000);
	expect(&bench, IPI_STAGE_ACK, 9000 - 7200);
	end(&bench);
}

/* irq_work: its exit can't be sampled on x86, and nobody waits for it where it can. */
static void test_self_ipi(void **state)
{
	struct ipi_delivery delivery = full();
	struct bench bench;

	(void)state;
	delivery.t_queue = 0;
	delivery.t_send = 0;
	delivery.t_func_entry = 0;
	delivery.t_func_exit = 0;
	delivery.t_irq_exit = 0;
	delivery.irq = IPI_IRQ_WORK;
	begin(&bench, IPI_SCENARIO_SELF_IPI, IPI_TARGET_NONE);
	add(&bench, &delivery);
	finish(&bench);
	expect(&bench, IPI_STAGE_SEND_LATENCY, 5000);
	expect(&bench, IPI_STAGE_DELIVERY, 5000);
	expect(&bench, IPI_STAGE_HANDLER_LATENCY, NONE);
	expect(&bench, IPI_STAGE_ACK, NONE);
	end(&bench);

	delivery.t_irq_exit = 7200;
	begin(&bench, IPI_SCENARIO_SELF_IPI, IPI_TARGET_NONE);
	add(&bench, &delivery);
	expect(&bench, IPI_STAGE_HANDLER_LATENCY, 1200);
	expect(&bench, IPI_STAGE_ACK, NONE);
	end(&bench);
}

static void test_local(void **state)
{
	struct ipi_delivery delivery = full();
	struct bench bench;

	(void)state;
	delivery.csd = 0;
	delivery.t_queue = 0;
	delivery.t_send = 0;
	delivery.t_irq_entry = 0;
	delivery.t_irq_exit = 0;
	delivery.class = IPI_CLASS_LOCAL;
	begin(&bench, IPI_SCENARIO_SELF_CALL, IPI_TARGET_NONE);
	add(&bench, &delivery);
	finish(&bench);
	expect(&bench, IPI_STAGE_DELIVERY, 5600);
	expect(&bench, IPI_STAGE_HANDLE, 190);
	expect(&bench, IPI_STAGE_ACK, 2210);
	expect(&bench, IPI_STAGE_SEND, NONE);
	expect(&bench, IPI_STAGE_DELIVER, NONE);
	expect(&bench, IPI_STAGE_DISPATCH, NONE);
	expect(&bench, IPI_STAGE_SEND_LATENCY, NONE);
	expect(&bench, IPI_STAGE_HANDLER_LATENCY, NONE);
	assert_int_equal(bench.cell->classes[IPI_CLASS_LOCAL], 1);
	end(&bench);
}

/* The function was seen to start and not to end: nothing stands in for its end. */
static void test_no_function_exit(void **state)
{
	struct ipi_delivery delivery = full();
	struct bench bench;

	(void)state;
	delivery.t_func_exit = 0;
	begin(&bench, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY);
	add(&bench, &delivery);
	finish(&bench);
	expect(&bench, IPI_STAGE_DISPATCH, 600);
	expect(&bench, IPI_STAGE_HANDLE, NONE);
	expect(&bench, IPI_STAGE_HANDLER_LATENCY, NONE);
	expect(&bench, IPI_STAGE_ACK, NONE);
	expect(&bench, IPI_STAGE_DELIVERY, 5600);
	end(&bench);
}

/* Deliveries of another class are counted, and leave no stage. */
static void test_other_classes(void **state)
{
	static const struct {
		enum ipi_scenario scenario;
		enum ipi_class class;
	} other[] = {
		{ IPI_SCENARIO_NORMAL,		IPI_CLASS_LOCAL },
		{ IPI_SCENARIO_NORMAL,		IPI_CLASS_POLLED },
		{ IPI_SCENARIO_NORMAL,		IPI_CLASS_COALESCED },
		{ IPI_SCENARIO_NORMAL,		IPI_CLASS_MISSING },
		{ IPI_SCENARIO_BROADCAST,	IPI_CLASS_POLLED },
		{ IPI_SCENARIO_WAKE,		IPI_CLASS_POLLED },
		{ IPI_SCENARIO_SELF_IPI,	IPI_CLASS_LOCAL },
		{ IPI_SCENARIO_SELF_CALL,	IPI_CLASS_INTERRUPT },
	};
	struct ipi_delivery delivery = full();
	struct bench bench;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(other); i++) {
		begin(&bench, other[i].scenario, IPI_TARGET_ANY);
		delivery.class = other[i].class;
		add(&bench, &delivery);
		finish(&bench);
		expect_no_stages(&bench);
		expect(&bench, IPI_STAGE_TOTAL_TRACED, 8000);
		assert_int_equal(bench.cell->classes[other[i].class], 1);
		assert_int_equal(ipi_cell__deliveries(bench.cell), 1);
		end(&bench);
	}
}

static void test_missing(void **state)
{
	struct ipi_delivery delivery = full();
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY);
	add(&bench, NULL);
	finish(&bench);
	expect_no_stages(&bench);
	expect(&bench, IPI_STAGE_TOTAL_TRACED, 8000);
	assert_int_equal(bench.cell->classes[IPI_CLASS_MISSING], 1);
	end(&bench);

	/* A class out of range is nothing that was understood. */
	delivery.class = 200;
	begin(&bench, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY);
	add(&bench, &delivery);
	assert_int_equal(bench.cell->classes[IPI_CLASS_MISSING], 1);
	expect_no_stages(&bench);
	end(&bench);
}

static void test_off_state(void **state)
{
	static const struct {
		enum ipi_target target;
		int pid;
		bool off;
	} hit[] = {
		{ IPI_TARGET_BUSY,	OUR_PID,	false },
		{ IPI_TARGET_BUSY,	0,		true },
		{ IPI_TARGET_BUSY,	1,		true },
		{ IPI_TARGET_BUSY,	-1,		false },
		{ IPI_TARGET_KERNEL,	OUR_PID,	false },
		{ IPI_TARGET_KERNEL,	0,		true },
		{ IPI_TARGET_IDLE,	0,		false },
		{ IPI_TARGET_IDLE,	OUR_PID,	true },
		{ IPI_TARGET_IDLE,	-1,		false },
		{ IPI_TARGET_ANY,	1,		false },
		{ IPI_TARGET_NONE,	1,		false },
	};
	struct ipi_delivery delivery = full();
	struct bench bench;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(hit); i++) {
		begin(&bench, IPI_SCENARIO_NORMAL, hit[i].target);
		delivery.dst_pid = hit[i].pid;
		add(&bench, &delivery);
		finish(&bench);
		/* It did arrive as an interrupt: the class is kept. */
		assert_int_equal(bench.cell->classes[IPI_CLASS_INTERRUPT], 1);
		assert_int_equal(bench.cell->off_state, hit[i].off);
		expect(&bench, IPI_STAGE_DELIVER, hit[i].off ? NONE : 4500);
		expect(&bench, IPI_STAGE_ACK, hit[i].off ? NONE : 2210);
		expect(&bench, IPI_STAGE_TOTAL_TRACED, 8000);
		end(&bench);
	}
}

/* No target thread of ours to compare with: nothing can be called off. */
static void test_no_target_thread(void **state)
{
	const struct ipi_call call = { .t_call = 1000, .t_return = 9000 };
	const struct ipi_delivery delivery = full();
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY);
	ipi_split__begin(&bench.split, bench.cell, &call, 0);
	add(&bench, &delivery);
	assert_int_equal(bench.cell->off_state, 0);
	expect(&bench, IPI_STAGE_DELIVER, 4500);
	end(&bench);
}

/* Counted, never clamped, and the other stages stay. */
static void test_negative(void **state)
{
	struct ipi_delivery delivery = full();
	struct bench bench;

	(void)state;
	delivery.t_send = 6001;
	begin(&bench, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY);
	add(&bench, &delivery);
	finish(&bench);
	expect(&bench, IPI_STAGE_DELIVER, NONE);
	expect(&bench, IPI_STAGE_SEND, 5001);
	expect(&bench, IPI_STAGE_DISPATCH, 600);
	assert_int_equal(bench.cell->negative, 1);
	end(&bench);

	/* An interval of 0 is no negative one. */
	delivery = full();
	delivery.t_func_exit = delivery.t_func_entry;
	begin(&bench, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY);
	add(&bench, &delivery);
	expect(&bench, IPI_STAGE_HANDLE, 0);
	assert_int_equal(bench.cell->negative, 0);
	end(&bench);
}

/* A waiting caller that goes on before the end: a negative ack. One that does not wait: no ack. */
static void test_early_return(void **state)
{
	static const struct {
		enum ipi_scenario scenario;
		u64 exit;
		u64 negative;
	} early[] = {
		{ IPI_SCENARIO_NORMAL,		9001,	1 },
		{ IPI_SCENARIO_BROADCAST,	9001,	1 },
		{ IPI_SCENARIO_WAKE,		9001,	1 },
		{ IPI_SCENARIO_SELF_IPI,	9001,	0 },
		{ IPI_SCENARIO_BROADCAST_LOCK,	9001,	0 },
		/* Nor has it one when it happens to return late. */
		{ IPI_SCENARIO_BROADCAST_LOCK,	8999,	0 },
	};
	struct ipi_delivery delivery = full();
	struct bench bench;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(early); i++) {
		delivery.t_func_exit = early[i].exit;
		begin(&bench, early[i].scenario, IPI_TARGET_ANY);
		add(&bench, &delivery);
		finish(&bench);
		expect(&bench, IPI_STAGE_ACK, NONE);
		expect(&bench, IPI_STAGE_HANDLE, early[i].exit - 6600);
		assert_int_equal(bench.cell->negative, early[i].negative);
		end(&bench);
	}
}

/* The module waits for whatever it sends, unless it was told not to. */
static void test_stamped_ack(void **state)
{
	static const struct {
		enum ipi_scenario scenario;
		bool nowait;
		bool ack;
	} want[] = {
		{ IPI_SCENARIO_NORMAL,		false,	true },
		{ IPI_SCENARIO_NORMAL,		true,	false },
		{ IPI_SCENARIO_SELF_IPI,	false,	true },
		{ IPI_SCENARIO_BROADCAST_LOCK,	false,	true },
		{ IPI_SCENARIO_MULTICAST,	true,	false },
		{ IPI_SCENARIO_STORM,		false,	true },
	};
	struct ipi_delivery delivery = full();
	struct bench bench;
	unsigned int i;

	(void)state;
	delivery.t_func_exit = 7000;
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		begin(&bench, want[i].scenario, IPI_TARGET_ANY);
		bench.cell->stamped = true;
		bench.cell->nowait = want[i].nowait;
		add(&bench, &delivery);
		finish(&bench);
		expect(&bench, IPI_STAGE_ACK, want[i].ack ? 2000 : NONE);
		assert_int_equal(bench.cell->negative, 0);
		end(&bench);
	}
}

/* Nothing was seen of it, yet its function ran: it rode on another sender's IPI, in a storm. */
static void test_unseen(void **state)
{
	struct bench bench;
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		bool storm = i & 1, ran = i & 2;

		begin(&bench, storm ? IPI_SCENARIO_STORM : IPI_SCENARIO_BROADCAST, IPI_TARGET_ANY);
		bench.cell->stamped = true;
		ipi_split__stamps(&bench.split, ran ? 6600 : 0, ran ? 7000 : 0);
		add(&bench, NULL);
		finish(&bench);
		assert_int_equal(bench.cell->classes[IPI_CLASS_COALESCED], storm && ran);
		assert_int_equal(bench.cell->classes[IPI_CLASS_MISSING], !(storm && ran));
		expect(&bench, IPI_STAGE_ACK, NONE);
		end(&bench);
	}
}

/* No function events: the function's own stamps tell which interrupt can't have run it. */
static void test_ran_before(void **state)
{
	static const struct {
		enum ipi_scenario scenario;
		u64 exit;
		u64 func_entry;
		enum ipi_class class;
	} want[] = {
		{ IPI_SCENARIO_BROADCAST,	5990,	0,	IPI_CLASS_POLLED },
		{ IPI_SCENARIO_BROADCAST,	6000,	0,	IPI_CLASS_POLLED },
		{ IPI_SCENARIO_BROADCAST,	6790,	0,	IPI_CLASS_INTERRUPT },
		{ IPI_SCENARIO_STORM,		5990,	0,	IPI_CLASS_COALESCED },
		{ IPI_SCENARIO_STORM,		6790,	0,	IPI_CLASS_INTERRUPT },
		/* The events know better. */
		{ IPI_SCENARIO_BROADCAST,	5990,	6600,	IPI_CLASS_INTERRUPT },
	};
	struct ipi_delivery delivery = full();
	struct bench bench;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		bool brought = want[i].class == IPI_CLASS_INTERRUPT;

		delivery.t_func_entry = want[i].func_entry;
		delivery.t_func_exit = want[i].func_entry ? 6790 : 0;
		begin(&bench, want[i].scenario, IPI_TARGET_ANY);
		bench.cell->stamped = true;
		ipi_split__stamps(&bench.split, want[i].exit - 190, want[i].exit);
		add(&bench, &delivery);
		finish(&bench);
		assert_int_equal(bench.cell->classes[want[i].class], 1);
		expect(&bench, IPI_STAGE_SEND, brought ? 500 : NONE);
		expect(&bench, IPI_STAGE_DISPATCH, brought ? 600 : NONE);
		expect(&bench, IPI_STAGE_ACK, brought ? 2210 : NONE);
		/* Stamps and events of one function that don't agree are another matter. */
		assert_int_equal(bench.cell->negative, want[i].func_entry ? 1 : 0);
		end(&bench);
	}
}

/* Once a call, from the last end, in whichever order they come. */
static void test_broadcast_ack(void **state)
{
	struct ipi_delivery delivery[3] = { full(), full(), full() };
	struct bench bench;
	int i;

	(void)state;
	delivery[0].t_func_exit = 7000;
	delivery[1].t_func_exit = 8500;
	delivery[2].t_func_exit = 6900;
	begin(&bench, IPI_SCENARIO_BROADCAST, IPI_TARGET_ANY);
	for (i = 0; i < 3; i++)
		add(&bench, &delivery[i]);
	finish(&bench);
	expect(&bench, IPI_STAGE_ACK, 500);
	assert_int_equal(ipi_hist__count(bench.cell->stage[IPI_STAGE_HANDLE]), 3);
	assert_int_equal(bench.cell->classes[IPI_CLASS_INTERRUPT], 3);
	end(&bench);

	/* One end is not known: it may have been the last. */
	delivery[1].t_func_exit = 0;
	for (i = 0; i < 2; i++) {
		begin(&bench, IPI_SCENARIO_BROADCAST, IPI_TARGET_ANY);
		add(&bench, &delivery[0]);
		add(&bench, i ? &delivery[1] : NULL);
		add(&bench, &delivery[2]);
		finish(&bench);
		expect(&bench, IPI_STAGE_ACK, NONE);
		end(&bench);
	}
}

/* What one call left behind must not reach the next. */
static void test_calls_apart(void **state)
{
	const struct ipi_call second = { .t_call = 11000, .t_return = 12000 };
	struct ipi_delivery next = full();
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY);
	add(&bench, &next);
	add(&bench, NULL);
	finish(&bench);
	ipi_split__begin(&bench.split, bench.cell, &second, OUR_PID);
	next.t_send = 11100;
	next.t_irq_entry = 11200;
	next.t_func_entry = 11300;
	next.t_func_exit = 11400;
	add(&bench, &next);
	finish(&bench);
	expect(&bench, IPI_STAGE_ACK, 600);
	assert_int_equal(ipi_hist__count(bench.cell->stage[IPI_STAGE_TOTAL_TRACED]), 2);
	end(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_interrupt_only),
		cmocka_unit_test(test_bare),
		cmocka_unit_test(test_self_ipi),
		cmocka_unit_test(test_local),
		cmocka_unit_test(test_no_function_exit),
		cmocka_unit_test(test_other_classes),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_off_state),
		cmocka_unit_test(test_no_target_thread),
		cmocka_unit_test(test_negative),
		cmocka_unit_test(test_early_return),
		cmocka_unit_test(test_stamped_ack),
		cmocka_unit_test(test_unseen),
		cmocka_unit_test(test_ran_before),
		cmocka_unit_test(test_broadcast_ack),
		cmocka_unit_test(test_calls_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
