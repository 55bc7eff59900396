// SPDX-License-Identifier: GPL-2.0
/*
 * Figures of results built by hand: which there are, what their scripts say, and that what was not
 * measured is in none. No gnuplot is needed.
 */
#include "sample.h"
#include "matrix-sample.h"

#include "bench/ipi/report/plot-draw.h"

#define RUNS_MAX	2

/* Results drawn. */
struct drawn {
	struct ipi_result *result[RUNS_MAX];
	struct ipi_plot_run run[RUNS_MAX];
	struct ipi_plot *plot;
	struct ipi_figures figures;
};

static void draw(struct drawn *drawn, struct ipi_result *one, struct ipi_result *two,
		 struct ipi_plot_conf conf)
{
	memset(drawn, 0, sizeof(*drawn));
	drawn->result[0] = one;
	drawn->result[1] = two;
	drawn->run[0] = (struct ipi_plot_run){ "base", one };
	drawn->run[1] = (struct ipi_plot_run){ "it's `new`", two };
	conf.run = drawn->run;
	conf.nr = two ? 2 : 1;
	if (!conf.kinds)
		conf.kinds = ~0U;
	drawn->plot = ipi_plot__new(&conf);
	assert_non_null(drawn->plot);
	assert_int_equal(ipi_figures__make(&drawn->figures, drawn->plot), 0);
}

static void undraw(struct drawn *drawn)
{
	ipi_figures__free(&drawn->figures);
	ipi_plot__delete(drawn->plot);
	ipi_result__delete(drawn->result[0]);
	ipi_result__delete(drawn->result[1]);
}

static int count(const char *text, const char *word)
{
	int nr = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		nr++;
	return nr;
}

static int count_kind(const struct drawn *drawn, enum ipi_figure_kind kind)
{
	int nr = 0;
	int i;

	for (i = 0; i < drawn->figures.nr; i++)
		nr += drawn->figures.figure[i].kind == kind;
	return nr;
}

static const struct ipi_figure *find(const struct drawn *drawn, const char *title)
{
	int i;

	for (i = 0; i < drawn->figures.nr; i++) {
		if (!strcmp(drawn->figures.figure[i].title, title))
			return &drawn->figures.figure[i];
	}
	fail_msg("no figure '%s'", title);
	return NULL;
}

/* The lines of a data block. */
static int lines_of(const char *script, const char *block)
{
	char head[64];
	const char *pos, *end;
	int nr = 0;

	snprintf(head, sizeof(head), "%s << EOD\n", block);
	pos = strstr(script, head);
	if (!pos)
		fail_msg("no data %s", block);
	pos += strlen(head);
	for (end = strstr(pos, "EOD\n"); pos < end; pos = strchr(pos, '\n') + 1)
		nr++;
	return nr;
}

/* gnuplot's word for "no curve, but its legend" is the only one of that kind. */
static void check_numbers(const struct drawn *drawn)
{
	int i;

	for (i = 0; i < drawn->figures.nr; i++) {
		const char *script = drawn->figures.figure[i].script;

		assert_null(strcasestr(script, "inf"));
		assert_int_equal(count(script, "nan"), 0);
		assert_int_equal(count(script, "NaN"), count(script, "NaN with lines"));
		assert_true(drawn->figures.figure[i].height > 0);
		assert_true(drawn->figures.figure[i].curves > 0);
	}
}

static void test_kinds(void **state)
{
	struct drawn drawn;

	(void)state;
	draw(&drawn, sample_ok(), NULL, (struct ipi_plot_conf){ 0 });
	check_numbers(&drawn);
	assert_int_equal(count_kind(&drawn, IPI_FIGURE_STAGES), 1);
	/* total, delivery and the five parts */
	assert_int_equal(count_kind(&drawn, IPI_FIGURE_CDF), 7);
	assert_int_equal(count_kind(&drawn, IPI_FIGURE_HIST), 7);
	assert_int_equal(count_kind(&drawn, IPI_FIGURE_FANOUT), 0);
	assert_int_equal(count_kind(&drawn, IPI_FIGURE_MATRIX), 0);
	undraw(&drawn);

	draw(&drawn, sample_ok(), NULL, (struct ipi_plot_conf){
	     .kinds = 1U << IPI_FIGURE_CDF, .stages = 1U << IPI_STAGE_SEND_LATENCY,
	     .scenarios = 1U << IPI_SCENARIO_NORMAL | 1U << IPI_SCENARIO_WAKE });
	assert_int_equal(drawn.figures.nr, 1);
	assert_int_equal(drawn.plot->nr_row, 2);
	undraw(&drawn);
}

