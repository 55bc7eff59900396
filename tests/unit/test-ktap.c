// SPDX-License-Identifier: GPL-2.0
/*
 * KTAP, to the letter: plans that hold, names that are the same in every run, what is ok, not ok
 * and skipped.
 */
#include "render.h"

#include "bench/ipi/report/ktap.h"
#include "bench/ipi/stats/limit.h"

static void check(int nr, const struct ipi_result *result, const char *limit, const char *more,
		  const char *want)
{
	struct ipi_limits limits = { .nr = 0 };
	struct render render;

	if (limit)
		assert_int_equal(ipi_limits__add(&limits, limit), 0);
	if (more)
		assert_int_equal(ipi_limits__add(&limits, more), 0);
	render_begin(&render);
	ipi_ktap__begin(render.file, nr);
	ipi_ktap__print(render.file, nr > 1, "host", result, &limits);
	if (nr > 1)
		ipi_ktap__print(render.file, 2, "bad #2", NULL, &limits);
	render_expect(&render, want);
	ipi_limits__free(&limits);
}

static void test_rows(void **state)
{
	struct ipi_result *result = render_result();

	(void)state;
	check(1, result, NULL, NULL,
	      "KTAP version 1\n"
	      "1..4\n"
	      "# total: p50 50 ns, p99 99 ns\n"
	      "ok 1 normal/busy\n"
	      "# refused: polled, _1 of 2\n"
	      "ok 2 normal/idle # SKIP polled, _1 of 2\n"
	      "# unsupported: needs two CPUs\n"
	      "ok 3 broadcast/busy # SKIP needs two CPUs\n"
	      "# failed: CPU 1 went offline\n"
	      "not ok 4 wake/idle\n");
	ipi_result__delete(result);
}

/* Kept, exceeded, for a row without figures, for a stage without, for no row at all. */
static void test_limits(void **state)
{
	struct ipi_result *result = render_result();

	(void)state;
	check(1, result,
	      "normal.total.p99=99ns,normal/busy.total.max=99ns,normal/busy.ack.p50=1us",
	      "self-ipi.total.p50=1us,wake.total.p50=1us",
	      "KTAP version 1\n"
	      "1..5\n"
	      "  KTAP version 1\n"
	      "  1..3\n"
	      "  # total.p99: 99 ns, limit 99 ns\n"
	      "  ok 1 total.p99\n"
	      "  # total.max: 100 ns, limit 99 ns\n"
	      "  not ok 2 total.max\n"
	      "  # ack.p50: not known, limit 1000 ns\n"
	      "  ok 3 ack.p50 # SKIP not measured\n"
	      "# total: p50 50 ns, p99 99 ns\n"
	      "not ok 1 normal/busy\n"
	      "  KTAP version 1\n"
	      "  1..1\n"
	      "  # total.p99: not known, limit 99 ns\n"
	      "  ok 1 total.p99 # SKIP polled, _1 of 2\n"
	      "# refused: polled, _1 of 2\n"
	      "ok 2 normal/idle # SKIP polled, _1 of 2\n"
	      "# unsupported: needs two CPUs\n"
	      "ok 3 broadcast/busy # SKIP needs two CPUs\n"
	      "  KTAP version 1\n"
	      "  1..1\n"
	      "  # total.p50: not known, limit 1000 ns\n"
	      "  ok 1 total.p50 # SKIP CPU 1 went offline\n"
	      "# failed: CPU 1 went offline\n"
	      "not ok 4 wake/idle\n"
	      "ok 5 self-ipi.total.p50=1us # SKIP no such row\n");
	ipi_result__delete(result);
}

/* A headline is no good where calls failed or records were lost. */
static void test_damage(void **state)
{
	struct ipi_result *result = ipi_result__new();

	(void)state;
	assert_non_null(result);
	render_cell(result, IPI_SCENARIO_DRY_RUN, IPI_TARGET_NONE, 1)->untraced.errors = 3;
	render_cell(result, IPI_SCENARIO_SELF_IPI, IPI_TARGET_NONE, 1)->lost = 2;
	render_cell(result, IPI_SCENARIO_SELF_CALL, IPI_TARGET_NONE, 1)->interrupted = true;
	check(1, result, NULL, NULL,
	      "KTAP version 1\n"
	      "1..3\n"
	      "# total: p50 1 ns, p99 1 ns\n"
	      "# 3 calls failed their check, 0 records lost\n"
	      "not ok 1 dry-run\n"
	      "# total: p50 1 ns, p99 1 ns\n"
	      "# 0 calls failed their check, 2 records lost\n"
	      "not ok 2 self-ipi\n"
	      "# total: p50 1 ns, p99 1 ns\n"
	      "# 0 calls failed their check, 0 records lost, interrupted\n"
	      "not ok 3 self-call\n");
	ipi_result__delete(result);
}

/* Rows that differ in CPUs or repetition only have names of their own. */
static void test_names(void **state)
{
	struct ipi_result *result = ipi_result__new();
	int i;

	(void)state;
	assert_non_null(result);
	for (i = 0; i < 4; i++) {
		struct ipi_cell *cell;

		cell = render_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY, 1);
		cell->dst.cpu[0] = 1 + i % 2;
		cell->repetition = (unsigned int)i / 2;
	}
	check(1, result, NULL, NULL,
	      "KTAP version 1\n"
	      "1..4\n"
	      "# total: p50 1 ns, p99 1 ns\n"
	      "ok 1 normal/busy 0>1 repetition 1\n"
	      "# total: p50 1 ns, p99 1 ns\n"
	      "ok 2 normal/busy 0>2 repetition 1\n"
	      "# total: p50 1 ns, p99 1 ns\n"
	      "ok 3 normal/busy 0>1 repetition 2\n"
	      "# total: p50 1 ns, p99 1 ns\n"
	      "ok 4 normal/busy 0>2 repetition 2\n");
	ipi_result__delete(result);
}

/* Of several results each is a test; one that can't be read has failed. */
static void test_several(void **state)
{
	struct ipi_result *result = ipi_result__new();

	(void)state;
	assert_non_null(result);
	render_cell(result, IPI_SCENARIO_DRY_RUN, IPI_TARGET_NONE, 1);
	check(2, result, NULL, NULL,
	      "KTAP version 1\n"
	      "1..2\n"
	      "  KTAP version 1\n"
	      "  1..1\n"
	      "  # total: p50 1 ns, p99 1 ns\n"
	      "  ok 1 dry-run\n"
	      "ok 1 host\n"
	      "# can't be read\n"
	      "not ok 2 bad _2\n");
	ipi_result__delete(result);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_several),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
