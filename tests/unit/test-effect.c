// SPDX-License-Identifier: GPL-2.0
/*
 * The statistics of a comparison: tails against printed tables, intervals that cover a known effect
 * as often as they say, and no claim without grounds. Synthetic data, seeded.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/stats/effect.h"

#define TRIALS		1000
#define REPETITIONS	20

static u64 state;

static double uniform(void)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Repetitions around @centre, whose logarithms have the deviation @noise. */
static void draw(double *value, int nr, double centre, double noise)
{
	int i;

	for (i = 0; i < nr; i++)
		value[i] = centre * exp(noise * normal());
}

static void expect_near(double got, double want, double error)
{
	if (!(fabs(got - want) <= error))
		fail_msg("%.12g, not %.12g", got, want);
}

/* Tables of Student's t: 5 %, 1 % and 0.1 %, two-sided. */
static void test_tables(void **unused)
{
	static const struct {
		double df, alpha, t;
	} table[] = {
		{ 1, 0.05, 12.706 }, { 2, 0.05, 4.303 }, { 5, 0.05, 2.571 }, { 10, 0.05, 2.228 },
		{ 30, 0.05, 2.042 }, { 4, 0.01, 4.604 }, { 20, 0.01, 2.845 }, { 10, 0.001, 4.587 },
		{ 60, 0.001, 3.460 }, { 1e6, 0.05, 1.960 },
	};
	unsigned int i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		expect_near(ipi_effect__critical(table[i].alpha, table[i].df), table[i].t, 0.0006);
		expect_near(ipi_effect__tail(table[i].t, table[i].df), table[i].alpha,
			    table[i].alpha / 500);
		expect_near(ipi_effect__tail(-table[i].t, table[i].df), table[i].alpha,
			    table[i].alpha / 500);
	}
	expect_near(ipi_effect__tail(0, 7), 1, 1 / 1e12);
	/* df = 1 is Cauchy's, which has a closed form far out. */
	expect_near(ipi_effect__tail(1e6, 1), 2 / 3.14159265358979 * 1 / 1e6, 1 / 1e12);
	assert_true(ipi_effect__tail(40, 10) > 0 && ipi_effect__tail(40, 10) < 1 / 1e10);
}

/* 93 to 97 of 100 intervals hold the truth, for few repetitions and for many. */
static void test_coverage(void **unused)
{
	static const int nr[] = { 3, 5, 10, 20 };
	double base[REPETITIONS], new[REPETITIONS];
	unsigned int i;
	int trial;

	(void)unused;
	for (i = 0; i < (getenv("IPI_TEST_QUICK") ? 1 : ARRAY_SIZE(nr)); i++) {
		struct ipi_series a = { base, nr[i], 1 }, b = { new, nr[i], 1 };
		int covered = 0;

		state = 42;
		for (trial = 0; trial < TRIALS; trial++) {
			struct ipi_effect effect;

			draw(base, nr[i], 2000, 0.05);
			draw(new, nr[i], 2200, 0.05);
			assert_int_equal(ipi_effect__estimate(&a, &b, 0.001, (u64)trial, &effect),
					 0);
			assert_true(effect.low <= effect.ratio && effect.ratio <= effect.high);
			covered += effect.low <= 1.1 && 1.1 <= effect.high;
		}
		if (covered < 930 || covered > 970)
			fail_msg("%d repetitions: %d of %d intervals hold 1.1", nr[i], covered,
				 TRIALS);
	}
}

/* What is said to be visible is seen in 4 of 5 comparisons; chance claims no more than it says. */
static void test_power(void **unused)
{
	double base[8], new[8];
	struct ipi_series a = { base, 8, 1 }, b = { new, 8, 1 };
	int seen = 0, fooled = 0;
	double visible = 0;
	int trial;

	(void)unused;
	state = 7;
	for (trial = 0; trial < TRIALS; trial++) {
		struct ipi_effect effect;

		draw(base, 8, 2000, 0.05);
		draw(new, 8, 2000, 0.05);
		assert_int_equal(ipi_effect__estimate(&a, &b, 0.01, 0, &effect), 0);
		fooled += effect.chance <= 0.01;
		visible += log(effect.visible) / TRIALS;
	}
	if (fooled < 2 || fooled > 22)
		fail_msg("%d of %d called a change where 10 are due", fooled, TRIALS);
	for (trial = 0; trial < TRIALS; trial++) {
		struct ipi_effect effect;

		draw(base, 8, 2000, 0.05);
		draw(new, 8, 2000 * exp(visible), 0.05);
		assert_int_equal(ipi_effect__estimate(&a, &b, 0.01, 0, &effect), 0);
		seen += effect.chance <= 0.01;
	}
	if (seen < 740 || seen > 860)
		fail_msg("%d of %d seen where 800 are due", seen, TRIALS);
}

