// SPDX-License-Identifier: GPL-2.0
/*
 * Limits: what is taken, what is refused, and which rows keep them.
 */
#include <errno.h>

#include "sample.h"

#include "bench/ipi/stats/limit.h"

static void test_taken(void **state)
{
	static const char list[] = "multicast:16/busy.deliver.max=1ms,self-call.handle.p999=0";
	struct ipi_limits limits = { .nr = 0 };

	(void)state;
	assert_int_equal(ipi_limits__add(&limits, "normal.total.p99=20us"), 0);
	assert_int_equal(ipi_limits__add(&limits, list), 0);
	assert_int_equal(limits.nr, 3);
	assert_string_equal(limits.limit[0].text, "normal.total.p99=20us");
	assert_int_equal(limits.limit[0].scenario, IPI_SCENARIO_NORMAL);
	assert_int_equal(limits.limit[0].target, -1);
	assert_int_equal(limits.limit[0].stage, IPI_STAGE_TOTAL);
	assert_int_equal(limits.limit[0].quantile, IPI_QUANTILE_P99);
	assert_int_equal(limits.limit[0].ns, 20000);
	assert_int_equal(limits.limit[1].scenario, IPI_SCENARIO_MULTICAST);
	assert_int_equal(limits.limit[1].step, 16);
	assert_int_equal(limits.limit[1].target, IPI_TARGET_BUSY);
	assert_int_equal(limits.limit[1].stage, IPI_STAGE_DELIVER);
	assert_int_equal(limits.limit[1].ns, 1000000);
	assert_int_equal(limits.limit[2].quantile, IPI_QUANTILE_P999);
	ipi_limits__free(&limits);
	assert_int_equal(limits.nr, 0);
}

/* What is misspelt must not become a limit that is always kept. */
static void test_refused(void **state)
{
	static const struct {
		const char *text;
		int err;
	} bad[] = {
		{ "", -EINVAL },			{ "normal", -EINVAL },
		{ "normal.total", -EINVAL },		{ "normal.total.p99", -EINVAL },
		{ "normal.total.p99=", -EINVAL },	{ "normal.total.p99=20", -EINVAL },
		{ "norma.total.p99=20us", -EINVAL },	{ "normal.sum.p99=20us", -EINVAL },
		{ "normal.total.p95=20us", -EINVAL },	{ "normal.total.mean=20us", -EINVAL },
		{ "normal/asleep.total.p99=20us", -EINVAL },
		{ "normal/.total.p99=20us", -EINVAL },	{ "normal/-.total.p99=20us", -EINVAL },
		{ "normal:4.total.p99=20us", -EINVAL },	{ "storm:.total.p99=20us", -EINVAL },
		{ "storm:0.total.p99=20us", -EINVAL },	{ "storm:x.total.p99=20us", -EINVAL },
		{ ".total.p99=20us", -EINVAL },		{ "normal.total.p99=-1us", -EINVAL },
		{ "normal.total.p99=2 us", -EINVAL },	{ "normal.total.p99=20us,", -EINVAL },
		{ "normal.total.p99=9999999s", -ERANGE },
		{ "normal.total.p99=20us.x", -EINVAL },
	};
	struct ipi_limits limits = { .nr = 0 };
	char longest[200];
	unsigned int i;
	int err;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		err = ipi_limits__add(&limits, bad[i].text);
		if (err != bad[i].err)
			fail_msg("'%s': %d", bad[i].text, err);
	}
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(ipi_limits__add(&limits, longest), -EINVAL);
	ipi_limits__free(&limits);
}

static enum ipi_kept check(const struct ipi_cell *cell, const char *text, u64 *ns)
{
	struct ipi_limits limits = { .nr = 0 };
	enum ipi_kept kept;

	assert_int_equal(ipi_limits__add(&limits, text), 0);
	kept = ipi_limit__check(&limits.limit[0], cell, ns);
	ipi_limits__free(&limits);
	return kept;
}

