// SPDX-License-Identifier: GPL-2.0
/*
 * The page: that text stays text, that what was not measured is a dash, that gnuplot's documents
 * become parts of it, and that it is whole for every result there can be. No gnuplot is needed.
 */
#include "sample.h"

#include "bench/ipi/report/html.h"
#include "bench/ipi/why.h"
#include "place.h"

struct output {
	char *text;
	size_t size;
	struct ipi_page page;
};

static void begin(struct output *output, const struct ipi_plot *plot)
{
	memset(output, 0, sizeof(*output));
	output->page.plot = plot;
	output->page.threshold = 0.03;
	output->page.file = open_memstream(&output->text, &output->size);
	assert_non_null(output->page.file);
}

/* It is these pieces, up to a NULL, one behind the other. */
static void check_output(struct output *output, const char *const *want)
{
	const char *pos;

	assert_int_equal(fclose(output->page.file), 0);
	for (pos = output->text; *want; want++) {
		if (strncmp(pos, *want, strlen(*want)))
			fail_msg("wanted: %s, got: %s", *want, pos);
		pos += strlen(*want);
	}
	assert_string_equal(pos, "");
	free(output->text);
}

static void test_text(void **state)
{
	static const char *const want[] = {
		"&lt;b&gt;&amp;&quot;it&#39;s&quot; ??\xc3\xa9", NULL
	};
	struct output output;

	(void)state;
	begin(&output, NULL);
	ipi_html__text(output.page.file, "<b>&\"it's\"\n\x1b\xff\xc3\xa9");
	check_output(&output, want);
}

static void test_cells(void **state)
{
	static const char *const cells[] = {
		"<td class=\"n\">-</td>", "<td class=\"n\">0</td>",
		"<td class=\"n\">12 345</td>", "<td class=\"n\">-</td>",
		"<td class=\"n\">-</td>", "<td class=\"n\">0</td>", NULL
	};
	static const char *const table[] = {
		"<div class=\"wide\"><table>\n<tr>", "<th scope=\"col\">a</th>",
		"<th scope=\"col\" class=\"n\">b</th></tr>\n", "</table></div>\n", NULL
	};
	struct ipi_hist *hist = ipi_hist__new();
	struct output output;

	(void)state;
	assert_non_null(hist);
	begin(&output, NULL);
	ipi_html__number(&output.page, -1);
	ipi_html__number(&output.page, 0);
	ipi_html__number(&output.page, 12345);
	ipi_html__percentile(&output.page, NULL, 5000);
	ipi_html__percentile(&output.page, hist, 5000);
	ipi_hist__add(hist, 0);
	ipi_html__percentile(&output.page, hist, 5000);
	check_output(&output, cells);
	ipi_hist__delete(hist);

	begin(&output, NULL);
	ipi_html__table(&output.page, "a|\n#b");
	ipi_html__table_end(&output.page);
	check_output(&output, table);
}

/* Two documents: their names are told apart, addresses and tool tips go, text stays. */
static void test_figures(void **state)
{
	static const char svg[] =
		"<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 1 1\" xmlns=\"http://x\"\n"
		"xmlns:xlink=\"http://y\"><title>t</title><desc>d</desc><g id='a'>\n"
		"<use xlink:href='#a' fill='url(#a)'/><text> id='a' http</text></g></svg>\n"
		"<?xml version=\"1.0\"?>\n<svg><g id=\"a\"/></svg>\n";
	static const char *const want[] = {
		"<section id=\"figures\">\n<h2>Figures</h2>\n<h3>Percentiles</h3>\n",
		"<figure id=\"figure-1\">\n<figcaption><b id=\"title-1\">one &amp; two</b>",
		"<span>same</span></figcaption>\n",
		"<svg role=\"img\" aria-labelledby=\"title-1\" viewBox=\"0 0 1 1\" ",
		"\n><g id='f1-a'>\n<use href='#f1-a' fill='url(#f1-a)'/><text> id='a' http</text>",
		"</g></svg>\n</figure>\n",
		"<figure id=\"figure-2\">\n<figcaption><b id=\"title-2\">three</b>",
		"<span></span></figcaption>\n",
		"<svg role=\"img\" aria-labelledby=\"title-2\"><g id=\"f2-a\"/></svg>\n",
		"</figure>\n</section>\n", NULL
	};
	struct ipi_figure figure[2] = {
		{ .kind = IPI_FIGURE_CDF, .title = "one & two", .caption = "same" },
		{ .kind = IPI_FIGURE_CDF, .title = "three", .caption = "same" },
	};
	const struct ipi_figures figures = { .figure = figure, .nr = 2 };
	struct output output;

	(void)state;
	begin(&output, NULL);
	ipi_html__figures(&output.page, &figures, svg);
	check_output(&output, want);

	/* Without gnuplot, and with less than there should be. */
	begin(&output, NULL);
	ipi_html__figures(&output.page, &figures, NULL);
	assert_int_equal(fflush(output.page.file), 0);
	assert_non_null(strstr(output.text, "gnuplot-nox"));
	assert_null(strstr(output.text, "<svg"));
	assert_int_equal(fclose(output.page.file), 0);
	free(output.text);
}

