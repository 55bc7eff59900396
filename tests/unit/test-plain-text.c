// SPDX-License-Identifier: GPL-2.0
/*
 * Text from outside: which characters XML and gnuplot get, and numbers with their thousands apart.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/report/plain-text.h"

static void test_characters(void **state)
{
	static const struct {
		const char *str;
		int len;
	} cases[] = {
		{ "a", 1 }, { " ", 1 }, { "\t", 1 }, { "~", 1 }, { "\xc3\xa9", 2 },
		{ "\xe2\x82\xac", 3 }, { "\xf0\x9f\x90\xa7", 4 }, { "\xc2\xa0", 2 },
		/* what XML can't hold */
		{ "\x01", 0 }, { "\x1b[31m", 0 }, { "\n", 0 }, { "\x7f", 0 }, { "\xc2\x85", 0 },
		{ "\xef\xbf\xbe", 0 }, { "\xef\xbf\xbf", 0 },
		/* no UTF-8: alone, cut off, too long, a half of a pair, beyond the last */
		{ "\x80", 0 }, { "\xff", 0 }, { "\xc3", 0 }, { "\xc3(", 0 }, { "\xe2\x82", 0 },
		{ "\xc0\xaf", 0 }, { "\xe0\x80\xaf", 0 }, { "\xed\xa0\x80", 0 },
		{ "\xf4\x90\x80\x80", 0 }, { "\xf8\x88\x80\x80\x80", 0 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (ipi_plain__char(cases[i].str) != cases[i].len)
			fail_msg("case %u: %d", i, ipi_plain__char(cases[i].str));
	}
}

static void test_numbers(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { 7, "7" }, { 0.25, "0.25" }, { 9.5, "9.5" }, { 12.4, "12" },
		{ 999, "999" }, { 1000, "1 000" }, { 12345, "12 345" }, { 1234567, "1 234 567" },
		{ -1234, "-1 234" }, { -123, "-123" }, { 18446744073709551615.0,
		  "18 446 744 073 709 551 616" },
	};
	char buf[40];
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(ipi_plain__grouped(buf, sizeof(buf), cases[i].value),
				    cases[i].text);
	assert_string_equal(ipi_plain__grouped(buf, 6, 1234567), "1 23");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_characters),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
