// SPDX-License-Identifier: GPL-2.0
/*
 * What a call costs in the module, stamps and checks included, beside the 2017 module's cost in the
 * same kind of guest. One operation is one call of a batch, with all that the module does for it
 * outside its two stamps; the set-up of a batch is not part of it.
 *
 * usage: module-cost [CALLS [judge | notick]]
 *
 * Idle targets keep their tick (IPI_BENCH_RUN_TICK), since the 2017 module had them keep theirs: in
 * its loop, which did not yield, it held up RCU. With "notick" they do as they like.
 *
 * "judge" is for the deterministic guest only (arm64, Linux 6.1, icount, 4 CPUs): there the time is
 * the number of instructions, and the bars are tested.
 */
#include "module.h"

#define BATCH	1000
#define TARGETS	1024

/**
 * struct row - a scenario, and how it has to compare
 * @name:	of the scenario
 * @scenario:	IPI_BENCH_*
 * @old_ns:	the 2017 module's, in the deterministic guest with 4 CPUs
 * @bar:	at most so much of it, in percent; 0: only shown
 */
struct row {
	const char *name;
	unsigned int scenario;
	unsigned int old_ns;
	unsigned int bar;
};

static const struct row rows[] = {
	{ "dry-run",		IPI_BENCH_DRY_RUN,		24,	0 },
	{ "self-call",		IPI_BENCH_SELF_CALL,		257,	0 },
	{ "self-ipi",		IPI_BENCH_SELF_IPI,		0,	0 },
	{ "normal",		IPI_BENCH_NORMAL,		1787,	105 },
	{ "broadcast",		IPI_BENCH_BROADCAST,		4521,	110 },
	{ "broadcast-lock",	IPI_BENCH_BROADCAST_LOCK,	4581,	110 },
};

/* Sums over the calls of a scenario. */
struct cost {
	uint64_t calls;
	uint64_t elapsed;
	uint64_t total;
	uint64_t delivery;
	uint64_t deliveries;
	uint64_t clock_ps;
	uint64_t errors;
};

static void add_batch(struct cost *cost, const struct dev *dev, const struct ipi_bench_run *run)
{
	const struct ipi_bench_call *calls = dev_calls(dev, run);
	unsigned int i, t;

	cost->calls += run->done;
	cost->elapsed += run->elapsed_ns;
	cost->clock_ps = run->clock_ps;
	cost->errors += run_errors(run);
	for (i = 0; i < run->done; i++)
		cost->total += calls[i].t_return - calls[i].t_call;
	for (t = 0; t < run->nr_targets; t++) {
		const struct ipi_bench_delivery *deliveries = dev_deliveries(dev, run, t);

		for (i = 0; i < run->done; i++)
			cost->delivery += deliveries[i].t_entry - calls[i].t_call;
		cost->deliveries += run->done;
	}
}

static int measure(struct cost *cost, struct dev *dev, const struct row *row, unsigned int calls,
		   int cpus, bool tick)
{
	uint64_t mask[MASK_WORDS];
	int err;

	memset(cost, 0, sizeof(*cost));
	mask_first(mask, row->scenario == IPI_BENCH_NORMAL && cpus > 1 ? 2 : cpus);
	while (cost->calls < calls) {
		struct ipi_bench_run run = run_of(row->scenario, BATCH, mask);

		run.flags = tick ? IPI_BENCH_RUN_TICK : 0;
		err = call(dev->fd, IPI_BENCH_RUN, &run);
		if (err || run.ended)
			return err ? err : -EIO;
		add_batch(cost, dev, &run);
	}
	return 0;
}

static void show(const struct row *row, const struct cost *cost)
{
	printf("# %-16s %10.1f %10.1f", row->name, (double)cost->elapsed / cost->calls,
	       (double)cost->total / cost->calls);
	if (cost->deliveries)
		printf(" %10.1f", (double)cost->delivery / cost->deliveries);
	else
		printf(" %10s", "-");
	printf(" %8.1f", cost->clock_ps / 1000.0);
	if (row->old_ns)
		printf(" %8u %7.3f\n", row->old_ns,
		       (double)cost->elapsed / cost->calls / row->old_ns);
	else
		printf(" %8s %7s\n", "-", "-");
}

int main(int argc, char **argv)
{
	unsigned int calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
	bool judge = argc > 2 && !strcmp(argv[2], "judge");
	bool tick = !(argc > 2 && !strcmp(argv[2], "notick"));
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct cost cost;
	struct dev dev;
	size_t i;

	pin(0);
	dev_setup(&dev, 4096 + BATCH * 16 * (cpus + 2));
	printf("# %d CPUs, %u calls, ns per call (CLOCK_MONOTONIC_RAW)%s\n", cpus, calls,
	       tick ? ", targets keep their tick" : "");
	printf("# %-16s %10s %10s %10s %8s %8s %7s\n", "scenario", "whole", "call..ret", "delivery",
	       "clock", "in 2017", "ratio");
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *row = rows + i;
		int err = measure(&cost, &dev, row, calls, cpus, tick);

		if (err == -ENODEV && cpus == 1) {
			ok(true, "%s # SKIP needs 2 CPUs", row->name);
			continue;
		}
		if (!ok(!err && !cost.errors, "%s: %u calls, no error", row->name, calls))
			continue;
		show(row, &cost);
		if (judge && row->bar)
			ok(cost.elapsed * 100 <= cost.calls * row->old_ns * row->bar,
			   "%s costs at most %u %% of what it did in 2017", row->name, row->bar);
	}
	dev_close(&dev);
	return tap_end();
}
