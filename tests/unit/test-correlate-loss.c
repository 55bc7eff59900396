// SPDX-License-Identifier: GPL-2.0
/*
 * The correlator after a loss: what a hole may hide isn't said, and all else is.
 */
#include "schedule.h"

static void test_loss_at_target(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	call(&t, 1000);
	/* Its interrupt may be in the hole, or not: */
	queue(&t, 2000, 0, 1, FUNC, CSD);
	send(&t, 2010, 0, 1, IPI_IRQ_CALL);
	/* of these too. */
	queue(&t, 2015, 3, 1, OTHER_FUNC, 0x1000);
	send(&t, 2020, 0, 1, IPI_IRQ_RESCHED);
	queue(&t, 2030, 0, 2, FUNC, CSD2);
	send(&t, 2040, 0, 2, IPI_IRQ_CALL);
	lost(&t, 2100, 1);
	assert_int_equal(stats(&t)->lost, 3);
	/* Another CPU's, and the next of this one, are not touched. */
	irq_entry(&t, 2110, 2, IPI_IRQ_CALL);
	run(&t, 2120, 2, FUNC, CSD2);
	irq_exit(&t, 2140, 2, IPI_IRQ_CALL);
	assert_int_equal(stats(&t)->uncertain, 0);
	/* An interrupt that began behind the hole would have brought the first two as well. */
	queue(&t, 2800, 0, 1, FUNC, CSD3);
	send(&t, 2810, 0, 1, IPI_IRQ_CALL);
	irq_entry(&t, 2820, 1, IPI_IRQ_CALL);
	run(&t, 2830, 1, FUNC, CSD3);
	irq_exit(&t, 2850, 1, IPI_IRQ_CALL);
	assert_int_equal(stats(&t)->uncertain, 1);
	send(&t, 2900, 3, 4, IPI_IRQ_RESCHED);
	assert_int_equal(stats(&t)->uncertain, 2);
	call(&t, 3000);
	send(&t, 4000, 0, 1, IPI_IRQ_RESCHED);
	irq_entry(&t, 4010, 1, IPI_IRQ_RESCHED);
	irq_exit(&t, 4020, 1, IPI_IRQ_RESCHED);
	send(&t, 5000, 0, 1, IPI_IRQ_RESCHED);
	irq_entry(&t, 5010, 1, IPI_IRQ_RESCHED);
	irq_exit(&t, 5020, 1, IPI_IRQ_RESCHED);
	ipi_corr__flush(t.corr);
	assert_int_equal(t.nr, 6);
	expect_call(&t.said[0], 1000);
	expect(&t.said[1], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 2);
	assert_int_equal(t.said[2].t_queue, 2800);
	expect_call(&t.said[3], 3000);
	/* The one at 4000 may have arrived with the one at 2020. */
	assert_int_equal(t.said[4].t_send, 5000);
	assert_int_equal(stats(&t)->uncertain, 4);
	assert_int_equal(stats(&t)->requeued, 0);
	end(&t, 6);
}

static void test_loss_in_interrupt(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1050, 1, IPI_IRQ_CALL);
	run(&t, 1060, 1, FUNC, CSD);
	queue(&t, 1075, 0, 1, FUNC, CSD);
	send(&t, 1076, 0, 1, IPI_IRQ_CALL);
	lost(&t, 1100, 1);
	/* In which interrupt is this, and is it the exit of the one above? */
	run(&t, 1100, 1, FUNC, CSD);
	irq_exit(&t, 1120, 1, IPI_IRQ_CALL);
	call(&t, 2000);
	ipi_corr__flush(t.corr);
	assert_int_equal(t.nr, 1);
	expect_call(&t.said[0], 2000);
	assert_int_equal(stats(&t)->uncertain, 2);
	end(&t, 1);
}

