// SPDX-License-Identifier: GPL-2.0
/*
 * From options to cells. Decides who sends and who is hit; knows nothing of how it is done or of
 * what the kernel can do.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>

#include "../parse.h"
#include "../why.h"
#include "options.h"
#include "pairs.h"
#include "plan.h"

#define BIT_OF(target)	(1U << (target))

/* Which states suit a scenario where the user doesn't say, of those that hit others. */
static const struct {
	bool many;		/* hits all targets at once */
	unsigned int usual;
} traits[IPI_SCENARIO_NR] = {
	[IPI_SCENARIO_NORMAL] = { .usual = BIT_OF(IPI_TARGET_BUSY) | BIT_OF(IPI_TARGET_IDLE) },
	[IPI_SCENARIO_BROADCAST] = { .many = true, .usual = BIT_OF(IPI_TARGET_BUSY) },
	[IPI_SCENARIO_BROADCAST_LOCK] = { .many = true, .usual = BIT_OF(IPI_TARGET_BUSY) },
	[IPI_SCENARIO_MULTICAST] = { .usual = BIT_OF(IPI_TARGET_BUSY) },
	[IPI_SCENARIO_WAKE] = { .usual = BIT_OF(IPI_TARGET_BUSY) | BIT_OF(IPI_TARGET_IDLE) },
};

/* Who sends: --src, or the first CPU that takes part. */
static int choose_src(struct ipi_plan *plan, const struct ipi_options *opt, struct ipi_why *why)
{
	struct ipi_cpus src = { 0 };
	int err = 0;

	if (!opt->src) {
		plan->src = plan->cpus.cpu[0];
		return 0;
	}
	err = ipi_cpus__parse(&src, opt->src, "--src", why);
	if (err)
		return err;
	plan->src = src.cpu[0];
	plan->fixed = true;
	if (src.nr != 1)
		err = ipi_why__set(why, 0, "name one CPU", "--src: '%s' is more than one sender",
				   opt->src);
	else if (opt->cpus && !ipi_cpus__has(&plan->cpus, plan->src))
		err = ipi_why__set(why, 0, "name it in both, or leave --cpus out",
				   "--src: CPU %d is not among --cpus %s", plan->src, opt->cpus);
	ipi_cpus__free(&src);
	return err;
}

/* Who is hit: --dst, or all others that take part. */
static int choose_dst(struct ipi_plan *plan, const struct ipi_options *opt, struct ipi_cpus *dst,
		      struct ipi_why *why)
{
	int err = 0;
	int i;

	if (!opt->dst) {
		for (i = 0; !err && i < plan->cpus.nr; i++) {
			if (plan->cpus.cpu[i] != plan->src)
				err = ipi_cpus__add(dst, plan->cpus.cpu[i]);
		}
		return err ? ipi_why__set(why, ENOMEM, NULL, "CPU list") : 0;
	}
	err = ipi_cpus__parse(dst, opt->dst, "--dst", why);
	if (err)
		return err;
	plan->fixed = true;
	for (i = 0; i < dst->nr; i++) {
		if (opt->cpus && !ipi_cpus__has(&plan->cpus, dst->cpu[i]))
			return ipi_why__set(why, 0, "name it in both, or leave --cpus out",
					    "--dst: CPU %d is not among --cpus %s", dst->cpu[i],
					    opt->cpus);
	}
	if (ipi_cpus__has(dst, plan->src))
		return ipi_why__set(why, 0, "self scenarios need no --dst; or name another --src",
				    "--dst: CPU %d is the sender", plan->src);
	return 0;
}

/* The CPUs of --cpus, or all usable ones. */
static int choose_cpus(struct ipi_plan *plan, const struct ipi_options *opt, struct ipi_why *why)
{
	int err;

	if (opt->cpus)
		return ipi_cpus__parse(&plan->cpus, opt->cpus, "--cpus", why);
	err = ipi_cpus__usable(&plan->cpus, why);
	if (!err && !plan->cpus.nr)
		err = ipi_why__set(why, ENODEV, "check taskset and the cpuset",
				   "no CPU to run on");
	return err;
}

static struct ipi_spec *add_spec(struct ipi_plan *plan, enum ipi_scenario scenario,
				 enum ipi_target target)
{
	struct ipi_spec *spec;

