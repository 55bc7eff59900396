/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What /dev/ipi_bench understands. Documentation/module-abi.txt tells how to use it.
 *
 * Rules for every struct here: fixed-size types only, no implicit padding, sizes a multiple of
 * eight, times in ns of CLOCK_MONOTONIC_RAW. A struct that is an argument may grow at its end: the
 * kernel takes every size from _SIZE_VER0 on, what it does not know has to be zero.
 */
#ifndef UAPI_LINUX_IPI_BENCH_H
#define UAPI_LINUX_IPI_BENCH_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* A program of another major version does not fit; a higher minor one only adds. */
#define IPI_BENCH_ABI_MAJOR		1
#define IPI_BENCH_ABI_MINOR		0

/* What is sent: values of ipi_bench_run.scenario, bit numbers of ipi_bench_info.scenarios. */
#define IPI_BENCH_DRY_RUN		0	/* everything but sending */
#define IPI_BENCH_SELF_CALL		1	/* a call to the caller's own CPU: no IPI */
#define IPI_BENCH_SELF_IPI		2	/* a real self-interrupt: irq_work */
#define IPI_BENCH_NORMAL		3	/* one other CPU */
#define IPI_BENCH_BROADCAST		4	/* every target at once */
#define IPI_BENCH_BROADCAST_LOCK	5	/* and every function takes one shared lock */
#define IPI_BENCH_MULTICAST		6	/* the first targets of the mask */
#define IPI_BENCH_STORM			7	/* broadcast by several callers started together */
#define IPI_BENCH_SCENARIOS		8

/* Bits of ipi_bench_run.flags. */
#define IPI_BENCH_RUN_NOWAIT		0x1	/* a call returns once it is sent */
#define IPI_BENCH_RUN_TICK		0x2	/* idle targets keep their tick */

/* Values of ipi_bench_run.inject: a delay of known length, for inject_ns. */
#define IPI_BENCH_INJECT_NONE		0
#define IPI_BENCH_INJECT_HANDLER	1	/* the function spins: shows up in "handle" */
#define IPI_BENCH_INJECT_IRQOFF		2	/* targets have interrupts off: in "deliver" */

/* Bits of ipi_bench_info.features. */
#define IPI_BENCH_FEATURE_NOWAIT	0x1	/* IPI_BENCH_RUN_NOWAIT */
#define IPI_BENCH_FEATURE_HANDLER	0x2	/* IPI_BENCH_INJECT_HANDLER */
#define IPI_BENCH_FEATURE_IRQOFF	0x4	/* IPI_BENCH_INJECT_IRQOFF */
#define IPI_BENCH_FEATURE_TICK		0x8	/* IPI_BENCH_RUN_TICK */

/* Values of ipi_bench_run.ended: why the batch ended. */
#define IPI_BENCH_ENDED_CALLS		0	/* all calls done */
#define IPI_BENCH_ENDED_TIME		1	/* max_ns passed */
#define IPI_BENCH_ENDED_SIGNAL		2	/* a signal is pending */
#define IPI_BENCH_ENDED_MIGRATED	3	/* the caller had moved to another CPU */
#define IPI_BENCH_ENDED_ERROR		4	/* a delivery failed its check */
#define IPI_BENCH_ENDED_STUCK		5	/* stuck_cpu has not run what was sent to it */

/* Values of ipi_bench_run.clock: how the stamps were made. */
#define IPI_BENCH_CLOCK_KTIME		0	/* by the kernel's clock */
#define IPI_BENCH_CLOCK_COUNTER		1	/* by the counter below it, then converted */

/**
 * struct ipi_bench_info - argument of IPI_BENCH_GET_INFO, all output
 * @abi_major:		IPI_BENCH_ABI_MAJOR of the module
 * @abi_minor:		IPI_BENCH_ABI_MINOR of the module
 * @scenarios:		bitmap, 1 << IPI_BENCH_DRY_RUN and so on
 * @features:		bitmap of IPI_BENCH_FEATURE_*
 * @nr_cpu_ids:		one more than the highest CPU number possible
 * @max_calls:		calls in a batch at most
 * @max_ns:		time of a batch at most
 * @max_inject_ns:	injected delay at most
 * @max_buffer:		bytes of a result buffer at most
 * @clock_id:		clock of all stamps, CLOCK_MONOTONIC_RAW
 * @reserved:		0
 * @version:		of the module, zero-terminated
 */
struct ipi_bench_info {
	__u32 abi_major;
	__u32 abi_minor;
	__u64 scenarios;
	__u64 features;
	__u32 nr_cpu_ids;
	__u32 max_calls;
	__u64 max_ns;
	__u64 max_inject_ns;
	__u64 max_buffer;
	__u32 clock_id;
	__u32 reserved;
	char version[32];
};

#define IPI_BENCH_INFO_SIZE_VER0	96

/**
 * struct ipi_bench_setup - argument of IPI_BENCH_SETUP
 * @bytes:	in: the result buffer's size; out: rounded up to pages, what mmap() takes
 * @flags:	0
 * @reserved:	0
 */
struct ipi_bench_setup {
	__u64 bytes;
	__u32 flags;
	__u32 reserved;
};

#define IPI_BENCH_SETUP_SIZE_VER0	16

