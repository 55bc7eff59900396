// SPDX-License-Identifier: GPL-2.0
/*
 * Strict numbers: what is taken, and that everything else is refused and changes nothing.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/kernel.h>

#include "bench/ipi/parse.h"

#define UNTOUCHED	77

static void test_u64(void **state)
{
	static const struct {
		const char *str;
		int err;
		u64 value;
	} cases[] = {
		{ "0", 0, 0 },
		{ "7", 0, 7 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, UNTOUCHED },
		{ "99999999999999999999999", -ERANGE, UNTOUCHED },
		{ "", -EINVAL, UNTOUCHED },
		{ " 1", -EINVAL, UNTOUCHED },
		{ "1 ", -EINVAL, UNTOUCHED },
		{ "+1", -EINVAL, UNTOUCHED },
		{ "-1", -EINVAL, UNTOUCHED },
		{ "01", -EINVAL, UNTOUCHED },
		{ "00", -EINVAL, UNTOUCHED },
		{ "0x10", -EINVAL, UNTOUCHED },
		{ "1e3", -EINVAL, UNTOUCHED },
		{ "1k", -EINVAL, UNTOUCHED },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 value = UNTOUCHED;

		assert_int_equal(ipi_parse__u64(cases[i].str, 0, UINT64_MAX, &value),
				 cases[i].err);
		assert_int_equal(value, cases[i].value);
	}
}

static void test_u64_range(void **state)
{
	u64 value = UNTOUCHED;

	(void)state;
	assert_int_equal(ipi_parse__u64("4", 5, 9, &value), -ERANGE);
	assert_int_equal(ipi_parse__u64("10", 5, 9, &value), -ERANGE);
	assert_int_equal(value, UNTOUCHED);
	assert_int_equal(ipi_parse__u64("5", 5, 9, &value), 0);
	assert_int_equal(value, 5);
	assert_int_equal(ipi_parse__u64("9", 5, 9, &value), 0);
	assert_int_equal(value, 9);
}

static void test_count(void **state)
{
	u64 value = UNTOUCHED;

	(void)state;
	assert_int_equal(ipi_parse__count("20k", 1, UINT64_MAX, &value), 0);
	assert_int_equal(value, 20000);
	assert_int_equal(ipi_parse__count("3M", 1, UINT64_MAX, &value), 0);
	assert_int_equal(value, 3000000);
	assert_int_equal(ipi_parse__count("12", 1, UINT64_MAX, &value), 0);
	assert_int_equal(value, 12);
	value = UNTOUCHED;
	assert_int_equal(ipi_parse__count("20K", 1, UINT64_MAX, &value), -EINVAL);
	assert_int_equal(ipi_parse__count("20kk", 1, UINT64_MAX, &value), -EINVAL);
	assert_int_equal(ipi_parse__count("k", 1, UINT64_MAX, &value), -EINVAL);
	assert_int_equal(ipi_parse__count("18446744073709552k", 1, UINT64_MAX, &value), -ERANGE);
	assert_int_equal(value, UNTOUCHED);
}

static void test_duration(void **state)
{
	u64 ns = UNTOUCHED;

	(void)state;
	assert_int_equal(ipi_parse__duration("5ns", 0, UINT64_MAX, &ns), 0);
	assert_int_equal(ns, 5);
	assert_int_equal(ipi_parse__duration("50us", 0, UINT64_MAX, &ns), 0);
	assert_int_equal(ns, 50000);
	assert_int_equal(ipi_parse__duration("2ms", 0, UINT64_MAX, &ns), 0);
	assert_int_equal(ns, 2000000);
	assert_int_equal(ipi_parse__duration("1s", 0, UINT64_MAX, &ns), 0);
	assert_int_equal(ns, 1000000000);
	assert_int_equal(ipi_parse__duration("0", 0, UINT64_MAX, &ns), 0);
	assert_int_equal(ns, 0);
	ns = UNTOUCHED;
	assert_int_equal(ipi_parse__duration("50", 0, UINT64_MAX, &ns), -EINVAL);
	assert_int_equal(ipi_parse__duration("50x", 0, UINT64_MAX, &ns), -EINVAL);
	assert_int_equal(ipi_parse__duration("us", 0, UINT64_MAX, &ns), -EINVAL);
	assert_int_equal(ipi_parse__duration("2s", 0, 1000000000, &ns), -ERANGE);
	assert_int_equal(ipi_parse__duration("18446744074s", 0, UINT64_MAX, &ns), -ERANGE);
	assert_int_equal(ns, UNTOUCHED);
}

/* Pieces written one behind the other, "x" ends it. */
static int gather(void *ctx, char *piece)
{
	char *all = ctx;

	strcat(all, piece);
	strcat(all, ";");
	return strcmp(piece, "x") ? 0 : -EDOM;
}

static void test_list(void **state)
{
	char all[64] = "";

	(void)state;
	assert_int_equal(ipi_parse__list("a,bc,,d", gather, all), 0);
	assert_string_equal(all, "a;bc;;d;");
	all[0] = '\0';
	assert_int_equal(ipi_parse__list("", gather, all), 0);
	assert_string_equal(all, ";");
	all[0] = '\0';
	assert_int_equal(ipi_parse__list("a,x,b", gather, all), -EDOM);
	assert_string_equal(all, "a;x;");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_u64),
		cmocka_unit_test(test_u64_range),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
