// SPDX-License-Identifier: GPL-2.0
/*
 * A whole run on the fake backend: plan, passes, correlation, attachment, split, verdict. The
 * schedule is known, so the result is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/kernel.h>

#include "bench/ipi/run/pairs.h"
#include "bench/ipi/run/run.h"
#include "bench/ipi/why.h"

#define LOOP	300

static void begin(void *ctx, const struct ipi_result *result)
{
	int *begun = ctx;

	(*begun)++;
	/* What a header needs is there, and nothing is measured yet. */
	assert_non_null(ipi_facts__get(&result->environment, "cpus"));
	assert_int_equal(result->nr_cell, 0);
}

static void progress(void *ctx, unsigned int permille, const char *what)
{
	(void)ctx;
	assert_true(permille <= 1000);
	assert_non_null(what);
}

static void untraced(void *ctx, const struct ipi_why *why)
{
	(void)ctx;
	fail_msg("the fake source failed: %s", why->what);
}

static struct ipi_result *run(const char *cpus, unsigned int repeat, bool trace)
{
	static const struct ipi_run_ops ops = {
		.begin = begin, .progress = progress, .untraced = untraced,
	};
	struct ipi_options opt = {
		.cpus = cpus, .backend = "fake", .loop = LOOP, .loop_given = true,
		.repeat = repeat, .trace = trace, .version = "test", .pages = 16,
	};
	struct ipi_result *result = ipi_result__new();
	struct ipi_why why;
	int begun = 0;

	assert_non_null(result);
	memset(opt.scenario, 1, sizeof(opt.scenario));
	assert_int_equal(ipi_run(&opt, result, &ops, &begun, &why), 0);
	assert_int_equal(begun, 1);
	return result;
}

static void check_cell(const struct ipi_cell *cell)
{
	u64 targets = cell->scenario == IPI_SCENARIO_DRY_RUN ? 0 : (u64)cell->dst.nr;
	enum ipi_class class = cell->scenario == IPI_SCENARIO_SELF_CALL ? IPI_CLASS_LOCAL :
			       IPI_CLASS_INTERRUPT;
	int i;

	assert_int_equal(cell->untraced.calls, LOOP);
	assert_int_equal(cell->traced.calls, LOOP);
	assert_int_equal(ipi_hist__count(cell->stage[IPI_STAGE_TOTAL]), LOOP);
	for (i = 0; i < IPI_CLASS_NR; i++)
		assert_int_equal(cell->classes[i], (int)class == i ? LOOP * targets : 0);
	assert_int_equal(cell->lost + cell->negative + cell->foreign + cell->uncertain, 0);
	assert_int_equal(cell->untraced.errors + cell->traced.errors, 0);
}

static void test_all(void **state)
{
	struct ipi_result *result = run("0-9", 1, true);
	int i;

	(void)state;
	assert_string_equal(result->title, "all");
	assert_string_equal(result->trace, "");
	/* With five multicasts and four storms. */
	assert_int_equal(result->nr_cell, 9 + 5 + 4);
	for (i = 0; i < result->nr_cell; i++)
		check_cell(&result->cell[i]);
	ipi_result__delete(result);
}

/* Each stage of one target, to the ns: minimum and maximum of a histogram are exact. */
static void test_stages(void **state)
{
	static const struct {
		enum ipi_stage stage;
		u64 ns;
	} expected[] = {
		{ IPI_STAGE_SEND, 300 },	{ IPI_STAGE_DELIVER, 600 },
		{ IPI_STAGE_DISPATCH, 100 },	{ IPI_STAGE_HANDLE, 200 },
		{ IPI_STAGE_SEND_LATENCY, 900 }, { IPI_STAGE_HANDLER_LATENCY, 300 },
		{ IPI_STAGE_DELIVERY, 1000 },
	};
	struct ipi_result *result = run("0-1", 1, true);
	const struct ipi_cell *cell = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < (size_t)result->nr_cell && !cell; i++) {
		if (result->cell[i].scenario == IPI_SCENARIO_NORMAL)
			cell = &result->cell[i];
	}
	assert_non_null(cell);
	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct ipi_hist *hist = cell->stage[expected[i].stage];

		assert_int_equal(ipi_hist__count(hist), LOOP);
		assert_int_equal(ipi_hist__min(hist), expected[i].ns);
		assert_int_equal(ipi_hist__max(hist), expected[i].ns);
	}
	assert_int_equal(cell->verdict, IPI_VERDICT_OK);
	assert_true(cell->ipis_per_call > 0.99 && cell->ipis_per_call < 1.01);
	assert_true(cell->observer_known);
	ipi_result__delete(result);
}

static void test_repetitions(void **state)
{
	/* Two of them multicasts, two storms. */
	enum { CELLS = 13 };
	struct ipi_result *result = run("0-2", 3, true);
	int i;

	(void)state;
	assert_int_equal(result->nr_cell, 3 * CELLS);
	for (i = 0; i < result->nr_cell; i++) {
		/* Interleaved: a whole round of cells, then the next. */
		assert_int_equal(result->cell[i].repetition, i / CELLS);
		check_cell(&result->cell[i]);
	}
	ipi_result__delete(result);
}

