// SPDX-License-Identifier: GPL-2.0
/*
 * Two results beside each other: what is compared with what, what is claimed and what is not, what
 * else differed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/stats/compare.h"
#include "noise.h"

#define CALLS	200

static struct ipi_cell *add(struct ipi_result *result, enum ipi_scenario scenario, int src, int dst)
{
	struct ipi_cell *cell = ipi_result__add_cell(result);

	assert_non_null(cell);
	cell->scenario = scenario;
	cell->target = scenario == IPI_SCENARIO_DRY_RUN ? IPI_TARGET_NONE : IPI_TARGET_BUSY;
	cell->src = src;
	cell->verdict = IPI_VERDICT_OK;
	if (dst >= 0)
		assert_int_equal(ipi_cpus__add(&cell->dst, dst), 0);
	return cell;
}

/* Calls around @ns, all off by what this repetition is off, and each by its own. */
static void fill(struct ipi_cell *cell, enum ipi_stage stage, double ns, double off)
{
	struct ipi_hist *hist = ipi_cell__hist(cell, stage);
	double centre = ns * exp(off * noise());
	int i;

	assert_non_null(hist);
	for (i = 0; i < CALLS; i++)
		ipi_hist__add(hist, (u64)(centre * exp(0.02 * noise()) + 0.5));
}

/* Repetitions of four rows, with the stages that are set. */
static struct ipi_result *run_of(int repetitions, double total, double send, double off)
{
	static const enum ipi_scenario scenarios[] = {
		IPI_SCENARIO_DRY_RUN, IPI_SCENARIO_NORMAL, IPI_SCENARIO_BROADCAST,
		IPI_SCENARIO_WAKE,
	};
	struct ipi_result *result = ipi_result__new();
	unsigned int s;
	int r;

	assert_non_null(result);
	for (r = 0; r < repetitions; r++) {
		for (s = 0; s < ARRAY_SIZE(scenarios); s++) {
			struct ipi_cell *cell = add(result, scenarios[s], 0, s ? 1 : -1);

			cell->repetition = (unsigned int)r;
			fill(cell, IPI_STAGE_TOTAL, s ? total : 250, off);
			if (s)
				fill(cell, IPI_STAGE_SEND, send, off);
		}
	}
	return result;
}

static int count(const struct ipi_compare *compare, enum ipi_change_verdict verdict)
{
	int nr = 0;
	int i;

	for (i = 0; i < compare->nr; i++)
		nr += compare->change[i].verdict == verdict;
	return nr;
}

/* Nothing has changed, a hundred times, on calm machines and on noisy ones: no claim. */
static void test_same(void **unused)
{
	static const double off[] = { 0, 0.01, 0.05, 0.2 };
	int trial, decided = 0;

	(void)unused;
	noise_state = 1;
	for (trial = 0; trial < 100; trial++) {
		int nr = 3 + trial % 8;
		struct ipi_result *a = run_of(nr, 1700, 600, off[trial % 4]);
		struct ipi_result *b = run_of(nr, 1700, 600, off[trial % 4]);
		struct ipi_compare compare;

		assert_int_equal(ipi_compare__make(&compare, a, b, 0.03), 0);
		assert_int_equal(compare.nr, 7);
		assert_false(ipi_compare__any(&compare, IPI_CHANGE_WORSE));
		assert_false(ipi_compare__any(&compare, IPI_CHANGE_BETTER));
		decided += count(&compare, IPI_CHANGE_SAME);
		assert_string_equal(compare.differs, "");
		ipi_compare__free(&compare);
		ipi_result__delete(a);
		ipi_result__delete(b);
	}
	/* On the calm ones it is said that it is the same. */
	assert_true(decided > 150);
}

