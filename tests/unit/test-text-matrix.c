// SPDX-License-Identifier: GPL-2.0
/*
 * A matrix as text: counts, what was planted by name, and a map that fits whatever the width.
 */
#include <stdio.h>
#include <linux/kernel.h>

#include "matrix-sample.h"

#include "bench/ipi/report/map-blocks.h"
#include "bench/ipi/report/matrix.h"
#include "bench/ipi/stats/matrix.h"

static const struct ipi_matrix_conf plain = { .stages = 1U << IPI_STAGE_TOTAL, .columns = 100 };

static char *print(struct ipi_result *result, const struct ipi_matrix_conf *conf)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	ipi_matrix__print(file, result, conf);
	assert_int_equal(fclose(file), 0);
	return text;
}

static void has(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("no \"%s\" in:\n%s", words, text);
}

static void lacks(const char *text, const char *words)
{
	if (strstr(text, words))
		fail_msg("\"%s\" in:\n%s", words, text);
}

/* The longest line. */
static size_t width(const char *text)
{
	size_t longest = 0;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		if (strcspn(text, "\n") > longest)
			longest = strcspn(text, "\n");
	}
	return longest;
}

static struct ipi_result *big(bool full, matrix_plant plant)
{
	return matrix_sample(machine__make(56, 2, 28, 28), full, full ? 1 : 3, 0.01, 1, plant);
}

static double planted(int src, int dst)
{
	double ns = dst == 37 ? 1.5 : 1;

	if (src == 70 && dst == 14)
		ns *= 1.3;
	return src % 56 >= 28 && dst % 56 < 28 ? ns * 1.13 : ns;
}

static void test_names(void **state)
{
	struct ipi_result *result = big(false, planted);
	char *text = print(result, &plain);

	(void)state;
	has(text, "\n  total           smt         112      112 ");
	has(text, "\n  total           llc        6048      168 ");
	has(text, "\n  total           remote     6272      168 ");
	has(text, "\n# slow CPU 37 as target: its total is +");
	has(text, "\n# uneven sockets: total of 28-55,84-111 to 0-27,56-83 is ");
	has(text, " | 70>14 ");
	has(text, " uneven pairs of these CPUs");
	has(text, "noise of a p50 between repetitions ");
	has(text, "topology by model: 112 CPUs | 56 smt | 2 llc | 2 socket | 2 node");
	lacks(text, "no CPU is an outlier");
	lacks(text, "\033");
	lacks(text, "without a headline");
	assert_in_range(width(text), 60, 100);
	free(text);
	ipi_result__delete(result);
}

static void test_nothing(void **state)
{
	struct ipi_result *result = big(false, NULL);
	struct ipi_matrix_conf conf = plain;
	char *text = print(result, &conf);

	(void)state;
	has(text, "total: no CPU is an outlier | total: no uneven pair among 224");
	lacks(text, "slow CPU");
	lacks(text, "uneven sockets");
	free(text);
	/* Nothing of that stage: no row, and no figure made up for one. */
	conf.stages = 1U << IPI_STAGE_SEND;
	text = print(result, &conf);
	has(text, "nothing was measured");
	lacks(text, "\n  ");
	free(text);
	ipi_result__delete(result);
}

static void test_failures(void **state)
{
	struct ipi_result *result = big(false, NULL);
	struct ipi_cell *cell = &result->cell[10];
	char *text, words[96];
	int i;

	(void)state;
	for (i = 0; i < result->nr_cell; i++) {
		if (result->cell[i].src != cell->src)
			continue;
		result->cell[i].verdict = IPI_VERDICT_REFUSED;
		snprintf(result->cell[i].note, sizeof(result->cell[i].note), "no IPIs");
	}
	cell->steal_ms = 3;
	snprintf(words, sizeof(words), "of 1344 measurements without a headline; the first, %d>",
		 cell->src);
	text = print(result, &plain);
	has(text, words);
	has(text, " is refused: no IPIs\n");
	has(text, "steal 3 ms");
	free(text);
	ipi_result__delete(result);
}

/* One line of a map by its name. */
static void find_line(const char *text, const char *name, char *buf, size_t size)
{
	const char *at = strstr(text, name);

	if (!at)
		fail_msg("no line \"%s\" in:\n%s", name, text);
	at += strlen(name);
	snprintf(buf, size, "%.*s", (int)strcspn(at, "\n"), at);
}

