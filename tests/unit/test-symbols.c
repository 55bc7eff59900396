// SPDX-License-Identifier: GPL-2.0
/*
 * kallsyms files of several kinds: looked up both ways, hidden, empty, damaged.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/ipi/trace/symbols.h"
#include "bench/ipi/why.h"

static struct ipi_symbols *read_text(const char *text, struct ipi_why *why)
{
	char path[] = P_tmpdir "/test-symbols-XXXXXX";
	struct ipi_symbols *symbols;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	symbols = ipi_symbols__new(path, why);
	unlink(path);
	return symbols;
}

static const char kernel[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81002000 t ipi_rseq\n"
	"ffffffff81001000 T sched_ttwu_pending\n"
	"ffffffff81003000 t membarrier_global_expedited.isra.0\n"
	"ffffffff81003800 t ipi_mb.cold\n"
	"ffffffff81003900 t ipi_mb\n"
	"ffffffff81004000 D some_data\n"
	"ffffffff81005000 W weak_function\n"
	"ffffffffc0100000 t remote_handler\t[ipi_bench]\n";

static void test_address(void **state)
{
	struct ipi_symbols *symbols = read_text(kernel, NULL);

	(void)state;
	assert_non_null(symbols);
	assert_true(ipi_symbols__address(symbols, "ipi_rseq") == 0xffffffff81002000ULL);
	assert_true(ipi_symbols__address(symbols, "sched_ttwu_pending") == 0xffffffff81001000ULL);
	assert_true(ipi_symbols__address(symbols, "weak_function") == 0xffffffff81005000ULL);
	assert_true(ipi_symbols__address(symbols, "remote_handler") == 0xffffffffc0100000ULL);
	/* With a compiler's suffix only if there is none without. */
	assert_true(ipi_symbols__address(symbols, "membarrier_global_expedited") ==
		    0xffffffff81003000ULL);
	assert_true(ipi_symbols__address(symbols, "ipi_mb") == 0xffffffff81003900ULL);
	/* Not a function, not the whole name, not there. */
	assert_true(!ipi_symbols__address(symbols, "some_data"));
	assert_true(!ipi_symbols__address(symbols, "ipi_rse"));
	assert_true(!ipi_symbols__address(symbols, "fixed_percpu_data"));
	assert_true(!ipi_symbols__address(symbols, ""));
	ipi_symbols__delete(symbols);
}

static void test_name(void **state)
{
	struct ipi_symbols *symbols = read_text(kernel, NULL);
	u64 offset = 1;

	(void)state;
	assert_non_null(symbols);
	assert_string_equal(ipi_symbols__name(symbols, 0xffffffff81002000ULL, &offset), "ipi_rseq");
	assert_int_equal(offset, 0);
	assert_string_equal(ipi_symbols__name(symbols, 0xffffffff81001036ULL, &offset),
			    "sched_ttwu_pending");
	assert_int_equal(offset, 0x36);
	assert_string_equal(ipi_symbols__name(symbols, 0xffffffffc0100008ULL, NULL),
			    "remote_handler");
	/* Of two names for one address the first. */
	assert_string_equal(ipi_symbols__name(symbols, 0xffffffff81000001ULL, &offset), "_stext");
	assert_null(ipi_symbols__name(symbols, 0xffffffff80ffffffULL, &offset));
	assert_null(ipi_symbols__name(symbols, 0, &offset));
	/* Far behind the last one is in none. */
	assert_null(ipi_symbols__name(symbols, 0xffffffffd0000000ULL, &offset));
	ipi_symbols__delete(symbols);
}

static void expect_why(const char *text, int err)
{
	struct ipi_why why = { .err = 0 };

	assert_null(read_text(text, &why));
	assert_int_equal(why.err, err);
	assert_true(why.what[0] && why.remedy[0]);
}

static void test_hidden(void **state)
{
	(void)state;
	expect_why("0000000000000000 T _stext\n0000000000000000 t ipi_rseq\n", EACCES);
}

static void test_no_functions(void **state)
{
	(void)state;
	expect_why("", ENOENT);
	expect_why("ffffffff81004000 D some_data\n", ENOENT);
}

static void test_damaged(void **state)
{
	struct ipi_symbols *symbols;

	(void)state;
	symbols = read_text("x\n\nffffffff81\nffffffff81 T\nffffffff81 T\t\nffffffff81  T x\n"
			    "fffffffffffffffffffff T too_long\nffffffff81002000 t ipi_rseq", NULL);
	assert_non_null(symbols);
	assert_true(ipi_symbols__address(symbols, "ipi_rseq") == 0xffffffff81002000ULL);
	assert_true(!ipi_symbols__address(symbols, "too_long"));
	assert_true(!ipi_symbols__address(symbols, "x"));
	ipi_symbols__delete(symbols);
}

static void test_no_file(void **state)
{
	struct ipi_why why = { .err = 0 };

	(void)state;
	assert_null(ipi_symbols__new("/nonexistent/kallsyms", &why));
	assert_int_equal(why.err, ENOENT);
	assert_null(ipi_symbols__new("/nonexistent/kallsyms", NULL));
	ipi_symbols__delete(NULL);
}

/* More than what there is room for at first. */
static void test_large(void **state)
{
	const int nr = 20000;
	struct ipi_symbols *symbols;
	char *text, *at, name[32];
	u64 offset;
	int i;

	(void)state;
	text = malloc(nr * 48 + 1);
	assert_non_null(text);
	at = text;
	for (i = nr - 1; i >= 0; i--)
		at += sprintf(at, "%016llx t function_%d\n", 0xffffffff81000000ULL + i * 64, i);
	symbols = read_text(text, NULL);
	free(text);
	assert_non_null(symbols);
	for (i = 0; i < nr; i += 997) {
		snprintf(name, sizeof(name), "function_%d", i);
		assert_true(ipi_symbols__address(symbols, name) == 0xffffffff81000000ULL + i * 64);
		assert_string_equal(ipi_symbols__name(symbols, 0xffffffff81000000ULL + i * 64 + 63,
						      &offset), name);
		assert_int_equal(offset, 63);
	}
	ipi_symbols__delete(symbols);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_address),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_no_functions),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
