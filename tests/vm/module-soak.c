// SPDX-License-Identifier: GPL-2.0
/*
 * Many calls: a million broadcasts with a shared lock, or as many as asked for, in batches. What
 * they do to the kernel, the console tells; that each function ran once, the counts. The module is
 * loaded.
 *
 * usage: module-soak [CALLS]
 */
#include "module.h"

#define BATCH	2000

int main(int argc, char **argv)
{
	unsigned long calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
	unsigned long done = 0, batches = 0;
	uint64_t delivered = 0, errors = 0, start;
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t mask[MASK_WORDS];
	struct dev dev;
	int err = 0;

	if (cpus < 2) {
		ok(true, "broadcast-lock # SKIP one CPU");
		return tap_end();
	}
	pin(0);
	mask_first(mask, cpus);
	dev_setup(&dev, 65536 + BATCH * 16 * (cpus + 1));
	start = now_ns();
	while (done < calls && !err) {
		unsigned int want = calls - done < BATCH ? calls - done : BATCH;
		struct ipi_bench_run run = run_of(IPI_BENCH_BROADCAST_LOCK, want, mask);

		err = call(dev.fd, IPI_BENCH_RUN, &run);
		if (err)
			break;
		done += run.done;
		delivered += run.delivered;
		errors += run_errors(&run);
		if (++batches % 100 == 0)
			printf("# %lu calls, %llu s\n", done,
			       (unsigned long long)((now_ns() - start) / SECOND_NS));
	}
	is(err, 0, "no batch refused");
	is(done, calls, "%lu calls of broadcast-lock", calls);
	is(delivered, calls * (cpus - 1), "deliveries");
	is(errors, 0, "errors");
	dev_close(&dev);
	return tap_end();
}
