/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one clock: CLOCK_MONOTONIC_RAW, which the tracepoints are stamped with as well. Without
 * adjustments by NTP, so an interval is an interval; a vDSO read of some 20 ns.
 */
#ifndef IPI_RUN_CLOCK_H
#define IPI_RUN_CLOCK_H

#include <time.h>
#include <linux/types.h>

#define IPI_NSEC_PER_MSEC	1000000ULL
#define IPI_NSEC_PER_SEC	1000000000ULL

static inline u64 ipi_clock__now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (u64)ts.tv_sec * IPI_NSEC_PER_SEC + (u64)ts.tv_nsec;
}

/* Let @ns pass without giving up the CPU. */
static inline void ipi_clock__spin(u64 ns)
{
	u64 end = ipi_clock__now() + ns;

	while (ipi_clock__now() < end)
		;
}

#endif
