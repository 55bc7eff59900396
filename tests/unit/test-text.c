// SPDX-License-Identifier: GPL-2.0
/*
 * The text outputs of results built by hand, against golden files; and what holds for any of them:
 * aligned columns, comment lines, as many fields in a row as in the heading. IPI_TEST_UPDATE=1
 * writes the golden files anew: look at the difference before you keep them.
 */
#include "sample.h"

#define COLUMNS_MAX	100

static const char *data_dir(void)
{
	const char *dir = getenv("IPI_TEST_DATA");

	return dir ? dir : "tests/data";
}

static FILE *open_golden(const char *name, const char *mode)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/golden/%s.txt", data_dir(), name);
	file = fopen(path, mode);
	if (!file)
		fail_msg("cannot open %s", path);
	return file;
}

/* Takes @got. */
static void check_golden(const char *name, char *got)
{
	static char want[65536];
	FILE *file;
	size_t len;

	if (getenv("IPI_TEST_UPDATE")) {
		file = open_golden(name, "w");
		assert_true(fputs(got, file) >= 0);
	} else {
		file = open_golden(name, "r");
		len = fread(want, 1, sizeof(want) - 1, file);
		want[len] = '\0';
		if (strcmp(got, want))
			fail_msg("%s is not as it was, but:\n%s", name, got);
	}
	assert_int_equal(fclose(file), 0);
	free(got);
}

static char *render(const struct ipi_result *result, const struct ipi_text_conf *conf)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	ipi_text__begin(file, result, conf);
	ipi_text__end(file, result, conf);
	assert_int_equal(fclose(file), 0);
	return text;
}

static int count_fields(const char *line)
{
	int nr = 0;

	while (*(line += strspn(line, " "))) {
		line += strcspn(line, " ");
		nr++;
	}
	return nr;
}

/* Where the last column ends, as the heading has it. */
static void check_row(const char *line, const char *heading, const struct ipi_cell *cell)
{
	size_t len = strlen(heading);

	assert_int_equal(strncmp(line, "  ", 2), 0);
	assert_string_not_equal(line + strspn(line, " "), "");
	if (cell->verdict == IPI_VERDICT_UNSUPPORTED || cell->verdict == IPI_VERDICT_FAILED) {
		assert_non_null(strstr(line, cell->note));
		return;
	}
	assert_true(strlen(line) >= len);
	if (cell->interrupted) {
		assert_non_null(strstr(line, "  interrupted after "));
		return;
	}
	assert_int_equal(strlen(line), len);
	assert_int_not_equal(line[len - 1], ' ');
	/* the heading has its "#" */
	assert_int_equal(count_fields(line), count_fields(heading) - 1);
}

/* Rows are the lines without "#", one for each cell, under a heading they fit. */
static void check_form(const struct ipi_result *result, const char *text, bool narrow)
{
	char *copy = strdup(text);
	char heading[512] = "";
	char *line, *save;
	int rows = 0;

	assert_non_null(copy);
	for (line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (narrow && !strstr(line, "  interrupted after "))
			assert_true(strlen(line) <= COLUMNS_MAX);
		assert_int_not_equal(line[strlen(line) - 1], ' ');
		if (strstr(line, " scenario "))
			snprintf(heading, sizeof(heading), "%s", line);
		if (*line == '#')
			continue;
		assert_true(rows < result->nr_cell);
		check_row(line, heading, &result->cell[rows++]);
	}
	assert_int_equal(rows, result->nr_cell);
	free(copy);
}

static void check(const char *name, struct ipi_result *result, const struct ipi_text_conf *conf)
{
	char *text = render(result, conf);

	check_form(result, text, !conf->verbose && !conf->normalize);
	check_golden(name, text);
	ipi_result__delete(result);
}

static void test_ok(void **state)
{
	(void)state;
	check("text-ok", sample_ok(), &(struct ipi_text_conf) { 0 });
}

static void test_bad(void **state)
{
	(void)state;
	check("text-bad", sample_bad(), &(struct ipi_text_conf) { 0 });
}

static void test_sums_only(void **state)
{
	(void)state;
	check("text-sums-only", sample_sums_only(), &(struct ipi_text_conf) { 0 });
}

static void test_no_split(void **state)
{
	(void)state;
	check("text-no-split", sample_no_split(), &(struct ipi_text_conf) { 0 });
}

static void test_one_cpu(void **state)
{
	(void)state;
	check("text-one-cpu", sample_one_cpu(), &(struct ipi_text_conf) { 0 });
}

static void test_repeated(void **state)
{
	(void)state;
	check("text-repeated", sample_repeated(), &(struct ipi_text_conf) { 0 });
}

