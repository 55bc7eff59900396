// SPDX-License-Identifier: GPL-2.0
/*
 * The module's UAPI header: offsets and sizes that never change, and that it is plain C that a C++
 * compiler and an old C one take as well. Nothing is opened.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../module/include/uapi/linux/ipi_bench.h"

#define SIZE(type, size)	\
	_Static_assert(sizeof(struct type) == (size), #type ": size")
#define AT(type, member, offset)	\
	_Static_assert(offsetof(struct type, member) == (offset), #type "." #member)
/* Nothing is after the last member, which has @bytes. */
#define LAST(type, member, bytes)	\
	_Static_assert(offsetof(struct type, member) + (bytes) == sizeof(struct type),	\
		       #type ": padding at the end")

SIZE(ipi_bench_info, IPI_BENCH_INFO_SIZE_VER0);
SIZE(ipi_bench_info, 96);
AT(ipi_bench_info, abi_major, 0);
AT(ipi_bench_info, abi_minor, 4);
AT(ipi_bench_info, scenarios, 8);
AT(ipi_bench_info, features, 16);
AT(ipi_bench_info, nr_cpu_ids, 24);
AT(ipi_bench_info, max_calls, 28);
AT(ipi_bench_info, max_ns, 32);
AT(ipi_bench_info, max_inject_ns, 40);
AT(ipi_bench_info, max_buffer, 48);
AT(ipi_bench_info, clock_id, 56);
AT(ipi_bench_info, reserved, 60);
AT(ipi_bench_info, version, 64);
LAST(ipi_bench_info, version, 32);

SIZE(ipi_bench_setup, IPI_BENCH_SETUP_SIZE_VER0);
SIZE(ipi_bench_setup, 16);
AT(ipi_bench_setup, bytes, 0);
AT(ipi_bench_setup, flags, 8);
AT(ipi_bench_setup, reserved, 12);
LAST(ipi_bench_setup, reserved, 4);

SIZE(ipi_bench_run, IPI_BENCH_RUN_SIZE_VER0);
SIZE(ipi_bench_run, 200);
AT(ipi_bench_run, scenario, 0);
AT(ipi_bench_run, flags, 4);
AT(ipi_bench_run, calls, 8);
AT(ipi_bench_run, first, 12);
AT(ipi_bench_run, max_ns, 16);
AT(ipi_bench_run, targets, 24);
AT(ipi_bench_run, targets_bytes, 32);
AT(ipi_bench_run, inject, 36);
AT(ipi_bench_run, inject_ns, 40);
AT(ipi_bench_run, gate_fd, 48);
AT(ipi_bench_run, gate_callers, 52);
AT(ipi_bench_run, gap_ns, 56);
AT(ipi_bench_run, done, 64);
AT(ipi_bench_run, ended, 68);
AT(ipi_bench_run, sender, 72);
AT(ipi_bench_run, nr_targets, 76);
AT(ipi_bench_run, elapsed_ns, 80);
AT(ipi_bench_run, clock_ps, 88);
AT(ipi_bench_run, targets_offset, 96);
AT(ipi_bench_run, calls_offset, 104);
AT(ipi_bench_run, deliveries_offset, 112);
AT(ipi_bench_run, deliveries_stride, 120);
AT(ipi_bench_run, delivered, 128);
AT(ipi_bench_run, wrong_cpu, 136);
AT(ipi_bench_run, twice, 144);
AT(ipi_bench_run, missing, 152);
AT(ipi_bench_run, unseen, 160);
AT(ipi_bench_run, offline, 168);
AT(ipi_bench_run, migrated, 176);
AT(ipi_bench_run, not_held, 184);
AT(ipi_bench_run, stuck_cpu, 192);
AT(ipi_bench_run, clock, 196);
LAST(ipi_bench_run, clock, 4);

SIZE(ipi_bench_call, 16);
AT(ipi_bench_call, t_call, 0);
AT(ipi_bench_call, t_return, 8);
LAST(ipi_bench_call, t_return, 8);

SIZE(ipi_bench_delivery, 16);
AT(ipi_bench_delivery, t_entry, 0);
AT(ipi_bench_delivery, t_exit, 8);
LAST(ipi_bench_delivery, t_exit, 8);

SIZE(ipi_bench_target, 32);
AT(ipi_bench_target, cpu, 0);
AT(ipi_bench_target, delivered, 4);
AT(ipi_bench_target, twice, 8);
AT(ipi_bench_target, missing, 12);
AT(ipi_bench_target, unseen, 16);
AT(ipi_bench_target, offline, 20);
AT(ipi_bench_target, not_held, 24);
AT(ipi_bench_target, reserved, 28);
LAST(ipi_bench_target, reserved, 4);

/* What a program compiled long ago asks for. */
static void test_requests(void **state)
{
	(void)state;
	assert_int_equal(IPI_BENCH_GET_INFO, 0x8060b900U);
	assert_int_equal(IPI_BENCH_SETUP, 0xc010b901U);
	assert_int_equal(IPI_BENCH_RUN, 0xc0c8b902U);
}

static void test_numbers(void **state)
{
	(void)state;
	assert_int_equal(IPI_BENCH_DRY_RUN, 0);
	assert_int_equal(IPI_BENCH_SELF_CALL, 1);
	assert_int_equal(IPI_BENCH_SELF_IPI, 2);
	assert_int_equal(IPI_BENCH_NORMAL, 3);
	assert_int_equal(IPI_BENCH_BROADCAST, 4);
	assert_int_equal(IPI_BENCH_BROADCAST_LOCK, 5);
	assert_int_equal(IPI_BENCH_MULTICAST, 6);
	assert_int_equal(IPI_BENCH_STORM, 7);
	assert_int_equal(IPI_BENCH_SCENARIOS, 8);
	assert_int_equal(IPI_BENCH_RUN_NOWAIT | IPI_BENCH_RUN_TICK, 3);
	assert_int_equal(IPI_BENCH_INJECT_HANDLER, 1);
	assert_int_equal(IPI_BENCH_INJECT_IRQOFF, 2);
	assert_int_equal(IPI_BENCH_ENDED_STUCK, 5);
}

/* The environment's compilers; one that is not there is skipped. */
static void compiles(const char *compiler, const char *options)
{
	char command[400];

	snprintf(command, sizeof(command), "command -v %s > /dev/null", compiler);
	if (system(command)) {
		print_message("no %s\n", compiler);
		skip();
	}
	snprintf(command, sizeof(command),
		 "echo '#include \"module/include/uapi/linux/ipi_bench.h\"\nstruct ipi_bench_run run;' | %s %s -Wall -Wextra -Werror -pedantic -I. -fsyntax-only -",
		 compiler, options);
	assert_int_equal(system(command), 0);
}

static void test_c99(void **state)
{
	(void)state;
	compiles("cc", "-x c -std=c99");
}

static void test_cplusplus(void **state)
{
	(void)state;
	compiles("c++", "-x c++ -std=c++98 -Wno-long-long");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_c99),
		cmocka_unit_test(test_cplusplus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
