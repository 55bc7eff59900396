// SPDX-License-Identifier: GPL-2.0
/*
 * The correlator on the sets of events of other architectures and older kernels.
 */
#include "schedule.h"

/* Each IPI is recorded twice, by the kernel's send and by the architecture's raise. */
static void test_arm64(void **state)
{
	struct test t;

	(void)state;
	begin(&t, ARM64, ARM64_EXITS);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_CALL);
	raise_mask(&t, 1015, 0, 0x2, IPI_IRQ_CALL);
	irq_entry(&t, 1050, 1, IPI_IRQ_CALL);
	run(&t, 1060, 1, FUNC, CSD);
	irq_exit(&t, 1080, 1, IPI_IRQ_CALL);
	expect_times(&t.said[0], 1000, 1010, 1050, 1060, 1070, 1080);
	/* One pending bit for all senders: three raises of two CPUs, one interrupt. */
	send(&t, 2000, 0, 1, IPI_IRQ_RESCHED);
	raise_mask(&t, 2001, 0, 0x2, IPI_IRQ_RESCHED);
	send(&t, 2010, 2, 1, IPI_IRQ_RESCHED);
	raise_mask(&t, 2011, 2, 0x2, IPI_IRQ_RESCHED);
	send(&t, 2020, 0, 1, IPI_IRQ_RESCHED);
	raise_mask(&t, 2021, 0, 0x2, IPI_IRQ_RESCHED);
	irq_entry(&t, 2050, 1, IPI_IRQ_RESCHED);
	irq_exit(&t, 2060, 1, IPI_IRQ_RESCHED);
	assert_int_equal(t.nr, 4);
	expect(&t.said[1], IPI_CLASS_INTERRUPT, IPI_IRQ_RESCHED, 0, 1);
	assert_int_equal(t.said[1].t_send, 2000);
	expect(&t.said[2], IPI_CLASS_COALESCED, IPI_IRQ_RESCHED, 2, 1);
	expect(&t.said[3], IPI_CLASS_COALESCED, IPI_IRQ_RESCHED, 0, 1);
	assert_int_equal(ipi_corr__cpu(t.corr, 0)->sent, 3);
	/* A kind that only raises. */
	raise_mask(&t, 3000, 0, 0x6, IPI_IRQ_OTHER);
	irq_entry(&t, 3010, 1, IPI_IRQ_OTHER);
	irq_exit(&t, 3020, 1, IPI_IRQ_OTHER);
	expect(&t.said[4], IPI_CLASS_INTERRUPT, IPI_IRQ_OTHER, 0, 1);
	expect_times(&t.said[4], 0, 3000, 3010, 0, 0, 3020);
	end(&t, 6);
}

/* irq_work has an exit there. */
static void test_arm64_irq_work(void **state)
{
	struct test t;

	(void)state;
	begin(&t, ARM64, ARM64_EXITS);
	send(&t, 1000, 0, 0, IPI_IRQ_WORK);
	raise_mask(&t, 1001, 0, 0x1, IPI_IRQ_WORK);
	irq_entry(&t, 1010, 0, IPI_IRQ_WORK);
	assert_int_equal(t.nr, 0);
	irq_exit(&t, 1020, 0, IPI_IRQ_WORK);
	expect(&t.said[0], IPI_CLASS_INTERRUPT, IPI_IRQ_WORK, 0, 0);
	expect_times(&t.said[0], 0, 1000, 1010, 0, 0, 1020);
	end(&t, 1);
}

