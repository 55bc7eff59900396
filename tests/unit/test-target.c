// SPDX-License-Identifier: GPL-2.0
/*
 * Target threads: they run while a burst lasts, leave it by themselves at its deadline, and end
 * whatever state they are in.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>

#include "bench/ipi/cpus.h"
#include "bench/ipi/run/clock.h"
#include "bench/ipi/run/target.h"
#include "bench/ipi/why.h"

#define LONG_NS		(250 * IPI_NSEC_PER_MSEC)
#define SHORT_NS	(5 * IPI_NSEC_PER_MSEC)

static struct ipi_targets *start(enum ipi_target state, enum ipi_target_policy policy)
{
	struct ipi_targets *targets;
	struct ipi_cpus cpus;
	struct ipi_why why;

	assert_int_equal(ipi_cpus__usable(&cpus, &why), 0);
	targets = ipi_targets__new(&cpus, state, policy, &why);
	assert_non_null(targets);
	ipi_cpus__free(&cpus);
	return targets;
}

/* On a loaded machine a burst may be over before all threads have appeared; not every time. */
static void begin_burst(struct ipi_targets *targets)
{
	int tries = 20;
	int err;

	do {
		err = ipi_targets__begin(targets, ipi_clock__now() + LONG_NS);
	} while (err == -ETIMEDOUT && --tries);
	assert_int_equal(err, 0);
}

static void test_bursts(void **state)
{
	struct ipi_targets *targets = start(IPI_TARGET_BUSY, IPI_TARGET_POLICY_NORMAL);
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		begin_burst(targets);
		ipi_targets__end(targets);
	}
	/* Ending twice is ending once. */
	ipi_targets__end(targets);
	ipi_targets__delete(targets);
}

static void test_kernel(void **state)
{
	struct ipi_targets *targets = start(IPI_TARGET_KERNEL, IPI_TARGET_POLICY_NORMAL);

	(void)state;
	begin_burst(targets);
	ipi_targets__end(targets);
	ipi_targets__delete(targets);
}

/* SCHED_IDLE threads may not get to run at all here; then they are given up, and still end. */
static void test_idle_policy(void **state)
{
	struct ipi_targets *targets = start(IPI_TARGET_BUSY, IPI_TARGET_POLICY_IDLE);
	int err = ipi_targets__begin(targets, ipi_clock__now() + LONG_NS);

	(void)state;
	assert_true(!err || err == -ETIMEDOUT);
	ipi_targets__end(targets);
	ipi_targets__delete(targets);
}

/* Nobody ends the burst: the threads must, or this test would never come back from end(). */
static void test_deadline(void **state)
{
	struct ipi_targets *targets = start(IPI_TARGET_BUSY, IPI_TARGET_POLICY_NORMAL);
	const struct timespec nap = { .tv_nsec = 4 * SHORT_NS };
	int err;

	(void)state;
	err = ipi_targets__begin(targets, ipi_clock__now() + SHORT_NS);
	nanosleep(&nap, NULL);
	ipi_targets__end(targets);
	assert_true(!err || err == -ETIMEDOUT);
	begin_burst(targets);
	ipi_targets__delete(targets);
}

static void test_delete_while_running(void **state)
{
	struct ipi_targets *targets = start(IPI_TARGET_BUSY, IPI_TARGET_POLICY_NORMAL);

	(void)state;
	begin_burst(targets);
	ipi_targets__delete(targets);
}

static void test_nothing_to_start(void **state)
{
	struct ipi_targets *targets = start(IPI_TARGET_IDLE, IPI_TARGET_POLICY_FIFO);

	(void)state;
	assert_int_equal(ipi_targets__begin(targets, ipi_clock__now() + LONG_NS), 0);
	ipi_targets__end(targets);
	ipi_targets__delete(targets);
	ipi_targets__delete(NULL);
	assert_int_equal(ipi_targets__begin(NULL, 0), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bursts),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_idle_policy),
		cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_delete_while_running),
		cmocka_unit_test(test_nothing_to_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
