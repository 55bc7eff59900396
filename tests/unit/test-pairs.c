// SPDX-License-Identifier: GPL-2.0
/*
 * The pairs of a matrix: all of them, or a sample that has every distance and every CPU.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine-model.h"

#include "bench/ipi/run/pairs.h"
#include "bench/ipi/why.h"

#define SECOND	1000000000ULL

/* What every list of pairs must hold to: both directions side by side, no pair twice. */
static void check(const struct ipi_pairs *pairs, const struct ipi_topology *topology)
{
	int nr = topology->cpus.nr;
	char *seen = calloc((size_t)nr, (size_t)nr);
	int i;

	assert_non_null(seen);
	assert_int_equal(pairs->nr % 2, 0);
	for (i = 0; i < pairs->nr; i++) {
		const struct ipi_pair *pair = &pairs->pair[i];
		const struct ipi_pair *other = &pairs->pair[i ^ 1];

		assert_int_not_equal(pair->src, pair->dst);
		assert_int_equal(pair->src, other->dst);
		assert_int_equal(pair->dst, other->src);
		assert_int_equal(pair->distance,
				 ipi_topology__distance(topology, pair->src, pair->dst));
		assert_int_equal(seen[pair->src * nr + pair->dst]++, 0);
	}
	free(seen);
}

static void test_sample(void **state)
{
	struct ipi_topology *topology = machine__make(56, 2, 28, 28);
	int by_distance[IPI_DISTANCE_NR] = { 0 };
	int part[112] = { 0 };
	struct ipi_pairs pairs;
	int i, met = 0;

	(void)state;
	assert_int_equal(ipi_pairs__make(&pairs, topology, false, NULL), 0);
	check(&pairs, topology);
	assert_int_equal(pairs.all[IPI_DISTANCE_SMT], 112);
	assert_int_equal(pairs.all[IPI_DISTANCE_LLC], 112 * 54);
	assert_int_equal(pairs.all[IPI_DISTANCE_REMOTE], 112 * 56);
	assert_int_equal(pairs.all[IPI_DISTANCE_NODE], 0);
	assert_int_equal(pairs.nr, 448);
	assert_int_equal(pairs.least, 6);
	for (i = 0; i < pairs.nr; i += 2) {
		by_distance[pairs.pair[i].distance]++;
		met += !part[pairs.pair[i].src]++;
		met += !part[pairs.pair[i].dst]++;
		/* Any part from the beginning on has as many of each distance. */
		if (i < 300)
			assert_in_range(by_distance[pairs.pair[i].distance], i / 6, i / 6 + 1);
		/* Everybody has been met as soon as may be, but for odd ones out. */
		if (i == 2 * 64)
			assert_int_equal(met, 112);
	}
	assert_int_equal(by_distance[IPI_DISTANCE_SMT], 56);
	assert_int_equal(by_distance[IPI_DISTANCE_LLC], 84);
	assert_int_equal(by_distance[IPI_DISTANCE_REMOTE], 84);
	for (i = 0; i < 112; i++)
		assert_in_range(part[i], 3, 5);
	ipi_pairs__free(&pairs);
	ipi_topology__delete(topology);
}

static void test_same_again(void **state)
{
	struct ipi_topology *topology = machine__make(16, 2, 4, 8);
	struct ipi_pairs first, second;

	(void)state;
	assert_int_equal(ipi_pairs__make(&first, topology, false, NULL), 0);
	assert_int_equal(ipi_pairs__make(&second, topology, false, NULL), 0);
	assert_int_equal(first.nr, second.nr);
	assert_memory_equal(first.pair, second.pair, (size_t)first.nr * sizeof(*first.pair));
	ipi_pairs__free(&first);
	ipi_pairs__free(&second);
	ipi_topology__delete(topology);
}

static void test_full(void **state)
{
	struct ipi_topology *topology = machine__make(56, 2, 28, 28);
	struct ipi_pairs pairs;

	(void)state;
	assert_int_equal(ipi_pairs__make(&pairs, topology, true, NULL), 0);
	assert_int_equal(pairs.nr, 112 * 111);
	check(&pairs, topology);
	ipi_pairs__free(&pairs);
	ipi_topology__delete(topology);
}

/* All that there are, where a sample would be no smaller. */
static void test_few(void **state)
{
	struct ipi_topology *topology = machine__make(4, 1, 2, 4);
	struct ipi_pairs pairs;

	(void)state;
	assert_int_equal(ipi_pairs__make(&pairs, topology, false, NULL), 0);
	assert_int_equal(pairs.nr, 12);
	assert_int_equal(pairs.least, 4);
	check(&pairs, topology);
	ipi_pairs__free(&pairs);
	ipi_topology__delete(topology);
}

static void test_one(void **state)
{
	struct ipi_topology *topology = machine__make(1, 1, 1, 1);
	struct ipi_pairs pairs;
	struct ipi_why why;

	(void)state;
	assert_int_equal(ipi_pairs__make(&pairs, topology, false, &why), -EINVAL);
	assert_string_equal(why.what, "a matrix needs two CPUs");
	ipi_pairs__free(&pairs);
	ipi_topology__delete(topology);
}

static void test_fit(void **state)
{
	struct ipi_pairs pairs = { .nr = 448, .least = 6 };
	u64 ms = SECOND / 1000;

	(void)state;
	assert_int_equal(ipi_pairs__fit(&pairs, 0, 10 * ms, 10 * SECOND), 448);
	assert_int_equal(ipi_pairs__fit(&pairs, SECOND, 30 * ms, 10 * SECOND), 300);
	assert_int_equal(ipi_pairs__fit(&pairs, SECOND, 31 * ms, 10 * SECOND), 290);
	assert_int_equal(ipi_pairs__fit(&pairs, 0, 5 * SECOND, 10 * SECOND), 6);
	assert_int_equal(ipi_pairs__fit(&pairs, 11 * SECOND, 1, 10 * SECOND), 6);
	assert_int_equal(ipi_pairs__fit(&pairs, 0, 0, 0), 448);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_same_again),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
