// SPDX-License-Identifier: GPL-2.0
/*
 * The result's house-keeping: facts, cells, names, and the sums of a cell.
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

static struct ipi_result *new_result(void)
{
	struct ipi_result *result = ipi_result__new();

	assert_non_null(result);
	return result;
}

static struct ipi_cell *add_cell(struct ipi_result *result)
{
	struct ipi_cell *cell = ipi_result__add_cell(result);

	assert_non_null(cell);
	return cell;
}

static void test_facts(void **state)
{
	struct ipi_result *result = new_result();
	struct ipi_facts *facts = &result->environment;

	(void)state;
	assert_null(ipi_facts__get(facts, "kernel"));
	assert_int_equal(ipi_facts__str(facts, "kernel", "6.1"), 0);
	assert_int_equal(ipi_facts__num(facts, "skew_ns", -50), 0);
	assert_int_equal(ipi_facts__str(facts, "rt", "off"), 0);
	assert_int_equal(facts->nr, 3);
	assert_string_equal(ipi_facts__get(facts, "kernel")->str, "6.1");
	assert_null(ipi_facts__get(facts, "skew_ns")->str);
	assert_int_equal(ipi_facts__get(facts, "skew_ns")->num, -50);
	/* No key is found by a part of it. */
	assert_null(ipi_facts__get(facts, "kern"));
	assert_null(ipi_facts__get(facts, "kernels"));
	ipi_result__delete(result);
}

static void test_facts_replace(void **state)
{
	struct ipi_result *result = new_result();
	struct ipi_facts *facts = &result->options;

	(void)state;
	assert_int_equal(ipi_facts__str(facts, "a", "one"), 0);
	assert_int_equal(ipi_facts__num(facts, "b", 2), 0);
	/* The place stays, the kind may change both ways. */
	assert_int_equal(ipi_facts__num(facts, "a", 1), 0);
	assert_int_equal(ipi_facts__str(facts, "b", "two"), 0);
	assert_int_equal(facts->nr, 2);
	assert_string_equal(facts->fact[0].key, "a");
	assert_null(facts->fact[0].str);
	assert_int_equal(facts->fact[0].num, 1);
	assert_string_equal(facts->fact[1].str, "two");
	ipi_result__delete(result);
}

static void test_facts_unknown_left_out(void **state)
{
	struct ipi_result *result = new_result();
	struct ipi_facts *facts = &result->environment;

	(void)state;
	assert_int_equal(ipi_facts__str(facts, "a", NULL), 0);
	assert_int_equal(ipi_facts__str(facts, "b", ""), 0);
	assert_int_equal(facts->nr, 0);
	assert_int_equal(ipi_facts__str(facts, "c", "kept"), 0);
	assert_int_equal(ipi_facts__str(facts, "c", ""), 0);
	assert_string_equal(ipi_facts__get(facts, "c")->str, "kept");
	ipi_result__delete(result);
}

static void test_facts_long_key(void **state)
{
	static const char key[] = "a_key_that_is_longer_than_what_a_fact_has_room_for";
	struct ipi_result *result = new_result();
	struct ipi_facts *facts = &result->environment;

	(void)state;
	assert_int_equal(ipi_facts__num(facts, key, 1), 0);
	assert_int_equal(ipi_facts__num(facts, key, 2), 0);
	assert_int_equal(facts->nr, 1);
	assert_int_equal(ipi_facts__get(facts, key)->num, 2);
	assert_int_equal(strlen(facts->fact[0].key), sizeof(facts->fact[0].key) - 1);
	ipi_result__delete(result);
}

static void test_cells(void **state)
{
	struct ipi_result *result = new_result();
	struct ipi_cell *cell;
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		cell = add_cell(result);
		assert_int_equal(cell->src, 0);
		assert_false(cell->untraced.done);
		/* Nothing reads as measured. */
		assert_true(cell->ipis_per_call < 0);
		assert_true(cell->baseline_ns < 0);
		assert_true(cell->steal_ms < 0);
		assert_false(cell->observer_known);
		cell->src = i;
		assert_int_equal(ipi_cpus__add(&cell->dst, i + 1), 0);
		cell->traced.row = calloc(1, sizeof(*cell->traced.row));
		assert_non_null(cell->traced.row);
		assert_non_null(ipi_cell__hist(cell, IPI_STAGE_ACK));
	}
	assert_int_equal(result->nr_cell, 100);
	for (i = 0; i < 100; i++)
		assert_int_equal(result->cell[i].src, i);
	ipi_result__delete(result);
	ipi_result__delete(NULL);
}