/* What is refused, unsupported or empty is not drawn. */
static void test_nothing(void **state)
{
	struct ipi_result *refused = sample_new("normal");
	struct drawn drawn;

	(void)state;
	sample_cell(refused, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY, 100)->verdict =
		IPI_VERDICT_REFUSED;
	draw(&drawn, refused, ipi_result__new(), (struct ipi_plot_conf){ 0 });
	assert_int_equal(drawn.plot->nr_row, 0);
	assert_int_equal(drawn.figures.nr, 0);
	undraw(&drawn);

	draw(&drawn, sample_bad(), NULL, (struct ipi_plot_conf){ 0 });
	/* dry-run, normal busy, wake busy */
	assert_int_equal(drawn.plot->nr_row, 3);
	undraw(&drawn);
}

/* Every sample is in the curve: it ends with all of them up to it and one at least as long. */
static void test_cdf(void **state)
{
	const struct ipi_figure *figure;
	struct drawn drawn;

	(void)state;
	draw(&drawn, sample_no_split(), NULL, (struct ipi_plot_conf){ 0 });
	figure = find(&drawn, "total, ns");
	/* two rows, each on the left and on the right */
	assert_int_equal(figure->curves, 4);
	assert_non_null(strstr(figure->script, "$curve_0_0 << EOD\n25 0 1\n"));
	assert_non_null(strstr(figure->script, "\n526000 100.0000 0.0005\nEOD\n"));
	assert_non_null(strstr(figure->script, "using 1:2 with steps"));
	assert_non_null(strstr(figure->script, "using 1:3 with fsteps"));
	assert_non_null(strstr(figure->script, "'p99.9' 1e-03"));
	assert_null(strstr(figure->script, "'p99.99'"));
	assert_non_null(strstr(figure->script, "'100 000' 100000"));
	undraw(&drawn);
}

/* Two runs: a curve each, and one entry of the legend a row and a run. */
static void test_overlaid(void **state)
{
	const struct ipi_figure *figure;
	struct drawn drawn;

	(void)state;
	draw(&drawn, sample_no_split(), sample_repeated(), (struct ipi_plot_conf){ 0 });
	check_numbers(&drawn);
	figure = find(&drawn, "total, ns");
	assert_int_equal(figure->curves, 8);
	assert_int_equal(count(figure->script, "title 'normal busy'"), 2);
	assert_int_equal(count(figure->script, "title 'base'"), 2);
	/* quoted so that it stays text */
	assert_int_equal(count(figure->script, "title 'it''s `new`'"), 2);
	/* repetitions are one row */
	assert_int_equal(drawn.plot->row[1].data[1].cells, 2);
	assert_int_equal(ipi_hist__count(ipi_plot__hist(&drawn.plot->row[1], 1, IPI_STAGE_TOTAL)),
			 2 * SAMPLE_CALLS);
	undraw(&drawn);
}

/* What a kernel can't tell apart is one piece, what nobody knows is none. */
static void test_stages(void **state)
{
	const struct ipi_figure *figure;
	struct drawn drawn;

	(void)state;
	draw(&drawn, sample_ok(), NULL, (struct ipi_plot_conf){ .kinds = 1U << IPI_FIGURE_STAGES });
	figure = &drawn.figures.figure[0];
	/* all but the dry run */
	assert_int_equal(figure->curves, 5);
	assert_int_equal(lines_of(figure->script, "$piece_0"), 3);
	assert_int_equal(lines_of(figure->script, "$piece_2"), 1);
	assert_int_equal(lines_of(figure->script, "$piece_3"), 1);
	assert_int_equal(lines_of(figure->script, "$piece_7"), 3);
	assert_null(strstr(figure->script, "dispatch + handle"));
	undraw(&drawn);

	draw(&drawn, sample_sums_only(), NULL,
	     (struct ipi_plot_conf){ .kinds = 1U << IPI_FIGURE_STAGES });
	figure = &drawn.figures.figure[0];
	assert_int_equal(figure->curves, 2);
	assert_int_equal(lines_of(figure->script, "$piece_0"), 0);
	assert_int_equal(lines_of(figure->script, "$piece_2"), 2);
	assert_int_equal(lines_of(figure->script, "$piece_6"), 2);
	assert_null(strstr(figure->script, "title 'send'"));
	assert_null(strstr(figure->script, "title 'ack'"));
	undraw(&drawn);
}

