// SPDX-License-Identifier: GPL-2.0
/*
 * A result as a matrix, and what is found in one: all that was planted, and nothing else.
 */
#include <stdio.h>
#include <linux/kernel.h>

#include "matrix-sample.h"

#include "bench/ipi/stats/matrix.h"
#include "bench/ipi/stats/median.h"

static void test_median(void **state)
{
	double odd[] = { 9, 1, 5 };
	double even[] = { 4, 1, 3, 100 };
	double one[] = { 7 };

	(void)state;
	assert_true(ipi_median(odd, 3) == 5);
	assert_true(ipi_median(even, 4) == 3.5);
	assert_true(ipi_median(one, 1) == 7);
	/* Distances 0, 4, 4: whatever the farthest is. */
	assert_true(ipi_median__spread(odd, 3, 5) == 1.4826 * 4);
	assert_true(ipi_median__spread(one, 1, 7) == 0);
}

static int place_of(const struct ipi_matrix *matrix, int cpu)
{
	int i;

	for (i = 0; i < matrix->nr && matrix->cpu[i] != cpu; i++)
		;
	assert_int_not_equal(i, matrix->nr);
	return i;
}

/* Repetitions are put together by their median; what has no headline is not there. */
static void test_pairs(void **state)
{
	static const int p50[] = { 1000, 5000, 1100 };
	struct ipi_result *result = ipi_result__new();
	const struct ipi_matrix_pair *pair;
	struct ipi_matrix_class class;
	struct ipi_matrix *matrix;
	int i;

	(void)state;
	assert_non_null(result);
	result->topology = machine__make(4, 1, 2, 4);
	for (i = 0; i < 3; i++)
		matrix_stage(matrix_cell(result, 1, 0, 2 - i), IPI_STAGE_TOTAL, p50[i]);
	matrix_stage(matrix_cell(result, 0, 1, 0), IPI_STAGE_TOTAL, 1200);
	matrix_stage(matrix_cell(result, 0, 1, 1), IPI_STAGE_TOTAL, 1300);
	matrix_cell(result, 0, 1, 1)->verdict = IPI_VERDICT_REFUSED;
	matrix_stage(matrix_cell(result, 2, 3, 0), IPI_STAGE_TOTAL, 1);
	result->cell[result->nr_cell - 1].verdict = IPI_VERDICT_REFUSED;
	/* Another stage, another scenario, a CPU that is not of the matrix, none at all. */
	matrix_stage(matrix_cell(result, 3, 2, 0), IPI_STAGE_SEND, 1);
	matrix_stage(matrix_cell(result, 3, 2, 0), IPI_STAGE_TOTAL, 1);
	result->cell[result->nr_cell - 1].scenario = IPI_SCENARIO_WAKE;
	matrix_stage(matrix_cell(result, 9, 2, 0), IPI_STAGE_TOTAL, 1);
	matrix_stage(matrix_cell(result, 2, 9, 0), IPI_STAGE_TOTAL, 1);
	matrix_stage(matrix_cell(result, -1, 2, 0), IPI_STAGE_TOTAL, 1);

	matrix = ipi_matrix__new(result, IPI_STAGE_TOTAL);
	assert_non_null(matrix);
	assert_int_equal(matrix->nr, 4);
	assert_int_equal(matrix->measured, 2);
	pair = ipi_matrix__at(matrix, place_of(matrix, 1), place_of(matrix, 0));
	assert_int_equal(pair->nr, 3);
	assert_in_range(pair->p50, 1095, 1105);
	assert_in_range(pair->p99, 2185, 2215);
	assert_in_range(pair->low, 995, 1005);
	assert_in_range(pair->high, 4960, 5040);
	assert_int_equal(pair->distance, IPI_DISTANCE_LLC);
	pair = ipi_matrix__at(matrix, place_of(matrix, 0), place_of(matrix, 1));
	assert_int_equal(pair->nr, 2);
	assert_in_range(pair->p50, 1245, 1255);
	pair = ipi_matrix__at(matrix, place_of(matrix, 2), place_of(matrix, 3));
	assert_int_equal(pair->nr, 0);
	assert_int_equal(pair->p50, -1);
	assert_int_equal(pair->p99, -1);

	assert_int_equal(ipi_matrix__class(matrix, IPI_DISTANCE_LLC, &class), 0);
	assert_int_equal(class.all, 4);
	assert_int_equal(class.nr, 2);
	assert_in_range(class.p50, 1170, 1180);
	assert_int_equal(class.fastest_src, 1);
	assert_int_equal(class.slowest_src, 0);
	assert_int_equal(class.slowest_dst, 1);
	assert_int_equal(ipi_matrix__class(matrix, IPI_DISTANCE_SOCKET, &class), 0);
	assert_int_equal(class.all, 8);
	assert_int_equal(class.nr, 0);
	assert_int_equal(ipi_matrix__class(matrix, IPI_DISTANCE_SMT, &class), 0);
	assert_int_equal(class.all, 0);
	ipi_matrix__delete(matrix);

	/* Of a stage nobody measured. */
	matrix = ipi_matrix__new(result, IPI_STAGE_ACK);
	assert_non_null(matrix);
	assert_int_equal(matrix->measured, 0);
	assert_true(matrix->noise < 0);
	ipi_matrix__delete(matrix);
	ipi_result__delete(result);
}

