// SPDX-License-Identifier: GPL-2.0
/*
 * Laws planted and found again: a straight line to the last digit, lines with noise and with knees,
 * what has no law; and the sweeps of a result.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/stats/law.h"
#include "noise.h"

#define TRIALS	300
#define TINY	(1 / 1e6)

/* As 112 CPUs give them. */
static const int sweep[] = { 1, 2, 4, 8, 16, 32, 64, 111 };

#define STEPS	((int)ARRAY_SIZE(sweep))

/* base + slope * k, and from each knee on another slope. */
struct planted {
	double base;
	double slope;
	double knee[2];
	double beyond[2];
	int nr_knee;
};

static const struct planted line = { .base = 1500, .slope = 66 };
static const struct planted one_knee = {
	.base = 1500, .slope = 66, .knee = { 16 }, .beyond = { 198 }, .nr_knee = 1,
};

static const struct planted two_knees = {
	.base = 400, .slope = 100, .knee = { 4, 32 }, .beyond = { 300, 50 }, .nr_knee = 2,
};

static double at(const struct planted *law, double k)
{
	double y = law->base + law->slope * k, slope = law->slope;
	int i;

	for (i = 0; i < law->nr_knee; i++) {
		if (k > law->knee[i])
			y += (law->beyond[i] - slope) * (k - law->knee[i]);
		slope = law->beyond[i];
	}
	return y;
}

/* Repetitions of the sweep, each point off by a share of itself. */
static int plant(const struct planted *law, int repetitions, double off,
		 struct ipi_fit_point *point)
{
	int nr = 0;
	int r, i;

	for (r = 0; r < repetitions; r++) {
		for (i = 0; i < STEPS; i++) {
			point[nr].x = sweep[i];
			point[nr].y = at(law, sweep[i]) * (off > 0 ? 1 + off * noise() : 1);
			nr++;
		}
	}
	return nr;
}

static struct ipi_fit fit_of(const struct planted *law, int repetitions, double off,
			     double resolution)
{
	struct ipi_fit_point point[64];
	struct ipi_fit fit;
	int nr = plant(law, repetitions, off, point);

	assert_int_equal(ipi_fit__make(point, nr, resolution, &fit), 0);
	return fit;
}

static void assert_near(double got, double want, double off)
{
	if (!(fabs(got - want) <= off))
		fail_msg("%g is not within %g of %g", got, off, want);
}

static void test_exact_line(void **unused)
{
	struct ipi_fit fit = fit_of(&line, 1, 0, 0);

	(void)unused;
	assert_near(fit.base, 1500, TINY);
	assert_near(fit.slope, 66, TINY);
	assert_near(fit.base_err, 0, TINY);
	assert_near(fit.slope_err, 0, TINY);
	assert_int_equal(fit.nr_knee, 0);
	/* Points that agree are no better known than they could be read. */
	fit = fit_of(&line, 1, 0, 0.0045);
	assert_true(fit.slope_err > 0.01 && fit.slope_err < 1);
	assert_near(fit.slope, 66, TINY);
}

static void test_exact_knees(void **unused)
{
	struct ipi_fit fit = fit_of(&one_knee, 1, 0, 0);

	(void)unused;
	assert_int_equal(fit.nr_knee, 1);
	assert_near(fit.base, 1500, TINY);
	assert_near(fit.slope, 66, TINY);
	assert_near(fit.knee[0].x, 16, 0);
	assert_near(fit.knee[0].slope, 198, TINY);
	fit = fit_of(&two_knees, 1, 0, 0);
	assert_int_equal(fit.nr_knee, 2);
	assert_near(fit.slope, 100, TINY);
	assert_near(fit.knee[0].x, 4, 0);
	assert_near(fit.knee[0].slope, 300, TINY);
	assert_near(fit.knee[1].x, 32, 0);
	assert_near(fit.knee[1].slope, 50, TINY);
}

/* A bend that nobody would call one. */
static void test_slight_bend(void **unused)
{
	struct planted slight = one_knee;
	struct ipi_fit fit;

	(void)unused;
	slight.beyond[0] = slight.slope * 1.1;
	fit = fit_of(&slight, 1, 0, 0);
	assert_int_equal(fit.nr_knee, 0);
	assert_near(fit.slope, 69, 3);
}

/* The errors that are printed are those that are made; no knee is made up. */
static void test_noise(void **unused)
{
	int covered = 0, bent = 0;
	int trial;

	(void)unused;
	noise_state = 1;
	for (trial = 0; trial < TRIALS; trial++) {
		struct ipi_fit fit = fit_of(&line, 5, 0.02, 0.0045);

		bent += fit.nr_knee > 0;
		covered += fabs(fit.slope - 66) <= 2 * fit.slope_err &&
			   fabs(fit.base - 1500) <= 2 * fit.base_err;
		assert_true(fit.slope_err < 2);
	}
	assert_true(bent <= TRIALS * 2 / 100);
	assert_true(covered >= TRIALS * 87 / 100);
}