static void test_stages(void **state)
{
	struct ipi_result *result = new_result();
	struct ipi_cell *cell = add_cell(result);
	struct ipi_hist *hist;

	(void)state;
	assert_false(ipi_cell__measured(cell, IPI_STAGE_TOTAL));
	hist = ipi_cell__hist(cell, IPI_STAGE_TOTAL);
	assert_non_null(hist);
	assert_ptr_equal(hist, ipi_cell__hist(cell, IPI_STAGE_TOTAL));
	assert_ptr_not_equal(hist, ipi_cell__hist(cell, IPI_STAGE_SEND));
	/* An empty histogram is no measurement; a sample of 0 ns is one. */
	assert_false(ipi_cell__measured(cell, IPI_STAGE_TOTAL));
	ipi_hist__add(hist, 0);
	assert_true(ipi_cell__measured(cell, IPI_STAGE_TOTAL));
	assert_false(ipi_cell__measured(cell, IPI_STAGE_SEND));
	assert_false(ipi_cell__measured(cell, IPI_STAGE_NR));
	assert_null(ipi_cell__hist(cell, IPI_STAGE_NR));
	ipi_result__delete(result);
}

static void test_sums(void **state)
{
	static const struct {
		enum ipi_scenario scenario;
		u64 expected;
	} want[] = {
		{ IPI_SCENARIO_DRY_RUN, 0 },
		{ IPI_SCENARIO_SELF_CALL, 10 },
		{ IPI_SCENARIO_SELF_IPI, 10 },
		{ IPI_SCENARIO_NORMAL, 30 },
		{ IPI_SCENARIO_BROADCAST, 30 },
		{ IPI_SCENARIO_BROADCAST_LOCK, 30 },
		{ IPI_SCENARIO_MULTICAST, 30 },
		{ IPI_SCENARIO_STORM, 30 },
		{ IPI_SCENARIO_WAKE, 30 },
	};
	struct ipi_result *result = new_result();
	struct ipi_cell *cell = add_cell(result);
	unsigned int i;

	(void)state;
	for (i = 0; i < IPI_CLASS_NR; i++)
		cell->classes[i] = 1 << i;
	assert_int_equal(ipi_cell__deliveries(cell), (1 << IPI_CLASS_NR) - 1);

	for (i = 1; i <= 3; i++)
		assert_int_equal(ipi_cpus__add(&cell->dst, i), 0);
	cell->untraced.calls = 10;
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		cell->scenario = want[i].scenario;
		assert_int_equal(ipi_cell__expected(cell, &cell->untraced), want[i].expected);
		assert_int_equal(ipi_cell__expected(cell, &cell->traced), 0);
	}
	ipi_result__delete(result);
}

/* A sweep's rows are told apart by their step. */
static void test_label(void **state)
{
	struct ipi_result *result = new_result();
	struct ipi_cell *cell = add_cell(result);
	char buf[32];
	int i;

	(void)state;
	cell->scenario = IPI_SCENARIO_MULTICAST;
	assert_string_equal(ipi_cell__label(cell, buf, sizeof(buf)), "multicast");
	for (i = 1; i <= 4; i++)
		assert_int_equal(ipi_cpus__add(&cell->dst, i), 0);
	assert_string_equal(ipi_cell__label(cell, buf, sizeof(buf)), "multicast:4");
	cell->scenario = IPI_SCENARIO_BROADCAST;
	assert_string_equal(ipi_cell__label(cell, buf, sizeof(buf)), "broadcast");
	cell->scenario = IPI_SCENARIO_STORM;
	assert_string_equal(ipi_cell__label(cell, buf, sizeof(buf)), "storm");
	for (i = 0; i < 2; i++)
		assert_int_equal(ipi_cpus__add(&cell->senders, i), 0);
	assert_string_equal(ipi_cell__label(cell, buf, sizeof(buf)), "storm:2");
	ipi_result__delete(result);
}

static void test_names(void **state)
{
	int i, j;

	(void)state;
	assert_string_equal(ipi_verdict__name(IPI_VERDICT_OK), "ok");
	assert_string_equal(ipi_verdict__name(IPI_VERDICT_REFUSED), "refused");
	assert_string_equal(ipi_verdict__name(IPI_VERDICT_UNSUPPORTED), "unsupported");
	assert_string_equal(ipi_verdict__name(IPI_VERDICT_FAILED), "failed");
	assert_string_equal(ipi_verdict__name(IPI_VERDICT_NR), "?");
	assert_string_equal(ipi_verdict__name((enum ipi_verdict)-1), "?");
	assert_string_equal(ipi_counter__name(IPI_COUNTER_CALL), "call");
	assert_string_equal(ipi_counter__name(IPI_COUNTER_NR), "?");
	for (i = 0; i < IPI_COUNTER_NR; i++) {
		for (j = 0; j < i; j++)
			assert_string_not_equal(ipi_counter__name(i), ipi_counter__name(j));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_facts_replace),
		cmocka_unit_test(test_facts_unknown_left_out),
		cmocka_unit_test(test_facts_long_key),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_label),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
