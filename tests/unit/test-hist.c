// SPDX-License-Identifier: GPL-2.0
/*
 * The histogram: its error bound over edges and random values, percentiles against a sorted array,
 * merging, and the walk over its buckets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/stats/hist.h"
#include "random.h"

#define RANDOMS		20000
#define SAMPLES		5000

/* All magnitudes are as likely. */
static u64 random_magnitude(u64 *state)
{
	u64 value = next_random(state);

	return value >> (next_random(state) % 64);
}

static struct ipi_hist *new_hist(void)
{
	struct ipi_hist *hist = ipi_hist__new();

	assert_non_null(hist);
	return hist;
}

static u64 distance(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/* Smaller and greater samples around it keep min and max from putting it right. */
static void check_bound(u64 value)
{
	struct ipi_hist *hist = new_hist();
	u64 read;

	ipi_hist__add(hist, 0);
	ipi_hist__add(hist, value);
	ipi_hist__add(hist, UINT64_MAX);
	read = ipi_hist__percentile(hist, 5000);
	if (distance(read, value) > value / 128)
		fail_msg("%llu reads %llu", (unsigned long long)value, (unsigned long long)read);
	ipi_hist__delete(hist);
}

/* The bucket that holds @value: of the stated width, and no narrower neighbour takes its ends. */
static void check_bucket(u64 value)
{
	struct ipi_hist *hist = new_hist();
	u64 low, width, count;
	unsigned int pos = 0;

	ipi_hist__add(hist, value);
	assert_true(ipi_hist__next(hist, &pos, &low, &width, &count));
	assert_int_equal(count, 1);
	assert_true(low <= value && value - low < width);
	assert_int_equal(width & (width - 1), 0);
	assert_true(low < 128 ? width == 1 : low / width >= 64 && low / width < 128);
	assert_int_equal(low % width, 0);
	assert_false(ipi_hist__next(hist, &pos, &low, &width, &count));

	/* Both ends of the bucket fall into it, what lies beyond does not. */
	ipi_hist__add(hist, low);
	ipi_hist__add(hist, low + (width - 1));
	pos = 0;
	assert_true(ipi_hist__next(hist, &pos, &low, &width, &count));
	assert_int_equal(count, 3);
	if (low + (width - 1) != UINT64_MAX)
		ipi_hist__add(hist, low + width);
	if (low)
		ipi_hist__add(hist, low - 1);
	pos = 0;
	while (ipi_hist__next(hist, &pos, &low, &width, &count))
		assert_int_equal(count, low <= value && value - low < width ? 3 : 1);
	ipi_hist__delete(hist);
}

static void test_bound(void **state)
{
	u64 seed = 1;
	int shift;
	int i;

	(void)state;
	for (i = 0; i < 1024; i++) {
		check_bound(i);
		check_bucket(i);
	}
	for (shift = 7; shift < 64; shift++) {
		check_bound(((u64)1 << shift) - 1);
		check_bound((u64)1 << shift);
		check_bound(((u64)1 << shift) + 1);
		check_bucket(((u64)1 << shift) - 1);
		check_bucket((u64)1 << shift);
	}
	check_bound(UINT64_MAX - 1);
	check_bucket(UINT64_MAX);
	for (i = 0; i < RANDOMS; i++)
		check_bound(random_magnitude(&seed));
	for (i = 0; i < RANDOMS; i++)
		check_bucket(random_magnitude(&seed));
}

static void test_exact_below_128(void **state)
{
	struct ipi_hist *hist = new_hist();
	u64 low, width, count;
	unsigned int pos = 0;
	u64 i;

	(void)state;
	for (i = 0; i < 128; i++)
		ipi_hist__add(hist, i);
	for (i = 0; i < 128; i++) {
		assert_true(ipi_hist__next(hist, &pos, &low, &width, &count));
		assert_int_equal(low, i);
		assert_int_equal(width, 1);
		assert_int_equal(count, 1);
	}
	assert_false(ipi_hist__next(hist, &pos, &low, &width, &count));
	ipi_hist__delete(hist);
}

static void test_empty(void **state)
{
	struct ipi_hist *hist = new_hist();
	u64 low, width, count;
	unsigned int pos = 0;

	(void)state;
	assert_int_equal(ipi_hist__count(hist), 0);
	assert_int_equal(ipi_hist__min(hist), 0);
	assert_int_equal(ipi_hist__max(hist), 0);
	assert_int_equal(ipi_hist__sum(hist), 0);
	assert_int_equal(ipi_hist__percentile(hist, 5000), 0);
	assert_false(ipi_hist__next(hist, &pos, &low, &width, &count));
	ipi_hist__delete(hist);

	assert_int_equal(ipi_hist__count(NULL), 0);
	assert_int_equal(ipi_hist__min(NULL), 0);
	assert_int_equal(ipi_hist__max(NULL), 0);
	assert_int_equal(ipi_hist__sum(NULL), 0);
	assert_int_equal(ipi_hist__percentile(NULL, 5000), 0);
	ipi_hist__delete(NULL);
}

static void test_exact_figures(void **state)
{
	struct ipi_hist *hist = new_hist();

	(void)state;
	/* The last value of its bucket, one in another, and the first of a third. */
	ipi_hist__add(hist, 1007615);
	ipi_hist__add(hist, 2000003);
	ipi_hist__add(hist, 8388608);
	assert_int_equal(ipi_hist__count(hist), 3);
	assert_int_equal(ipi_hist__min(hist), 1007615);
	assert_int_equal(ipi_hist__max(hist), 8388608);
	assert_int_equal(ipi_hist__sum(hist), 1007615 + 2000003 + 8388608);
	/* The middle of a bucket never lies outside of what was recorded. */
	assert_int_equal(ipi_hist__percentile(hist, 1), 1007615);
	assert_int_equal(ipi_hist__percentile(hist, 10000), 8388608);

	ipi_hist__add(hist, UINT64_MAX);
	assert_int_equal(ipi_hist__sum(hist), UINT64_MAX);
	ipi_hist__add(hist, 5);
	assert_int_equal(ipi_hist__sum(hist), UINT64_MAX);
	assert_int_equal(ipi_hist__max(hist), UINT64_MAX);
	ipi_hist__delete(hist);
}

/* 0 to 99, once each: the sample of rank n is n - 1. */
static void test_nearest_rank(void **state)
{
	static const struct {
		unsigned int permille10;
		u64 value;
	} want[] = {
		{ 0, 0 }, { 1, 0 }, { 100, 0 }, { 101, 1 }, { 5000, 49 }, { 5001, 50 },
		{ 9000, 89 }, { 9900, 98 }, { 9901, 99 }, { 9990, 99 }, { 10000, 99 },
		{ 20000, 99 },
	};
	struct ipi_hist *hist = new_hist();
	unsigned int i;

	(void)state;
	for (i = 0; i < 100; i++)
		ipi_hist__add(hist, 99 - i);
	for (i = 0; i < ARRAY_SIZE(want); i++)
		assert_int_equal(ipi_hist__percentile(hist, want[i].permille10), want[i].value);
	ipi_hist__delete(hist);
}

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a;
	u64 y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static void check_percentiles(const struct ipi_hist *hist, u64 *sorted, u64 nr)
{
	unsigned int permille10;
	u64 value, rank;

	qsort(sorted, nr, sizeof(*sorted), compare);
	for (permille10 = 1; permille10 <= 10000; permille10++) {
		rank = (nr * permille10 + 9999) / 10000;
		value = sorted[rank - 1];
		if (distance(ipi_hist__percentile(hist, permille10), value) > value / 128)
			fail_msg("p%u of %llu: not %llu", permille10, (unsigned long long)nr,
				 (unsigned long long)value);
	}
}

static void test_percentiles(void **state)
{
	static u64 samples[SAMPLES];
	static const u64 sizes[] = { 1, 2, 3, 10, 99, 100, 101, 1000, SAMPLES };
	struct ipi_hist *hist;
	u64 seed = 42;
	unsigned int i;
	u64 j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		hist = new_hist();
		for (j = 0; j < sizes[i]; j++) {
			/* odd runs: latencies with a tail; even ones: anything */
			samples[j] = i & 1 ? 1000 + (random_magnitude(&seed) >> 44) :
					     random_magnitude(&seed);
			ipi_hist__add(hist, samples[j]);
		}
		check_percentiles(hist, samples, sizes[i]);
		ipi_hist__delete(hist);
	}
}

