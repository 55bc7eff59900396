// SPDX-License-Identifier: GPL-2.0
/*
 * The correlator's rules one by one, on what x86 records: how an IPI went, and whose it was.
 */
#include "schedule.h"

static void test_interrupt(void **state)
{
	const struct ipi_corr_cpu *cpu;
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	call(&t, 1000);
	assert_int_equal(t.nr, 1);
	expect_call(&t.said[0], 1000);
	assert_int_equal(t.said[0].src_tid, 100);
	assert_int_equal(t.said[0].dst_pid, 101);
	assert_int_equal(t.said[0].src_ctx, IPI_CTX_TASK);

	cpu = ipi_corr__cpu(t.corr, 0);
	assert_true(cpu->queued == 1 && cpu->sent == 1 && !cpu->functions);
	cpu = ipi_corr__cpu(t.corr, 1);
	assert_true(cpu->functions == 1 && cpu->entries[IPI_IRQ_CALL] == 1 && !cpu->sent);
	assert_int_equal(stats(&t)->events, 6);
	/* One nothing is known of, and one there can't be. */
	assert_int_equal(ipi_corr__cpu(t.corr, 5)->sent, 0);
	assert_null(ipi_corr__cpu(t.corr, 8));
	assert_null(ipi_corr__cpu(t.corr, -1));
	end(&t, 1);
}

static void test_recurring_csd(void **state)
{
	struct test t;
	int i;

	(void)state;
	begin(&t, X86, X86_EXITS);
	for (i = 1; i <= 20; i++)
		call(&t, 1000 * i);
	for (i = 1; i <= 20; i++)
		expect_call(&t.said[i - 1], 1000 * i);
	assert_int_equal(stats(&t)->requeued, 0);
	end(&t, 20);
}

static void test_broadcast(void **state)
{
	struct test t;
	int i;

	(void)state;
	begin(&t, X86, X86_EXITS);
	for (i = 1; i <= 3; i++)
		queue(&t, 1000 + i, 0, i, FUNC, CSD + 64 * i);
	send_mask(&t, 1010, IPI_EVENT_SEND, 0, 0xe, IPI_IRQ_CALL);
	run_task(&t, 1020, 0, FUNC, 0);
	for (i = 1; i <= 3; i++) {
		irq_entry(&t, 1100 + 100 * i, i, IPI_IRQ_CALL);
		run(&t, 1110 + 100 * i, i, FUNC, CSD + 64 * i);
		irq_exit(&t, 1130 + 100 * i, i, IPI_IRQ_CALL);
	}
	assert_int_equal(t.nr, 4);
	expect(&t.said[0], IPI_CLASS_LOCAL, IPI_IRQ_CALL, 0, 0);
	expect_times(&t.said[0], 0, 0, 0, 1020, 1030, 0);
	assert_int_equal(t.said[0].src_tid, 100);
	assert_int_equal(t.said[0].dst_pid, -1);
	for (i = 1; i <= 3; i++) {
		expect(&t.said[i], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, i);
		expect_times(&t.said[i], 1000 + i, 1010, 1100 + 100 * i, 1110 + 100 * i,
			     1120 + 100 * i, 1130 + 100 * i);
	}
	assert_int_equal(ipi_corr__cpu(t.corr, 0)->sent, 3);
	end(&t, 4);
}

/* The list wasn't empty: no IPI for the second, and it runs in the first's interrupt. */
static void test_coalesced(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_CALL);
	queue(&t, 1020, 2, 1, OTHER_FUNC, CSD2);
	irq_entry(&t, 1050, 1, IPI_IRQ_CALL);
	run(&t, 1060, 1, FUNC, CSD);
	run(&t, 1080, 1, OTHER_FUNC, CSD2);
	irq_exit(&t, 1100, 1, IPI_IRQ_CALL);
	/* Its sender may still turn out to have sent one. */
	assert_int_equal(t.nr, 1);
	send(&t, 1200, 2, 3, IPI_IRQ_RESCHED);
	assert_int_equal(t.nr, 2);
	expect(&t.said[1], IPI_CLASS_COALESCED, IPI_IRQ_CALL, 2, 1);
	expect_times(&t.said[1], 1020, 0, 1050, 1080, 1090, 1100);
	end(&t, 3);
}

/* Sent after the interrupt was taken: not what brought it, and what was sent finds nothing. */
static void test_sent_too_late(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	irq_entry(&t, 1000, 1, IPI_IRQ_CALL);
	queue(&t, 1010, 0, 1, FUNC, CSD);
	send(&t, 1020, 0, 1, IPI_IRQ_CALL);
	run(&t, 1030, 1, FUNC, CSD);
	irq_exit(&t, 1050, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1060, 1, IPI_IRQ_CALL);
	irq_exit(&t, 1070, 1, IPI_IRQ_CALL);
	call(&t, 2000);
	expect(&t.said[0], IPI_CLASS_COALESCED, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[0], 1010, 0, 1000, 1030, 1040, 1050);
	expect_call(&t.said[1], 2000);
	end(&t, 2);
}