/* 2 % up and down, uniform, is a standard deviation of 1.15 %. */
static void test_noise(void **state)
{
	struct ipi_result *result = matrix_sample(machine__make(56, 2, 28, 28), false, 3, 0.02, 1,
						  NULL);
	struct ipi_matrix *matrix = ipi_matrix__new(result, IPI_STAGE_TOTAL);

	(void)state;
	assert_non_null(matrix);
	assert_int_equal(matrix->measured, 448);
	assert_true(matrix->noise > 0.009 && matrix->noise < 0.014);
	ipi_matrix__delete(matrix);
	ipi_result__delete(result);
}

/* @expected is called with what was found. */
static void find(bool full, unsigned int repeat, double noise, u64 seed, matrix_plant plant,
		 void (*expected)(const struct ipi_matrix_finds *finds))
{
	struct ipi_result *result = matrix_sample(machine__make(56, 2, 28, 28), full, repeat,
						  noise, seed, plant);
	struct ipi_matrix *matrix = ipi_matrix__new(result, IPI_STAGE_TOTAL);
	struct ipi_matrix_finds finds;

	assert_non_null(matrix);
	assert_int_equal(ipi_matrix__find(matrix, &finds), 0);
	expected(&finds);
	ipi_matrix_finds__free(&finds);
	ipi_matrix__delete(matrix);
	ipi_result__delete(result);
}

static void nothing(const struct ipi_matrix_finds *finds)
{
	assert_int_equal(finds->nr_odd, 0);
	assert_int_equal(finds->nr_outlier, 0);
	assert_int_equal(finds->nr_skew, 0);
	assert_int_equal(finds->excused, 0);
	assert_true(finds->nr_both_ways > 0);
	assert_int_equal(finds->judged, 224);
}

/* Fewer under valgrind. */
static u64 seeds(u64 nr)
{
	return getenv("IPI_TEST_QUICK") ? 1 : nr;
}

static void test_nothing(void **state)
{
	u64 seed;

	(void)state;
	for (seed = 1; seed <= seeds(20); seed++) {
		find(false, 3, 0.03, seed, NULL, nothing);
		find(false, 1, 0.03, seed, NULL, nothing);
	}
	find(false, 3, 0, 1, NULL, nothing);
	find(true, 1, 0.03, 7, NULL, nothing);
}

static double slow_target(int src, int dst)
{
	(void)src;
	return dst == 37 ? 1.4 : 1;
}

static void found_target(const struct ipi_matrix_finds *finds)
{
	assert_int_equal(finds->nr_outlier, 1);
	assert_int_equal(finds->outlier[0].cpu, 37);
	assert_false(finds->outlier[0].sends);
	assert_true(finds->outlier[0].ratio > 1.3 && finds->outlier[0].ratio < 1.5);
	assert_true(finds->outlier[0].pairs >= 3);
	/* Its pairs are uneven, all of them and for one reason. */
	assert_int_equal(finds->nr_odd, 0);
	assert_true(finds->excused >= 3);
}

/* A cell per pair: its 37 as target and, faster than others, 90 as sender. */
static double two_cpus(int src, int dst)
{
	return (dst == 37 ? 1.4 : 1) * (src == 90 ? 0.7 : 1);
}

static void found_both(const struct ipi_matrix_finds *finds)
{
	assert_int_equal(finds->nr_outlier, 2);
	assert_int_equal(finds->outlier[0].cpu, 90);
	assert_true(finds->outlier[0].sends);
	assert_true(finds->outlier[0].ratio < 0.75);
	assert_int_equal(finds->outlier[1].cpu, 37);
}

