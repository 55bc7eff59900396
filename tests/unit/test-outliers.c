// SPDX-License-Identifier: GPL-2.0
/*
 * Fleets: alike ones, in which nobody is named; planted machines, which are, whatever a minority of
 * others does; rows that don't fit together; facts.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/stats/outliers.h"
#include "noise.h"

#define ROWS		10

static struct ipi_cell *add(struct ipi_result *result, int src, int targets, double ns)
{
	struct ipi_cell *cell = ipi_result__add_cell(result);
	int i;

	assert_non_null(cell);
	cell->scenario = IPI_SCENARIO_MULTICAST;
	cell->target = IPI_TARGET_BUSY;
	cell->src = src;
	for (i = 0; i < targets; i++)
		assert_int_equal(ipi_cpus__add(&cell->dst, src + 1 + i), 0);
	assert_non_null(ipi_cell__hist(cell, IPI_STAGE_TOTAL));
	assert_non_null(ipi_cell__hist(cell, IPI_STAGE_SEND));
	assert_non_null(ipi_cell__hist(cell, IPI_STAGE_DELIVER));
	for (i = 0; i < 100; i++) {
		ipi_hist__add(cell->stage[IPI_STAGE_TOTAL], (u64)ns + (u64)i);
		ipi_hist__add(cell->stage[IPI_STAGE_SEND], 300);
		ipi_hist__add(cell->stage[IPI_STAGE_DELIVER], (u64)ns - 400);
	}
	return cell;
}

/*
 * A machine: rows of 1, 2, ... targets, each off by a share, the one with @slow targets by a
 * factor.
 */
static void add_host(struct ipi_fleet *fleet, const char *name, double off, int slow, double factor)
{
	struct ipi_result *result = ipi_result__new();
	int k;

	assert_non_null(result);
	assert_int_equal(ipi_facts__str(&result->environment, "governor",
					factor > 1 ? "powersave" : "performance"), 0);
	for (k = 1; k <= ROWS; k++)
		add(result, 0, k, (2000 + 100 * k) * exp(off * noise()) * (k == slow ? factor : 1));
	assert_int_equal(ipi_fleet__add(fleet, name, result), 0);
	ipi_result__delete(result);
}

static void test_alike(void **unused)
{
	static const int sizes[] = { 4, 5, 6, 8, 12, 30 };
	int trial, named = 0;

	(void)unused;
	noise_state = 1;
	for (trial = 0; trial < 200; trial++) {
		int nr = sizes[trial % (int)ARRAY_SIZE(sizes)];
		struct ipi_fleet fleet = { .nr_host = 0 };
		int h;

		for (h = 0; h < nr; h++)
			add_host(&fleet, "host", 0.05, 0, 1);
		assert_int_equal(ipi_fleet__judge(&fleet, 0.01), 0);
		assert_int_equal(fleet.nr_usual, 2 * ROWS);
		named += fleet.nr_off > 0;
		ipi_fleet__free(&fleet);
	}
	/* 10 are due where nothing but chance speaks. */
	assert_true(named <= 20);
}

/* One slow row of one host of 20, and of 4. */
static void test_planted(void **unused)
{
	static const struct {
		int hosts;
		double off;
		double factor;
	} fleets[] = { { 20, 0.02, 1.4 }, { 4, 0.001, 2 }, { 20, 0.02, 0.6 } };
	unsigned int f;

	(void)unused;
	noise_state = 3;
	for (f = 0; f < ARRAY_SIZE(fleets); f++) {
		struct ipi_fleet fleet = { .nr_host = 0 };
		char name[16];
		int h;

		for (h = 0; h < fleets[f].hosts; h++) {
			snprintf(name, sizeof(name), "host%d", h);
			add_host(&fleet, name, fleets[f].off, h == 2 ? 7 : 0,
				 h == 2 ? fleets[f].factor : 1);
		}
		assert_int_equal(ipi_fleet__judge(&fleet, 0.1), 0);
		assert_int_equal(fleet.nr_off, 2);
		assert_int_equal(fleet.off[0].host, 2);
		assert_int_equal(fleet.usual[fleet.off[0].usual].cell->dst.nr, 7);
		assert_int_equal(fleet.usual[fleet.off[0].usual].figure, IPI_QUANTILE_P50);
		assert_int_equal(fleet.usual[fleet.off[1].usual].figure, IPI_QUANTILE_P99);
		assert_true(fabs(fleet.off[0].ratio / fleets[f].factor - 1) < 0.1);
		assert_int_equal(fleet.off[0].stage, IPI_STAGE_DELIVER);
		assert_int_equal(fleet.host[2].off, 2);
		assert_int_equal(fleet.host[2].figures, 2 * ROWS);
		assert_string_equal(fleet.host[2].name, "host2");
		assert_int_equal(fleet.host[1].off, 0);
		assert_int_equal(fleet.host[1].worst, -1);
		ipi_fleet__free(&fleet);
	}
}

