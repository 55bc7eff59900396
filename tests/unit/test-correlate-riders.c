// SPDX-License-Identifier: GPL-2.0
/*
 * The correlator on csds whose function doesn't show, or not where it should: lists of wake-ups,
 * csds in use again, ends of windows, events that fit nowhere.
 */
#include "schedule.h"

static void queue_wakes(struct test *t)
{
	queue(t, 1000, 0, 1, WAKE_FUNC, CSD);
	send(t, 1005, 0, 1, IPI_IRQ_CALL);
	queue(t, 1010, 2, 1, WAKE_FUNC, CSD2);
	send(t, 1015, 2, 3, IPI_IRQ_RESCHED);
	queue(t, 1020, 3, 1, OTHER_FUNC, 0x1000);
	send(t, 1025, 3, 3, IPI_IRQ_WORK);
	queue(t, 1030, 4, 1, WAKE_FUNC, CSD3);
	send(t, 1035, 4, 3, IPI_IRQ_RESCHED);
}

/* Wake-ups are one list: the others ride behind the first, in its interrupt. */
static void test_riders(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue_wakes(&t);
	irq_entry(&t, 1050, 1, IPI_IRQ_CALL);
	run(&t, 1060, 1, OTHER_FUNC, 0x1000);
	run(&t, 1080, 1, WAKE_FUNC, CSD);
	/* Too late for this list. */
	queue(&t, 1095, 0, 1, WAKE_FUNC, CSD);
	irq_exit(&t, 1100, 1, IPI_IRQ_CALL);
	assert_int_equal(t.nr, 4);
	expect(&t.said[0], IPI_CLASS_COALESCED, IPI_IRQ_CALL, 3, 1);
	expect(&t.said[1], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[1], 1000, 1005, 1050, 1080, 1090, 1100);
	expect(&t.said[2], IPI_CLASS_COALESCED, IPI_IRQ_CALL, 2, 1);
	expect_times(&t.said[2], 1010, 0, 1050, 1080, 1090, 1100);
	assert_true(t.said[2].csd == CSD2 && t.said[2].dst_pid == 101);
	expect(&t.said[3], IPI_CLASS_COALESCED, IPI_IRQ_CALL, 4, 1);
	expect_times(&t.said[3], 1030, 0, 1050, 1080, 1090, 1100);
	ipi_corr__flush(t.corr);
	/* Two reschedules that never came, one irq_work, and the one too late. */
	assert_int_equal(t.nr, 8);
	ipi_corr__delete(t.corr);
}

static void test_riders_idle(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue_wakes(&t);
	run_task(&t, 1060, 1, OTHER_FUNC, 0x1000);
	run_task(&t, 1080, 1, WAKE_FUNC, CSD);
	assert_int_equal(t.nr, 4);
	expect(&t.said[1], IPI_CLASS_POLLED, IPI_IRQ_CALL, 0, 1);
	expect(&t.said[2], IPI_CLASS_COALESCED, IPI_IRQ_CALL, 2, 1);
	expect_times(&t.said[2], 1010, 0, 0, 1080, 1090, 0);
	ipi_corr__flush(t.corr);
	ipi_corr__delete(t.corr);
}

/* Looks like a rider, but was queued a moment too late and is sent for afterwards. */
static void test_no_rider_after_all(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, WAKE_FUNC, CSD);
	send(&t, 1005, 0, 1, IPI_IRQ_CALL);
	queue(&t, 1010, 2, 1, WAKE_FUNC, CSD2);
	irq_entry(&t, 1020, 1, IPI_IRQ_CALL);
	run(&t, 1030, 1, WAKE_FUNC, CSD);
	irq_exit(&t, 1050, 1, IPI_IRQ_CALL);
	send(&t, 1060, 2, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1070, 1, IPI_IRQ_CALL);
	run(&t, 1080, 1, WAKE_FUNC, CSD2);
	irq_exit(&t, 1100, 1, IPI_IRQ_CALL);
	expect(&t.said[1], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 2, 1);
	expect_times(&t.said[1], 1010, 1060, 1070, 1080, 1090, 1100);
	end(&t, 2);
}