static void test_few(void **unused)
{
	static const double one[] = { 100 }, two[] = { 200, 220 }, three[] = { 300, 310, 320 };
	static const struct ipi_series series[] = { { one, 1, 1 }, { two, 2, 1 }, { three, 3, 1 } };
	struct ipi_effect effect;
	int i, j;

	(void)unused;
	for (i = 0; i < 3; i++) {
		for (j = 0; j < 3; j++) {
			assert_int_equal(ipi_effect__estimate(&series[i], &series[j], 0.001, 0,
							      &effect), 0);
			assert_int_equal(isnan(effect.low), i < 2 || j < 2);
			assert_int_equal(isnan(effect.high), i < 2 || j < 2);
			assert_int_equal(isnan(effect.visible), i < 2 || j < 2);
			if (i < 2 || j < 2)
				assert_true(effect.chance == 1);
		}
	}
	assert_int_equal(ipi_effect__estimate(&series[0], &series[1], 0.001, 0, &effect), 0);
	expect_near(effect.base, 100, 1 / 1e9);
	expect_near(effect.new, sqrt(200 * 220), 1 / 1e9);
	expect_near(effect.ratio, effect.new / 100, 1 / 1e9);
}

/* Numbers without any spread are known to their resolution, no better. */
static void test_resolution(void **unused)
{
	static const double base[] = { 16, 16, 16, 16, 16, 16 };
	static const double tick[] = { 32, 32, 32, 32, 32, 32 };
	static const double now_and_then[] = { 16, 32, 16 };
	static const double far[] = { 116, 116, 116, 116, 116, 116 };
	static const double long_[] = { 1600, 1600, 1600, 1600, 1600, 1600 };
	struct ipi_series coarse = { base, 6, 16 }, next = { tick, 6, 16 }, more = { far, 6, 16 };
	struct ipi_series fine = { long_, 6, 16 }, waver = { now_and_then, 3, 16 };
	struct ipi_effect effect;

	(void)unused;
	assert_int_equal(ipi_effect__estimate(&coarse, &coarse, 1 / 1e5, 0, &effect), 0);
	expect_near(effect.ratio, 1, 1 / 1e12);
	assert_true(effect.low < 0.9 && effect.high > 1.1);
	assert_int_equal(ipi_effect__estimate(&coarse, &next, 1 / 1e5, 0, &effect), 0);
	assert_true(effect.chance > 1 / 1e5);
	assert_int_equal(ipi_effect__estimate(&coarse, &more, 1 / 1e5, 0, &effect), 0);
	assert_true(effect.chance < 1 / 1e5 && effect.low > 3);
	/* One tick more now and then is rounding as well. */
	assert_int_equal(ipi_effect__estimate(&waver, &coarse, 1 / 1e5, 0, &effect), 0);
	assert_true(effect.chance > 0.01);
	assert_int_equal(ipi_effect__estimate(&waver, &more, 1 / 1e5, 0, &effect), 0);
	assert_true(effect.chance < 1 / 1e5 && effect.low > 2);
	assert_int_equal(ipi_effect__estimate(&fine, &fine, 1 / 1e5, 0, &effect), 0);
	assert_true(effect.low > 0.98 && effect.high < 1.02);
}

static void test_repeats(void **unused)
{
	double base[6], new[6];
	struct ipi_series a = { base, 6, 1 }, b = { new, 6, 1 };
	struct ipi_effect first, second, turned;

	(void)unused;
	state = 3;
	draw(base, 6, 1000, 0.1);
	draw(new, 6, 1500, 0.1);
	assert_int_equal(ipi_effect__estimate(&a, &b, 0.001, 5, &first), 0);
	assert_int_equal(ipi_effect__estimate(&a, &b, 0.001, 5, &second), 0);
	assert_memory_equal(&first, &second, sizeof(first));
	assert_int_equal(ipi_effect__estimate(&b, &a, 0.001, 5, &turned), 0);
	expect_near(turned.ratio * first.ratio, 1, 1 / 1e12);
	expect_near(turned.chance, first.chance, 1 / 1e12);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_resolution),
		cmocka_unit_test(test_repeats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
