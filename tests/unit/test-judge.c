// SPDX-License-Identifier: GPL-2.0
/*
 * The proof that the IPI flew: each scenario's rule on both sides of its edge, one witness or both
 * missing, and what a refusal says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/stats/result.h"

#define CALLS	1000

static const enum ipi_scenario remote[] = {
	IPI_SCENARIO_NORMAL,
	IPI_SCENARIO_BROADCAST,
	IPI_SCENARIO_BROADCAST_LOCK,
	IPI_SCENARIO_MULTICAST,
	IPI_SCENARIO_WAKE,
};

struct bench {
	struct ipi_result *result;
	struct ipi_cell *cell;
};

/* 1000 calls by CPU 2 at CPUs 1 and 3; nothing that proves anything yet. */
static void begin(struct bench *bench, enum ipi_scenario scenario)
{
	struct ipi_cell *cell;
	int i;

	bench->result = ipi_result__new();
	assert_non_null(bench->result);
	cell = ipi_result__add_cell(bench->result);
	assert_non_null(cell);
	bench->cell = cell;
	cell->scenario = scenario;
	cell->src = 2;
	assert_int_equal(ipi_cpus__add(&cell->dst, 1), 0);
	assert_int_equal(ipi_cpus__add(&cell->dst, 3), 0);
	cell->untraced.done = true;
	cell->untraced.calls = CALLS;
	assert_non_null(ipi_cell__hist(cell, IPI_STAGE_TOTAL));
	for (i = 0; i < CALLS; i++)
		ipi_hist__add(cell->stage[IPI_STAGE_TOTAL], 100);
	cell->proof = 1U << IPI_COUNTER_CALL;
	/* A verdict of before must not stay. */
	cell->verdict = IPI_VERDICT_FAILED;
}

static void end(struct bench *bench)
{
	ipi_result__delete(bench->result);
}

/* The counter of the call interrupt on CPUs 1 to 3, in this order. */
static void count(struct bench *bench, u64 cpu1, u64 cpu2, u64 cpu3)
{
	struct ipi_pass *pass = &bench->cell->untraced;
	const u64 counts[] = { cpu1, cpu2, cpu3 };
	int i;

	pass->counters = 1U << IPI_COUNTER_CALL | 1U << IPI_COUNTER_RESCHED;
	pass->row = calloc(3, sizeof(*pass->row));
	assert_non_null(pass->row);
	pass->nr_row = 3;
	for (i = 0; i < 3; i++) {
		pass->row[i].cpu = i + 1;
		pass->row[i].counter[IPI_COUNTER_CALL] = counts[i];
		/* Another counter moves too, and proves nothing. */
		pass->row[i].counter[IPI_COUNTER_RESCHED] = 5000;
	}
}

static void classify(struct bench *bench, u64 interrupt, u64 local, u64 polled, u64 missing)
{
	struct ipi_cell *cell = bench->cell;

	cell->traced.done = true;
	cell->traced.calls = CALLS;
	cell->classes[IPI_CLASS_INTERRUPT] = interrupt;
	cell->classes[IPI_CLASS_LOCAL] = local;
	cell->classes[IPI_CLASS_POLLED] = polled;
	cell->classes[IPI_CLASS_MISSING] = missing;
}

static void expect(struct bench *bench, enum ipi_verdict verdict)
{
	struct ipi_cell *cell = bench->cell;

	ipi_cell__judge(cell);
	if (cell->verdict != verdict)
		fail_msg("%s: %s, not %s: %s", ipi_scenario__name(cell->scenario),
			 ipi_verdict__name(cell->verdict), ipi_verdict__name(verdict), cell->note);
	if (verdict == IPI_VERDICT_OK)
		assert_string_equal(cell->note, "");
	else
		assert_string_not_equal(cell->note, "");
}

static void test_classes_remote(void **state)
{
	struct bench bench;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(remote); i++) {
		begin(&bench, remote[i]);
		classify(&bench, 950, 20, 20, 10);
		expect(&bench, IPI_VERDICT_OK);
		assert_true(bench.cell->ipis_per_call < 0);
		end(&bench);

		begin(&bench, remote[i]);
		classify(&bench, 949, 21, 20, 10);
		expect(&bench, IPI_VERDICT_REFUSED);
		end(&bench);
	}
}

static void test_classes_self(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_SELF_IPI);
	classify(&bench, 950, 50, 0, 0);
	expect(&bench, IPI_VERDICT_OK);
	classify(&bench, 949, 51, 0, 0);
	expect(&bench, IPI_VERDICT_REFUSED);
	end(&bench);

	begin(&bench, IPI_SCENARIO_SELF_CALL);
	classify(&bench, 50, 950, 0, 0);
	expect(&bench, IPI_VERDICT_OK);
	classify(&bench, 51, 949, 0, 0);
	expect(&bench, IPI_VERDICT_REFUSED);
	end(&bench);
}

