// SPDX-License-Identifier: GPL-2.0
/*
 * The vocabulary's names, there and back, and reasons put into words.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bench/ipi/ipi.h"
#include "bench/ipi/why.h"

static void test_scenarios(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < IPI_SCENARIO_NR; i++)
		assert_int_equal(ipi_scenario__find(ipi_scenario__name((enum ipi_scenario)i)), i);
	assert_int_equal(ipi_scenario__find("norma"), -1);
	assert_int_equal(ipi_scenario__find("normal "), -1);
	assert_int_equal(ipi_scenario__find(""), -1);
	assert_string_equal(ipi_scenario__name(IPI_SCENARIO_NR), "?");
}

static void test_targets(void **state)
{
	int i;

	(void)state;
	for (i = IPI_TARGET_BUSY; i < IPI_TARGET_NR; i++)
		assert_int_equal(ipi_target__find(ipi_target__name((enum ipi_target)i)), i);
	/* The name of "no target" is for tables, not for the command line. */
	assert_int_equal(ipi_target__find(ipi_target__name(IPI_TARGET_NONE)), -1);
	assert_int_equal(ipi_target__find("BUSY"), -1);
}

/* Each name once, none missing: a hole in a table would be a NULL in somebody's printf(). */
static void test_all_named(void **state)
{
	int i, j;

	(void)state;
	for (i = 0; i < IPI_STAGE_NR; i++) {
		assert_non_null(ipi_stage__name((enum ipi_stage)i));
		for (j = 0; j < i; j++)
			assert_string_not_equal(ipi_stage__name((enum ipi_stage)i),
						ipi_stage__name((enum ipi_stage)j));
	}
	for (i = 0; i < IPI_CLASS_NR; i++)
		assert_non_null(ipi_class__name((enum ipi_class)i));
	for (i = 0; i < IPI_IRQ_NR; i++)
		assert_non_null(ipi_irq__name((enum ipi_irq)i));
	assert_string_equal(ipi_stage__name(IPI_STAGE_NR), "?");
	assert_string_equal(ipi_class__name(IPI_CLASS_NR), "?");
	assert_string_equal(ipi_irq__name(IPI_IRQ_NR), "?");
}

static void test_why(void **state)
{
	struct ipi_why why;
	char line[600];

	(void)state;
	assert_int_equal(ipi_why__set(&why, EACCES, "run as root", "can't open %s", "x"),
			 -EACCES);
	assert_string_equal(ipi_why__line(&why, line, sizeof(line)),
			    "can't open x: Permission denied; run as root");
	assert_int_equal(ipi_why__set(&why, 0, NULL, "no such thing"), -EINVAL);
	assert_string_equal(ipi_why__line(&why, line, sizeof(line)), "no such thing");
	/* Nobody asked: still the error. */
	assert_int_equal(ipi_why__set(NULL, ENOMEM, NULL, "x"), -ENOMEM);
}

static void test_why_too_long(void **state)
{
	struct ipi_why why;
	char big[2000];
	char line[40];

	(void)state;
	memset(big, 'a', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	ipi_why__set(&why, EIO, big, "%s", big);
	assert_int_equal(strlen(why.what), sizeof(why.what) - 1);
	assert_int_equal(strlen(why.remedy), sizeof(why.remedy) - 1);
	assert_int_equal(strlen(ipi_why__line(&why, line, sizeof(line))), sizeof(line) - 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenarios),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_all_named),
		cmocka_unit_test(test_why),
		cmocka_unit_test(test_why_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