static void test_polled(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 7, FUNC, CSD);
	poll_wake(&t, 1010, 0, 7);
	run_task(&t, 1050, 7, FUNC, CSD);
	assert_int_equal(t.nr, 1);
	expect(&t.said[0], IPI_CLASS_POLLED, IPI_IRQ_CALL, 0, 7);
	expect_times(&t.said[0], 1000, 0, 0, 1050, 1060, 0);
	assert_int_equal(t.said[0].dst_pid, -1);
	/* Without a csd it is a reschedule. */
	poll_wake(&t, 1100, 0, 7);
	expect(&t.said[1], IPI_CLASS_POLLED, IPI_IRQ_RESCHED, 0, 7);
	expect_times(&t.said[1], 0, 1100, 0, 0, 0, 0);
	assert_true(!t.said[1].func && !t.said[1].csd);
	/* Run by the idle loop before its sender got to say that it polls. */
	queue(&t, 1200, 0, 7, FUNC, CSD);
	run_task(&t, 1210, 7, FUNC, CSD);
	poll_wake(&t, 1230, 0, 7);
	expect(&t.said[2], IPI_CLASS_POLLED, IPI_IRQ_CALL, 0, 7);
	end(&t, 3);
}

/* Neither for another thread's csd, nor for one queued by what an interrupt had interrupted. */
static void test_polled_for_another(void **state)
{
	struct ipi_event event = make(1010, IPI_EVENT_POLL_WAKE, 0, IPI_CTX_TASK);
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 7, FUNC, CSD);
	event.target = 7;
	event.tid = 555;
	feed(&t, &event);
	assert_int_equal(t.nr, 1);
	expect(&t.said[0], IPI_CLASS_POLLED, IPI_IRQ_RESCHED, 0, 7);
	assert_int_equal(t.said[0].src_tid, 555);
	t.ctx = IPI_CTX_HARDIRQ;
	queue(&t, 1100, 0, 7, FUNC, CSD2);
	t.ctx = IPI_CTX_TASK;
	poll_wake(&t, 1110, 0, 7);
	t.ctx = IPI_CTX_HARDIRQ;
	poll_wake(&t, 1120, 0, 7);
	assert_int_equal(t.nr, 3);
	expect(&t.said[2], IPI_CLASS_POLLED, IPI_IRQ_RESCHED, 0, 7);
	end(&t, 5);
}

/* The idle loop is faster than the interrupt, which then finds nothing to do. */
static void test_late_empty_interrupt(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_CALL);
	run_task(&t, 1020, 1, FUNC, CSD);
	queue(&t, 1040, 0, 1, FUNC, CSD);
	irq_entry(&t, 1050, 1, IPI_IRQ_CALL);
	irq_exit(&t, 1060, 1, IPI_IRQ_CALL);
	send(&t, 1070, 0, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1100, 1, IPI_IRQ_CALL);
	run(&t, 1110, 1, FUNC, CSD);
	irq_exit(&t, 1130, 1, IPI_IRQ_CALL);
	expect(&t.said[0], IPI_CLASS_POLLED, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[0], 1000, 1010, 0, 1020, 1030, 0);
	expect(&t.said[1], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[1], 1040, 1070, 1100, 1110, 1120, 1130);
	end(&t, 2);
}

static void test_reschedule(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	send(&t, 1000, 0, 1, IPI_IRQ_RESCHED);
	send(&t, 1010, 2, 1, IPI_IRQ_RESCHED);
	send(&t, 1020, 0, 3, IPI_IRQ_RESCHED);
	irq_entry(&t, 1050, 1, IPI_IRQ_RESCHED);
	assert_int_equal(t.nr, 0);
	send(&t, 1060, 0, 1, IPI_IRQ_RESCHED);
	irq_exit(&t, 1070, 1, IPI_IRQ_RESCHED);
	assert_int_equal(t.nr, 2);
	expect(&t.said[0], IPI_CLASS_INTERRUPT, IPI_IRQ_RESCHED, 0, 1);
	expect_times(&t.said[0], 0, 1000, 1050, 0, 0, 1070);
	assert_true(!t.said[0].func && t.said[0].callsite == CALLSITE + 1);
	assert_int_equal(t.said[0].dst_pid, 101);
	expect(&t.said[1], IPI_CLASS_COALESCED, IPI_IRQ_RESCHED, 2, 1);
	expect_times(&t.said[1], 0, 1010, 1050, 0, 0, 1070);
	irq_entry(&t, 1080, 1, IPI_IRQ_RESCHED);
	irq_exit(&t, 1090, 1, IPI_IRQ_RESCHED);
	expect(&t.said[2], IPI_CLASS_INTERRUPT, IPI_IRQ_RESCHED, 0, 1);
	/* One that was sent by nobody we know is nobody's. */
	irq_entry(&t, 1100, 1, IPI_IRQ_RESCHED);
	irq_exit(&t, 1110, 1, IPI_IRQ_RESCHED);
	ipi_corr__flush(t.corr);
	expect(&t.said[3], IPI_CLASS_MISSING, IPI_IRQ_RESCHED, 0, 3);
	end(&t, 4);
}