/* An interrupt whose entry is in the hole: what it brings can't be told, nor who rides. */
static void test_loss_of_entry(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	send(&t, 1000, 1, 2, IPI_IRQ_RESCHED);
	lost(&t, 1100, 1);
	irq_entry(&t, 1100, 1, IPI_IRQ_OTHER);
	irq_exit(&t, 1110, 1, IPI_IRQ_OTHER);
	lost(&t, 1200, 1);
	func(&t, 1200, IPI_EVENT_FUNC_EXIT, 1, IPI_CTX_HARDIRQ, OTHER_FUNC, CSD3);
	queue(&t, 1210, 0, 1, FUNC, CSD);
	queue(&t, 1211, 2, 1, WAKE_FUNC, CSD2);
	send(&t, 1212, 2, 3, IPI_IRQ_RESCHED);
	run(&t, 1220, 1, FUNC, CSD);
	run(&t, 1240, 1, WAKE_FUNC, CSD3);
	irq_exit(&t, 1260, 1, IPI_IRQ_CALL);
	/* It may have been in that list, or be in this one. */
	queue(&t, 1300, 0, 1, WAKE_FUNC, CSD);
	send(&t, 1310, 0, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1320, 1, IPI_IRQ_CALL);
	run(&t, 1330, 1, WAKE_FUNC, CSD);
	irq_exit(&t, 1350, 1, IPI_IRQ_CALL);
	assert_int_equal(t.nr, 1);
	expect_times(&t.said[0], 1300, 1310, 1320, 1330, 1340, 1350);
	assert_int_equal(stats(&t)->uncertain, 2);
	end(&t, 3);
}

/* A csd without a waiter, whose use before is lost: its function may be recorded after this one. */
static void test_loss_of_use_before(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	irq_entry(&t, 1000, 1, IPI_IRQ_CALL);
	lost(&t, 1100, 0);
	queue(&t, 1100, 0, 1, FUNC, CSD);
	run(&t, 1110, 1, FUNC, CSD);
	irq_exit(&t, 1130, 1, IPI_IRQ_CALL);
	send(&t, 1140, 0, 1, IPI_IRQ_CALL);
	assert_int_equal(t.nr, 0);
	assert_int_equal(stats(&t)->uncertain, 1);
	call(&t, 2000);
	expect_call(&t.said[0], 2000);
	end(&t, 1);
}

static void test_loss_at_sender(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86, X86_EXITS);
	/* The first's send is known, the second's is not. */
	queue(&t, 1000, 0, 1, FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_CALL);
	queue(&t, 1020, 0, 2, FUNC, CSD2);
	irq_entry(&t, 1050, 1, IPI_IRQ_CALL);
	run(&t, 1060, 1, FUNC, CSD);
	irq_exit(&t, 1100, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1150, 2, IPI_IRQ_CALL);
	run(&t, 1160, 2, FUNC, CSD2);
	irq_exit(&t, 1180, 2, IPI_IRQ_CALL);
	lost(&t, 1200, 0);
	call(&t, 2000);
	ipi_corr__flush(t.corr);
	assert_int_equal(t.nr, 2);
	expect_call(&t.said[0], 1000);
	expect_call(&t.said[1], 2000);
	assert_int_equal(stats(&t)->uncertain, 1);
	end(&t, 2);
}

/* What comes right after a hole may be the end of something that began in it. */
static void test_first_after_loss(void **state)
{
	struct test t;

	(void)state;
	begin(&t, ARM64, X86_EXITS);
	lost(&t, 1000, 0);
	poll_wake(&t, 1000, 0, 7);
	lost(&t, 1100, 0);
	raise_mask(&t, 1100, 0, 0x2, IPI_IRQ_RESCHED);
	lost(&t, 1200, 0);
	irq_entry(&t, 1200, 0, IPI_IRQ_WORK);
	assert_int_equal(stats(&t)->uncertain, 3);
	/* For this context the one before it was in an interrupt that interrupted it. */
	poll_wake(&t, 1300, 0, 7);
	assert_int_equal(stats(&t)->uncertain, 4);
	assert_int_equal(t.nr, 0);
	poll_wake(&t, 1310, 0, 7);
	irq_entry(&t, 1400, 0, IPI_IRQ_WORK);
	assert_int_equal(t.nr, 2);
	end(&t, 2);
}

/* A csd used again while its target's ring is full: not missing, but lost. */
static void test_requeued_in_hole(void **state)
{
	struct test t;
	int i;

	(void)state;
	begin(&t, X86, X86_EXITS);
	for (i = 1; i <= 5; i++) {
		queue(&t, 1000 * i, 0, 1, FUNC, CSD);
		send(&t, 1000 * i + 10, 0, 1, IPI_IRQ_CALL);
	}
	lost(&t, 6000, 1);
	ipi_corr__flush(t.corr);
	assert_int_equal(stats(&t)->uncertain, 5);
	assert_int_equal(stats(&t)->requeued, 0);
	end(&t, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loss_at_target),
		cmocka_unit_test(test_loss_in_interrupt),
		cmocka_unit_test(test_loss_of_entry),
		cmocka_unit_test(test_loss_of_use_before),
		cmocka_unit_test(test_loss_at_sender),
		cmocka_unit_test(test_first_after_loss),
		cmocka_unit_test(test_requeued_in_hole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
