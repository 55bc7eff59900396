// SPDX-License-Identifier: GPL-2.0
/*
 * A knob is put back by us, and by its keeper when we are killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "bench/ipi/run/knob.h"
#include "bench/ipi/why.h"

/* A file of sysfs keeps no tail of an older value: pad, so that a plain file behaves alike. */
#define OLD	"0\n"
#define NEW	"1\n"

static char path[64];

static int make_file(void **state)
{
	ssize_t len = sizeof(OLD) - 1;
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/test-knob-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0 || write(fd, OLD, sizeof(OLD) - 1) != len)
		return -1;
	close(fd);
	return 0;
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static void read_file(char *buf, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t len = read(fd, buf, size - 1);

	close(fd);
	buf[len < 0 ? 0 : len] = '\0';
}

static void test_restore(void **state)
{
	struct ipi_knob *knob;
	struct ipi_why why;
	char buf[16];

	(void)state;
	knob = ipi_knob__set(path, NEW, &why);
	assert_non_null(knob);
	read_file(buf, sizeof(buf));
	assert_string_equal(buf, NEW);
	ipi_knob__restore(knob);
	read_file(buf, sizeof(buf));
	assert_string_equal(buf, OLD);
	/* The keeper is gone as well. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void test_killed(void **state)
{
	const struct timespec nap = { .tv_nsec = 10000000 };
	int ready[2];
	char buf[16];
	int tries;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		struct ipi_knob *knob = ipi_knob__set(path, NEW, NULL);

		if (!knob || write(ready[1], "r", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], buf, 1), 1);
	read_file(buf, sizeof(buf));
	assert_string_equal(buf, NEW);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	for (tries = 0; tries < 500; tries++) {
		read_file(buf, sizeof(buf));
		if (!strcmp(buf, OLD))
			break;
		nanosleep(&nap, NULL);
	}
	assert_string_equal(buf, OLD);
	/* The keeper held no descriptor but its two: ours ends when the child is gone. */
	assert_int_equal(read(ready[0], buf, 1), 0);
	close(ready[0]);
}

static void test_failures(void **state)
{
	struct ipi_why why;

	(void)state;
	assert_null(ipi_knob__set("/nonexistent/knob", NEW, &why));
	assert_int_equal(why.err, ENOENT);
	assert_non_null(strstr(why.what, "/nonexistent/knob"));
	/* An empty file is no knob. */
	assert_int_equal(truncate(path, 0), 0);
	assert_null(ipi_knob__set(path, NEW, &why));
	ipi_knob__restore(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_restore, make_file, remove_file),
		cmocka_unit_test_setup_teardown(test_killed, make_file, remove_file),
		cmocka_unit_test_setup_teardown(test_failures, make_file, remove_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