static int count(const char *text, const char *word)
{
	int nr = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		nr++;
	return nr;
}

/* Every tag that is opened is closed again. */
static void check_balance(const char *text)
{
	static const char *const tags[] = {
		"html", "head", "body", "header", "nav", "main", "section", "table", "tr", "td",
		"th", "h2", "h3", "p", "ul", "li", "dl", "dt", "dd", "figure", "style", "div",
	};
	char open[16], close[16];
	unsigned int i;
	int nr;

	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		snprintf(open, sizeof(open), "<%s>", tags[i]);
		nr = count(text, open);
		snprintf(open, sizeof(open), "<%s ", tags[i]);
		nr += count(text, open);
		snprintf(close, sizeof(close), "</%s>", tags[i]);
		if (nr != count(text, close))
			fail_msg("%s: %d opened, %d closed", tags[i], nr, count(text, close));
	}
}

/* Takes both. Return: the page, without figures. */
static char *page_of(struct ipi_result *one, struct ipi_result *two)
{
	const struct ipi_plot_run run[] = { { "<base>", one }, { "new", two } };
	const struct ipi_plot_conf conf = { .run = run, .nr = two ? 2 : 1 };
	struct ipi_plot *plot = ipi_plot__new(&conf);
	const struct ipi_figures figures = { .nr = 0 };
	struct place place = place_begin();
	struct ipi_why why;
	char *text;

	assert_non_null(plot);
	if (ipi_html__write(plot, &figures, 0.03, place.file, &why))
		fail_msg("%s", why.what);
	text = place_read(place.file);
	place_end(&place);
	ipi_plot__delete(plot);
	ipi_result__delete(one);
	ipi_result__delete(two);
	check_balance(text);
	assert_non_null(strstr(text, "&lt;base&gt;"));
	assert_null(strstr(text, "<base>"));
	assert_null(strstr(text, ">nan<"));
	assert_null(strstr(text, ">-nan<"));
	assert_null(strstr(text, ">inf<"));
	assert_int_equal(count(text, "<section id="), 9);
	return text;
}

static void test_pages(void **state)
{
	char *text;

	(void)state;
	text = page_of(sample_ok(), NULL);
	assert_non_null(strstr(text, "<td>normal busy</td><td>&lt;base&gt;</td><td>0&gt;1</td>"));
	assert_non_null(strstr(text, "<td>1.00</td><td class=\"n\">2 000</td>"));
	assert_non_null(strstr(text, "<td class=\"n\">2 000</td><td class=\"n\">52 600<"));
	/* the sum of two stages that this kernel can't tell apart */
	assert_int_equal(count(text, "<td class=\"n\">-</td><td class=\"n\">="), 1);
	assert_non_null(strstr(text, "none of these runs is a matrix"));
	free(text);

	text = page_of(sample_bad(), NULL);
	assert_non_null(strstr(text, "was interrupted"));
	assert_non_null(strstr(text, "<td>refused</td><td>12 interrupt, 1980 polled"));
	assert_non_null(strstr(text, "<td>unsupported</td><td>needs three CPUs"));
	free(text);

	text = page_of(sample_repeated(), sample_no_split());
	assert_non_null(strstr(text, "Nothing is claimed of less than 3 repetitions"));
	assert_non_null(strstr(text, "<tr class=\"undecided\"><td>normal busy</td>"));
	free(text);

	text = page_of(ipi_result__new(), sample_one_cpu());
	assert_non_null(strstr(text, "Nothing to compare"));
	free(text);
	free(page_of(sample_sums_only(), ipi_result__new()));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
