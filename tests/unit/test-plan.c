// SPDX-License-Identifier: GPL-2.0
/*
 * From options to cells, on CPUs that need not exist (the fake backend's).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/run/options.h"
#include "bench/ipi/run/pairs.h"
#include "bench/ipi/run/plan.h"
#include "bench/ipi/why.h"

static struct ipi_options all_on(const char *cpus)
{
	struct ipi_options opt = { .cpus = cpus, .backend = "fake" };

	memset(opt.scenario, 1, sizeof(opt.scenario));
	return opt;
}

static int count(const struct ipi_plan *plan, enum ipi_scenario scenario)
{
	int nr = 0;
	int i;

	for (i = 0; i < plan->nr; i++)
		nr += plan->spec[i].scenario == scenario;
	return nr;
}

static const struct ipi_spec *find(const struct ipi_plan *plan, enum ipi_scenario scenario)
{
	int i;

	for (i = 0; i < plan->nr; i++) {
		if (plan->spec[i].scenario == scenario)
			return &plan->spec[i];
	}
	fail_msg("no cell of %s", ipi_scenario__name(scenario));
	return NULL;
}

static void test_default(void **state)
{
	struct ipi_options opt = all_on("0-111");
	struct ipi_plan plan;

	(void)state;
	assert_int_equal(ipi_plan__make(&plan, &opt, NULL), 0);
	assert_int_equal(plan.src, 0);
	assert_int_equal(plan.cpus.nr, 112);
	assert_false(plan.fixed);
	assert_int_equal(count(&plan, IPI_SCENARIO_DRY_RUN), 1);
	/* Busy and idle, never one number without the target's state. */
	assert_int_equal(count(&plan, IPI_SCENARIO_NORMAL), 2);
	assert_int_equal(count(&plan, IPI_SCENARIO_WAKE), 2);
	assert_int_equal(find(&plan, IPI_SCENARIO_DRY_RUN)->dst.nr, 0);
	assert_int_equal(find(&plan, IPI_SCENARIO_SELF_CALL)->dst.cpu[0], 0);
	assert_int_equal(find(&plan, IPI_SCENARIO_NORMAL)->dst.nr, 1);
	assert_int_equal(find(&plan, IPI_SCENARIO_NORMAL)->dst.cpu[0], 1);
	/* The sender is not its own target. */
	assert_int_equal(find(&plan, IPI_SCENARIO_BROADCAST)->dst.nr, 111);
	assert_int_equal(find(&plan, IPI_SCENARIO_BROADCAST)->dst.cpu[0], 1);
	ipi_plan__free(&plan);
}

static void test_one_cpu(void **state)
{
	struct ipi_options opt = all_on("3");
	struct ipi_plan plan;
	int i;

	(void)state;
	assert_int_equal(ipi_plan__make(&plan, &opt, NULL), 0);
	for (i = 0; i < plan.nr; i++) {
		const struct ipi_spec *spec = &plan.spec[i];

		if (spec->target == IPI_TARGET_NONE)
			assert_string_equal(spec->needs, "");
		else if (spec->scenario == IPI_SCENARIO_MULTICAST)
			assert_string_equal(spec->needs, "needs three CPUs to differ from normal");
		else
			assert_string_equal(spec->needs, "needs two CPUs");
	}
	assert_string_equal(find(&plan, IPI_SCENARIO_NORMAL)->needs, "needs two CPUs");
	ipi_plan__free(&plan);
}

static void test_src_dst(void **state)
{
	struct ipi_options opt = all_on(NULL);
	struct ipi_plan plan;
	int i;

	(void)state;
	opt.cpus = "0-7";
	opt.src = "4";
	opt.dst = "2,6";
	assert_int_equal(ipi_plan__make(&plan, &opt, NULL), 0);
	assert_true(plan.fixed);
	/* A cell for each named target, or one for all. */
	assert_int_equal(count(&plan, IPI_SCENARIO_NORMAL), 4);
	assert_int_equal(count(&plan, IPI_SCENARIO_BROADCAST), 1);
	assert_int_equal(find(&plan, IPI_SCENARIO_BROADCAST)->dst.nr, 2);
	for (i = 0; i < plan.nr; i++)
		assert_int_equal(plan.spec[i].src, 4);
	ipi_plan__free(&plan);
}