static void test_noisy_knee(void **unused)
{
	int found = 0;
	int trial;

	(void)unused;
	noise_state = 2;
	for (trial = 0; trial < TRIALS; trial++) {
		struct ipi_fit fit = fit_of(&one_knee, 5, 0.02, 0.0045);

		if (fit.nr_knee != 1 || fit.knee[0].x != 16)
			continue;
		found++;
		assert_near(fit.knee[0].slope, 198, 6 * fit.knee[0].slope_err);
	}
	assert_true(found >= TRIALS * 95 / 100);
}

static void test_no_law(void **unused)
{
	const struct ipi_fit_point two[] = { { 1, 10 }, { 2, 20 }, { 1, 11 }, { 2, 21 } };
	const struct ipi_fit_point zero[] = { { 1, 10 }, { 2, 0 }, { 4, 40 } };
	struct ipi_fit fit;

	(void)unused;
	assert_int_equal(ipi_fit__make(two, 4, 0, &fit), -EDOM);
	assert_int_equal(ipi_fit__make(zero, 3, 0, &fit), -EDOM);
	assert_int_equal(ipi_fit__make(zero, 0, 0, &fit), -EDOM);
}

/* Three points are a law, the order of points is none of its business. */
static void test_order(void **unused)
{
	const struct ipi_fit_point up[] = { { 1, 11 }, { 2, 21 }, { 4, 41 } };
	const struct ipi_fit_point mixed[] = { { 4, 41 }, { 1, 11 }, { 2, 21 } };
	struct ipi_fit a, b;

	(void)unused;
	assert_int_equal(ipi_fit__make(up, 3, 0.01, &a), 0);
	assert_int_equal(ipi_fit__make(mixed, 3, 0.01, &b), 0);
	assert_near(a.base, 1, TINY);
	assert_near(a.slope, 10, TINY);
	assert_near(b.slope, a.slope, TINY);
	assert_near(b.slope_err, a.slope_err, TINY);
}

static struct ipi_cell *add_row(struct ipi_result *result, enum ipi_target target, int src, int k,
				u64 ns)
{
	struct ipi_cell *cell = ipi_result__add_cell(result);
	int i;

	assert_non_null(cell);
	cell->scenario = IPI_SCENARIO_MULTICAST;
	cell->target = target;
	cell->src = src;
	for (i = 0; i < k; i++)
		assert_int_equal(ipi_cpus__add(&cell->dst, 100 + i), 0);
	assert_non_null(ipi_cell__hist(cell, IPI_STAGE_TOTAL));
	ipi_hist__add(cell->stage[IPI_STAGE_TOTAL], ns);
	return cell;
}

/* A law for each sender and state; rows without a headline are no points. */
static void test_sweeps(void **unused)
{
	struct ipi_result *result = ipi_result__new();
	struct ipi_law *laws;
	int k;

	(void)unused;
	assert_non_null(result);
	for (k = 1; k <= 4; k++) {
		add_row(result, IPI_TARGET_BUSY, 0, k, 20 + 10 * (u64)k);
		add_row(result, IPI_TARGET_IDLE, 0, k, 40 + 5 * (u64)k);
		add_row(result, IPI_TARGET_BUSY, 7, k, 10 + 20 * (u64)k);
	}
	add_row(result, IPI_TARGET_BUSY, 0, 5, 9999)->verdict = IPI_VERDICT_REFUSED;
	add_row(result, IPI_TARGET_BUSY, 0, 5, 9999)->scenario = IPI_SCENARIO_BROADCAST;
	/* No law in two of them. */
	add_row(result, IPI_TARGET_KERNEL, 0, 1, 10);
	add_row(result, IPI_TARGET_KERNEL, 0, 2, 20);
	assert_int_equal(ipi_law__list(result, &laws), 3);
	assert_int_equal(laws[0].nr, 4);
	assert_int_equal(laws[0].cell->target, IPI_TARGET_BUSY);
	assert_near(laws[0].fit.base, 20, TINY);
	assert_near(laws[0].fit.slope, 10, TINY);
	assert_int_equal(laws[1].cell->target, IPI_TARGET_IDLE);
	assert_near(laws[1].fit.slope, 5, TINY);
	assert_int_equal(laws[2].cell->src, 7);
	assert_near(laws[2].fit.slope, 20, TINY);
	free(laws);
	ipi_result__delete(result);

	result = ipi_result__new();
	assert_non_null(result);
	assert_int_equal(ipi_law__list(result, &laws), 0);
	assert_null(laws);
	ipi_result__delete(result);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact_line),
		cmocka_unit_test(test_exact_knees),
		cmocka_unit_test(test_slight_bend),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_noisy_knee),
		cmocka_unit_test(test_no_law),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_sweeps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