/**
 * struct ipi_bench_run - argument of IPI_BENCH_RUN, one batch on the caller's CPU
 * @scenario:		in: IPI_BENCH_DRY_RUN and so on
 * @flags:		in: IPI_BENCH_RUN_*
 * @calls:		in: how many, 1 to ipi_bench_info.max_calls
 * @first:		in: IPI_BENCH_MULTICAST: how many targets; else 0
 * @max_ns:		in: the batch ends after this time, 1 to ipi_bench_info.max_ns
 * @targets:		in: address of the mask, an array of __u64, CPU n is bit n % 64 of word
 *			n / 64; 0 without targets. The caller's CPU is left out
 * @targets_bytes:	in: size of the mask, a multiple of 8; 0 for a scenario without targets
 * @inject:		in: IPI_BENCH_INJECT_*
 * @inject_ns:		in: how long, 1 to ipi_bench_info.max_inject_ns; 0 without injection
 * @gate_fd:		in: IPI_BENCH_STORM: a file of /dev/ipi_bench that all callers name; else 0
 * @gate_callers:	in: IPI_BENCH_STORM: how many callers start together; else 0
 * @gap_ns:		in: pause before each call, 0 to 1000000, for targets that must fall idle
 * @done:		out: calls done, all of them in the buffer
 * @ended:		out: IPI_BENCH_ENDED_*
 * @sender:		out: the caller's CPU
 * @nr_targets:		out: entries in the table of targets
 * @elapsed_ns:		out: from before the first call until after the last
 * @clock_ps:		out: what one stamp costs, in picoseconds
 * @targets_offset:	out: where in the buffer struct ipi_bench_target[nr_targets] starts
 * @calls_offset:	out: where struct ipi_bench_call[calls] starts
 * @deliveries_offset:	out: where struct ipi_bench_delivery[calls] of the first target starts
 * @deliveries_stride:	out: bytes from one target's deliveries to the next one's
 * @delivered:		out: functions run as they should
 * @wrong_cpu:		out: functions run on a CPU that they were not sent to
 * @twice:		out: functions run once more than they were sent
 * @missing:		out: functions not run, or not seen to have run, when they should have been
 * @unseen:		out: functions that did not see what the sender stored before the call
 * @offline:		out: deliveries left out since the target was offline
 * @migrated:		out: calls not made since the caller had moved to another CPU
 * @not_held:		out: IPI_BENCH_INJECT_IRQOFF: deliveries whose target was not held
 * @stuck_cpu:		out: IPI_BENCH_ENDED_STUCK: which, else -1
 * @clock:		out: IPI_BENCH_CLOCK_*
 *
 * The six counters from @wrong_cpu to @migrated are errors.
 */
struct ipi_bench_run {
	__u32 scenario;
	__u32 flags;
	__u32 calls;
	__u32 first;
	__u64 max_ns;
	__u64 targets;
	__u32 targets_bytes;
	__u32 inject;
	__u64 inject_ns;
	__s32 gate_fd;
	__u32 gate_callers;
	__u64 gap_ns;

	__u32 done;
	__u32 ended;
	__u32 sender;
	__u32 nr_targets;
	__u64 elapsed_ns;
	__u64 clock_ps;
	__u64 targets_offset;
	__u64 calls_offset;
	__u64 deliveries_offset;
	__u64 deliveries_stride;
	__u64 delivered;
	__u64 wrong_cpu;
	__u64 twice;
	__u64 missing;
	__u64 unseen;
	__u64 offline;
	__u64 migrated;
	__u64 not_held;
	__s32 stuck_cpu;
	__u32 clock;
};

#define IPI_BENCH_RUN_SIZE_VER0		200

/**
 * struct ipi_bench_call - a call, in the buffer
 * @t_call:	ns, before the operation; 0: not made, every target was offline
 * @t_return:	ns, the caller goes on
 */
struct ipi_bench_call {
	__u64 t_call;
	__u64 t_return;
};

/**
 * struct ipi_bench_delivery - a call's function on one target, in the buffer
 * @t_entry:	ns, the function starts; 0: it has not run
 * @t_exit:	ns, the function ends
 */
struct ipi_bench_delivery {
	__u64 t_entry;
	__u64 t_exit;
};

/**
 * struct ipi_bench_target - a target, in the buffer
 * @cpu:	its number; targets are in ascending order
 * @delivered:	as in struct ipi_bench_run, of this target
 * @twice:	as in struct ipi_bench_run, of this target
 * @missing:	as in struct ipi_bench_run, of this target
 * @unseen:	as in struct ipi_bench_run, of this target
 * @offline:	as in struct ipi_bench_run, of this target
 * @not_held:	as in struct ipi_bench_run, of this target
 * @reserved:	0
 */
struct ipi_bench_target {
	__u32 cpu;
	__u32 delivered;
	__u32 twice;
	__u32 missing;
	__u32 unseen;
	__u32 offline;
	__u32 not_held;
	__u32 reserved;
};

#define IPI_BENCH_IOC_MAGIC	0xb9

#define IPI_BENCH_GET_INFO	_IOR(IPI_BENCH_IOC_MAGIC, 0, struct ipi_bench_info)
#define IPI_BENCH_SETUP		_IOWR(IPI_BENCH_IOC_MAGIC, 1, struct ipi_bench_setup)
#define IPI_BENCH_RUN		_IOWR(IPI_BENCH_IOC_MAGIC, 2, struct ipi_bench_run)

#endif /* UAPI_LINUX_IPI_BENCH_H */