	spec = realloc(plan->spec, (size_t)(plan->nr + 1) * sizeof(*spec));
	if (!spec)
		return NULL;
	plan->spec = spec;
	spec += plan->nr++;
	memset(spec, 0, sizeof(*spec));
	spec->scenario = scenario;
	spec->target = target;
	spec->src = plan->src;
	return spec;
}

/* A row that only says why it isn't one. */
static int add_needs(struct ipi_plan *plan, enum ipi_scenario scenario, enum ipi_target target,
		     const char *needs)
{
	struct ipi_spec *spec = add_spec(plan, scenario, target);

	if (!spec)
		return -ENOMEM;
	snprintf(spec->needs, sizeof(spec->needs), "%s", needs);
	return 0;
}

static int add_self(struct ipi_plan *plan, enum ipi_scenario scenario)
{
	struct ipi_spec *spec = add_spec(plan, scenario, IPI_TARGET_NONE);

	if (!spec)
		return -ENOMEM;
	if (scenario == IPI_SCENARIO_DRY_RUN)
		return 0;
	return ipi_cpus__add(&spec->dst, plan->src);
}

/*
 * Of an idle CPU the first one is the target, not the sender, unless the user has cast the roles:
 * on some para-virtual guests nothing sampled in the idle task of another CPU ever arrives.
 */
static void swap_roles(struct ipi_spec *spec)
{
	int src = spec->src;

	spec->src = spec->dst.cpu[0];
	spec->dst.cpu[0] = src;
}

/* All targets in one cell, or, of a scenario with one target, one cell for each that was named. */
static int add_targeted(struct ipi_plan *plan, const struct ipi_options *opt,
			enum ipi_scenario scenario, enum ipi_target target,
			const struct ipi_cpus *dst)
{
	int nr = opt->dst ? dst->nr : 1;
	struct ipi_spec *spec;
	int i;

	if (!dst->nr)
		return add_needs(plan, scenario, target, "needs two CPUs");
	if (traits[scenario].many)
		nr = 1;
	for (i = 0; i < nr; i++) {
		int err;

		spec = add_spec(plan, scenario, target);
		if (!spec)
			return -ENOMEM;
		if (traits[scenario].many)
			err = ipi_cpus__copy(&spec->dst, dst);
		else
			err = ipi_cpus__add(&spec->dst, dst->cpu[i]);
		if (err)
			return err;
		if (target == IPI_TARGET_IDLE && spec->dst.nr == 1 && !plan->fixed)
			swap_roles(spec);
	}
	return 0;
}

/* The next step of a sweep: 1, 2, 4, ... and the last. */
static int next_step(int step, int last)
{
	return step < last && step * 2 > last ? last : step * 2;
}

/* The first 1, 2, 4, ... of the targets, and all of them: how the cost grows with their number. */
static int add_multicast(struct ipi_plan *plan, enum ipi_target target,
			 const struct ipi_cpus *dst)
{
	int err = 0;
	int k;

	if (dst->nr < 2)
		return add_needs(plan, IPI_SCENARIO_MULTICAST, target,
				 "needs three CPUs to differ from normal");
	for (k = 1; !err && k <= dst->nr; k = next_step(k, dst->nr)) {
		struct ipi_spec *spec = add_spec(plan, IPI_SCENARIO_MULTICAST, target);
		struct ipi_cpus first = { .nr = k, .cpu = dst->cpu };

		err = spec ? ipi_cpus__copy(&spec->dst, &first) : -ENOMEM;
	}
	return err;
}

/* The sender and the first 1, 3, 7, ... of the others, each to all that take part. */
static int add_storm(struct ipi_plan *plan, const struct ipi_cpus *dst)
{
	int err = 0;
	int m;

	if (!dst->nr)
		return add_needs(plan, IPI_SCENARIO_STORM, IPI_TARGET_ANY, "needs two CPUs");
	for (m = 2; !err && m <= dst->nr + 1; m = next_step(m, dst->nr + 1)) {
		struct ipi_spec *spec = add_spec(plan, IPI_SCENARIO_STORM, IPI_TARGET_ANY);
		struct ipi_cpus others = { .nr = m - 1, .cpu = dst->cpu };

		err = spec ? ipi_cpus__copy(&spec->dst, dst) : -ENOMEM;
		if (!err)
			err = ipi_cpus__copy(&spec->senders, &others);
		if (!err)
			err = ipi_cpus__add(&spec->senders, plan->src);
	}
	return err;
}