/*
 * Ridges: each bin has a height, bins don't overlap, the fullest is as high as any, and none lies
 * beyond the axis.
 */
static void test_hist(void **state)
{
	double low, high, floor, top, top_end, end = 0, most = 0, last;
	const struct ipi_figure *figure;
	struct drawn drawn;
	const char *pos;
	int bins = 0;
	int nr;

	(void)state;
	draw(&drawn, sample_no_split(), NULL, (struct ipi_plot_conf){ 0 });
	figure = find(&drawn, "histograms of total, ns");
	assert_int_equal(figure->curves, 2);
	pos = strstr(figure->script, "$ridge_1_0 << EOD\n");
	assert_non_null(pos);
	pos = strchr(pos, '\n') + 1;
	while (strncmp(pos, "EOD", 3)) {
		nr = sscanf(pos, "%lf %lf %lf\n%lf %*f %lf\n", &low, &floor, &top, &high,
			    &top_end);
		assert_int_equal(nr, 5);
		assert_true(low >= end && high > low && top > floor && top_end == top);
		end = high;
		most = top - floor > most ? top - floor : most;
		pos = strchr(strchr(pos, '\n') + 1, '\n') + 1;
		pos += *pos == '\n';
		bins++;
	}
	/* two octaves of 32 bins, of which those between twice and three times are empty */
	assert_in_range(bins, 32, 64);
	assert_true(most > 0.85 && most < 0.87);
	pos = strstr(figure->script, "set xrange [");
	assert_non_null(pos);
	nr = sscanf(pos, "set xrange [%lf:%lf]", &low, &last);
	assert_int_equal(nr, 2);
	assert_true(end <= last);
	/* the slowest, at ten times, is beyond p99 */
	assert_true(last < 526000);
	undraw(&drawn);
}

/* 1, 2, 4 targets; 2 and 4 senders, of which one has no rate. */
static struct ipi_result *sample_fanout(void)
{
	struct ipi_result *result = sample_new("multicast,storm");
	struct ipi_cell *cell;
	int nr, i;

	for (nr = 1; nr <= 4; nr *= 2) {
		cell = sample_cell(result, IPI_SCENARIO_MULTICAST, IPI_TARGET_BUSY, 1000 * nr);
		for (i = 2; i <= nr; i++)
			assert_int_equal(ipi_cpus__add(&cell->dst, i), 0);
	}
	for (nr = 2; nr <= 4; nr *= 2) {
		cell = sample_cell(result, IPI_SCENARIO_STORM, IPI_TARGET_ANY, 2000);
		cell->storm_rate = nr == 2 ? 1.5e6 : -1;
		for (i = 0; i < nr; i++)
			assert_int_equal(ipi_cpus__add(&cell->senders, i), 0);
	}
	return result;
}

static void test_fanout(void **state)
{
	const struct ipi_figure *figure;
	struct drawn drawn;

	(void)state;
	draw(&drawn, sample_fanout(), NULL,
	     (struct ipi_plot_conf){ .kinds = 1U << IPI_FIGURE_FANOUT });
	check_numbers(&drawn);
	figure = &drawn.figures.figure[0];
	/* p50 and p99 of both, and the rate */
	assert_int_equal(figure->curves, 5);
	assert_int_equal(lines_of(figure->script, "$fan_0_0_1"), 3);
	assert_int_equal(lines_of(figure->script, "$fan_1_0_4"), 1);
	assert_non_null(strstr(figure->script, "\n2 1500\n"));
	assert_int_equal(lines_of(figure->script, "$fan_2_0_4"), 2);
	undraw(&drawn);
}