/* Off by less than the threshold, however clear: nobody asked. */
static void test_threshold(void **unused)
{
	double threshold;

	(void)unused;
	for (threshold = 0.3; threshold < 0.8; threshold += 0.4) {
		struct ipi_fleet fleet = { .nr_host = 0 };
		int h;

		for (h = 0; h < 10; h++)
			add_host(&fleet, "host", 0, h == 9, 1.5);
		assert_int_equal(ipi_fleet__judge(&fleet, threshold), 0);
		assert_int_equal(fleet.nr_off, threshold < 0.5 ? 2 : 0);
		ipi_fleet__free(&fleet);
	}
}

/* Three of ten are slow in the same way: the others are still what is usual. */
static void test_many_off(void **unused)
{
	struct ipi_fleet fleet = { .nr_host = 0 };
	int h;

	(void)unused;
	noise_state = 5;
	for (h = 0; h < 10; h++)
		add_host(&fleet, "host", 0.002, h < 3 ? 5 : 0, 3);
	assert_int_equal(ipi_fleet__judge(&fleet, 0.1), 0);
	assert_int_equal(fleet.nr_off, 6);
	for (h = 0; h < 10; h++)
		assert_int_equal(fleet.host[h].off, h < 3 ? 2 : 0);
	ipi_fleet__free(&fleet);
}

/* Three machines are nobody's fleet, and rows that three have are not judged. */
static void test_few(void **unused)
{
	struct ipi_fleet fleet = { .nr_host = 0 };
	int h;

	(void)unused;
	for (h = 0; h < 3; h++)
		add_host(&fleet, "host", 0, h == 1, 50);
	assert_int_equal(ipi_fleet__judge(&fleet, 0.1), 0);
	assert_int_equal(fleet.nr_off, 0);
	assert_int_equal(fleet.nr_usual, 2 * ROWS);
	assert_true(isnan(fleet.usual[0].limit));
	ipi_fleet__free(&fleet);

	memset(&fleet, 0, sizeof(fleet));
	assert_int_equal(ipi_fleet__judge(&fleet, 0.1), 0);
	assert_int_equal(fleet.nr_usual, 0);
	ipi_fleet__free(&fleet);
}

/*
 * Machines use what CPUs they have: rows are the same without them. But of two rows of one kind on
 * a machine the CPUs tell which is which; repetitions are one row.
 */
static void test_places(void **unused)
{
	struct ipi_fleet fleet = { .nr_host = 0 };
	int h;

	(void)unused;
	for (h = 0; h < 6; h++) {
		struct ipi_result *result = ipi_result__new();

		assert_non_null(result);
		add(result, 10 * h, 3, 5000);
		add(result, 10 * h, 3, 5000)->repetition = 1;
		add(result, 0, 1, 1000);
		add(result, 8, 1, h == 4 ? 9000 : 3000);
		add(result, 8, 2, 9000)->verdict = IPI_VERDICT_REFUSED;
		if (h != 5)
			add(result, 0, 4, 4000);
		assert_int_equal(ipi_fleet__add(&fleet, "host", result), 0);
		ipi_result__delete(result);
	}
	assert_int_equal(ipi_fleet__judge(&fleet, 0.1), 0);
	/* 0>1, 8>9, any>3 targets, any>4 targets; nothing that was refused. */
	assert_int_equal(fleet.nr_usual, 8);
	assert_true(fleet.usual[0].places);
	assert_int_equal(fleet.usual[0].cell->src, 0);
	assert_int_equal(fleet.usual[2].cell->src, 8);
	assert_false(fleet.usual[4].places);
	assert_int_equal(fleet.usual[4].hosts, 6);
	assert_int_equal(fleet.usual[6].hosts, 5);
	assert_int_equal(fleet.nr_off, 2);
	assert_int_equal(fleet.off[0].host, 4);
	assert_int_equal(fleet.off[0].usual, 2);
	assert_int_equal(fleet.host[5].lacks, 1);
	assert_int_equal(fleet.host[5].first_lack->dst.nr, 4);
	assert_int_equal(fleet.host[4].lacks, 0);
	ipi_fleet__free(&fleet);
}

static void test_facts(void **unused)
{
	struct ipi_fleet fleet = { .nr_host = 0 };
	unsigned int i;
	int h;

	(void)unused;
	for (h = 0; h < 5; h++)
		add_host(&fleet, "host", 0, h == 1, h == 1 ? 2 : 1);
	for (i = 0; i < IPI_ALIKE_FACTS; i++) {
		bool governor = !strcmp(ipi_alike__fact(i), "governor");

		assert_string_equal(ipi_fleet__usual_fact(&fleet, i),
				    governor ? "performance" : "-");
		if (governor)
			assert_string_equal(fleet.host[1].fact[i], "powersave");
	}
	ipi_fleet__free(&fleet);
	memset(&fleet, 0, sizeof(fleet));
	for (h = 0; h < 4; h++)
		add_host(&fleet, "host", 0, h < 2, h < 2 ? 2 : 1);
	for (i = 0; i < IPI_ALIKE_FACTS; i++) {
		if (!strcmp(ipi_alike__fact(i), "governor"))
			assert_null(ipi_fleet__usual_fact(&fleet, i));
	}
	ipi_fleet__free(&fleet);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_planted),
		cmocka_unit_test(test_threshold),
		cmocka_unit_test(test_many_off),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
