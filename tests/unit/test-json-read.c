// SPDX-License-Identifier: GPL-2.0
/*
 * Results back from JSON: written again they are the same bytes, whatever was or wasn't measured;
 * and files that are none, or say what can't be, are refused in words.
 */
#include <errno.h>

#include "place.h"
#include "sample.h"

#include "bench/ipi/why.h"

#ifdef HAVE_JANSSON_SUPPORT

static char *written(const struct ipi_result *result)
{
	struct ipi_why why;
	struct place place = place_begin();
	char *text;

	if (ipi_json__write(result, place.file, &why))
		fail_msg("%s", why.what);
	text = place_read(place.file);
	place_end(&place);
	return text;
}

static struct ipi_result *read_text(const char *text, struct ipi_why *why)
{
	struct place place = place_begin();
	struct ipi_result *result;

	place_write(place.file, text);
	result = ipi_json__read(place.file, why);
	place_end(&place);
	return result;
}

/* Takes @result. */
static void check_same(struct ipi_result *result)
{
	char *first = written(result);
	struct ipi_result *back;
	struct ipi_why why;
	char *second;

	back = read_text(first, &why);
	if (!back)
		fail_msg("%s", why.what);
	assert_int_equal(back->nr_cell, result->nr_cell);
	second = written(back);
	assert_string_equal(first, second);
	free(first);
	free(second);
	ipi_result__delete(back);
	ipi_result__delete(result);
}

/* All that a cell of the samples doesn't have. */
static struct ipi_result *sample_rest(void)
{
	struct ipi_result *result = sample_new("storm");
	struct ipi_cell *cell = sample_cell(result, IPI_SCENARIO_STORM, IPI_TARGET_ANY, 1700);
	int i;

	for (i = 0; i < 4; i++)
		assert_int_equal(ipi_cpus__add(&cell->senders, i), 0);
	cell->untraced.others = 12345;
	cell->storm_rate = 1234567.25;
	cell->stamped = true;
	cell->nowait = true;
	cell->observer_known = true;
	cell->observer_ns = -17;
	cell->last = calloc((size_t)cell->dst.nr, sizeof(*cell->last));
	assert_non_null(cell->last);
	cell->last[0] = 42;
	for (i = 0; i < 1000; i++)
		ipi_hist__add(cell->stage[IPI_STAGE_TOTAL], (u64)i * i * i * 1000);
	return result;
}

/* Four CPUs of which each two share something, in an odd order; what is not known is said. */
static struct ipi_result *sample_topology(void)
{
	static int list[] = { 0, 2, 1, 3 };
	const struct ipi_cpus first = { .nr = 2, .cpu = list };
	const struct ipi_cpus second = { .nr = 2, .cpu = list + 2 };
	const struct ipi_cpus all = { .nr = 4, .cpu = (int[]){ 0, 1, 2, 3 } };
	struct ipi_result *result = sample_no_split();

	result->topology = ipi_topology__new("/sys", &all);
	assert_non_null(result->topology);
	assert_int_equal(ipi_topology__add(result->topology, IPI_DISTANCE_SMT, &first, NULL), 0);
	assert_int_equal(ipi_topology__add(result->topology, IPI_DISTANCE_SMT, &second, NULL), 0);
	assert_int_equal(ipi_topology__add(result->topology, IPI_DISTANCE_SOCKET, &all, NULL), 0);
	strcpy(result->topology->missing, "die: not told\nnode: not told");
	return result;
}

static void test_same_bytes(void **state)
{
	(void)state;
	check_same(sample_ok());
	check_same(sample_bad());
	check_same(sample_sums_only());
	check_same(sample_no_split());
	check_same(sample_one_cpu());
	check_same(sample_repeated());
	check_same(sample_rest());
	check_same(sample_topology());
	check_same(ipi_result__new());
}

/* Sums beyond what twelve digits of the mean tell: still the same mean. */
static void test_large_sums(void **state)
{
	static const u64 values[] = { 1, 999, 123456789012345ULL, 1ULL << 60, (1ULL << 62) - 1 };
	struct ipi_result *result = sample_new("large");
	struct ipi_cell *cell = sample_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY, 1);
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(values); i++)
		ipi_hist__add(cell->stage[IPI_STAGE_TOTAL], values[i]);
	check_same(result);
}

/* @text with the first @from replaced. */
static char *edited(const char *text, const char *from, const char *to)
{
	const char *pos = strstr(text, from);
	char *new;

	assert_non_null(pos);
	assert_true(asprintf(&new, "%.*s%s%s", (int)(pos - text), text, to,
			     pos + strlen(from)) > 0);
	return new;
}