/* As above, but sent for while the interrupt it came too late for was still on. */
static void test_no_rider_at_once(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, WAKE_FUNC, CSD);
	send(&t, 1005, 0, 1, IPI_IRQ_CALL);
	queue(&t, 1010, 2, 1, WAKE_FUNC, CSD2);
	irq_entry(&t, 1020, 1, IPI_IRQ_CALL);
	run(&t, 1030, 1, WAKE_FUNC, CSD);
	send(&t, 1045, 2, 1, IPI_IRQ_CALL);
	irq_exit(&t, 1050, 1, IPI_IRQ_CALL);
	assert_int_equal(t.nr, 1);
	irq_entry(&t, 1070, 1, IPI_IRQ_CALL);
	run(&t, 1080, 1, WAKE_FUNC, CSD2);
	irq_exit(&t, 1100, 1, IPI_IRQ_CALL);
	expect(&t.said[1], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 2, 1);
	expect_times(&t.said[1], 1010, 1045, 1070, 1080, 1090, 1100);
	end(&t, 2);
}

/* A rider is said as soon as its sender has gone on without sending, no later. */
static void test_rider_decided_late(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, WAKE_FUNC, CSD);
	send(&t, 1005, 0, 1, IPI_IRQ_CALL);
	queue(&t, 1010, 2, 1, WAKE_FUNC, CSD2);
	irq_entry(&t, 1020, 1, IPI_IRQ_CALL);
	run(&t, 1030, 1, WAKE_FUNC, CSD);
	irq_exit(&t, 1050, 1, IPI_IRQ_CALL);
	assert_int_equal(t.nr, 1);
	send(&t, 1060, 2, 3, IPI_IRQ_RESCHED);
	assert_int_equal(t.nr, 2);
	expect(&t.said[1], IPI_CLASS_COALESCED, IPI_IRQ_CALL, 2, 1);
	end(&t, 3);
}

/* A woken task may run, sleep and be woken again before the list's function ends. */
static void test_rider_requeued_at_once(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 7, WAKE_FUNC, CSD);
	poll_wake(&t, 1005, 0, 7);
	queue(&t, 1010, 2, 7, WAKE_FUNC, CSD2);
	send(&t, 1015, 2, 3, IPI_IRQ_RESCHED);
	func(&t, 1030, IPI_EVENT_FUNC_ENTRY, 7, IPI_CTX_TASK, WAKE_FUNC, CSD);
	queue(&t, 1035, 3, 7, WAKE_FUNC, CSD2);
	send(&t, 1036, 7, 5, IPI_IRQ_RESCHED);
	func(&t, 1040, IPI_EVENT_FUNC_EXIT, 7, IPI_CTX_TASK, WAKE_FUNC, CSD);
	assert_int_equal(t.nr, 2);
	expect_times(&t.said[1], 1010, 0, 0, 1030, 1040, 0);
	poll_wake(&t, 1050, 3, 7);
	run_task(&t, 1060, 7, WAKE_FUNC, CSD2);
	expect_times(&t.said[2], 1035, 0, 0, 1060, 1070, 0);
	assert_int_equal(stats(&t)->requeued, 0);
	end(&t, 5);
}

/* Another function with the same csd is another use of it. */
static void test_other_function(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	poll_wake(&t, 1005, 0, 1);
	run_task(&t, 1010, 1, OTHER_FUNC, CSD);
	run_task(&t, 1030, 2, FUNC, CSD);
	assert_int_equal(t.nr, 0);
	run_task(&t, 1050, 1, FUNC, CSD);
	expect_times(&t.said[0], 1000, 0, 0, 1050, 1060, 0);
	end(&t, 1);
}

/* Its function never shows, and the csd is used again. */
static void test_requeued(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	poll_wake(&t, 1010, 0, 1);
	call(&t, 2000);
	assert_int_equal(t.nr, 2);
	expect(&t.said[0], IPI_CLASS_MISSING, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[0], 1000, 0, 0, 0, 0, 0);
	expect_call(&t.said[1], 2000);
	assert_int_equal(stats(&t)->requeued, 1);
	end(&t, 2);
}