static void test_irq_work(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	send(&t, 1000, 0, 0, IPI_IRQ_WORK);
	irq_entry(&t, 1010, 0, IPI_IRQ_WORK);
	/* Its exit can't be recorded: it is complete, and doesn't stay open. */
	assert_int_equal(t.nr, 1);
	expect(&t.said[0], IPI_CLASS_INTERRUPT, IPI_IRQ_WORK, 0, 0);
	expect_times(&t.said[0], 0, 1000, 1010, 0, 0, 0);
	assert_true(t.said[0].func == OTHER_FUNC);
	/* perf doesn't record the sending of its own; no other CPU can have sent it. */
	irq_entry(&t, 1100, 0, IPI_IRQ_WORK);
	expect(&t.said[1], IPI_CLASS_INTERRUPT, IPI_IRQ_WORK, -1, 0);
	expect_times(&t.said[1], 0, 0, 1100, 0, 0, 0);
	assert_int_equal(t.said[1].src_tid, -1);
	assert_int_equal(t.said[1].dst_pid, 100);
	assert_int_equal(stats(&t)->orphan_entry, 0);
	end(&t, 2);
}

/* Between a csd's queueing and its send, an interrupt sends something of its own to the target. */
static void test_nested_senders(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	t.ctx = IPI_CTX_HARDIRQ;
	queue(&t, 1010, 0, 1, OTHER_FUNC, CSD2);
	t.ctx = IPI_CTX_NMI;
	send(&t, 1015, 0, 0, IPI_IRQ_WORK);
	t.ctx = IPI_CTX_HARDIRQ;
	send(&t, 1020, 0, 1, IPI_IRQ_RESCHED);
	t.ctx = IPI_CTX_TASK;
	send(&t, 1030, 0, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1050, 1, IPI_IRQ_CALL);
	run(&t, 1060, 1, FUNC, CSD);
	run(&t, 1080, 1, OTHER_FUNC, CSD2);
	irq_exit(&t, 1100, 1, IPI_IRQ_CALL);
	assert_int_equal(t.nr, 2);
	expect(&t.said[0], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 1);
	assert_int_equal(t.said[0].t_send, 1030);
	assert_int_equal(t.said[0].src_ctx, IPI_CTX_TASK);
	expect(&t.said[1], IPI_CLASS_COALESCED, IPI_IRQ_CALL, 0, 1);
	assert_int_equal(t.said[1].src_ctx, IPI_CTX_HARDIRQ);
	end(&t, 4);
}

/* Of two csds queued by one context for one CPU, a send is for the later. */
static void test_send_is_for_the_latest(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	irq_entry(&t, 1010, 1, IPI_IRQ_CALL);
	queue(&t, 1015, 0, 1, FUNC, CSD2);
	run(&t, 1020, 1, FUNC, CSD);
	send(&t, 1035, 0, 1, IPI_IRQ_CALL);
	irq_exit(&t, 1040, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1050, 1, IPI_IRQ_CALL);
	run(&t, 1060, 1, FUNC, CSD2);
	irq_exit(&t, 1080, 1, IPI_IRQ_CALL);
	expect(&t.said[0], IPI_CLASS_COALESCED, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[0], 1000, 0, 1010, 1020, 1030, 1040);
	expect(&t.said[1], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[1], 1015, 1035, 1050, 1060, 1070, 1080);
	end(&t, 2);
}

/* The handler calls a function on its own CPU, and that one sends. */
static void test_functions_in_functions(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1020, 1, IPI_IRQ_CALL);
	func(&t, 1030, IPI_EVENT_FUNC_ENTRY, 1, IPI_CTX_HARDIRQ, FUNC, CSD);
	run(&t, 1040, 1, OTHER_FUNC, 0);
	func(&t, 1060, IPI_EVENT_FUNC_EXIT, 1, IPI_CTX_HARDIRQ, FUNC, CSD);
	irq_exit(&t, 1070, 1, IPI_IRQ_CALL);
	expect(&t.said[0], IPI_CLASS_LOCAL, IPI_IRQ_CALL, 1, 1);
	expect_times(&t.said[0], 0, 0, 0, 1040, 1050, 0);
	assert_int_equal(t.said[0].src_ctx, IPI_CTX_HARDIRQ);
	expect_times(&t.said[1], 1000, 1010, 1020, 1030, 1060, 1070);
	end(&t, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interrupt),
		cmocka_unit_test(test_recurring_csd),
		cmocka_unit_test(test_broadcast),
		cmocka_unit_test(test_coalesced),
		cmocka_unit_test(test_sent_too_late),
		cmocka_unit_test(test_polled),
		cmocka_unit_test(test_polled_for_another),
		cmocka_unit_test(test_late_empty_interrupt),
		cmocka_unit_test(test_reschedule),
		cmocka_unit_test(test_irq_work),
		cmocka_unit_test(test_nested_senders),
		cmocka_unit_test(test_send_is_for_the_latest),
		cmocka_unit_test(test_functions_in_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