static void test_refused(void **state)
{
	static const struct {
		const char *from;
		const char *to;
		const char *words;
	} edit[] = {
		{ "perf-bench-ipi/1", "perf-bench-ipi/2", "schema 'perf-bench-ipi/2' is not ours" },
		{ "perf-bench-ipi/1", "other/1", "no result of perf bench ipi" },
		{ "\"schema\"", "\"x\"", "no result of perf bench ipi" },
		{ "\"title\": \"", "\"title\": 5, \"x\": \"", "'title' makes no sense" },
		{ "\"cells\": [", "\"cells\": 7, \"x\": [", "'cells' makes no sense" },
		{ "\"dst\": [1]", "\"dst\": [-1]", "'dst' of cell 1 makes no sense" },
		{ "\"dst\": [1]", "\"dst\": [1, 1]", "'dst' of cell 1" },
		{ "\"dst\": [1]", "\"dst\": [65536]", "'dst' of cell 1" },
		{ "\"dst\": [1]", "\"dst\": [\"1\"]", "'dst' of cell 1" },
		{ "\"src\": 0, \"dst\"", "\"src\": 3000000000, \"dst\"", "'src' of cell 0" },
		{ "\"verdict\": \"ok\"", "\"verdict\": \"fine\"", "'verdict' of cell 0" },
		{ "\"calls\": ", "\"calls\": -", "'calls' of cell 0" },
		{ "\"calls\": ", "\"calls\": 1.", "'calls' of cell 0" },
		{ "\"interrupted\": false", "\"interrupted\": 0", "'interrupted'" },
		{ "\"count\": ", "\"count\": 9", "'total' of cell 0" },
		{ "\"min\": ", "\"min\": 9", "'total' of cell 0" },
		{ "\"max\": ", "\"max\": 9", "'total' of cell 0" },
		{ "\"mean\": ", "\"mean\": -", "'mean' of cell 0" },
		{ "\"hist\": [[", "\"hist\": [[-", "'hist' of cell 0" },
		{ "\"hist\": [[", "\"hist\": [[\"a\",1],[", "'hist' of cell 0" },
		/* No bucket begins at an odd number that large. */
		{ "\"hist\": [[", "\"hist\": [[100000001, 1], [", "'total' of cell 0" },
		{ "\"hist\": [[", "\"hist\": [[4, 0], [", "'hist' of cell 0" },
		{ "{", "[", ":" },
		{ "\"title\"", "\"schema\"", "duplicate" },
	};
	struct ipi_result *result = sample_no_split();
	char *text = written(result);
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(edit); i++) {
		char *bad = edited(text, edit[i].from, edit[i].to);
		struct ipi_why why = { 0 };
		struct ipi_result *back = read_text(bad, &why);

		if (back)
			fail_msg("%s: taken", edit[i].to);
		if (!strstr(why.what, edit[i].words))
			fail_msg("%s: %s", edit[i].to, why.what);
		free(bad);
	}
	free(text);
	ipi_result__delete(result);
}

static void test_topology_refused(void **state)
{
	static const struct {
		const char *from;
		const char *to;
		const char *words;
	} edit[] = {
		{ "\"topology\": {", "\"topology\": [], \"x\": {", "'topology' makes no sense" },
		{ "\"cpus\": [0, 1, 2, 3], \"levels\"", "\"cpus\": [1, 0], \"levels\"",
		  "'cpus' makes no sense" },
		{ "[[0, 2], [1, 3]]", "[[0, 2], [2, 3]]", "'smt' makes no sense" },
		{ "[[0, 2], [1, 3]]", "[[0, 2], []]", "'smt' makes no sense" },
		{ "[[0, 2], [1, 3]]", "[[0, 2], 1]", "'smt' makes no sense" },
		{ "[[0, 2], [1, 3]]", "7", "'smt' makes no sense" },
		{ "[[0, 2], [1, 3]]", "[[2, 0]]", "'smt' makes no sense" },
		{ "[[0, 2], [1, 3]]", "[[0, 65536]]", "'smt' makes no sense" },
	};
	struct ipi_result *result = sample_topology();
	char *text = written(result), *bad;
	struct ipi_why why;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(edit); i++) {
		bad = edited(text, edit[i].from, edit[i].to);
		if (read_text(bad, &why))
			fail_msg("taken: %s", edit[i].to);
		if (!strstr(why.what, edit[i].words))
			fail_msg("%s: %s", edit[i].to, why.what);
		free(bad);
	}
	free(text);
	ipi_result__delete(result);
}

/* A file of a later program of the same schema: what is not known is left out. */
static void test_later_program(void **state)
{
	struct ipi_result *result = sample_no_split();
	char *text = written(result);
	struct ipi_result *back;
	struct ipi_why why;
	char *more;

	(void)state;
	more = edited(text, "\"title\"", "\"brand_new\": {\"a\": [1]}, \"title\"");
	back = read_text(more, &why);
	assert_non_null(back);
	assert_int_equal(back->nr_cell, 2);
	ipi_result__delete(back);
	free(more);
	more = edited(text, "\"scenario\": \"normal\"", "\"scenario\": \"teleport\"");
	back = read_text(more, &why);
	assert_non_null(back);
	assert_int_equal(back->nr_cell, 1);
	assert_int_equal(back->cell[0].scenario, IPI_SCENARIO_DRY_RUN);
	ipi_result__delete(back);
	free(more);
	/* Absent is not known, not 0. */
	more = edited(text, "\"ipis_per_call\"", "\"x\"");
	back = read_text(more, &why);
	assert_non_null(back);
	assert_true(back->cell[0].ipis_per_call < 0);
	ipi_result__delete(back);
	free(more);
	free(text);
	ipi_result__delete(result);
}

static void test_no_file(void **state)
{
	struct ipi_why why;

	(void)state;
	assert_null(ipi_json__read("/nonexistent/x.json", &why));
	assert_int_equal(why.err, ENOENT);
	assert_non_null(strstr(why.what, "/nonexistent/x.json"));
	assert_null(ipi_json__read("/", &why));
	assert_null(read_text("", &why));
	assert_null(read_text("{\"schema\": \"perf-bench-ipi/1\", ", &why));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_bytes),
		cmocka_unit_test(test_large_sums),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_topology_refused),
		cmocka_unit_test(test_later_program),
		cmocka_unit_test(test_no_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void test_without(void **state)
{
	struct ipi_why why;

	(void)state;
	assert_null(ipi_json__read("x.json", &why));
	assert_int_equal(why.err, EOPNOTSUPP);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_without) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