static void test_outliers(void **state)
{
	u64 seed;

	(void)state;
	for (seed = 1; seed <= seeds(10); seed++) {
		find(false, 3, 0.02, seed, slow_target, found_target);
		find(false, 1, 0.02, seed, slow_target, found_target);
	}
	find(true, 1, 0.02, 5, slow_target, found_target);
	find(false, 3, 0.02, 6, two_cpus, found_both);
}

/* Siblings are in every sample. */
static double one_way(int src, int dst)
{
	return (src == 5 && dst == 61 ? 1.2 : 1) * (src == 70 && dst == 14 ? 1.5 : 1);
}

static void found_ways(const struct ipi_matrix_finds *finds)
{
	assert_int_equal(finds->nr_odd, 2);
	assert_int_equal(finds->odd[0].src, 70);
	assert_int_equal(finds->odd[0].dst, 14);
	assert_true(finds->odd[0].there > finds->odd[0].back);
	assert_true(finds->odd[0].ratio > 1.4 && finds->odd[0].ratio < 1.6);
	assert_int_equal(finds->odd[1].src, 5);
	assert_int_equal(finds->odd[1].dst, 61);
	assert_int_equal(finds->nr_outlier, 0);
}

static void test_one_way(void **state)
{
	u64 seed;

	(void)state;
	for (seed = 1; seed <= seeds(10); seed++)
		find(false, 3, 0.02, seed, one_way, found_ways);
	find(true, 1, 0.01, 3, one_way, found_ways);
}

/* In one of three repetitions only: that was a disturbance. */
static double once(int src, int dst)
{
	static int times;

	return src == 5 && dst == 61 && times++ % 3 == 1 ? 3 : 1;
}

/* In two of three, while the other way was as slow in one. */
static double now_and_then(int src, int dst)
{
	static int there, back;

	if (src == 5 && dst == 61)
		return there++ % 3 ? 1.3 : 1;
	return src == 61 && dst == 5 && back++ % 3 == 1 ? 1.31 : 1;
}

static void test_disturbed(void **state)
{
	(void)state;
	find(false, 3, 0.01, 1, now_and_then, nothing);
	find(false, 3, 0.02, 1, once, nothing);
}

/* From the second socket to the first. */
static double by_socket(int src, int dst)
{
	return src % 56 >= 28 && dst % 56 < 28 ? 1.13 : 1;
}

static void found_skew(const struct ipi_matrix_finds *finds)
{
	assert_int_equal(finds->nr_skew, 1);
	assert_int_equal(finds->skew[0].level, IPI_DISTANCE_SOCKET);
	assert_int_equal(finds->skew[0].from, 1);
	assert_int_equal(finds->skew[0].to, 0);
	assert_true(finds->skew[0].ratio > 1.11 && finds->skew[0].ratio < 1.15);
	assert_true(finds->skew[0].there > finds->skew[0].back);
	assert_true(finds->skew[0].pairs > 50);
	assert_int_equal(finds->nr_outlier, 0);
}

static void test_skew(void **state)
{
	(void)state;
	find(false, 3, 0.02, 1, by_socket, found_skew);
	find(false, 1, 0.02, 2, by_socket, found_skew);
	find(true, 1, 0.02, 3, by_socket, found_skew);
}

/* Among too few CPUs nobody is an outlier. */
static void test_few(void **state)
{
	struct ipi_result *result = matrix_sample(machine__make(2, 1, 2, 2), true, 3, 0.01, 1,
						  NULL);
	struct ipi_matrix *matrix = ipi_matrix__new(result, IPI_STAGE_TOTAL);
	struct ipi_matrix_finds finds;

	(void)state;
	assert_non_null(matrix);
	assert_int_equal(ipi_matrix__find(matrix, &finds), 0);
	assert_int_equal(finds.judged, 0);
	assert_int_equal(finds.nr_both_ways, 1);
	assert_int_equal(finds.nr_odd, 0);
	assert_int_equal(finds.nr_skew, 0);
	ipi_matrix_finds__free(&finds);
	ipi_matrix__delete(matrix);
	ipi_result__delete(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_median),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_outliers),
		cmocka_unit_test(test_one_way),
		cmocka_unit_test(test_disturbed),
		cmocka_unit_test(test_skew),
		cmocka_unit_test(test_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
