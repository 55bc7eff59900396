// SPDX-License-Identifier: GPL-2.0
/*
 * What the stamps of a batch mean: see clock.h.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/sched.h>

#include "clock.h"
#include "compat.h"

/* Readings of the clock that its cost is the mean of. */
#define IPI_BENCH_CLOCK_READINGS 64

/* Stamps that are converted in one go. */
#define IPI_BENCH_CLOCK_PART	4096

/*
 * The counter and the clock at one instant. The counter is the one below the clock if the kernel's
 * own reading of it lies between two of ours.
 */
static bool ipi_bench_clock_snapshot(u64 *cycles, u64 *raw, u8 *changes)
{
	u64 before = ipi_bench_counter();
	u64 after;

	ipi_bench_snapshot(cycles, raw, changes);
	after = ipi_bench_counter();
	return before && before <= *cycles && *cycles <= after;
}

/**
 * ipi_bench_clock_start - a batch begins: how will it be stamped?
 * @clock:	filled
 * @ktime:	by the kernel's clock, since stamps have to be ns at once
 */
void ipi_bench_clock_start(struct ipi_bench_clock *clock, bool ktime)
{
	clock->counter = !ktime && ipi_bench_clock_snapshot(&clock->cycles, &clock->raw,
							    &clock->changes);
}

/**
 * ipi_bench_clock_stop - a batch has ended: what do its stamps mean?
 * @clock:	as ipi_bench_clock_start() left it
 *
 * Return: 0, or -EAGAIN if nobody knows, since the kernel changed its clock source meanwhile.
 */
int ipi_bench_clock_stop(struct ipi_bench_clock *clock)
{
	u64 cycles, raw;
	u8 changes;

	if (!clock->counter)
		return 0;
	if (!ipi_bench_clock_snapshot(&cycles, &raw, &changes) || changes != clock->changes)
		return -EAGAIN;

	raw -= clock->raw;
	cycles -= clock->cycles;
	if (!raw || !cycles)
		return -EAGAIN;
	clock->shift = 63 - fls64(raw);
	clock->mult = div64_u64((raw << clock->shift) + cycles / 2, cycles);
	return 0;
}

/**
 * ipi_bench_clock_ps - what a stamp costs
 * @clock:	the clock
 *
 * Return: picoseconds, the mean of a few.
 */
u64 ipi_bench_clock_ps(const struct ipi_bench_clock *clock)
{
	u64 start = ipi_bench_now();
	int i;

	if (clock->counter)
		for (i = 0; i < IPI_BENCH_CLOCK_READINGS; i++)
			ipi_bench_stamp(true);
	else
		for (i = 0; i < IPI_BENCH_CLOCK_READINGS; i++)
			ipi_bench_stamp(false);
	return div_u64((ipi_bench_now() - start) * 1000, IPI_BENCH_CLOCK_READINGS);
}

/**
 * ipi_bench_clock_convert - turn stamps into ns, in place
 * @clock:	the clock they were made with, stopped
 * @stamps:	the stamps; 0 stays 0, it means that there is none
 * @nr:		how many
 */
void ipi_bench_clock_convert(const struct ipi_bench_clock *clock, u64 *stamps, size_t nr)
{
	size_t i;

	if (!clock->counter)
		return;
	for (i = 0; i < nr; i++) {
		if (stamps[i])
			stamps[i] = clock->raw + mul_u64_u64_shr(stamps[i] - clock->cycles,
								 clock->mult, clock->shift);
		if (i % IPI_BENCH_CLOCK_PART == 0)
			cond_resched();
	}
}
