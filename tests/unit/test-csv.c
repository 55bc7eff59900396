// SPDX-License-Identifier: GPL-2.0
/*
 * The lines of "-x", to the letter: columns, what was not measured, and that no field can hold the
 * separator.
 */
#include "render.h"

static void test_lines(void **state)
{
	struct ipi_result *result = render_result();
	struct render render;

	(void)state;
	render_begin(&render);
	ipi_csv__heading(render.file, ";");
	ipi_csv__print(render.file, result, "host", ";");
	render_expect(&render,
		      "# scenario;target_state;src;dst;repetition;verdict;ipis_per_call;"
		      "storm_calls_per_s;stage;count;min_ns;p50_ns;p90_ns;p99_ns;p999_ns;max_ns;"
		      "mean_ns;result\n"
		      "normal;busy;0;1;0;ok;1.00;-;total;100;1;50;90;99;100;100;50.50;host\n"
		      "normal;busy;0;1;0;ok;1.00;-;send;1;42;42;42;42;42;42;42.00;host\n"
		      "normal;idle;0;1;0;refused;0.00;-;total;-;-;-;-;-;-;-;-;host\n"
		      "broadcast;busy;0;-;0;unsupported;-;-;total;-;-;-;-;-;-;-;-;host\n"
		      "wake;idle;0;-;0;failed;-;-;total;-;-;-;-;-;-;-;-;host\n");
	ipi_result__delete(result);
}

/* The line that must come of it. */
static void fill(char *buf, size_t size, const char *sep)
{
	static const char *const fields[] = {
		"storm:2", "any", "0", "1-2+5", "3", "ok", "-", "1234567.50", "total", "1", "1",
		"1", "1", "1", "1", "1", "1.00",
	};
	size_t used = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", fields[i], sep);
	snprintf(buf + used, size - used, "a_b\n");
}

/* Lists of CPUs, file names: as many fields in every line. */
static void test_separators(void **state)
{
	static const char *const seps[] = { ",", ";", "\t", " ", "|", ",," };
	struct ipi_result *result = ipi_result__new();
	struct ipi_cell *cell;
	char want[256];
	unsigned int i;

	(void)state;
	assert_non_null(result);
	cell = render_cell(result, IPI_SCENARIO_STORM, IPI_TARGET_ANY, 1);
	assert_int_equal(ipi_cpus__add(&cell->dst, 2), 0);
	assert_int_equal(ipi_cpus__add(&cell->dst, 5), 0);
	assert_int_equal(ipi_cpus__add(&cell->senders, 0), 0);
	assert_int_equal(ipi_cpus__add(&cell->senders, 1), 0);
	cell->storm_rate = 1234567.5;
	cell->repetition = 3;
	for (i = 0; i < ARRAY_SIZE(seps); i++) {
		struct render render;
		const char *s = seps[i];

		assert_true(ipi_csv__may_separate(s));
		fill(want, sizeof(want), s);
		render_begin(&render);
		ipi_csv__print(render.file, result, (char[]){ 'a', *s, 'b', '\0' }, s);
		render_expect(&render, want);
	}
	ipi_result__delete(result);
}

static void test_no_separators(void **state)
{
	static const char *const bad[] = { "", "a", "1", "-", "+", ".", ":", "_", "/", ">", "#",
					   "\"", "\n", ",a", ",,1" };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		if (ipi_csv__may_separate(bad[i]))
			fail_msg("'%s' is taken", bad[i]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_separators),
		cmocka_unit_test(test_no_separators),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
