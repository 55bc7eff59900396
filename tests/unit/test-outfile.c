// SPDX-License-Identifier: GPL-2.0
/*
 * A file that is written whole or not at all: what a failure leaves behind, at each point where
 * one can come; permissions, links, pipes and stdout.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "place.h"

#include "bench/ipi/report/outfile.h"
#include "bench/ipi/why.h"

#define NOBODY	65534
#define LINES	4096
#define WRITTEN	65536		/* bytes in LINES lines */

/* 64 KiB, more than any buffer on the way. */
static int write_all(const char *path, struct ipi_why *why)
{
	struct ipi_outfile out;
	int err;
	int i;

	err = ipi_outfile__open(&out, path, why);
	if (err)
		return err;
	for (i = 0; i < LINES; i++)
		fputs("0123456789abcde\n", out.file);
	return ipi_outfile__commit(&out, why);
}

static void expect_written(const char *path)
{
	char *text = place_read(path);

	assert_int_equal(strlen(text), WRITTEN);
	assert_int_equal(strncmp(text, "0123", 4), 0);
	free(text);
}

static void expect_text(const char *path, const char *want)
{
	char *text = place_read(path);

	assert_string_equal(text, want);
	free(text);
}

static void expect_failure(const char *path, int err)
{
	struct ipi_why why = { 0 };

	assert_int_equal(write_all(path, &why), -err);
	assert_int_equal(why.err, err);
	assert_non_null(strstr(why.what, path));
	assert_string_not_equal(why.remedy, "");
	/* Nobody has to ask. */
	assert_int_equal(write_all(path, NULL), -err);
}

static void test_new_and_older(void **state)
{
	struct ipi_why why;
	struct place place;

	(void)state;
	place = place_begin();
	assert_int_equal(write_all(place.file, &why), 0);
	expect_written(place.file);
	place_write(place.file, "older\n");
	assert_int_equal(write_all(place.file, &why), 0);
	expect_written(place.file);
	assert_int_equal(place_count(&place), 1);
	place_end(&place);
}

/* Until it is committed the older file is there, and after giving up it still is. */
static void test_abort(void **state)
{
	struct ipi_outfile out;
	struct ipi_why why;
	struct place place;

	(void)state;
	place = place_begin();
	place_write(place.file, "older\n");
	assert_int_equal(ipi_outfile__open(&out, place.file, &why), 0);
	fputs("newer\n", out.file);
	fflush(out.file);
	expect_text(place.file, "older\n");
	assert_int_equal(ipi_outfile__abort(&out, ENOMEM, &why), -ENOMEM);
	assert_int_equal(why.err, ENOMEM);
	expect_text(place.file, "older\n");
	assert_int_equal(place_count(&place), 1);
	place_end(&place);
}

static void test_full_disk(void **state)
{
	struct stat st;

	(void)state;
	expect_failure("/dev/full", ENOSPC);
	assert_int_equal(stat("/dev/full", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

/* A limit on file sizes is as good as a full disk, and needs no privilege. */
static void test_full_in_the_middle(void **state)
{
	struct rlimit saved, small;
	struct ipi_why why;
	struct place place;
	int err;

	(void)state;
	place = place_begin();
	place_write(place.file, "older\n");
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &saved), 0);
	small = saved;
	small.rlim_cur = 10000;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	err = write_all(place.file, &why);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &saved), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(err, -EFBIG);
	assert_int_equal(place_count(&place), 1);
	expect_text(place.file, "older\n");
	place_end(&place);
}

static void test_no_such_place(void **state)
{
	struct place place;
	char path[160];

	(void)state;
	place = place_begin();
	expect_failure(place.dir, EISDIR);
	snprintf(path, sizeof(path), "%s/none/result.json", place.dir);
	expect_failure(path, ENOENT);
	place_write(place.file, "older\n");
	snprintf(path, sizeof(path), "%s/under", place.file);
	expect_failure(path, ENOTDIR);
	assert_int_equal(place_count(&place), 1);
	place_end(&place);
}