/* An idle target is the first CPU, unless the user says who sends. */
static void test_idle(void **state)
{
	struct ipi_options opt = all_on("4-7");
	struct ipi_plan plan;
	int i;

	(void)state;
	opt.targets = 1U << IPI_TARGET_IDLE;
	assert_int_equal(ipi_plan__make(&plan, &opt, NULL), 0);
	assert_int_equal(find(&plan, IPI_SCENARIO_NORMAL)->src, 5);
	assert_int_equal(find(&plan, IPI_SCENARIO_NORMAL)->dst.cpu[0], 4);
	ipi_plan__free(&plan);
	opt.src = "4";
	assert_int_equal(ipi_plan__make(&plan, &opt, NULL), 0);
	for (i = 0; i < plan.nr; i++)
		assert_int_equal(plan.spec[i].src, 4);
	assert_int_equal(find(&plan, IPI_SCENARIO_NORMAL)->dst.cpu[0], 5);
	ipi_plan__free(&plan);
}

/* 1, 2, 4, ... and all: no step twice, none beyond the last. */
static void test_sweeps(void **state)
{
	static const struct {
		const char *cpus;
		int targets[5];		/* of each multicast, 0 behind the last */
		int senders[5];		/* of each storm */
	} sweep[] = {
		{ "0-1", { 0 }, { 2 } },
		{ "0-2", { 1, 2 }, { 2, 3 } },
		{ "0-3", { 1, 2, 3 }, { 2, 4 } },
		{ "0-4", { 1, 2, 4 }, { 2, 4, 5 } },
		{ "0-8", { 1, 2, 4, 8 }, { 2, 4, 8, 9 } },
	};
	struct ipi_options opt = all_on(NULL);
	struct ipi_plan plan;
	unsigned int s;
	int i;

	(void)state;
	for (s = 0; s < ARRAY_SIZE(sweep); s++) {
		int multicasts = 0, storms = 0;

		opt.cpus = sweep[s].cpus;
		assert_int_equal(ipi_plan__make(&plan, &opt, NULL), 0);
		for (i = 0; i < plan.nr; i++) {
			const struct ipi_spec *spec = &plan.spec[i];

			if (spec->scenario == IPI_SCENARIO_MULTICAST && !spec->needs[0]) {
				assert_int_equal(spec->dst.nr, sweep[s].targets[multicasts++]);
				assert_int_equal(spec->dst.cpu[0], 1);
				assert_int_equal(spec->senders.nr, 0);
			} else if (spec->scenario == IPI_SCENARIO_STORM) {
				assert_int_equal(spec->senders.nr, sweep[s].senders[storms++]);
				/* The measured sender is one of them, and everybody else is hit. */
				assert_true(ipi_cpus__has(&spec->senders, spec->src));
				assert_int_equal(spec->dst.nr, plan.cpus.nr - 1);
				assert_int_equal(spec->target, IPI_TARGET_ANY);
			} else {
				assert_int_equal(spec->senders.nr, 0);
			}
		}
		assert_int_equal(sweep[s].targets[multicasts], 0);
		assert_int_equal(sweep[s].senders[storms], 0);
		ipi_plan__free(&plan);
	}
}

static void test_targets(void **state)
{
	struct ipi_options opt = all_on("0-1");
	struct ipi_plan plan;

	(void)state;
	opt.targets = 1U << IPI_TARGET_KERNEL | 1U << IPI_TARGET_IDLE;
	assert_int_equal(ipi_plan__make(&plan, &opt, NULL), 0);
	assert_int_equal(count(&plan, IPI_SCENARIO_NORMAL), 2);
	assert_int_equal(find(&plan, IPI_SCENARIO_NORMAL)->target, IPI_TARGET_KERNEL);
	assert_int_equal(count(&plan, IPI_SCENARIO_SELF_IPI), 1);
	assert_int_equal(find(&plan, IPI_SCENARIO_SELF_IPI)->target, IPI_TARGET_NONE);
	ipi_plan__free(&plan);
}

