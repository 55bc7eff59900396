// SPDX-License-Identifier: GPL-2.0
/*
 * Tracing data taken apart, whole and cut off anywhere; and format texts reduced to plain field
 * lines, those of real kernels as well as such as no kernel would write.
 */
#include <errno.h>

#include "formats.h"
#include "perfdata-bytes.h"

#include "bench/ipi/trace/format-text.h"
#include "bench/ipi/trace/tracing-data.h"

struct seen {
	int formats;
	int heads;
	int stop_at;
};

static int see_head(void *ctx, const struct ipi_tracing_data *data)
{
	struct seen *seen = ctx;

	assert_int_equal(data->long_size, 8);
	seen->heads++;
	return 0;
}

static int see_format(void *ctx, const char *system, const struct ipi_text_piece *format)
{
	struct seen *seen = ctx;

	assert_string_equal(system, "csd");
	assert_true(format->size > 100);
	return ++seen->formats == seen->stop_at ? -ENOMEM : 0;
}

static int parse(const struct bytes *bytes, size_t size, struct seen *seen,
		 struct ipi_tracing_data *data)
{
	/* Of its very size, so that a sanitizer sees what lies beyond. */
	unsigned char *copy = malloc(size ? size : 1);
	int err;

	assert_non_null(copy);
	memcpy(copy, bytes->byte, size);
	memset(seen, 0, sizeof(*seen));
	err = ipi_tracing_data__parse(copy, size, see_head, see_format, seen, data);
	free(copy);
	return err;
}

static void test_whole(void **state)
{
	struct bytes *bytes = calloc(1, sizeof(*bytes));
	struct ipi_tracing_data data;
	struct seen seen;
	int swap;

	(void)state;
	for (swap = 0; swap < 2; swap++) {
		memset(bytes, 0, sizeof(*bytes));
		bytes->swap = swap;
		put_tracing(bytes);
		assert_int_equal(parse(bytes, bytes->size, &seen, &data), 0);
		assert_int_equal(seen.heads, 1);
		assert_int_equal(seen.formats, EVENTS);
		assert_int_equal(data.big_endian, swap);
		assert_int_equal(data.kallsyms.size, strlen("ffffffff81001000 T function_a\n"));
		assert_int_equal(data.printk.size, 0);
	}
	free(bytes);
}

/* All but the saved command lines at its end are needed. */
static void test_cut(void **state)
{
	struct bytes *bytes = calloc(1, sizeof(*bytes));
	struct ipi_tracing_data data;
	struct seen seen;
	size_t size;

	(void)state;
	put_tracing(bytes);
	for (size = 0; size < bytes->size - 8; size++)
		assert_int_equal(parse(bytes, size, &seen, &data), -EBADMSG);
	assert_int_equal(parse(bytes, size, &seen, &data), 0);
	free(bytes);
}

static void test_callback_stops(void **state)
{
	struct seen seen = { .stop_at = 2 };
	struct bytes *bytes = calloc(1, sizeof(*bytes));
	struct ipi_tracing_data data;

	(void)state;
	put_tracing(bytes);
	assert_int_equal(ipi_tracing_data__parse(bytes->byte, bytes->size, see_head, see_format,
						 &seen, &data), -ENOMEM);
	assert_int_equal(seen.formats, 2);
	free(bytes);
}

/* The decoder makes the same of a cleaned format as of the kernel's. */
static void test_real_formats(void **state)
{
	const struct ipi_arch_event *const *rows;
	int nr, i, cleaned = 0;
	size_t k;

	(void)state;
	for (k = 0; k < ARRAY_SIZE(kernel_formats); k++) {
		rows = ipi_arch__events(kernel_formats[k].machine, &nr);
		for (i = 0; i < nr; i++) {
			struct ipi_decode *decode = ipi_decode__new(8, false);
			struct ipi_text_piece piece;
			char *text, *clean;
			size_t size;

			text = read_format(&kernel_formats[k], rows[i], &piece.size);
			if (!text) {
				ipi_decode__delete(decode);
				continue;
			}
			piece.text = text;
			clean = ipi_format_text__clean(&piece, &size);
			assert_non_null(clean);
			assert_true(ipi_decode__add(decode, rows[i], clean, size) >= 0);
			assert_null(strstr(clean, "REC"));
			cleaned++;
			free(clean);
			free(text);
			ipi_decode__delete(decode);
		}
	}
	assert_true(cleaned > 60);
}

