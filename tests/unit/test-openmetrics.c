// SPDX-License-Identifier: GPL-2.0
/*
 * Metrics: which samples there are and which are not, labels of any content, repetitions taken
 * together, files whole or not at all. tests/shell/fleet.sh holds whole files against the format.
 */
#include <errno.h>

#include "place.h"
#include "render.h"

#include "bench/ipi/report/openmetrics.h"
#include "bench/ipi/why.h"

/* Labels of rows, and a sample of a metric. */
#define LABEL(key, value)	key "=\"" value "\""
#define FROM_0			LABEL("backend", "fake") "," LABEL("src", "0")
#define IRQ			LABEL("class", "interrupt")
#define TO_1			LABEL("dst", "1") "," LABEL("targets", "1") "," IRQ
#define NORMAL_BUSY		LABEL("scenario", "normal") "," LABEL("target_state", "busy")
#define BUSY			NORMAL_BUSY "," FROM_0 "," TO_1
#define ALONE			FROM_0 "," LABEL("targets", "0")
#define DRY			LABEL("scenario", "dry-run") "," ALONE
#define SELF			LABEL("scenario", "self-ipi") "," ALONE "," IRQ
#define SAMPLE(metric, labels, value) "\nperf_bench_ipi_" metric "{" labels "} " value "\n"
#define TOTAL			LABEL("stage", "total")
#define QUANTILE(share)		"," LABEL("quantile", share)
#define MULTICAST		LABEL("target_state", "busy") "," LABEL("src", "0")

/* Of one result; @second makes them two. To be freed. */
static char *written(const struct ipi_result *result, const struct ipi_result *second)
{
	struct ipi_openmetrics metrics;
	struct place place = place_begin();
	struct ipi_why why;
	char *text;

	assert_int_equal(ipi_openmetrics__begin(&metrics, second), 0);
	ipi_openmetrics__add(&metrics, result, "first");
	if (second)
		ipi_openmetrics__add(&metrics, second, "second");
	if (ipi_openmetrics__end(&metrics, place.file, &why))
		fail_msg("%s", why.what);
	assert_int_equal(place_count(&place), 1);
	text = place_read(place.file);
	place_end(&place);
	return text;
}

static int count(const char *text, const char *word)
{
	int nr = 0;

	for (text = strstr(text, word); text; text = strstr(text + 1, word))
		nr++;
	return nr;
}

static void assert_has(const char *text, const char *line)
{
	if (count(text, line) != 1)
		fail_msg("%d times\n%s\nin\n%s", count(text, line), line, text);
}

static void test_samples(void **state)
{
	struct ipi_result *result = render_result();
	char *text;

	(void)state;
	result->cell[0].traced.done = true;
	result->cell[0].lost = 4;
	ipi_hist__add(ipi_cell__hist(&result->cell[0], IPI_STAGE_TOTAL_TRACED), 9);
	text = written(result, NULL);
	assert_has(text, SAMPLE("stage_seconds", BUSY "," TOTAL QUANTILE("0.5"), "5e-08"));
	assert_has(text, SAMPLE("stage_seconds", BUSY "," TOTAL QUANTILE("1.0"), "1e-07"));
	assert_has(text, SAMPLE("stage_seconds_sum", BUSY "," TOTAL, "5.05e-06"));
	assert_has(text, SAMPLE("stage_seconds_count", BUSY "," TOTAL, "100"));
	assert_has(text, SAMPLE("row_valid", BUSY, "1"));
	assert_has(text, SAMPLE("ipis_per_call", BUSY, "1"));
	assert_has(text, SAMPLE("lost_records", BUSY, "4"));
	/* Two stages of the one row that stands: 6 quantiles, sum and count each. */
	assert_int_equal(count(text, "stage=\"total\""), 8);
	assert_int_equal(count(text, "stage=\"send\""), 8);
	/* The bench's own pass tells nothing of the machine. */
	assert_int_equal(count(text, "total_traced"), 0);
	assert_int_equal(count(text, "\nperf_bench_ipi_row_valid{"), 4);
	assert_int_equal(count(text, "} 0\n"), 3 + 1 + 2);	/* not valid, no IPIs, no errors */
	/* A 0 that was not measured would be one more. */
	assert_int_equal(count(text, "\nperf_bench_ipi_ipis_per_call{"), 2);
	assert_int_equal(count(text, "\nperf_bench_ipi_lost_records{"), 1);
	assert_int_equal(count(text, "storm"), 0);
	assert_int_equal(count(text, "result="), 0);
	assert_string_equal(text + strlen(text) - 7, "\n# EOF\n");
	free(text);
	ipi_result__delete(result);
}