/* 0.95 for each of two targets; what the sender got does not count. */
static void test_counters_remote(void **state)
{
	struct bench bench;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(remote); i++) {
		begin(&bench, remote[i]);
		count(&bench, 950, 0, 950);
		expect(&bench, IPI_VERDICT_OK);
		assert_true(bench.cell->ipis_per_call == 1.9);
		end(&bench);

		begin(&bench, remote[i]);
		count(&bench, 950, 5000, 949);
		expect(&bench, IPI_VERDICT_REFUSED);
		assert_true(bench.cell->ipis_per_call == 1.899);
		end(&bench);
	}
}

/* Strays of one target don't stand in for those another one never got. */
static void test_counters_strays(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_BROADCAST);
	count(&bench, 2000, 0, 0);
	expect(&bench, IPI_VERDICT_REFUSED);
	assert_true(bench.cell->ipis_per_call == 2);
	end(&bench);
}

static void test_counters_self(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_SELF_IPI);
	count(&bench, 0, 950, 0);
	expect(&bench, IPI_VERDICT_OK);
	assert_true(bench.cell->ipis_per_call == 0.95);
	end(&bench);
	begin(&bench, IPI_SCENARIO_SELF_IPI);
	count(&bench, 1000, 949, 1000);
	expect(&bench, IPI_VERDICT_REFUSED);
	end(&bench);

	begin(&bench, IPI_SCENARIO_SELF_CALL);
	count(&bench, 1000, 50, 1000);
	expect(&bench, IPI_VERDICT_OK);
	assert_true(bench.cell->ipis_per_call == 0.05);
	end(&bench);
	begin(&bench, IPI_SCENARIO_SELF_CALL);
	count(&bench, 0, 51, 0);
	expect(&bench, IPI_VERDICT_REFUSED);
	end(&bench);
}

/* Both witnesses must agree where both were there. */
static void test_both(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_NORMAL);
	count(&bench, 1000, 0, 1000);
	classify(&bench, 2000, 0, 0, 0);
	expect(&bench, IPI_VERDICT_OK);
	classify(&bench, 100, 0, 1900, 0);
	expect(&bench, IPI_VERDICT_REFUSED);
	end(&bench);

	begin(&bench, IPI_SCENARIO_NORMAL);
	count(&bench, 10, 0, 0);
	classify(&bench, 2000, 0, 0, 0);
	expect(&bench, IPI_VERDICT_REFUSED);
	end(&bench);
}

/* CPUs 1, 2 and 3 send; CPU 2 is measured, the others made 2500 calls meanwhile. */
static void begin_storm(struct bench *bench)
{
	int i;

	begin(bench, IPI_SCENARIO_STORM);
	for (i = 1; i <= 3; i++)
		assert_int_equal(ipi_cpus__add(&bench->cell->senders, i), 0);
	bench->cell->untraced.others = 2500;
}

/* Who rode on another sender's IPI is no fault; that nothing came of either is one. */
static void test_storm(void **state)
{
	struct bench bench;

	(void)state;
	begin_storm(&bench);
	classify(&bench, 500, 0, 50, 50);
	bench.cell->classes[IPI_CLASS_COALESCED] = 1400;
	expect(&bench, IPI_VERDICT_OK);
	bench.cell->classes[IPI_CLASS_COALESCED] = 1399;
	bench.cell->classes[IPI_CLASS_LOCAL] = 1;
	expect(&bench, IPI_VERDICT_REFUSED);
	assert_non_null(strstr(bench.cell->note, "95 % must be interrupt or coalesced"));
	end(&bench);

	/* 3500 calls to 2 CPUs each, 3 functions an IPI at most: 2333, less 5 %; on any CPU. */
	begin_storm(&bench);
	count(&bench, 700, 817, 700);
	expect(&bench, IPI_VERDICT_OK);
	assert_true(bench.cell->ipis_per_call == 2217 / 3500.0);
	end(&bench);
	begin_storm(&bench);
	count(&bench, 700, 816, 700);
	expect(&bench, IPI_VERDICT_REFUSED);
	assert_non_null(strstr(bench.cell->note, "0.63 IPIs per call in /proc/interrupts"));
	assert_non_null(strstr(bench.cell->note, "where 0.67 were due"));
	end(&bench);
}

static void test_neither(void **state)
{
	static const enum ipi_scenario all[] = {
		IPI_SCENARIO_SELF_CALL, IPI_SCENARIO_SELF_IPI, IPI_SCENARIO_NORMAL,
		IPI_SCENARIO_BROADCAST, IPI_SCENARIO_BROADCAST_LOCK, IPI_SCENARIO_MULTICAST,
		IPI_SCENARIO_STORM, IPI_SCENARIO_WAKE,
	};
	struct bench bench;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		begin(&bench, all[i]);
		expect(&bench, IPI_VERDICT_REFUSED);
		end(&bench);
	}

	/* A kernel without that counter; a pass whose deliveries were not seen at all. */
	begin(&bench, IPI_SCENARIO_NORMAL);
	count(&bench, 1000, 0, 1000);
	bench.cell->untraced.counters = 1U << IPI_COUNTER_RESCHED;
	classify(&bench, 0, 0, 0, 0);
	expect(&bench, IPI_VERDICT_REFUSED);
	assert_true(bench.cell->ipis_per_call < 0);
	end(&bench);
}

