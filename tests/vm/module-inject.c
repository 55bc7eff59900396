// SPDX-License-Identifier: GPL-2.0
/*
 * Known delays, and where they land: in the function ("handle") or before it ("delivery"), and
 * nowhere else. The module is loaded.
 *
 * usage: module-inject [CALLS [judge]]
 *
 * "judge" is for the deterministic guest: there 99 % of the samples must carry the delay to 5 % or
 * 2 us, and the other stages' medians must stay within 5 %. Elsewhere medians are judged, of rounds
 * with the delay and rounds without: the delayed stage takes the delay, what it takes without, and
 * 5 % or 2 us more at most; no other stage grows by half the delay, or by more than 5 % or 2 us. A
 * busy host disturbs rounds, so one good round of many is asked for, more and more time apart: a
 * delay in the wrong place is in all of them. No sample at all may carry less than was injected.
 */
#include "module.h"

#define MAX_CALLS	2000
#define TICK_NS		16	/* of the counter of the deterministic guest */
#define ROUNDS		30	/* at most */
#define PAUSE_US	20000	/* after a bad one, and as much more after each */
#define ROUND_CALLS	100

/* Stages that the stamps tell. */
enum { DELIVERY, HANDLE, ACK, STAGES };

static const char *const stage_names[STAGES] = { "delivery", "handle", "ack" };

/**
 * struct sample - all samples of a run
 * @calls:	how many
 * @ns:		by stage, sorted
 */
struct sample {
	unsigned int calls;
	uint64_t ns[STAGES][MAX_CALLS];
};

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int take(struct sample *sample, struct dev *dev, struct ipi_bench_run run)
{
	const struct ipi_bench_delivery *deliveries;
	const struct ipi_bench_call *calls;
	unsigned int i;
	int err;

	err = call(dev->fd, IPI_BENCH_RUN, &run);
	if (err)
		return err;
	if (run.ended || run_errors(&run)) {
		printf("# %u of %u calls, ended %u, %llu errors\n", run.done, run.calls, run.ended,
		       (unsigned long long)run_errors(&run));
		return run_errors(&run) || run.ended != IPI_BENCH_ENDED_TIME ? -EIO : -ETIME;
	}
	deliveries = dev_deliveries(dev, &run, 0);
	calls = dev_calls(dev, &run);
	sample->calls = 0;
	for (i = 0; i < run.done; i++) {
		/* A target that was not held says nothing about holding. */
		if (run.inject == IPI_BENCH_INJECT_IRQOFF &&
		    deliveries[i].t_entry - calls[i].t_call < run.inject_ns)
			continue;
		sample->ns[DELIVERY][sample->calls] = deliveries[i].t_entry - calls[i].t_call;
		sample->ns[HANDLE][sample->calls] = deliveries[i].t_exit - deliveries[i].t_entry;
		sample->ns[ACK][sample->calls] = calls[i].t_return - deliveries[i].t_exit;
		sample->calls++;
	}
	for (i = 0; i < STAGES; i++)
		qsort(sample->ns[i], sample->calls, sizeof(*sample->ns[i]), compare);
	return 0;
}

static uint64_t median(const struct sample *sample, int stage)
{
	return sample->ns[stage][sample->calls / 2];
}

/* 5 % or 2 us. */
static uint64_t slack(uint64_t ns)
{
	return ns / 20 > 2000 ? ns / 20 : 2000;
}

/* How many samples carry @inject on top of @base, to 5 % or 2 us? */
static unsigned int carry(const struct sample *sample, int stage, uint64_t base, uint64_t inject)
{
	unsigned int i, good = 0;

	for (i = 0; i < sample->calls; i++)
		good += sample->ns[stage][i] + slack(inject) >= base + inject &&
			sample->ns[stage][i] <= base + inject + slack(inject);
	return good;
}

/*
 * The interrupt of a held target is not preceded by a wake-up, so the time before the function gets
 * shorter by that, and is told apart from the hold by nothing: "delivery" is judged to 2 us.
 */
static void judge(const struct sample *base, const struct sample *with, int where, uint64_t inject,
		  const char *name)
{
	uint64_t from = where == DELIVERY ? 0 : median(base, where);
	unsigned int good = carry(with, where, from, inject);
	int stage;

	ok(good * 100ULL >= with->calls * 99ULL, "%s: %u of %u carry it", name, good,
	   with->calls);
	for (stage = 0; stage < STAGES; stage++) {
		uint64_t was = median(base, stage), now = median(with, stage);
		uint64_t moved = now > was ? now - was : was - now;

		if (stage == where)
			continue;
		ok(moved * 20 <= was || moved <= 2 * TICK_NS, "%s: median %s stays: %llu, %llu ns",
		   name, stage_names[stage], (unsigned long long)was,
		   (unsigned long long)now);
	}
}

static void show(const struct sample *base, const struct sample *with, const char *name)
{
	int stage;

	printf("# %s: %u samples; medians", name, with->calls);
	for (stage = 0; stage < STAGES; stage++)
		printf(" %s %llu (without: %llu)", stage_names[stage],
		       (unsigned long long)median(with, stage),
		       (unsigned long long)median(base, stage));
	printf("\n");
}

