/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A normalised IPI event: what a record of any tracepoint, of any architecture and kernel, means
 * for an IPI. decode.c makes them, correlate.c reads them.
 */
#ifndef IPI_TRACE_EVENT_H
#define IPI_TRACE_EVENT_H

#include <linux/types.h>

#include "../ipi.h"

/* Those before LOST are of deliveries alone. */
enum ipi_event_kind {
	IPI_EVENT_QUEUE,	/* csd_queue_cpu: a function was queued for a CPU */
	IPI_EVENT_SEND,		/* ipi_send_cpu, ipi_send_cpumask: an IPI leaves */
	IPI_EVENT_RAISE,	/* arm, arm64 ipi_raise: an SGI leaves */
	IPI_EVENT_IRQ_ENTRY,	/* on the target */
	IPI_EVENT_IRQ_EXIT,
	IPI_EVENT_FUNC_ENTRY,	/* csd_function_entry; csd 0 is a local run */
	IPI_EVENT_FUNC_EXIT,
	IPI_EVENT_POLL_WAKE,	/* sched_wake_idle_without_ipi: the idle CPU was polling */
	IPI_EVENT_LOST,		/* the ring of this CPU dropped records here */
	IPI_EVENT_CALL,		/* a thread begins what may send; of recordings alone */
	IPI_EVENT_RETURN,	/* and is done; func and csd are its own stamps, 0 if none */
	IPI_EVENT_NR,
};

/**
 * struct ipi_event - one normalised event
 * @time:	ns, the clock of the source
 * @func:	kernel address: the function queued or run; of a send, its callback
 * @csd:	kernel address of the call-single data, 0 if none
 * @lost:	records lost, of LOST in its place
 * @callsite:	kernel address, 0 if none
 * @mask:	CPU bitmap of a mask send or raise: unaligned, little-endian bytes; NULL for one
 *		target. Points into the record: valid until the next event of the same CPU is read
 * @mask_bytes:	bytes in @mask
 * @cpu:	CPU the record was taken on: the sender of QUEUE, SEND, RAISE and POLL_WAKE, the
 *		target of the others
 * @target:	the CPU meant, of QUEUE, POLL_WAKE and of SEND without a mask
 * @pid:	process that ran there, 0 is idle
 * @tid:	thread that ran there
 * @kind:	enum ipi_event_kind
 * @irq:	enum ipi_irq, of SEND, RAISE, IRQ_ENTRY and IRQ_EXIT
 * @ctx:	enum ipi_ctx the record was taken in
 *
 * One line of a cache: recordings keep them by the million.
 */
struct ipi_event {
	u64 time;
	u64 func;
	union {
		u64 csd;
		u64 lost;
	};
	u64 callsite;
	const unsigned char *mask;
	u32 mask_bytes;
	int cpu;
	int target;
	int pid;
	int tid;
	u8 kind;
	u8 irq;
	u8 ctx;
};

/* What a source can deliver: a bit per enum ipi_event_kind, and the irqs with an exit event. */
#define IPI_EVENT_BIT(kind)	(1U << (kind))

#endif
