// SPDX-License-Identifier: GPL-2.0
/*
 * The five lines of the 2017 module, byte by byte, and that what parsed them still does.
 */
#include "sample.h"

static char *render(const struct ipi_result *result)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	ipi_classic__print(file, result);
	assert_int_equal(fclose(file), 0);
	return text;
}

static void expect(const struct ipi_result *result, const char *want)
{
	char *text = render(result);

	assert_string_equal(text, want);
	free(text);
}

/* Three calls that took 100, 200 and 300 times @ns, and as many deliveries of half of that. */
static struct ipi_cell *add_cell(struct ipi_result *result, enum ipi_scenario scenario, u64 ns)
{
	struct ipi_cell *cell = ipi_result__add_cell(result);
	u64 i;

	assert_non_null(cell);
	cell->scenario = scenario;
	cell->untraced.done = true;
	cell->untraced.calls = 3;
	assert_non_null(ipi_cell__hist(cell, IPI_STAGE_TOTAL));
	for (i = 1; i <= 3; i++)
		ipi_hist__add(cell->stage[IPI_STAGE_TOTAL], 100 * i * ns);
	if (scenario == IPI_SCENARIO_DRY_RUN)
		return cell;
	assert_non_null(ipi_cell__hist(cell, IPI_STAGE_DELIVERY));
	for (i = 1; i <= 3; i++)
		ipi_hist__add(cell->stage[IPI_STAGE_DELIVERY], 50 * i * ns);
	return cell;
}

static struct ipi_result *five(void)
{
	struct ipi_result *result = ipi_result__new();

	assert_non_null(result);
	add_cell(result, IPI_SCENARIO_DRY_RUN, 1);
	add_cell(result, IPI_SCENARIO_SELF_CALL, 10);
	/* Had no line in 2017. */
	add_cell(result, IPI_SCENARIO_SELF_IPI, 50);
	add_cell(result, IPI_SCENARIO_NORMAL, 1000);
	/* Only the first of a scenario's cells gets the line. */
	add_cell(result, IPI_SCENARIO_NORMAL, 7);
	add_cell(result, IPI_SCENARIO_BROADCAST, 2000);
	add_cell(result, IPI_SCENARIO_BROADCAST_LOCK, 3000000000000);
	add_cell(result, IPI_SCENARIO_WAKE, 9);
	return result;
}

static void test_five_lines(void **state)
{
	struct ipi_result *result = five();

	(void)state;
	expect(result,
	       "Dry-run:                         0,                600 ns\n"
	       "Self-IPI:                     3000,               6000 ns\n"
	       "Normal IPI:                 300000,             600000 ns\n"
	       "Broadcast IPI:              600000,            1200000 ns\n"
	       "Broadcast lock:    900000000000000,   1800000000000000 ns\n");
	ipi_result__delete(result);
}

/* Printed as the module did: the same format, so the same bytes. */
static void test_module_format(void **state)
{
	struct ipi_result *result = five();
	char want[512];

	(void)state;
	snprintf(want, sizeof(want),
		 "Dry-run:        %18llu, %18llu ns\n"
		 "Self-IPI:       %18llu, %18llu ns\n"
		 "Normal IPI:     %18llu, %18llu ns\n"
		 "Broadcast IPI:  %18llu, %18llu ns\n"
		 "Broadcast lock: %18llu, %18llu ns\n",
		 0ULL, 600ULL, 3000ULL, 6000ULL, 300000ULL, 600000ULL, 600000ULL, 1200000ULL,
		 900000000000000ULL, 1800000000000000ULL);
	expect(result, want);
	ipi_result__delete(result);
}

/* The mean of what was split stands for all calls made. */
static void test_few_deliveries(void **state)
{
	struct ipi_result *result = ipi_result__new();
	struct ipi_cell *cell;

	(void)state;
	assert_non_null(result);
	cell = add_cell(result, IPI_SCENARIO_NORMAL, 1);
	ipi_hist__delete(cell->stage[IPI_STAGE_DELIVERY]);
	cell->stage[IPI_STAGE_DELIVERY] = NULL;
	expect(result, "Normal IPI:                      -,                600 ns\n");
	assert_non_null(ipi_cell__hist(cell, IPI_STAGE_DELIVERY));
	ipi_hist__add(cell->stage[IPI_STAGE_DELIVERY], 80);
	expect(result, "Normal IPI:                    240,                600 ns\n");
	ipi_result__delete(result);
}

static void test_failures(void **state)
{
	struct ipi_result *result = five();
	struct ipi_cell *cell = result->cell;

	(void)state;
	cell[0].verdict = IPI_VERDICT_FAILED;
	cell[1].verdict = IPI_VERDICT_REFUSED;
	cell[3].verdict = IPI_VERDICT_UNSUPPORTED;
	strcpy(cell[3].note, "needs two CPUs");
	cell[5].verdict = IPI_VERDICT_UNSUPPORTED;
	strcpy(cell[5].note, "needs three CPUs to differ from normal");
	/* Interrupted before its first call. */
	ipi_hist__delete(cell[6].stage[IPI_STAGE_TOTAL]);
	cell[6].stage[IPI_STAGE_TOTAL] = NULL;
	expect(result,
	       "Dry-run FAILED: -5\n"
	       "Self-IPI FAILED: -61\n"
	       "Normal IPI FAILED: -2\n"
	       "Broadcast IPI FAILED: -95\n"
	       "Broadcast lock FAILED: -61\n");
	ipi_result__delete(result);
}

/* What was not asked for has no line. */
static void test_not_run(void **state)
{
	struct ipi_result *result = ipi_result__new();

	(void)state;
	assert_non_null(result);
	expect(result, "");
	add_cell(result, IPI_SCENARIO_WAKE, 1);
	expect(result, "");
	add_cell(result, IPI_SCENARIO_DRY_RUN, 1);
	expect(result, "Dry-run:                         0,                600 ns\n");
	ipi_result__delete(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_five_lines),
		cmocka_unit_test(test_module_format),
		cmocka_unit_test(test_few_deliveries),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_not_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