static void test_repetitions(void **state)
{
	struct ipi_result *result = ipi_result__new();
	char *text;

	(void)state;
	assert_non_null(result);
	render_cell(result, IPI_SCENARIO_DRY_RUN, IPI_TARGET_NONE, 1);
	render_cell(result, IPI_SCENARIO_SELF_IPI, IPI_TARGET_NONE, 7);
	render_cell(result, IPI_SCENARIO_DRY_RUN, IPI_TARGET_NONE, 3)->repetition = 1;
	render_cell(result, IPI_SCENARIO_SELF_IPI, IPI_TARGET_NONE, 7)->repetition = 1;
	result->cell[3].verdict = IPI_VERDICT_REFUSED;
	text = written(result, NULL);
	assert_has(text, SAMPLE("stage_seconds_count", DRY "," TOTAL, "4"));
	assert_has(text, SAMPLE("stage_seconds_sum", DRY "," TOTAL, "7e-09"));
	assert_has(text, SAMPLE("row_valid", DRY, "1"));
	/* One of them refused: not valid, and the other one's figures. */
	assert_has(text, SAMPLE("row_valid", SELF, "0"));
	assert_has(text, SAMPLE("stage_seconds_count", SELF "," TOTAL, "7"));
	free(text);
	ipi_result__delete(result);
}

static void test_labels(void **state)
{
	struct ipi_result *result = ipi_result__new();
	char *text;

	(void)state;
	assert_non_null(result);
	assert_int_equal(ipi_facts__str(&result->environment, "kernel", "6.1\"\\\n\xff\x07 x"), 0);
	render_cell(result, IPI_SCENARIO_DRY_RUN, IPI_TARGET_NONE, 1);
	text = written(result, NULL);
	assert_has(text, "\nperf_bench_ipi_info{kernel=\"6.1\\\"\\\\\\n?? x\"} 1\n");
	assert_has(text, "perf_bench_ipi_row_valid{kernel=\"6.1\\\"\\\\\\n?? x\"," DRY "} 1\n");
	free(text);
	ipi_result__delete(result);
}

/* Of several results each sample says whose it is, and a metric's samples stand together. */
static void test_several(void **state)
{
	struct ipi_result *result = render_result();
	char *text = written(result, result);

	(void)state;
	assert_int_equal(count(text, "{result=\"first\""), count(text, "{result=\"second\""));
	assert_int_equal(count(text, "\nperf_bench_ipi_row_valid{"), 8);
	assert_int_equal(count(text, "# TYPE perf_bench_ipi_row_valid gauge\n"), 1);
	assert_int_equal(count(text, "# TYPE "), count(text, "# HELP "));
	free(text);
	ipi_result__delete(result);
}

static void test_law(void **state)
{
	struct ipi_result *result = ipi_result__new();
	char *text;
	int k, i;

	(void)state;
	assert_non_null(result);
	for (k = 1; k <= 3; k++) {
		struct ipi_cell *cell;

		cell = render_cell(result, IPI_SCENARIO_MULTICAST, IPI_TARGET_BUSY, 0);
		ipi_hist__add(cell->stage[IPI_STAGE_TOTAL], 20 + 10 * (u64)k);
		for (i = 1; i < k; i++)
			assert_int_equal(ipi_cpus__add(&cell->dst, 1 + i), 0);
	}
	text = written(result, NULL);
	assert_has(text, SAMPLE("fanout_base_seconds", MULTICAST, "2e-08"));
	assert_has(text, SAMPLE("fanout_slope_seconds", MULTICAST "," LABEL("from", "1"), "1e-08"));
	free(text);
	ipi_result__delete(result);
}

static void test_no_place(void **state)
{
	struct ipi_openmetrics metrics;
	struct ipi_why why;

	(void)state;
	assert_int_equal(ipi_openmetrics__begin(&metrics, false), 0);
	assert_int_equal(ipi_openmetrics__end(&metrics, "/nonexistent/x.prom", &why), -ENOENT);
	assert_non_null(strstr(why.what, "/nonexistent/x.prom"));
	assert_int_equal(ipi_openmetrics__begin(&metrics, false), 0);
	assert_int_equal(ipi_openmetrics__end(&metrics, "/dev/full", &why), -ENOSPC);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_repetitions),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_law),
		cmocka_unit_test(test_no_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