/* Raises, entries and exits alone: function calls are bare interrupts. */
static void test_arm64_61(void **state)
{
	struct test t;
	int i;

	(void)state;
	begin(&t, BIT(RAISE) | BIT(IRQ_ENTRY) | BIT(IRQ_EXIT), ARM64_EXITS);
	raise_mask(&t, 1000, 0, 0x6, IPI_IRQ_CALL);
	raise_mask(&t, 1005, 3, 0x2, IPI_IRQ_CALL);
	for (i = 1; i <= 2; i++) {
		irq_entry(&t, 1100 * i, i, IPI_IRQ_CALL);
		irq_exit(&t, 1100 * i + 10, i, IPI_IRQ_CALL);
	}
	assert_int_equal(t.nr, 3);
	expect(&t.said[0], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[0], 0, 1000, 1100, 0, 0, 1110);
	assert_true(!t.said[0].func && !t.said[0].csd);
	expect(&t.said[1], IPI_CLASS_COALESCED, IPI_IRQ_CALL, 3, 1);
	expect(&t.said[2], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 2);
	/* A raise that comes back as nothing we know of. */
	irq_entry(&t, 3000, 1, IPI_IRQ_CALL);
	irq_exit(&t, 3010, 1, IPI_IRQ_CALL);
	end(&t, 3);
}

/* Sends without csds: 6.4. */
static void test_sends_without_csds(void **state)
{
	struct test t;

	(void)state;
	begin(&t, BIT(SEND) | BIT(IRQ_ENTRY) | BIT(IRQ_EXIT), X86_EXITS);
	send(&t, 1000, 0, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1010, 1, IPI_IRQ_CALL);
	irq_exit(&t, 1020, 1, IPI_IRQ_CALL);
	expect(&t.said[0], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[0], 0, 1000, 1010, 0, 0, 1020);
	assert_true(!t.said[0].func);
	end(&t, 1);
}

/* Nothing but arrivals. */
static void test_x86_61(void **state)
{
	struct test t;

	(void)state;
	begin(&t, BIT(IRQ_ENTRY) | BIT(IRQ_EXIT), X86_EXITS);
	irq_entry(&t, 1000, 1, IPI_IRQ_CALL);
	assert_int_equal(t.nr, 0);
	irq_exit(&t, 1010, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1020, 1, IPI_IRQ_WORK);
	assert_int_equal(t.nr, 2);
	expect(&t.said[0], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, -1, 1);
	expect_times(&t.said[0], 0, 0, 1000, 0, 0, 1010);
	assert_int_equal(t.said[0].src_tid, -1);
	assert_int_equal(t.said[0].dst_pid, 101);
	expect(&t.said[1], IPI_CLASS_INTERRUPT, IPI_IRQ_WORK, -1, 1);
	end(&t, 2);
}

/* csds without interrupts, as on riscv: the context of the function's record says how it came. */
static void test_no_interrupt_events(void **state)
{
	struct test t;

	(void)state;
	begin(&t, BIT(QUEUE) | BIT(SEND) | BIT(FUNC_ENTRY) | BIT(FUNC_EXIT), 0);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_CALL);
	run(&t, 1060, 1, FUNC, CSD);
	queue(&t, 2000, 0, 1, FUNC, CSD);
	send(&t, 2010, 0, 1, IPI_IRQ_CALL);
	run_task(&t, 2060, 1, FUNC, CSD);
	expect(&t.said[0], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[0], 1000, 1010, 0, 1060, 1070, 0);
	expect(&t.said[1], IPI_CLASS_POLLED, IPI_IRQ_CALL, 0, 1);
	end(&t, 2);
}

/* A recording without exits. */
static void test_no_exits(void **state)
{
	struct test t;

	(void)state;
	begin(&t, X86 & ~BIT(IRQ_EXIT), 0);
	queue(&t, 1000, 0, 1, FUNC, CSD);
	send(&t, 1010, 0, 1, IPI_IRQ_CALL);
	irq_entry(&t, 1050, 1, IPI_IRQ_CALL);
	run(&t, 1060, 1, FUNC, CSD);
	expect(&t.said[0], IPI_CLASS_INTERRUPT, IPI_IRQ_CALL, 0, 1);
	expect_times(&t.said[0], 1000, 1010, 1050, 1060, 1070, 0);
	end(&t, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arm64),
		cmocka_unit_test(test_arm64_irq_work),
		cmocka_unit_test(test_arm64_61),
		cmocka_unit_test(test_sends_without_csds),
		cmocka_unit_test(test_x86_61),
		cmocka_unit_test(test_no_interrupt_events),
		cmocka_unit_test(test_no_exits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
