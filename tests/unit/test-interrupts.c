// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/interrupts and /proc/stat of x86-64 and arm64, of kernels that space them differently.
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

#include "bench/ipi/run/interrupts.h"
#include "bench/ipi/why.h"

static const char x86_text[] =
	"           CPU0       CPU2\n"
	"  0:         37          0   IO-APIC   2-edge      timer\n"
	"NMI:          0          0   Non-maskable interrupts\n"
	"IWI:         11         12   IRQ work interrupts\n"
	"RES:       8477       3619   Rescheduling interrupts\n"
	"CAL:      46920      22336   Function call interrupts\n"
	"TLB:        550        524   TLB shootdowns\n"
	"ERR:          0\n"
	"MIS:          0\n";

/* Narrow columns, as from 7.x, and numbered rows. */
static const char arm64_text[] =
	"      CPU0  CPU1  CPU2  CPU3\n"
	" 11:  1234  1235  1236  1237  GICv3  27 Level  arch_timer\n"
	"IPI0:   10    20    30    40  Rescheduling interrupts\n"
	"IPI1:  100   200   300   400  Function call interrupts\n"
	"IPI2:    0     0     0     0  CPU stop interrupts\n"
	"IPI5:    5     6     7     8  IRQ work interrupts\n"
	"Err:     0\n";

static void write_text(int fd, const char *text)
{
	size_t len = strlen(text);

	assert_true(fd >= 0);
	assert_true(write(fd, text, len) == (ssize_t)len);
	close(fd);
}

/* Writes @text to a file and reads the counters back. */
static int read_text(const char *text, struct ipi_interrupts *irqs)
{
	char path[] = "/tmp/test-interrupts-XXXXXX";
	int fd = mkstemp(path);
	int err;

	write_text(fd, text);
	err = ipi_interrupts__read(irqs, path, NULL);
	unlink(path);
	return err;
}

static void test_x86(void **state)
{
	struct ipi_interrupts irqs;

	(void)state;
	assert_int_equal(read_text(x86_text, &irqs), 0);
	assert_int_equal(irqs.nr, 2);
	assert_int_equal(irqs.have, 1U << IPI_COUNTER_CALL | 1U << IPI_COUNTER_RESCHED |
				    1U << IPI_COUNTER_WORK | 1U << IPI_COUNTER_TLB);
	assert_int_equal(ipi_interrupts__get(&irqs, IPI_COUNTER_CALL, 0), 46920);
	/* The second column is CPU 2: CPU 1 is offline and has none. */
	assert_int_equal(ipi_interrupts__get(&irqs, IPI_COUNTER_CALL, 2), 22336);
	assert_int_equal(ipi_interrupts__get(&irqs, IPI_COUNTER_CALL, 1), 0);
	assert_true(ipi_interrupts__has(&irqs, 2));
	assert_false(ipi_interrupts__has(&irqs, 1));
	assert_int_equal(ipi_interrupts__get(&irqs, IPI_COUNTER_RESCHED, 2), 3619);
	assert_int_equal(ipi_interrupts__get(&irqs, IPI_COUNTER_WORK, 0), 11);
	assert_int_equal(ipi_interrupts__get(&irqs, IPI_COUNTER_TLB, 0), 550);
	ipi_interrupts__free(&irqs);
}

static void test_arm64(void **state)
{
	struct ipi_interrupts irqs;

	(void)state;
	assert_int_equal(read_text(arm64_text, &irqs), 0);
	assert_int_equal(irqs.nr, 4);
	assert_int_equal(irqs.have, 1U << IPI_COUNTER_CALL | 1U << IPI_COUNTER_RESCHED |
				    1U << IPI_COUNTER_WORK);
	assert_int_equal(ipi_interrupts__get(&irqs, IPI_COUNTER_CALL, 3), 400);
	assert_int_equal(ipi_interrupts__get(&irqs, IPI_COUNTER_RESCHED, 0), 10);
	assert_int_equal(ipi_interrupts__get(&irqs, IPI_COUNTER_WORK, 2), 7);
	ipi_interrupts__free(&irqs);
}

static void test_bad(void **state)
{
	struct ipi_interrupts irqs;

	(void)state;
	assert_int_equal(read_text("", &irqs), -EPROTO);
	assert_int_equal(read_text("\n", &irqs), -EPROTO);
	assert_int_equal(read_text("  CPU0 CPUx\n", &irqs), -EPROTO);
	assert_int_equal(read_text("  CPU0 GPU1\n", &irqs), -EPROTO);
	/* Rows cut short, or with text where a number should be, don't count. */
	assert_int_equal(read_text(" CPU0 CPU1\nCAL: 5\nRES: 1 x Rescheduling interrupts\n", &irqs),
			 0);
	assert_int_equal(irqs.have, 0);
	ipi_interrupts__free(&irqs);
}

static void test_here(void **state)
{
	struct ipi_interrupts irqs;
	struct ipi_why why;

	(void)state;
	assert_int_equal(ipi_interrupts__read(&irqs, "/proc/interrupts", NULL), 0);
	assert_true(irqs.nr > 0);
	ipi_interrupts__free(&irqs);
	assert_int_equal(ipi_interrupts__read(&irqs, "/nonexistent", &why), -ENOENT);
	assert_non_null(strstr(why.what, "/nonexistent"));
}

static void test_steal(void **state)
{
	static const char text[] =
		"cpu  1 2 3 4 5 6 7 80 9 10\n"
		"cpu0 1 2 3 4 5 6 7 30 9 10\n"
		"cpu1 1 2 3 4 5 6 7 50 9 10\n"
		"intr 1 2 3\n";
	char path[] = "/tmp/test-stat-XXXXXX";
	int one[] = { 1 };
	int both[] = { 0, 1 };
	int none[] = { 7 };
	const struct ipi_cpus cpu1 = { 1, one }, cpus = { 2, both }, absent = { 1, none };
	long hz = sysconf(_SC_CLK_TCK);
	double tick = 1000.0 / (double)hz;
	int fd = mkstemp(path);

	(void)state;
	write_text(fd, text);
	assert_true(ipi_steal__read(path, &cpu1) == 50 * tick);
	assert_true(ipi_steal__read(path, &cpus) == 80 * tick);
	/* Not measured is not 0. */
	assert_true(ipi_steal__read(path, &absent) < 0);
	unlink(path);
	assert_true(ipi_steal__read(path, &cpu1) < 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_arm64),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_here),
		cmocka_unit_test(test_steal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