/* Who doesn't wait may use his csd again just before its function is recorded. */
static void test_requeued_at_once(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1050, 1, IPI_IRQ_CALL);
	queue(&t, 1055, 0, 1, FUNC, CSD);
	run(&t, 1060, 1, FUNC, CSD);
	irq_exit(&t, 1080, 1, IPI_IRQ_CALL);
	send(&t, 1085, 0, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1090, 1, IPI_IRQ_CALL);
	run(&t, 1100, 1, FUNC, CSD);
	irq_exit(&t, 1120, 1, IPI_IRQ_CALL);
	expect_times(&t.said[0], 1000, 1010, 1050, 1060, 1070, 1080);
	expect_times(&t.said[1], 1055, 1085, 1090, 1100, 1110, 1120);
	expect(&t.said[1], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 1);
	/* The same in the idle loop. */
	queue(&t, 2000, 0, 7, FUNC, CSD);
	poll_wake(&t, 2010, 0, 7);
	queue(&t, 2055, 0, 7, FUNC, CSD);
	run_task(&t, 2060, 7, FUNC, CSD);
	poll_wake(&t, 2085, 0, 7);
	run_task(&t, 2100, 7, FUNC, CSD);
	expect_times(&t.said[2], 2000, 0, 0, 2060, 2070, 0);
	expect_times(&t.said[3], 2055, 0, 0, 2100, 2110, 0);
	assert_int_equal(stats(&t)->requeued, 0);
	end(&t, 4);
}

/* irq_work queued on another CPU: an interrupt of function calls, in which no function shows. */
static void test_function_that_never_shows(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, OTHER_FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1050, 1, IPI_IRQ_CALL);
	irq_exit(&t, 1080, 1, IPI_IRQ_CALL);
	assert_int_equal(t.nr, 1);
	expect(&t.said[0], IPI_CLASS_MISSING, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[0], 1000, 1010, 0, 0, 0, 0);
	end(&t, 1);
}

static void test_window_ends(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_CALL);
	queue(&t, 1012, 0, 3, FUNC, CSD3);
	irq_entry(&t, 1020, 1, IPI_IRQ_CALL);
	run(&t, 1030, 1, FUNC, CSD);
	queue(&t, 1042, 2, 1, FUNC, CSD2);
	func(&t, 1045, IPI_EVENT_FUNC_ENTRY, 1, IPI_CTX_HARDIRQ, FUNC, CSD2);
	ipi_corr__flush(t.corr);
	assert_int_equal(t.nr, 3);
	expect(&t.said[0], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[0], 1000, 1010, 1020, 1030, 1040, 0);
	/* The interrupt is still open: what it brings is not lost, and its exit is no orphan. */
	queue(&t, 1050, 0, 1, OTHER_FUNC, CSD);
	func(&t, 1055, IPI_EVENT_FUNC_EXIT, 1, IPI_CTX_HARDIRQ, FUNC, CSD2);
	run(&t, 1060, 1, OTHER_FUNC, CSD);
	irq_exit(&t, 1080, 1, IPI_IRQ_CALL);
	ipi_corr__flush(t.corr);
	assert_int_equal(stats(&t)->orphan_exit, 0);
	assert_int_equal(t.nr, 4);
	expect(&t.said[3], IPI_CLASS_COALESCED, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[3], 1050, 0, 1020, 1060, 1070, 1080);
	end(&t, 4);
}

static void test_reset(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_RESCHED);
	irq_entry(&t, 1020, 1, IPI_IRQ_CALL);
	ipi_corr__reset(t.corr);
	assert_int_equal(stats(&t)->events, 0);
	assert_int_equal(ipi_corr__cpu(t.corr, 0)->queued, 0);
	call(&t, 2000);
	expect_call(&t.said[0], 2000);
	assert_int_equal(stats(&t)->orphan_entry, 0);
	end(&t, 1);
}