/*
 * Does a round of many show the delay in its stage and in no other? A held target is awake, so the
 * other stages may well be shorter than without.
 */
static bool medians_fit(const struct sample *base, const struct sample *with, int where,
			uint64_t inject)
{
	bool fit = median(with, where) >= inject;
	int stage;

	for (stage = 0; stage < STAGES; stage++) {
		uint64_t was = median(base, stage), more = slack(was);

		if (stage == where)
			more = inject + slack(inject);
		else if (more < inject / 2)
			more = inject / 2;
		fit = fit && median(with, stage) <= was + more;
	}
	return fit;
}

/* The name of what is tried. */
struct title {
	char text[80];
};

static struct title title_of(const struct ipi_bench_run *run, const char *name)
{
	struct title title;

	snprintf(title.text, sizeof(title.text), "%s %s=%llu us", name,
		 run->inject == IPI_BENCH_INJECT_HANDLER ? "handler" : "irqoff",
		 (unsigned long long)run->inject_ns / 1000);
	return title;
}

static int delayed_stage(const struct ipi_bench_run *run)
{
	return run->inject == IPI_BENCH_INJECT_HANDLER ? HANDLE : DELIVERY;
}

/* Where nothing disturbs: all at once, beside @base. */
static void test_strict(struct dev *dev, struct ipi_bench_run run, const struct sample *base,
			const char *name)
{
	struct title title = title_of(&run, name);
	static struct sample with;

	if (!is(take(&with, dev, run), 0, "%s", title.text))
		return;
	show(base, &with, title.text);
	is(with.calls, run.calls, "%s: targets held", title.text);
	ok(with.ns[delayed_stage(&run)][0] >= run.inject_ns, "%s: never shorter", title.text);
	judge(base, &with, delayed_stage(&run), run.inject_ns, title.text);
}

static void test_rounds(struct dev *dev, struct ipi_bench_run run, const char *name)
{
	struct title title = title_of(&run, name);
	static struct sample base, with;
	struct ipi_bench_run without;
	int round, err = 0, shorter = 0;
	bool fit = false;

	if (run.calls > ROUND_CALLS)
		run.calls = ROUND_CALLS;
	without = run;
	without.inject = IPI_BENCH_INJECT_NONE;
	without.inject_ns = 0;
	for (round = 0; round < ROUNDS && !fit && (!err || err == -ETIME); round++) {
		usleep(round * PAUSE_US);
		err = take(&base, dev, without);
		if (!err)
			err = take(&with, dev, run);
		if (err || with.calls < run.calls / 2)
			continue;
		show(&base, &with, title.text);
		shorter += with.ns[delayed_stage(&run)][0] < run.inject_ns;
		fit = medians_fit(&base, &with, delayed_stage(&run), run.inject_ns);
	}
	is(err, 0, "%s", title.text);
	is(shorter, 0, "%s: never shorter", title.text);
	ok(fit, "%s: the medians tell where it is", title.text);
}

static void test(struct dev *dev, struct ipi_bench_run run, const struct sample *base, bool strict,
		 const char *name)
{
	if (strict)
		test_strict(dev, run, base, name);
	else
		test_rounds(dev, run, name);
}

static void test_scenario(struct dev *dev, unsigned int scenario, unsigned int calls, bool strict,
			  const char *name)
{
	static const unsigned int handler_us[] = { 5, 20, 100 };
	static const unsigned int irqoff_us[] = { 20, 50, 200 };
	static struct sample base;
	uint64_t one[MASK_WORDS];
	struct ipi_bench_run run;
	int i;

	mask_one(one, 1);
	run = run_of(scenario, calls, one);
	run.flags = IPI_BENCH_RUN_TICK;
	/* The first time warms up. */
	for (i = 0; i < 2; i++)
		if (!is(take(&base, dev, run), 0, "%s", name))
			return;
	for (i = 0; i < 3; i++) {
		run.inject = IPI_BENCH_INJECT_HANDLER;
		run.inject_ns = handler_us[i] * 1000;
		test(dev, run, &base, strict, name);
	}
	for (i = 0; i < 3 && has_targets(scenario); i++) {
		run.inject = IPI_BENCH_INJECT_IRQOFF;
		run.inject_ns = irqoff_us[i] * 1000;
		test(dev, run, &base, strict, name);
	}
}

int main(int argc, char **argv)
{
	unsigned int calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 500;
	bool strict = argc > 2 && !strcmp(argv[2], "judge");
	struct dev dev;

	if (!calls || calls > MAX_CALLS) {
		fprintf(stderr, "usage: module-inject [CALLS [judge]], up to %d calls\n",
			MAX_CALLS);
		return 129;
	}
	pin(0);
	dev_setup(&dev, 1024 * 1024);
	test_scenario(&dev, IPI_BENCH_SELF_CALL, calls, strict, "self-call");
	test_scenario(&dev, IPI_BENCH_SELF_IPI, calls, strict, "self-ipi");
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1) {
		test_scenario(&dev, IPI_BENCH_NORMAL, calls, strict, "normal");
		test_scenario(&dev, IPI_BENCH_BROADCAST_LOCK, calls, strict, "broadcast-lock");
	} else {
		ok(true, "scenarios with targets # SKIP one CPU");
	}
	dev_close(&dev);
	return tap_end();
}