/* A change is found in its own stage and in no other, either way round. */
static void test_planted(void **unused)
{
	int trial, i;

	(void)unused;
	noise_state = 2;
	for (trial = 0; trial < 20; trial++) {
		struct ipi_result *a = run_of(8, 1700, 600, 0.005);
		struct ipi_result *b = run_of(8, 1700, 660, 0.005);
		struct ipi_compare there, back;

		assert_int_equal(ipi_compare__make(&there, a, b, 0.03), 0);
		assert_int_equal(ipi_compare__make(&back, b, a, 0.03), 0);
		for (i = 0; i < there.nr; i++) {
			bool send = there.change[i].stage == IPI_STAGE_SEND;

			assert_int_equal(there.change[i].verdict,
					 send ? IPI_CHANGE_WORSE : IPI_CHANGE_SAME);
			assert_int_equal(back.change[i].verdict,
					 send ? IPI_CHANGE_BETTER : IPI_CHANGE_SAME);
			if (send)
				assert_true(there.change[i].p50.ratio > 1.08 &&
					    there.change[i].p50.ratio < 1.12);
		}
		ipi_compare__free(&there);
		ipi_compare__free(&back);
		ipi_result__delete(a);
		ipi_result__delete(b);
	}
}

/* The same change, where the user says that so much doesn't matter. */
static void test_threshold(void **unused)
{
	struct ipi_result *a, *b;
	struct ipi_compare compare;

	(void)unused;
	noise_state = 3;
	a = run_of(10, 1700, 600, 0.005);
	b = run_of(10, 1870, 660, 0.005);
	assert_int_equal(ipi_compare__make(&compare, a, b, 0.03), 0);
	assert_int_equal(count(&compare, IPI_CHANGE_WORSE), 6);
	ipi_compare__free(&compare);
	assert_int_equal(ipi_compare__make(&compare, a, b, 0.2), 0);
	assert_int_equal(count(&compare, IPI_CHANGE_SAME), 7);
	ipi_compare__free(&compare);
	assert_int_equal(ipi_compare__make(&compare, a, b, 0.1), 0);
	assert_int_equal(count(&compare, IPI_CHANGE_WORSE), 0);
	ipi_compare__free(&compare);
	ipi_result__delete(a);
	ipi_result__delete(b);
}

/* One or two repetitions, however far apart: no claim. */
static void test_few(void **unused)
{
	struct ipi_compare compare;
	int nr;

	(void)unused;
	noise_state = 4;
	for (nr = 1; nr <= 2; nr++) {
		struct ipi_result *a = run_of(nr, 1000, 100, 0.01);
		struct ipi_result *b = run_of(5, 9000, 900, 0.01);

		assert_int_equal(ipi_compare__make(&compare, a, b, 0.03), 0);
		assert_int_equal(compare.nr, 7);
		assert_int_equal(count(&compare, IPI_CHANGE_UNDECIDED), 7);
		assert_int_equal(compare.change[0].nr_base, nr);
		assert_int_equal(compare.change[0].nr_new, 5);
		assert_true(isnan(compare.change[0].p50.low));
		ipi_compare__free(&compare);
		ipi_result__delete(a);
		ipi_result__delete(b);
	}
}

static struct ipi_cell *add_filled(struct ipi_result *result, int src, int dst)
{
	struct ipi_cell *cell = add(result, IPI_SCENARIO_NORMAL, src, dst);

	fill(cell, IPI_STAGE_TOTAL, 1000 * (src + 1) + dst, 0);
	return cell;
}

