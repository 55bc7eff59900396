/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of the stamps. All of them are CLOCK_MONOTONIC_RAW in the end. Where the counter below
 * it can be read directly, a stamp is the bare counter while the batch runs, at a fraction of the
 * cost, and is converted afterwards: the clock is linear in the counter, and two snapshots of both,
 * before and after the batch, tell how. That is exact to the ns for a batch of up to a tenth of a
 * second, and to 60 ns at the end of one of ten seconds.
 */
#ifndef _IPI_BENCH_CLOCK_H
#define _IPI_BENCH_CLOCK_H

#include <linux/timekeeping.h>
#include <linux/types.h>

#if defined(CONFIG_X86_64)
#include <asm/msr.h>
#include <asm/tsc.h>
#elif defined(CONFIG_ARM64)
#include <linux/timex.h>
#endif

/**
 * struct ipi_bench_clock - how stamps are made in a batch, and what they mean
 * @counter:	they are the counter's value, not yet ns
 * @cycles:	value of the counter at the start
 * @raw:	ns, CLOCK_MONOTONIC_RAW at the same instant
 * @changes:	how often the kernel had changed its clock source by then
 * @mult:	ns per tick is @mult / 2^@shift
 * @shift:	see @mult
 */
struct ipi_bench_clock {
	bool counter;
	u64 cycles;
	u64 raw;
	u8 changes;
	u64 mult;
	unsigned int shift;
};

/**
 * ipi_bench_now - the kernel's clock
 *
 * Context: Any, NMI included.
 * Return: ns, CLOCK_MONOTONIC_RAW.
 */
static __always_inline u64 ipi_bench_now(void)
{
	return ktime_get_raw_fast_ns();
}

/**
 * ipi_bench_counter - the counter that may be below it, read in program order
 *
 * Return: its value, 0 on an architecture for which we know of none.
 */
static __always_inline u64 ipi_bench_counter(void)
{
#if defined(CONFIG_X86_64)
	return rdtsc_ordered();
#elif defined(CONFIG_ARM64)
	return get_cycles();
#else
	return 0;
#endif
}

/**
 * ipi_bench_stamp - the time, as it is stored while a batch runs
 * @counter:	&ipi_bench_clock.counter, a constant in the functions that IPIs run
 *
 * Context: Any, NMI included.
 * Return: value of the counter, or ns of CLOCK_MONOTONIC_RAW.
 */
static __always_inline u64 ipi_bench_stamp(bool counter)
{
	return counter ? ipi_bench_counter() : ipi_bench_now();
}

void ipi_bench_clock_start(struct ipi_bench_clock *clock, bool ktime);
int ipi_bench_clock_stop(struct ipi_bench_clock *clock);
u64 ipi_bench_clock_ps(const struct ipi_bench_clock *clock);
void ipi_bench_clock_convert(const struct ipi_bench_clock *clock, u64 *stamps, size_t nr);

#endif
