/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels this module builds for, 6.1 to 7.3. Kbuild looks for the newer
 * form in the headers, since distributions backport.
 */
#ifndef _IPI_BENCH_COMPAT_H
#define _IPI_BENCH_COMPAT_H

#include <linux/mm.h>
#include <linux/timekeeping.h>
#include <linux/timer.h>

/**
 * ipi_bench_vm_forbid_write - nobody will ever write through this mapping, or execute it
 * @vma:	a mapping that is being made
 */
static inline void ipi_bench_vm_forbid_write(struct vm_area_struct *vma)
{
#ifdef IPI_BENCH_HAVE_VM_FLAGS_CLEAR
	vm_flags_clear(vma, VM_MAYWRITE | VM_MAYEXEC);
#else
	vma->vm_flags &= ~(VM_MAYWRITE | VM_MAYEXEC);
#endif
}

/**
 * ipi_bench_timer_delete_sync - stop a timer that may start itself anew, and its function
 * @timer:	the timer
 */
static inline void ipi_bench_timer_delete_sync(struct timer_list *timer)
{
#ifdef IPI_BENCH_HAVE_TIMER_DELETE_SYNC
	timer_delete_sync(timer);
#else
	del_timer_sync(timer);
#endif
}

/**
 * ipi_bench_snapshot - the kernel's clock and the counter below it, at one instant
 * @cycles:	value of the counter
 * @raw:	ns, CLOCK_MONOTONIC_RAW
 * @changes:	how often the kernel has changed its clock source
 */
static inline void ipi_bench_snapshot(u64 *cycles, u64 *raw, u8 *changes)
{
	struct system_time_snapshot snapshot = { };

#ifdef IPI_BENCH_HAVE_SNAPSHOT_ID
	ktime_get_snapshot_id(CLOCK_MONOTONIC_RAW, &snapshot);
	*raw = ktime_to_ns(snapshot.systime);
#else
	ktime_get_snapshot(&snapshot);
	*raw = ktime_to_ns(snapshot.raw);
#endif
	*cycles = snapshot.cycles;
	*changes = snapshot.cs_was_changed_seq;
}

#endif