/* CPU 3 of each socket of a small machine is slow as a target; two pairs are missing. */
static struct ipi_result *sample_matrix(bool topology)
{
	struct ipi_result *result = sample_new("matrix");
	struct ipi_cpus cpus = { 0 }, half[2] = { { 0 } };
	int src, dst;

	for (src = 0; src < 8; src++) {
		assert_int_equal(ipi_cpus__add(&cpus, src), 0);
		assert_int_equal(ipi_cpus__add(&half[src / 4], src), 0);
		for (dst = 0; dst < 8; dst++) {
			if (dst != src && !(src == 1 && dst < 3))
				matrix_stage(matrix_cell(result, src, dst, 0), IPI_STAGE_TOTAL,
					     dst == 3 ? 9000 : 1500);
		}
	}
	if (topology) {
		result->topology = ipi_topology__new("/sys", &cpus);
		assert_non_null(result->topology);
		for (src = 0; src < 2; src++)
			assert_int_equal(ipi_topology__add(result->topology, IPI_DISTANCE_SOCKET,
							   &half[src], NULL), 0);
	}
	ipi_cpus__free(&cpus);
	ipi_cpus__free(&half[0]);
	ipi_cpus__free(&half[1]);
	return result;
}

static void test_matrix(void **state)
{
	const struct ipi_figure *figure;
	struct drawn drawn;
	int known;

	(void)state;
	for (known = 0; known < 2; known++) {
		draw(&drawn, sample_matrix(known), NULL,
		     (struct ipi_plot_conf){ .kinds = 1U << IPI_FIGURE_MATRIX });
		check_numbers(&drawn);
		assert_int_equal(drawn.figures.nr, 1);
		figure = &drawn.figures.figure[0];
		assert_int_equal(figure->curves, 2);
		assert_int_equal(lines_of(figure->script, "$pairs"), 8 * 7 - 2);
		assert_non_null(strstr(figure->caption, "54 of 56 ordered pairs"));
		/* one border, down and across, in both maps */
		assert_int_equal(count(figure->script, "set arrow from"), known ? 4 : 0);
		assert_int_equal(count(figure->script, "set arrow from 3.5, -0.5 to 3.5, 7.5"),
				 known ? 2 : 0);
		assert_non_null(strstr(figure->caption, known ? "socket" : "no topology"));
		/* a ratio of six: logarithmic */
		assert_int_equal(count(figure->script, "set logscale cb"), 2);
		undraw(&drawn);
	}
	/* two pairs are no map */
	draw(&drawn, sample_repeated(), NULL,
	     (struct ipi_plot_conf){ .kinds = 1U << IPI_FIGURE_MATRIX });
	assert_int_equal(drawn.figures.nr, 0);
	undraw(&drawn);
}

static char *axis(double low, double high)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	ipi_plot__log_axis(file, "x", low, high);
	assert_int_equal(fclose(file), 0);
	return text;
}

/* Some marks, but not too many, whatever the range. */
static void test_axis(void **state)
{
	double low, ratio;
	char *text;
	int nr;

	(void)state;
	for (low = 1; low < 1e12; low *= 3.7) {
		for (ratio = 1.2; ratio < 1e6; ratio *= 1.31) {
			text = axis(low, low * ratio);
			nr = count(text, "' ");
			if (nr < (low * (ratio - 1) < 3 ? 1 : 2) || nr > 12)
				fail_msg("%s", text);
			free(text);
		}
	}
	text = axis(20, 30000);
	assert_non_null(strstr(text, "('100' 100, '1 000' 1000, '10 000' 10000)"));
	free(text);
}

static void test_quote(void **state)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	(void)state;
	assert_non_null(file);
	ipi_plot__quote(file, "a'b\"c`d$(e)\\f%g\n\x1b\xff\xc3\xa9");
	ipi_plot__quote_format(file, "5%");
	assert_int_equal(fclose(file), 0);
	assert_string_equal(text, "'a''b\"c`d$(e)\\f%g???\xc3\xa9''5%%'");
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_cdf),
		cmocka_unit_test(test_overlaid),
		cmocka_unit_test(test_hist),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_fanout),
		cmocka_unit_test(test_matrix),
		cmocka_unit_test(test_axis),
		cmocka_unit_test(test_quote),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
