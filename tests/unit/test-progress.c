// SPDX-License-Identifier: GPL-2.0
/*
 * The progress line, on a terminal of our own: nothing for short work, nothing where stderr is no
 * terminal, not too often, and nothing left of it in the end. The waiting is made up by setting
 * the clock of the structure back.
 */
#include <fcntl.h>
#include <unistd.h>

#include "sample.h"

#define SECOND	1000000000ULL

struct terminal {
	int master;
	int saved;
};

/* stderr becomes a terminal, or a pipe. */
static void begin(struct terminal *terminal, bool tty)
{
	int pipefd[2];
	int fd;

	if (tty) {
		terminal->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
		assert_true(terminal->master >= 0);
		assert_int_equal(grantpt(terminal->master), 0);
		assert_int_equal(unlockpt(terminal->master), 0);
		fd = open(ptsname(terminal->master), O_RDWR | O_NOCTTY);
	} else {
		assert_int_equal(pipe2(pipefd, O_NONBLOCK), 0);
		terminal->master = pipefd[0];
		fd = pipefd[1];
	}
	assert_true(fd >= 0);
	terminal->saved = dup(STDERR_FILENO);
	assert_true(terminal->saved >= 0);
	assert_true(dup2(fd, STDERR_FILENO) >= 0);
	close(fd);
}

static void end(struct terminal *terminal)
{
	assert_true(dup2(terminal->saved, STDERR_FILENO) >= 0);
	close(terminal->saved);
	close(terminal->master);
}

/* What was printed since; before end(), no test may fail: its message would go astray. */
static const char *drain(struct terminal *terminal, char *buf, size_t size)
{
	ssize_t len = read(terminal->master, buf, size - 1);

	buf[len > 0 ? len : 0] = '\0';
	return buf;
}

static void test_no_terminal(void **state)
{
	struct ipi_progress progress;
	struct terminal terminal;
	char out[256];

	(void)state;
	begin(&terminal, false);
	ipi_progress__begin(&progress);
	progress.start_ns = 0;
	ipi_progress__show(&progress, 1, 2, "normal busy");
	ipi_progress__end(&progress);
	drain(&terminal, out, sizeof(out));
	end(&terminal);
	assert_false(progress.on);
	assert_string_equal(out, "");
}

static void test_short_work(void **state)
{
	struct ipi_progress progress;
	struct terminal terminal;
	char out[256];
	bool on;

	(void)state;
	begin(&terminal, true);
	ipi_progress__begin(&progress);
	on = progress.on;
	ipi_progress__show(&progress, 1, 2, "normal busy");
	ipi_progress__end(&progress);
	drain(&terminal, out, sizeof(out));
	end(&terminal);
	assert_true(on);
	assert_string_equal(out, "");
}

static void test_long_work(void **state)
{
	char first[256], again[256], later[256], last[256];
	struct ipi_progress progress;
	struct terminal terminal;

	(void)state;
	begin(&terminal, true);
	ipi_progress__begin(&progress);
	progress.start_ns -= 3 * SECOND;
	ipi_progress__show(&progress, 3, 14, "normal busy");
	drain(&terminal, first, sizeof(first));
	/* Within the tenth of a second, unless the machine stands still for so long. */
	ipi_progress__show(&progress, 4, 14, "normal idle");
	drain(&terminal, again, sizeof(again));
	progress.shown_ns -= SECOND;
	ipi_progress__show(&progress, 5, 14, "wake");
	drain(&terminal, later, sizeof(later));
	ipi_progress__end(&progress);
	drain(&terminal, last, sizeof(last));
	end(&terminal);
	assert_string_equal(first, "\r\033[K 21 % normal busy");
	assert_true(!*again || !strcmp(again, "\r\033[K 28 % normal idle"));
	assert_string_equal(later, "\r\033[K 35 % wake");
	assert_string_equal(last, "\r\033[K");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_terminal),
		cmocka_unit_test(test_short_work),
		cmocka_unit_test(test_long_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