static void check_clean(const char *lines, const char *left)
{
	struct ipi_text_piece piece;
	char text[1024];
	size_t size;
	char *clean;

	snprintf(text, sizeof(text), "name: event_1\nID: 17\nformat:\n%sprint fmt: \"%%s\", x\n",
		 lines);
	piece.text = text;
	piece.size = strlen(text);
	clean = ipi_format_text__clean(&piece, &size);
	assert_non_null(clean);
	assert_int_equal(strlen(clean), size);
	snprintf(text, sizeof(text), "name: event_1\nID: 17\nformat:\n%s\nprint fmt: \"\"\n", left);
	assert_string_equal(clean, text);
	free(clean);
}

#define GOOD	"\tfield:unsigned int cpu;\toffset:8;\tsize:4;\tsigned:0;\n"

static void test_lines(void **state)
{
	static const char *const good[] = {
		"\tfield:void * callsite;\toffset:16;\tsize:8;\tsigned:0;\n",
		"\tfield:const char *reason;\toffset:16;\tsize:8;\tsigned:0;\n",
		"\tfield:__data_loc unsigned long[] mask;\toffset:8;\tsize:4;\tsigned:0;\n",
		"\tfield:__data_loc cpumask_t cpumask;\toffset:8;\tsize:4;\tsigned:0;\n",
		"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:1;\n",
		"\tfield:smp_call_func_t func;\toffset:8;\tsize:8;\n",
	};
	static const char *const bad[] = {
		"\tfield:x;\toffset:8;\tsize:4;\tsigned:0;\n",
		"\tfield:int x;\toffset:-8;\tsize:4;\tsigned:0;\n",
		"\tfield:int x;\toffset:8;\tsize:4444444;\tsigned:0;\n",
		"\tfield:int x;\toffset:8;\tsize:4;\tsigned:0;\tmore:0;\n",
		"\tfield:int x[y];\toffset:8;\tsize:4;\tsigned:0;\n",
		"\tfield:int (x);\toffset:8;\tsize:4;\tsigned:0;\n",
		"\tfield:int 8x;\toffset:8;\tsize:4;\tsigned:0;\n",
		"\tfield:a b c d e f g h i j;\toffset:8;\tsize:4;\tsigned:0;\n",
		"field:int x;\toffset:8;\tsize:4;\tsigned:0;\n",
		"\tfield:int x\n", "\tfield:\n", "{\n",
	};
	char lines[512];
	size_t i;

	(void)state;
	check_clean("", "");
	check_clean("\n" GOOD "\n" GOOD "\n\n" GOOD, GOOD "\n" GOOD GOOD);
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		snprintf(lines, sizeof(lines), "%s%s", GOOD, good[i]);
		check_clean(lines, lines);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		snprintf(lines, sizeof(lines), "%s%s%s", bad[i], GOOD, bad[i]);
		check_clean(lines, GOOD);
	}
}

static void test_no_name(void **state)
{
	static const char *const bad[] = {
		"", "name: x\n", "ID: 5\n", "name: x y\nID: 5\n", "name: +\nID: 5\n",
		"name: x\nID: +\n", "name: x\nID: 5x\n", "name: x\nID: 123456\n",
		"name: x\nID: -5\n",
	};
	struct ipi_text_piece piece;
	size_t size, i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		piece.text = bad[i];
		piece.size = strlen(bad[i]);
		errno = 0;
		assert_null(ipi_format_text__clean(&piece, &size));
		assert_int_equal(errno, EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_callback_stops),
		cmocka_unit_test(test_real_formats),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_no_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
