// SPDX-License-Identifier: GPL-2.0
/*
 * Where a budget goes: nowhere without grounds, most to those cells whose repetitions are furthest
 * apart, and no further than the user said.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/run/budget.h"
#include "bench/ipi/run/options.h"
#include "bench/ipi/stats/spread.h"

#define CELLS	4
#define SECOND	1000000000ULL

/* Four cells; the further back, the further their repetitions are apart. */
struct bench {
	struct ipi_plan plan;
	struct ipi_spec spec[CELLS];
	struct ipi_options opt;
	struct ipi_result *result;
	bool chosen[CELLS];
};

static void begin(struct bench *bench)
{
	int i;

	memset(bench, 0, sizeof(*bench));
	for (i = 0; i < CELLS; i++) {
		bench->spec[i].scenario = IPI_SCENARIO_NORMAL;
		bench->spec[i].target = IPI_TARGET_BUSY;
		assert_int_equal(ipi_cpus__add(&bench->spec[i].dst, i + 1), 0);
	}
	bench->plan.spec = bench->spec;
	bench->plan.nr = CELLS;
	bench->opt.repeat = 1;
	bench->result = ipi_result__new();
	assert_non_null(bench->result);
}

static void end(struct bench *bench)
{
	int i;

	for (i = 0; i < CELLS; i++)
		ipi_cpus__free(&bench->spec[i].dst);
	ipi_result__delete(bench->result);
}

/* A repetition of a cell, @off to one side and then to the other. */
static void add(struct bench *bench, int index, unsigned int repetition, u64 off)
{
	struct ipi_cell *cell = ipi_result__add_cell(bench->result);

	assert_non_null(cell);
	cell->scenario = bench->spec[index].scenario;
	cell->target = bench->spec[index].target;
	cell->repetition = repetition;
	assert_int_equal(ipi_cpus__copy(&cell->dst, &bench->spec[index].dst), 0);
	assert_non_null(ipi_cell__hist(cell, IPI_STAGE_TOTAL));
	ipi_hist__add(cell->stage[IPI_STAGE_TOTAL], repetition & 1 ? 100000 + off : 100000 - off);
}

static void add_rounds(struct bench *bench, unsigned int rounds)
{
	static const u64 off[CELLS] = { 0, 1000, 5000, 20000 };
	unsigned int r;
	int i;

	for (r = 0; r < rounds; r++) {
		for (i = 0; i < CELLS; i++)
			add(bench, i, r, off[i]);
	}
}

static int choose(struct bench *bench, unsigned int repetition, u64 spent)
{
	return ipi_budget__choose(&bench->plan, &bench->opt, bench->result, repetition, spent,
				  bench->chosen);
}

static void expect_chosen(const struct bench *bench, const char *want)
{
	int i;

	for (i = 0; i < CELLS; i++) {
		if (bench->chosen[i] != (want[i] == 'x'))
			fail_msg("cell %d, %s", i, want);
	}
}

/* A number of repetitions is that number, whatever comes of them. */
static void test_number(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench);
	bench.opt.repeat = 2;
	assert_int_equal(choose(&bench, 0, 0), CELLS);
	expect_chosen(&bench, "xxxx");
	add_rounds(&bench, 1);
	assert_int_equal(choose(&bench, 1, 1000 * SECOND), CELLS);
	assert_int_equal(choose(&bench, 2, 0), 0);
	end(&bench);
}

static void test_time(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench);
	bench.opt.time_ns = 5 * SECOND;
	/* The first one in any case, two more if there is time. */
	assert_int_equal(choose(&bench, 0, 6 * SECOND), CELLS);
	assert_int_equal(choose(&bench, 1, 4 * SECOND), CELLS);
	assert_int_equal(choose(&bench, 2, 5 * SECOND), 0);
	add_rounds(&bench, 4);
	/* The first is known as well as it can be; of the other three the wider half. */
	assert_int_equal(choose(&bench, 4, 3 * SECOND), 2);
	expect_chosen(&bench, "..xx");
	assert_int_equal(choose(&bench, 4, 5 * SECOND), 0);
	end(&bench);
}

static void test_precision(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench);
	bench.opt.precision = 0.12;
	add_rounds(&bench, 4);
	/* 5 % to and fro over four repetitions is an interval of 9 %. */
	assert_int_equal(choose(&bench, 4, 10 * SECOND), 1);
	expect_chosen(&bench, "...x");
	/* One minute at most, where no time was given. */
	assert_int_equal(choose(&bench, 4, 61 * SECOND), 0);
	bench.opt.precision = 0.5;
	assert_int_equal(choose(&bench, 4, 10 * SECOND), 0);
	bench.opt.precision = 0.05;
	assert_int_equal(choose(&bench, 4, 10 * SECOND), 1);
	expect_chosen(&bench, "...x");
	bench.opt.precision = 0.001;
	assert_int_equal(choose(&bench, 4, 10 * SECOND), 2);
	expect_chosen(&bench, "..xx");
	end(&bench);
}

/* A cell without a headline takes no more of the time. */
static void test_refused(void **state)
{
	struct bench bench;
	int i;

	(void)state;
	begin(&bench);
	bench.opt.time_ns = 5 * SECOND;
	add_rounds(&bench, 3);
	for (i = 0; i < bench.result->nr_cell; i++) {
		if (bench.result->cell[i].dst.cpu[0] == 4)
			bench.result->cell[i].verdict = IPI_VERDICT_REFUSED;
	}
	assert_int_equal(choose(&bench, 3, SECOND), 1);
	expect_chosen(&bench, "..x.");
	end(&bench);
}

static void test_spread(void **state)
{
	struct ipi_spread *spread;
	struct bench bench;
	int nr;

	(void)state;
	begin(&bench);
	add_rounds(&bench, 2);
	spread = ipi_spread__make(bench.result, &nr);
	assert_non_null(spread);
	assert_int_equal(nr, CELLS);
	assert_true(isnan(spread[3].reach));
	free(spread);
	add(&bench, 3, 2, 20000);
	spread = ipi_spread__make(bench.result, &nr);
	assert_non_null(spread);
	assert_int_equal(spread[3].nr, 3);
	/* 80, 120 and 80 us: their geometric mean, and t(2) = 4.303 of 0.234 / sqrt(3). */
	assert_true(fabs(spread[3].mean - 91577) < 1000);
	assert_true(fabs(spread[3].reach - 0.789) < 0.03);
	assert_true(isnan(spread[0].reach));
	free(spread);
	end(&bench);
}

static void test_permille(void **state)
{
	struct ipi_options opt = { .repeat = 1 };

	(void)state;
	assert_int_equal(ipi_budget__permille(&opt, 7 * SECOND, 250), 250);
	opt.time_ns = 10 * SECOND;
	assert_int_equal(ipi_budget__permille(&opt, 7 * SECOND, 250), 700);
	assert_int_equal(ipi_budget__permille(&opt, 11 * SECOND, 250), 1000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_precision),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_permille),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