/* One pair may be another on another machine; of several each is compared with itself. */
static void test_places(void **unused)
{
	struct ipi_result *one = ipi_result__new(), *other = ipi_result__new();
	struct ipi_result *many = ipi_result__new();
	struct ipi_compare compare;
	int i;

	(void)unused;
	add_filled(one, 0, 1);
	add_filled(other, 4, 5);
	for (i = 5; i >= 1; i--)
		add_filled(many, 0, i);
	add_filled(many, 1, 0);

	assert_int_equal(ipi_compare__make(&compare, one, other, 0.03), 0);
	assert_int_equal(compare.nr, 1);
	assert_ptr_equal(compare.change[0].new, &other->cell[0]);
	ipi_compare__free(&compare);

	/* Of several none stands for another CPU's. */
	assert_int_equal(ipi_compare__make(&compare, other, many, 0.03), 0);
	assert_int_equal(compare.nr, 0);
	assert_int_equal(compare.only_base, 1);
	assert_int_equal(compare.only_new, 6);
	ipi_compare__free(&compare);

	assert_int_equal(ipi_compare__make(&compare, one, many, 0.03), 0);
	assert_int_equal(compare.nr, 1);
	assert_int_equal(compare.change[0].new->dst.cpu[0], 1);
	assert_int_equal(compare.only_new, 5);
	ipi_compare__free(&compare);

	assert_int_equal(ipi_compare__make(&compare, many, many, 0.03), 0);
	assert_int_equal(compare.nr, 6);
	for (i = 0; i < compare.nr; i++)
		assert_ptr_equal(compare.change[i].base, compare.change[i].new);
	ipi_compare__free(&compare);
	ipi_result__delete(one);
	ipi_result__delete(other);
	ipi_result__delete(many);
}

/* A row without a headline says nothing about one that has it, nor does another kind of row. */
static void test_left_out(void **unused)
{
	struct ipi_result *a = ipi_result__new(), *b = ipi_result__new();
	struct ipi_compare compare;

	(void)unused;
	add_filled(a, 0, 1);
	add_filled(b, 0, 1)->verdict = IPI_VERDICT_REFUSED;
	assert_int_equal(ipi_compare__make(&compare, a, b, 0.03), 0);
	assert_int_equal(compare.nr, 0);
	assert_int_equal(compare.only_base, 1);
	ipi_compare__free(&compare);
	b->cell[0].verdict = IPI_VERDICT_OK;
	b->cell[0].target = IPI_TARGET_IDLE;
	assert_int_equal(ipi_compare__make(&compare, a, b, 0.03), 0);
	assert_int_equal(compare.nr, 0);
	ipi_compare__free(&compare);
	b->cell[0].target = IPI_TARGET_BUSY;
	b->cell[0].nowait = true;
	assert_int_equal(ipi_compare__make(&compare, a, b, 0.03), 0);
	assert_int_equal(compare.nr, 0);
	ipi_compare__free(&compare);
	ipi_result__delete(a);
	ipi_result__delete(b);
}

static void test_differs(void **unused)
{
	struct ipi_result *a = ipi_result__new(), *b = ipi_result__new();
	struct ipi_compare compare;

	(void)unused;
	assert_int_equal(ipi_facts__str(&a->environment, "kernel", "6.1.0"), 0);
	assert_int_equal(ipi_facts__str(&b->environment, "kernel", "6.12.0"), 0);
	assert_int_equal(ipi_facts__str(&a->environment, "governor", "performance"), 0);
	assert_int_equal(ipi_facts__str(&a->environment, "date", "yesterday"), 0);
	assert_int_equal(ipi_facts__str(&b->environment, "date", "today"), 0);
	assert_int_equal(ipi_facts__num(&a->options, "gap_ns", 50000), 0);
	assert_int_equal(ipi_facts__num(&b->options, "gap_ns", 100), 0);
	snprintf(b->trace, sizeof(b->trace), "no tracefs");
	assert_int_equal(ipi_compare__make(&compare, a, b, 0.03), 0);
	assert_string_equal(compare.differs, "kernel: 6.1.0 / 6.12.0\ngovernor: performance / -\n"
			    "gap_ns: 50000 / 100\nsplit: by tracepoints / none");
	ipi_compare__free(&compare);
	ipi_result__delete(a);
	ipi_result__delete(b);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_planted),
		cmocka_unit_test(test_threshold),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_differs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