/* All 112 CPUs where they fit: a letter each, a gap between sockets, the slow column to be seen. */
static void test_map_letters(void **state)
{
	struct ipi_result *result = big(true, planted);
	struct ipi_matrix_conf conf = plain;
	char *text, line[256];

	(void)state;
	conf.columns = 200;
	text = print(result, &conf);
	has(text, "p50 of total, ns, from row to column\n");
	find_line(text, "\n#       0 ", line, sizeof(line));
	assert_int_equal(strlen(line), 113);
	assert_int_equal(line[0], '.');
	assert_int_equal(line[1], 'a');
	assert_int_equal(line[56], ' ');
	/* CPU 37 is the second socket's tenth core. */
	assert_int_equal(line[57 + 18], 'j');
	assert_true(line[57 + 17] < 'j' && line[57 + 17] > line[3]);
	has(text, "# ns: a up to ");
	has(text, " | j from ");
	free(text);

	conf.columns = 240;
	text = print(result, &conf);
	find_line(text, "\n#      56 ", line, sizeof(line));
	assert_int_equal(strlen(line), 2 * 112 + 1);
	free(text);
	ipi_result__delete(result);
}

/* Too narrow for that: the threads of a core together; narrower, cores of a socket. */
static void test_map_blocks(void **state)
{
	struct ipi_result *result = big(true, NULL);
	struct ipi_matrix *matrix = ipi_matrix__new(result, IPI_STAGE_TOTAL);
	struct ipi_matrix_conf conf = plain;
	char *text, line[256];

	(void)state;
	assert_non_null(matrix);
	text = print(result, &conf);
	has(text, "a cell is the median of the pairs measured in it");
	find_line(text, "\n#    0,56 ", line, sizeof(line));
	assert_int_equal(strlen(line), 57);
	assert_in_range(width(text), 60, 100);
	free(text);
	for (conf.columns = 30; conf.columns < 200; conf.columns += 10) {
		size_t size;
		FILE *file = open_memstream(&text, &size);

		assert_int_equal(ipi_matrix__map(file, matrix, &conf, false), 0);
		fclose(file);
		/* But for the sentences before and after. */
		find_line(text, "from\\to ", line, sizeof(line));
		assert_in_range(strlen(line), 2, conf.columns);
		lacks(text, " - ");
		free(text);
	}
	ipi_matrix__delete(matrix);
	ipi_result__delete(result);
}

/* Of a sample: blocks so large that nearly all hold a pair; none crosses a socket. */
static void test_map_sample(void **state)
{
	struct ipi_result *result = big(false, NULL);
	char *text = print(result, &plain);
	char line[256];

	(void)state;
	find_line(text, "\n#   24-27,80-83 ", line, sizeof(line));
	find_line(text, "\n#   28-31,84-87 ", line, sizeof(line));
	free(text);
	ipi_result__delete(result);
}

/* Groups of as many CPUs as a block has, or more, are not crossed; smaller ones are. */
static void test_blocks(void **state)
{
	static const struct {
		int size;
		int nr;
		int last;	/* CPUs in the second block */
		int gaps;
	} cases[] = {
		{ 1, 20, 1, 3 }, { 4, 8, 1, 3 }, { 5, 4, 5, 3 }, { 8, 4, 2, 1 }, { 12, 2, 8, 0 },
	};
	struct ipi_result *result = matrix_sample(machine__make(20, 1, 5, 10), true, 1, 0, 1, NULL);
	struct ipi_matrix *matrix = ipi_matrix__new(result, IPI_STAGE_TOTAL);
	struct ipi_map map;
	size_t i;
	int k, cpus;

	(void)state;
	assert_non_null(matrix);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(ipi_map__make(&map, matrix, cases[i].size, false), 0);
		assert_int_equal(map.nr, cases[i].nr);
		assert_int_equal(map.block[1].nr, cases[i].last);
		assert_int_equal(map.gaps, cases[i].gaps);
		assert_int_equal(map.filled, map.possible);
		for (k = 0, cpus = 0; k < map.nr; k++) {
			assert_int_equal(map.block[k].first, cpus);
			cpus += map.block[k].nr;
		}
		assert_int_equal(cpus, 20);
		ipi_map__free(&map);
	}
	ipi_matrix__delete(matrix);
	ipi_result__delete(result);
}

static void test_map_shades(void **state)
{
	struct ipi_result *result = matrix_sample(machine__make(4, 1, 2, 4), true, 2, 0, 1, NULL);
	struct ipi_matrix_conf conf = plain;
	char *text;

	(void)state;
	conf.colour = true;
	text = print(result, &conf);
	has(text, "\033[1m");
	lacks(text, "\033[48;5;");
	free(text);
	conf.shades = true;
	text = print(result, &conf);
	/* The least and the greatest there are. */
	has(text, "\033[48;5;53m\033[38;5;231m 1500\033[0m");
	has(text, "\033[48;5;226m\033[38;5;16m 2607\033[0m");
	free(text);
	conf.verbose = 1;
	text = print(result, &conf);
	has(text, "# p99 of total, ns, from row to column");
	free(text);
	ipi_result__delete(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_map_letters),
		cmocka_unit_test(test_map_blocks),
		cmocka_unit_test(test_map_sample),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_map_shades),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