static void test_rows(void **state)
{
	struct ipi_result *result = ipi_result__new();
	struct ipi_cell *cell;
	u64 ns = 77;

	(void)state;
	assert_non_null(result);
	cell = ipi_result__add_cell(result);
	assert_non_null(cell);
	cell->scenario = IPI_SCENARIO_MULTICAST;
	cell->target = IPI_TARGET_BUSY;
	assert_int_equal(ipi_cpus__add(&cell->dst, 1), 0);
	assert_int_equal(ipi_cpus__add(&cell->dst, 2), 0);
	ipi_hist__add(ipi_cell__hist(cell, IPI_STAGE_TOTAL), 10);
	ipi_hist__add(cell->stage[IPI_STAGE_TOTAL], 100);

	assert_int_equal(check(cell, "multicast.total.max=100ns", &ns), IPI_KEPT_YES);
	assert_int_equal(ns, 100);
	assert_int_equal(check(cell, "multicast.total.max=99ns", &ns), IPI_KEPT_NO);
	assert_int_equal(check(cell, "multicast.total.p50=10ns", &ns), IPI_KEPT_YES);
	assert_int_equal(ns, 10);
	assert_int_equal(check(cell, "multicast.total.min=9ns", NULL), IPI_KEPT_NO);
	assert_int_equal(check(cell, "multicast:2.total.max=99ns", NULL), IPI_KEPT_NO);
	assert_int_equal(check(cell, "multicast:2/busy.total.max=99ns", NULL), IPI_KEPT_NO);
	assert_int_equal(check(cell, "multicast:4.total.max=99ns", NULL), IPI_KEPT_FOREIGN);
	assert_int_equal(check(cell, "multicast/idle.total.max=99ns", NULL), IPI_KEPT_FOREIGN);
	assert_int_equal(check(cell, "broadcast.total.max=99ns", NULL), IPI_KEPT_FOREIGN);
	assert_int_equal(check(cell, "multicast.send.max=99ns", NULL), IPI_KEPT_UNKNOWN);
	/* What was refused is no IPI's time: neither kept nor broken. */
	cell->verdict = IPI_VERDICT_REFUSED;
	assert_int_equal(check(cell, "multicast.total.max=100ns", NULL), IPI_KEPT_UNKNOWN);
	assert_int_equal(check(cell, "multicast.total.max=1ns", NULL), IPI_KEPT_UNKNOWN);
	ipi_result__delete(result);
}

/* A storm's step is its senders. */
static void test_storm(void **state)
{
	struct ipi_result *result = ipi_result__new();
	struct ipi_cell *cell;
	int i;

	(void)state;
	assert_non_null(result);
	cell = ipi_result__add_cell(result);
	assert_non_null(cell);
	cell->scenario = IPI_SCENARIO_STORM;
	cell->target = IPI_TARGET_ANY;
	assert_int_equal(ipi_cpus__add(&cell->dst, 1), 0);
	for (i = 0; i < 4; i++)
		assert_int_equal(ipi_cpus__add(&cell->senders, i), 0);
	ipi_hist__add(ipi_cell__hist(cell, IPI_STAGE_TOTAL), 10);
	assert_int_equal(check(cell, "storm:4.total.max=9ns", NULL), IPI_KEPT_NO);
	assert_int_equal(check(cell, "storm:1.total.max=9ns", NULL), IPI_KEPT_FOREIGN);
	ipi_result__delete(result);
}

static void test_quantiles(void **state)
{
	struct ipi_hist *hist = ipi_hist__new();
	int i;

	(void)state;
	assert_non_null(hist);
	for (i = 0; i < IPI_QUANTILE_NR; i++) {
		assert_int_equal(ipi_quantile__find(ipi_quantile__name(i)), i);
		assert_int_equal(ipi_quantile__of(hist, i), 0);
	}
	assert_int_equal(ipi_quantile__find("p95"), -1);
	for (i = 1; i <= 100; i++)
		ipi_hist__add(hist, (u64)i);
	assert_int_equal(ipi_quantile__of(hist, IPI_QUANTILE_MIN), 1);
	assert_int_equal(ipi_quantile__of(hist, IPI_QUANTILE_P50), 50);
	assert_int_equal(ipi_quantile__of(hist, IPI_QUANTILE_P90), 90);
	assert_int_equal(ipi_quantile__of(hist, IPI_QUANTILE_P99), 99);
	assert_int_equal(ipi_quantile__of(hist, IPI_QUANTILE_P999), 100);
	assert_int_equal(ipi_quantile__of(hist, IPI_QUANTILE_MAX), 100);
	ipi_hist__delete(hist);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_storm),
		cmocka_unit_test(test_quantiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