static void test_normalize(void **state)
{
	const struct ipi_text_conf conf = { .normalize = true };

	(void)state;
	check("text-normalize", sample_ok(), &conf);
	/* By the dry run of its own repetition. */
	check("text-normalize-repeated", sample_repeated(), &conf);
	/* No dry run to divide by. */
	check("text-normalize-impossible", sample_sums_only(), &conf);
}

static void test_verbose(void **state)
{
	const struct ipi_text_conf conf = { .verbose = 1 };

	(void)state;
	check("text-verbose", sample_ok(), &conf);
	check("text-verbose-bad", sample_bad(), &conf);
}

static void test_hist(void **state)
{
	const struct ipi_text_conf conf = { .hist = true };

	(void)state;
	check("text-hist", sample_no_split(), &conf);
}

/* Colour changes nothing but the escapes. */
static void test_colour(void **state)
{
	const struct ipi_text_conf plain_conf = { 0 };
	const struct ipi_text_conf conf = { .colour = true };
	struct ipi_result *result = sample_bad();
	char *plain = render(result, &plain_conf);
	char *text = render(result, &conf);
	char *from = text;
	char *to = text;

	(void)state;
	assert_null(strchr(plain, '\033'));
	assert_non_null(strstr(text, "\033[1m"));
	assert_non_null(strstr(text, "\033[31m"));
	while (*from) {
		if (*from == '\033')
			from += strcspn(from, "m") + 1;
		else
			*to++ = *from++;
	}
	*to = '\0';
	assert_string_equal(text, plain);
	free(plain);
	free(text);
	ipi_result__delete(result);
}

/* Nothing known, nothing run. */
static void test_empty(void **state)
{
	struct ipi_result *result = ipi_result__new();

	(void)state;
	assert_non_null(result);
	check("text-empty", result, &(struct ipi_text_conf) { .normalize = true, .hist = true });
}

/* What was not measured is "-", in every column. */
static void test_nothing_measured(void **state)
{
	struct ipi_result *result = sample_new("normal");
	struct ipi_cell *cell = ipi_result__add_cell(result);
	char *text, *row, *word, *save;
	int nr = 0;

	(void)state;
	assert_non_null(cell);
	cell->scenario = IPI_SCENARIO_NORMAL;
	cell->target = IPI_TARGET_BUSY;
	text = render(result, &(struct ipi_text_conf) { 0 });
	check_form(result, text, true);
	row = strstr(text, "\n  normal ");
	assert_non_null(row);
	row = strtok_r(row, "\n", &save);
	for (word = strtok_r(row, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (nr++ >= 2)
			assert_string_equal(word, "-");
	}
	assert_int_equal(nr, 13);
	free(text);
	ipi_result__delete(result);
}

/* A fact of several lines, or of none that fit, does not become a row. */
static void test_odd_facts(void **state)
{
	struct ipi_result *result = sample_ok();
	static char huge[4000];
	char *text;

	(void)state;
	memset(huge, 'x', sizeof(huge) - 1);
	assert_int_equal(ipi_facts__str(&result->environment, "mitigations", "a: b\nc: d"), 0);
	assert_int_equal(ipi_facts__str(&result->environment, "irqchip", "a\nb"), 0);
	assert_int_equal(ipi_facts__str(&result->environment, "cpu_model", huge), 0);
	text = render(result, &(struct ipi_text_conf) { .verbose = 1 });
	check_form(result, text, false);
	assert_non_null(strstr(text, huge));
	free(text);
	ipi_result__delete(result);
}

static void test_simple(void **state)
{
	struct ipi_result *result = sample_bad();
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	(void)state;
	assert_non_null(file);
	ipi_simple__print(file, result);
	assert_int_equal(fclose(file), 0);
	check_golden("simple", text);
	ipi_result__delete(result);
}

static void test_hist_edges(void **state)
{
	struct ipi_hist *hist = ipi_hist__new();
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	int i;

	(void)state;
	assert_non_null(file);
	assert_non_null(hist);
	ipi_hist__print(file, hist, "empty", false);
	ipi_hist__add(hist, 0);
	ipi_hist__add(hist, 1);
	ipi_hist__print(file, hist, "small", false);
	for (i = 0; i < 1000; i++)
		ipi_hist__add(hist, 5);
	ipi_hist__add(hist, UINT64_MAX);
	ipi_hist__print(file, hist, "all", false);
	assert_int_equal(fclose(file), 0);
	check_golden("hist-edges", text);
	ipi_hist__delete(hist);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ok),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_sums_only),
		cmocka_unit_test(test_no_split),
		cmocka_unit_test(test_one_cpu),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_normalize),
		cmocka_unit_test(test_verbose),
		cmocka_unit_test(test_hist),
		cmocka_unit_test(test_colour),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_nothing_measured),
		cmocka_unit_test(test_odd_facts),
		cmocka_unit_test(test_simple),
		cmocka_unit_test(test_hist_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