static void test_dry_run(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_DRY_RUN);
	expect(&bench, IPI_VERDICT_OK);
	assert_true(bench.cell->ipis_per_call < 0);
	count(&bench, 1000, 1, 1000);
	expect(&bench, IPI_VERDICT_OK);
	assert_true(bench.cell->ipis_per_call == 0.001);
	end(&bench);
}

static void test_no_call(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_DRY_RUN);
	ipi_hist__delete(bench.cell->stage[IPI_STAGE_TOTAL]);
	bench.cell->stage[IPI_STAGE_TOTAL] = NULL;
	bench.cell->untraced.calls = 0;
	expect(&bench, IPI_VERDICT_REFUSED);
	end(&bench);
}

/* Records the tracer lost excuse as many missing deliveries, if the counters have proved them. */
static void test_lost_records(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_NORMAL);
	classify(&bench, 0, 0, 0, 2000);
	bench.cell->vanished = 2000;
	expect(&bench, IPI_VERDICT_REFUSED);
	bench.cell->note[0] = '\0';
	count(&bench, 1000, 0, 1000);
	expect(&bench, IPI_VERDICT_OK);

	bench.cell->vanished = 1800;
	expect(&bench, IPI_VERDICT_REFUSED);
	bench.cell->note[0] = '\0';
	bench.cell->untraced.counters = 0;
	classify(&bench, 1800, 0, 0, 200);
	bench.cell->vanished = 200;
	expect(&bench, IPI_VERDICT_REFUSED);
	bench.cell->untraced.counters = bench.cell->proof;
	bench.cell->note[0] = '\0';
	expect(&bench, IPI_VERDICT_OK);
	/* What was seen to go another way is not excused. */
	classify(&bench, 0, 0, 100, 1900);
	bench.cell->vanished = 5000;
	expect(&bench, IPI_VERDICT_REFUSED);
	end(&bench);
}

/* 5 % off the state are told, more than half take the headline. */
static void test_off_state(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_NORMAL);
	bench.cell->target = IPI_TARGET_IDLE;
	classify(&bench, 960, 0, 0, 40);
	bench.cell->vanished = 40;
	bench.cell->off_state = 48;
	expect(&bench, IPI_VERDICT_OK);

	bench.cell->off_state = 49;
	ipi_cell__judge(bench.cell);
	assert_int_equal(bench.cell->verdict, IPI_VERDICT_OK);
	assert_string_equal(bench.cell->note, "49 of 960 deliveries found the target not idle");

	bench.cell->note[0] = '\0';
	bench.cell->off_state = 480;
	ipi_cell__judge(bench.cell);
	assert_int_equal(bench.cell->verdict, IPI_VERDICT_OK);
	bench.cell->off_state = 481;
	expect(&bench, IPI_VERDICT_REFUSED);
	end(&bench);
}

static void test_refusal_in_figures(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, IPI_SCENARIO_NORMAL);
	strcpy(bench.cell->note, "the row's own note");
	count(&bench, 20, 0, 10);
	classify(&bench, 12, 0, 1980, 8);
	expect(&bench, IPI_VERDICT_REFUSED);
	assert_string_equal(bench.cell->note,
			    "12 interrupt, 1980 polled, 8 missing of 2000 deliveries where 95 % must be interrupt; 0.03 IPIs per call in /proc/interrupts where 2.00 were due; the row's own note");
	end(&bench);

	/* A note that fills its field is cut, not overrun. */
	begin(&bench, IPI_SCENARIO_NORMAL);
	memset(bench.cell->note, 'x', sizeof(bench.cell->note) - 1);
	classify(&bench, 0, 0, 0, 1000);
	expect(&bench, IPI_VERDICT_REFUSED);
	assert_int_equal(strlen(bench.cell->note), sizeof(bench.cell->note) - 1);
	end(&bench);
}

static void test_observer(void **state)
{
	struct bench bench;
	int i;

	(void)state;
	begin(&bench, IPI_SCENARIO_NORMAL);
	classify(&bench, 1000, 0, 0, 0);
	expect(&bench, IPI_VERDICT_OK);
	assert_false(bench.cell->observer_known);
	assert_non_null(ipi_cell__hist(bench.cell, IPI_STAGE_TOTAL_TRACED));
	for (i = 0; i < 10; i++)
		ipi_hist__add(bench.cell->stage[IPI_STAGE_TOTAL_TRACED], 90);
	expect(&bench, IPI_VERDICT_OK);
	assert_true(bench.cell->observer_known);
	assert_int_equal(bench.cell->observer_ns, -10);
	end(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classes_remote),
		cmocka_unit_test(test_classes_self),
		cmocka_unit_test(test_counters_remote),
		cmocka_unit_test(test_counters_strays),
		cmocka_unit_test(test_counters_self),
		cmocka_unit_test(test_both),
		cmocka_unit_test(test_storm),
		cmocka_unit_test(test_neither),
		cmocka_unit_test(test_dry_run),
		cmocka_unit_test(test_no_call),
		cmocka_unit_test(test_lost_records),
		cmocka_unit_test(test_off_state),
		cmocka_unit_test(test_refusal_in_figures),
		cmocka_unit_test(test_observer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