static void test_no_permission(void **state)
{
	bool root = geteuid() == 0;
	struct place place;

	(void)state;
	place = place_begin();
	if (root)
		assert_int_equal(seteuid(NOBODY), 0);
	else
		assert_int_equal(chmod(place.dir, 0500), 0);
	expect_failure(place.file, EACCES);
	if (root)
		assert_int_equal(seteuid(0), 0);
	else
		assert_int_equal(chmod(place.dir, 0700), 0);
	assert_int_equal(place_count(&place), 0);
	place_end(&place);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

/* A new file gets what umask leaves, an older one keeps what it had. */
static void test_mode(void **state)
{
	struct ipi_why why;
	struct place place;
	mode_t saved;

	(void)state;
	place = place_begin();
	saved = umask(027);
	assert_int_equal(write_all(place.file, &why), 0);
	assert_int_equal(mode_of(place.file), 0640);
	assert_int_equal(chmod(place.file, 0604), 0);
	assert_int_equal(write_all(place.file, &why), 0);
	assert_int_equal(mode_of(place.file), 0604);
	assert_int_equal(umask(saved), 027);
	place_end(&place);
}

static void test_symbolic_link(void **state)
{
	struct ipi_why why;
	struct place place;
	char link[160];
	struct stat st;

	(void)state;
	place = place_begin();
	place_write(place.file, "older\n");
	snprintf(link, sizeof(link), "%s/link", place.dir);
	assert_int_equal(symlink("result.json", link), 0);
	assert_int_equal(write_all(link, &why), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	expect_written(place.file);
	assert_int_equal(unlink(link), 0);
	place_end(&place);
}

/* What is no file is written directly, and a look at it tells its reader nothing. */
static void test_pipe(void **state)
{
	static char text[1 << 17];
	struct ipi_why why;
	size_t len = 0;
	int pipefd[2];
	char path[64];
	ssize_t got;

	(void)state;
	assert_int_equal(pipe(pipefd), 0);
	assert_true(fcntl(pipefd[1], F_SETPIPE_SZ, 1 << 17) > 1 << 16);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", pipefd[1]);
	assert_int_equal(ipi_outfile__check(path, &why), 0);
	assert_int_equal(write_all(path, &why), 0);
	close(pipefd[1]);
	while ((got = read(pipefd[0], text + len, sizeof(text) - len)) > 0)
		len += got;
	close(pipefd[0]);
	assert_int_equal(len, WRITTEN);
}

/* "-", and /dev/stdout also where it is a file: what stands there already stays. */
static void check_stdout(const char *name)
{
	struct ipi_why why;
	struct place place;
	int saved, fd, err;
	char *text;

	place = place_begin();
	fd = open(place.file, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	assert_true(saved >= 0);
	assert_true(dup2(fd, STDOUT_FILENO) >= 0);
	close(fd);
	printf("before\n");
	err = write_all(name, &why);
	printf("after\n");
	fflush(stdout);
	assert_true(dup2(saved, STDOUT_FILENO) >= 0);
	close(saved);
	assert_int_equal(err, 0);
	text = place_read(place.file);
	assert_int_equal(strlen(text), strlen("before\nafter\n") + WRITTEN);
	assert_int_equal(strncmp(text, "before\n0123", 11), 0);
	assert_string_equal(text + strlen(text) - strlen("after\n"), "after\n");
	free(text);
	place_end(&place);
}

static void test_stdout(void **state)
{
	(void)state;
	check_stdout("-");
	check_stdout("/dev/stdout");
}

/* To be asked before measuring; changes nothing. */
static void test_check(void **state)
{
	struct ipi_why why = { 0 };
	struct place place;
	char path[160];

	(void)state;
	assert_int_equal(ipi_outfile__check("-", &why), 0);
	assert_int_equal(ipi_outfile__check("/dev/stdout", &why), 0);
	assert_int_equal(ipi_outfile__check("/dev/full", &why), 0);
	place = place_begin();
	assert_int_equal(ipi_outfile__check(place.file, &why), 0);
	assert_int_equal(place_count(&place), 0);
	place_write(place.file, "older\n");
	assert_int_equal(ipi_outfile__check(place.file, &why), 0);
	expect_text(place.file, "older\n");
	assert_int_equal(ipi_outfile__check(place.dir, &why), -EISDIR);
	assert_string_not_equal(why.remedy, "");
	snprintf(path, sizeof(path), "%s/under", place.file);
	assert_int_equal(ipi_outfile__check(path, &why), -ENOTDIR);
	assert_int_equal(place_count(&place), 1);
	place_end(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_and_older),
		cmocka_unit_test(test_abort),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_full_in_the_middle),
		cmocka_unit_test(test_no_such_place),
		cmocka_unit_test(test_no_permission),
		cmocka_unit_test(test_mode),
		cmocka_unit_test(test_symbolic_link),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_stdout),
		cmocka_unit_test(test_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