static int add_scenario(struct ipi_plan *plan, const struct ipi_options *opt,
			enum ipi_scenario scenario, const struct ipi_cpus *dst)
{
	unsigned int targets = opt->targets ? opt->targets : traits[scenario].usual;
	int target;
	int err = 0;

	if (ipi_scenario__is_own(scenario))
		return add_self(plan, scenario);
	/* Senders are targets: what they do when hit is to send, or to wait for others. */
	if (scenario == IPI_SCENARIO_STORM)
		return add_storm(plan, dst);
	for (target = 0; !err && target < IPI_TARGET_NR; target++) {
		if (!(targets & BIT_OF(target)))
			continue;
		if (scenario == IPI_SCENARIO_MULTICAST)
			err = add_multicast(plan, (enum ipi_target)target, dst);
		else
			err = add_targeted(plan, opt, scenario, (enum ipi_target)target, dst);
	}
	return err;
}

/* A sender or target named without --cpus takes part as well. */
static int take_part(struct ipi_plan *plan, const struct ipi_cpus *dst)
{
	int err = ipi_cpus__add(&plan->cpus, plan->src);
	int i;

	for (i = 0; !err && i < dst->nr; i++)
		err = ipi_cpus__add(&plan->cpus, dst->cpu[i]);
	return err;
}

static bool simulated(const struct ipi_options *opt)
{
	return !strcmp(opt->backend, "fake");
}

/* Of a matrix: a cell for each pair, in one state. Nobody's roles are swapped. */
static int make_matrix(struct ipi_plan *plan, const struct ipi_options *opt, struct ipi_why *why)
{
	enum ipi_target target = IPI_TARGET_BUSY;
	int err = 0;
	int i;

	for (i = 0; i < IPI_TARGET_NR; i++) {
		if (opt->targets & BIT_OF(i))
			target = i;
	}
	plan->src = plan->cpus.cpu[0];
	plan->fixed = true;
	if (opt->cpus && !simulated(opt))
		err = ipi_cpus__check(&plan->cpus, "--cpus", why);
	for (i = 0; !err && i < opt->pairs->nr; i++) {
		struct ipi_spec *spec = add_spec(plan, IPI_SCENARIO_NORMAL, target);

		if (!spec || ipi_cpus__add(&spec->dst, opt->pairs->pair[i].dst))
			return ipi_why__set(why, ENOMEM, NULL, "plan");
		spec->src = opt->pairs->pair[i].src;
	}
	return err;
}

int ipi_plan__make(struct ipi_plan *plan, const struct ipi_options *opt, struct ipi_why *why)
{
	struct ipi_cpus dst = { 0 };
	int scenario;
	int err;

	memset(plan, 0, sizeof(*plan));
	err = choose_cpus(plan, opt, why);
	if (!err && opt->pairs)
		return make_matrix(plan, opt, why);
	if (!err)
		err = choose_src(plan, opt, why);
	if (!err)
		err = choose_dst(plan, opt, &dst, why);
	if (!err && !simulated(opt)) {
		/* In the order the user named them, so that the message names the right option. */
		if (opt->cpus)
			err = ipi_cpus__check(&plan->cpus, "--cpus", why);
		if (!err && opt->dst)
			err = ipi_cpus__check(&dst, "--dst", why);
		if (!err && opt->src) {
			struct ipi_cpus src = { .nr = 1, .cpu = &plan->src };

			err = ipi_cpus__check(&src, "--src", why);
		}
	}
	if (!err && take_part(plan, &dst))
		err = ipi_why__set(why, ENOMEM, NULL, "plan");
	for (scenario = 0; !err && scenario < IPI_SCENARIO_NR; scenario++) {
		if (opt->scenario[scenario] &&
		    add_scenario(plan, opt, (enum ipi_scenario)scenario, &dst))
			err = ipi_why__set(why, ENOMEM, NULL, "plan");
	}
	ipi_cpus__free(&dst);
	return err;
}

void ipi_plan__cut(struct ipi_plan *plan, int nr)
{
	while (plan->nr > nr) {
		struct ipi_spec *spec = &plan->spec[--plan->nr];

		ipi_cpus__free(&spec->dst);
		ipi_cpus__free(&spec->senders);
	}
}

void ipi_plan__free(struct ipi_plan *plan)
{
	ipi_plan__cut(plan, 0);
	free(plan->spec);
	ipi_cpus__free(&plan->cpus);
	memset(plan, 0, sizeof(*plan));
}
