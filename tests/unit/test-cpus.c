// SPDX-License-Identifier: GPL-2.0
/*
 * CPU lists: strictly parsed, the piece at fault named, formatted back to what was typed.
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
#include <linux/kernel.h>
#include <perf/cpumap.h>

#include "bench/ipi/cpus.h"
#include "bench/ipi/why.h"

static void test_parse_good(void **state)
{
	static const struct {
		const char *list;
		int nr;
		int first;
		int last;
		const char *formatted;
	} cases[] = {
		{ "0", 1, 0, 0, "0" },
		{ "0-3,8", 5, 0, 8, "0-3,8" },
		{ "8,0-3", 5, 0, 8, "0-3,8" },
		{ "5-5", 1, 5, 5, "5" },
		{ "1,2,3", 3, 1, 3, "1-3" },
		{ "0-111", 112, 0, 111, "0-111" },
		{ "65535", 1, 65535, 65535, "65535" },
	};
	struct ipi_cpus cpus;
	char buf[64];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(ipi_cpus__parse(&cpus, cases[i].list, "--cpus", NULL), 0);
		assert_int_equal(cpus.nr, cases[i].nr);
		assert_int_equal(cpus.cpu[0], cases[i].first);
		assert_int_equal(cpus.cpu[cpus.nr - 1], cases[i].last);
		assert_string_equal(ipi_cpus__format(&cpus, buf, sizeof(buf)),
				    cases[i].formatted);
		ipi_cpus__free(&cpus);
	}
}

static void test_parse_bad(void **state)
{
	static const struct {
		const char *list;
		const char *piece;
	} cases[] = {
		{ "", "''" },		{ "0-1,foo", "'foo'" },	{ "1-", "'1-'" },
		{ "-1", "'-1'" },	{ "010", "'010'" },	{ "0,,1", "''" },
		{ "0,", "''" },		{ ",0", "''" },		{ " 0", "' 0'" },
		{ "0 ", "'0 '" },	{ "3-1", "'3-1'" },	{ "0-1-2", "'0-1-2'" },
		{ "0,1,0", "'0'" },	{ "0-3,2", "'2'" },	{ "65536", "'65536'" },
		{ "+1", "'+1'" },	{ "0x1", "'0x1'" },	{ "99999999999", "'99999999999'" },
		{ "1.5", "'1.5'" },	{ "0-65536", "'0-65536'" },
	};
	struct ipi_cpus cpus;
	struct ipi_why why;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(ipi_cpus__parse(&cpus, cases[i].list, "--cpus", &why), -EINVAL);
		assert_non_null(strstr(why.what, cases[i].piece));
		assert_non_null(strstr(why.what, "--cpus"));
		assert_true(why.remedy[0] != '\0');
		assert_null(cpus.cpu);
	}
}

static void test_format_no_room(void **state)
{
	struct ipi_cpus cpus;
	char buf[10];

	(void)state;
	assert_int_equal(ipi_cpus__parse(&cpus, "0,2,4,6,8,10", "--cpus", NULL), 0);
	assert_string_equal(ipi_cpus__format(&cpus, buf, sizeof(buf)), "0,2,4...");
	ipi_cpus__free(&cpus);
	assert_int_equal(ipi_cpus__parse(&cpus, "0,100000", "--cpus", NULL), -EINVAL);
	assert_int_equal(ipi_cpus__parse(&cpus, "10000,20000", "--cpus", NULL), 0);
	/* Never a number cut in two: that would be another CPU. */
	assert_string_equal(ipi_cpus__format(&cpus, buf, sizeof(buf)), "10000...");
	ipi_cpus__free(&cpus);
}

static void test_set(void **state)
{
	struct ipi_cpus cpus = { 0 };
	struct ipi_cpus copy;

	(void)state;
	assert_int_equal(ipi_cpus__add(&cpus, 5), 0);
	assert_int_equal(ipi_cpus__add(&cpus, 1), 0);
	assert_int_equal(ipi_cpus__add(&cpus, 3), 0);
	assert_int_equal(ipi_cpus__add(&cpus, 3), 0);
	assert_int_equal(cpus.nr, 3);
	assert_int_equal(cpus.cpu[0], 1);
	assert_int_equal(cpus.cpu[1], 3);
	assert_int_equal(cpus.cpu[2], 5);
	assert_true(ipi_cpus__has(&cpus, 3));
	assert_false(ipi_cpus__has(&cpus, 2));
	assert_false(ipi_cpus__has(&cpus, 6));
	assert_int_equal(ipi_cpus__copy(&copy, &cpus), 0);
	ipi_cpus__free(&cpus);
	assert_int_equal(copy.nr, 3);
	assert_int_equal(copy.cpu[2], 5);
	ipi_cpus__free(&copy);
}

/* What libperf makes of our list is our list. */
static void test_perf_map(void **state)
{
	struct perf_cpu_map *map;
	struct ipi_cpus cpus;
	int i;

	(void)state;
	assert_int_equal(ipi_cpus__parse(&cpus, "0-2,7,9-11", "--cpus", NULL), 0);
	map = ipi_cpus__perf_map(&cpus);
	assert_non_null(map);
	assert_int_equal(perf_cpu_map__nr(map), cpus.nr);
	for (i = 0; i < cpus.nr; i++)
		assert_int_equal(perf_cpu_map__cpu(map, i).cpu, cpus.cpu[i]);
	perf_cpu_map__put(map);
	ipi_cpus__free(&cpus);
}

static void test_read(void **state)
{
	char path[] = "/tmp/test-cpus-XXXXXX";
	struct ipi_cpus cpus;
	struct ipi_why why;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(ipi_cpus__read(&cpus, path, NULL), 0);
	assert_int_equal(cpus.nr, 0);
	assert_int_equal(write(fd, "0-1,4\n", 6), 6);
	assert_int_equal(ipi_cpus__read(&cpus, path, NULL), 0);
	assert_int_equal(cpus.nr, 3);
	ipi_cpus__free(&cpus);
	close(fd);
	unlink(path);
	assert_int_equal(ipi_cpus__read(&cpus, path, &why), -ENOENT);
	assert_int_equal(why.err, ENOENT);
}

/* Here, now: what may be used passes the check, what can't exist doesn't. */
static void test_check(void **state)
{
	struct ipi_cpus usable, absent;
	struct ipi_why why;

	(void)state;
	assert_int_equal(ipi_cpus__usable(&usable, &why), 0);
	assert_true(usable.nr > 0);
	assert_int_equal(ipi_cpus__check(&usable, "--cpus", &why), 0);
	assert_int_equal(ipi_cpus__parse(&absent, "65535", "--cpus", NULL), 0);
	assert_int_equal(ipi_cpus__check(&absent, "--dst", &why), -ENODEV);
	assert_non_null(strstr(why.what, "--dst: there is no CPU 65535"));
	ipi_cpus__free(&usable);
	ipi_cpus__free(&absent);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse_good),
		cmocka_unit_test(test_parse_bad),
		cmocka_unit_test(test_format_no_room),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_perf_map),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