static void expect_error(const char *cpus, const char *src, const char *dst, const char *what)
{
	struct ipi_options opt = all_on(cpus);
	struct ipi_plan plan;
	struct ipi_why why;

	opt.src = src;
	opt.dst = dst;
	assert_int_equal(ipi_plan__make(&plan, &opt, &why), -EINVAL);
	assert_non_null(strstr(why.what, what));
	assert_true(why.remedy[0] != '\0');
	ipi_plan__free(&plan);
}

static void test_errors(void **state)
{
	(void)state;
	expect_error("0-1,foo", NULL, NULL, "--cpus: 'foo'");
	expect_error("0-1", "0-1", NULL, "--src: '0-1' is more than one sender");
	expect_error("0-1", "x", NULL, "--src: 'x'");
	expect_error("0-1", "2", NULL, "--src: CPU 2 is not among --cpus 0-1");
	expect_error("0-1", NULL, "1-", "--dst: '1-'");
	expect_error("0-1", NULL, "5", "--dst: CPU 5 is not among --cpus 0-1");
	expect_error("0-3", "2", "1-3", "--dst: CPU 2 is the sender");
	expect_error("0-3", NULL, "0", "--dst: CPU 0 is the sender");
}

/* On this machine: a CPU that can't be there. */
static void test_absent(void **state)
{
	struct ipi_options opt = all_on("0,65000");
	struct ipi_plan plan;
	struct ipi_why why;

	(void)state;
	opt.backend = "user";
	assert_int_equal(ipi_plan__make(&plan, &opt, &why), -ENODEV);
	assert_non_null(strstr(why.what, "--cpus: there is no CPU 65000"));
	ipi_plan__free(&plan);
}

/* A cell for each pair, and as many of them as there is time for. */
static void test_matrix(void **state)
{
	struct ipi_pair pair[] = { { .src = 2, .dst = 0 }, { .src = 0, .dst = 2 },
				   { .src = 1, .dst = 3 }, { .src = 3, .dst = 1 } };
	const struct ipi_pairs pairs = { .pair = pair, .nr = ARRAY_SIZE(pair) };
	struct ipi_options opt = all_on("0-3");
	struct ipi_plan plan;
	int i;

	(void)state;
	opt.pairs = &pairs;
	opt.targets = 1U << IPI_TARGET_IDLE;
	assert_int_equal(ipi_plan__make(&plan, &opt, NULL), 0);
	assert_int_equal(plan.nr, 4);
	for (i = 0; i < plan.nr; i++) {
		assert_int_equal(plan.spec[i].scenario, IPI_SCENARIO_NORMAL);
		assert_int_equal(plan.spec[i].target, IPI_TARGET_IDLE);
		/* As they stand: of an idle pair nobody swaps the roles. */
		assert_int_equal(plan.spec[i].src, pair[i].src);
		assert_int_equal(plan.spec[i].dst.nr, 1);
		assert_int_equal(plan.spec[i].dst.cpu[0], pair[i].dst);
	}
	ipi_plan__cut(&plan, 2);
	assert_int_equal(plan.nr, 2);
	assert_int_equal(plan.spec[1].src, 0);
	ipi_plan__cut(&plan, 3);
	assert_int_equal(plan.nr, 2);
	ipi_plan__free(&plan);

	opt.targets = 0;
	assert_int_equal(ipi_plan__make(&plan, &opt, NULL), 0);
	assert_int_equal(plan.spec[0].target, IPI_TARGET_BUSY);
	ipi_plan__free(&plan);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default),
		cmocka_unit_test(test_one_cpu),
		cmocka_unit_test(test_src_dst),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_sweeps),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_matrix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