static void check_same(const struct ipi_hist *a, const struct ipi_hist *b)
{
	unsigned int pos_a = 0, pos_b = 0;
	u64 low[2], width[2], count[2];
	u64 sum = 0;

	assert_int_equal(ipi_hist__count(a), ipi_hist__count(b));
	assert_int_equal(ipi_hist__min(a), ipi_hist__min(b));
	assert_int_equal(ipi_hist__max(a), ipi_hist__max(b));
	assert_int_equal(ipi_hist__sum(a), ipi_hist__sum(b));
	while (ipi_hist__next(a, &pos_a, &low[0], &width[0], &count[0])) {
		assert_true(ipi_hist__next(b, &pos_b, &low[1], &width[1], &count[1]));
		assert_int_equal(low[0], low[1]);
		assert_int_equal(width[0], width[1]);
		assert_int_equal(count[0], count[1]);
		assert_int_not_equal(count[0], 0);
		sum += count[0];
	}
	assert_false(ipi_hist__next(b, &pos_b, &low[1], &width[1], &count[1]));
	assert_int_equal(sum, ipi_hist__count(a));
}

static void test_merge(void **state)
{
	struct ipi_hist *part[3] = { new_hist(), new_hist(), new_hist() };
	struct ipi_hist *whole = new_hist();
	struct ipi_hist *sum = new_hist();
	u64 seed = 7;
	u64 value;
	int i;

	(void)state;
	for (i = 0; i < SAMPLES; i++) {
		value = random_magnitude(&seed) >> 20;
		ipi_hist__add(part[i % 2], value);
		ipi_hist__add(whole, value);
	}
	/* part[2] stays empty and changes nothing, in front or behind. */
	ipi_hist__merge(sum, part[2]);
	assert_int_equal(ipi_hist__count(sum), 0);
	ipi_hist__merge(sum, part[0]);
	ipi_hist__merge(sum, part[1]);
	ipi_hist__merge(sum, part[2]);
	ipi_hist__merge(sum, NULL);
	check_same(sum, whole);
	for (i = 0; i < 3; i++)
		ipi_hist__delete(part[i]);
	ipi_hist__delete(whole);
	ipi_hist__delete(sum);
}

/* More samples than could be counted in a life: ranks must not overflow. */
static void test_many(void **state)
{
	struct ipi_hist *hist = new_hist();
	struct ipi_hist *copy;
	int i;

	(void)state;
	for (i = 0; i < 100; i++)
		ipi_hist__add(hist, i);
	for (i = 0; i < 55; i++) {
		copy = new_hist();
		ipi_hist__merge(copy, hist);
		ipi_hist__merge(hist, copy);
		ipi_hist__delete(copy);
	}
	assert_int_equal(ipi_hist__count(hist), (u64)100 << 55);
	assert_int_equal(ipi_hist__percentile(hist, 5000), 49);
	assert_int_equal(ipi_hist__percentile(hist, 5001), 50);
	assert_int_equal(ipi_hist__percentile(hist, 9900), 98);
	assert_int_equal(ipi_hist__percentile(hist, 10000), 99);
	ipi_hist__delete(hist);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_exact_below_128),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_exact_figures),
		cmocka_unit_test(test_nearest_rank),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