/* The measured sender's calls are one account, the others' another. */
static void test_storm(void **state)
{
	struct ipi_result *result = run("0-3", 1, true);
	int storms = 0;
	double rate;
	int i;

	(void)state;
	for (i = 0; i < result->nr_cell; i++) {
		const struct ipi_cell *cell = &result->cell[i];
		u64 others = (u64)cell->senders.nr - 1;

		if (cell->scenario != IPI_SCENARIO_STORM) {
			assert_int_equal(cell->untraced.others, 0);
			assert_true(cell->storm_rate < 0);
			continue;
		}
		storms++;
		assert_int_equal(cell->verdict, IPI_VERDICT_OK);
		assert_int_equal(cell->untraced.calls, LOOP);
		assert_int_equal(cell->untraced.others, LOOP * others);
		/* A call every 11.6 us, by each: 86206.9 a second. */
		rate = cell->storm_rate / (others + 1);
		assert_true(rate > 86206.8 && rate < 86207);
		assert_int_equal(ipi_cell__deliveries(cell), LOOP * 3);
	}
	assert_int_equal(storms, 2);
	ipi_result__delete(result);
}

static void test_untraced(void **state)
{
	struct ipi_result *result = run("0-2", 1, false);
	int i, stage;

	(void)state;
	for (i = 0; i < result->nr_cell; i++) {
		const struct ipi_cell *cell = &result->cell[i];

		assert_false(cell->traced.done);
		assert_false(cell->observer_known);
		for (stage = IPI_STAGE_DELIVERY; stage < IPI_STAGE_NR; stage++)
			assert_false(ipi_cell__measured(cell, (enum ipi_stage)stage));
	}
	ipi_result__delete(result);
}

static void test_one_cpu(void **state)
{
	struct ipi_result *result = run("5", 1, true);
	int ok = 0;
	int i;

	(void)state;
	for (i = 0; i < result->nr_cell; i++) {
		const struct ipi_cell *cell = &result->cell[i];

		if (cell->verdict == IPI_VERDICT_OK) {
			check_cell(cell);
			ok++;
		} else {
			assert_int_equal(cell->verdict, IPI_VERDICT_UNSUPPORTED);
			assert_non_null(strstr(cell->note, "needs t"));
		}
	}
	assert_int_equal(ok, 3);
	ipi_result__delete(result);
}

static void projected(void *ctx, int nr, u64 ns)
{
	int *told = ctx;

	(void)ns;
	*told += nr;
}

/* Each pair a cell, repetitions interleaved; fewer pairs where the time is short. */
static void test_matrix(void **state)
{
	static const struct ipi_run_ops ops = {
		.begin = begin, .progress = progress, .untraced = untraced,
		.projected = projected,
	};
	struct ipi_pair pair[] = { { .src = 1, .dst = 0 }, { .src = 0, .dst = 1 },
				   { .src = 0, .dst = 3 }, { .src = 3, .dst = 0 } };
	const struct ipi_pairs pairs = { .pair = pair, .nr = ARRAY_SIZE(pair), .least = 2 };
	struct ipi_options opt = {
		.cpus = "0-3", .backend = "fake", .loop = LOOP, .loop_given = true,
		.repeat = 2, .version = "test", .pages = 16, .pairs = &pairs,
	};
	struct ipi_result *result;
	struct ipi_why why;
	int pass;

	(void)state;
	for (pass = 0; pass < 3; pass++) {
		/* All of them; all, with stages; in no time as many as there must be. */
		int nr = pass < 2 ? 4 : 2;
		int told = 0;
		int i;

		opt.trace = pass == 1;
		opt.budget_ns = pass < 2 ? 0 : 1;
		result = ipi_result__new();
		assert_non_null(result);
		assert_int_equal(ipi_run(&opt, result, &ops, &told, &why), 0);
		assert_int_equal(told, 1 + nr);
		assert_string_equal(result->title, "matrix");
		assert_int_equal(result->nr_cell, 2 * nr);
		for (i = 0; i < result->nr_cell; i++) {
			const struct ipi_cell *cell = &result->cell[i];

			assert_int_equal(cell->repetition, i / nr);
			assert_int_equal(cell->src, pair[i % nr].src);
			assert_int_equal(cell->dst.cpu[0], pair[i % nr].dst);
			assert_int_equal(cell->verdict, IPI_VERDICT_OK);
			assert_string_equal(cell->note, "");
			assert_int_equal(ipi_hist__count(cell->stage[IPI_STAGE_TOTAL]), LOOP);
			assert_int_equal(ipi_hist__count(cell->stage[IPI_STAGE_DELIVER]),
					 pass == 1 ? LOOP : 0);
		}
		assert_null(ipi_facts__get(&result->environment, "src"));
		ipi_result__delete(result);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_repetitions),
		cmocka_unit_test(test_storm),
		cmocka_unit_test(test_untraced),
		cmocka_unit_test(test_one_cpu),
		cmocka_unit_test(test_matrix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