static void test_orphans(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	irq_exit(&t, 1000, 1, IPI_IRQ_CALL);
	func(&t, 1010, IPI_EVENT_FUNC_EXIT, 1, IPI_CTX_HARDIRQ, FUNC, CSD);
	assert_int_equal(stats(&t)->orphan_exit, 2);
	/* Nor is this one's exit that one's. */
	func(&t, 1011, IPI_EVENT_FUNC_ENTRY, 1, IPI_CTX_HARDIRQ, FUNC, CSD2);
	func(&t, 1012, IPI_EVENT_FUNC_EXIT, 1, IPI_CTX_HARDIRQ, FUNC, CSD);
	assert_int_equal(stats(&t)->orphan_exit, 3);
	/* An exit that was never recorded: by the next entry, by a record outside of interrupts. */
	irq_entry(&t, 1020, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1030, 1, IPI_IRQ_CALL);
	assert_int_equal(stats(&t)->orphan_entry, 1);
	send(&t, 1040, 1, 2, IPI_IRQ_RESCHED);
	assert_int_equal(stats(&t)->orphan_entry, 2);
	end(&t, 1);
}

static void test_bad_events(void **state)
{
	struct ipi_event event = make(1000, IPI_EVENT_SEND, 8, IPI_CTX_TASK);
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	feed(&t, &event);
	event.cpu = -1;
	feed(&t, &event);
	queue(&t, 1010, 0, 8, FUNC, CSD);
	queue(&t, 1010, 0, -1, FUNC, CSD);
	irq_entry(&t, 1010, 0, IPI_IRQ_NR);
	event = make(1000, IPI_EVENT_NR, 0, IPI_CTX_TASK);
	feed(&t, &event);
	assert_int_equal(stats(&t)->bad, 6);
	/* The CPUs of a mask that we know count. */
	send_mask(&t, 1020, IPI_EVENT_SEND, 0, 0x2, IPI_IRQ_RESCHED);
	assert_int_equal(stats(&t)->bad, 6);
	event = make(1030, IPI_EVENT_SEND, 0, IPI_CTX_TASK);
	event.mask = (const unsigned char *)"\x02\x01";
	event.mask_bytes = 2;
	event.irq = IPI_IRQ_RESCHED;
	feed(&t, &event);
	assert_int_equal(stats(&t)->bad, 7);
	assert_int_equal(ipi_corr__cpu(t.corr, 0)->sent, 2);
	assert_int_equal(stats(&t)->unordered, 0);
	send(&t, 900, 0, 1, IPI_IRQ_RESCHED);
	assert_int_equal(stats(&t)->unordered, 1);
	end(&t, 3);
}

static void count(void *ctx, const struct ipi_delivery *delivery)
{
	assert_int_equal(delivery->class, IPI_CLASS_MISSING);
	++*(int *)ctx;
}

/* A CPU that is sent to but never seen: what waits for it must not fill the memory. */
static void test_bounded(void **state)
{
	int said = 0, i;
	struct ipi_corr_conf conf = {
		.max_cpus = 8, .have = X86, .irq_exit = X86_EXITS, .emit = count, .ctx = &said,
	};
	struct test t = { .corr = ipi_corr__new(&conf) };

	(void)state;
	assert_non_null(t.corr);
	for (i = 0; i < 20000; i++) {
		queue(&t, 1000 + 10 * i, 0, 1, FUNC, CSD + 64 * i);
		send(&t, 1005 + 10 * i, 0, 1, IPI_IRQ_RESCHED);
	}
	assert_true(said > 0);
	ipi_corr__flush(t.corr);
	assert_int_equal(said, 40000);
	ipi_corr__delete(t.corr);
}

static void test_bad_conf(void **state)
{
	struct ipi_corr_conf conf = { .max_cpus = 0, .emit = emit };

	(void)state;
	assert_null(ipi_corr__new(&conf));
	conf.max_cpus = 1;
	conf.emit = NULL;
	assert_null(ipi_corr__new(&conf));
	ipi_corr__delete(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_riders),
		cmocka_unit_test(test_riders_idle),
		cmocka_unit_test(test_no_rider_after_all),
		cmocka_unit_test(test_no_rider_at_once),
		cmocka_unit_test(test_rider_decided_late),
		cmocka_unit_test(test_rider_requeued_at_once),
		cmocka_unit_test(test_other_function),
		cmocka_unit_test(test_requeued),
		cmocka_unit_test(test_requeued_at_once),
		cmocka_unit_test(test_function_that_never_shows),
		cmocka_unit_test(test_window_ends),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_orphans),
		cmocka_unit_test(test_bad_events),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_bad_conf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
