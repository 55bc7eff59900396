/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The vocabulary: the words every room shares, as types. What is sent (scenario), at whom
 * (target state), how it went (class), where the time went (stage), and the two records that
 * flow between the rooms: a call and a delivery. Nothing here measures, prints or allocates.
 */
#ifndef IPI_IPI_H
#define IPI_IPI_H

#include <stdbool.h>
#include <linux/types.h>

/* What is sent. */
enum ipi_scenario {
	IPI_SCENARIO_DRY_RUN,		/* everything but sending */
	IPI_SCENARIO_SELF_CALL,		/* a call to one's own CPU: runs locally, no IPI */
	IPI_SCENARIO_SELF_IPI,		/* a real self-interrupt: irq_work */
	IPI_SCENARIO_NORMAL,		/* one other CPU */
	IPI_SCENARIO_BROADCAST,		/* all other chosen CPUs */
	IPI_SCENARIO_BROADCAST_LOCK,	/* and every handler takes one shared lock */
	IPI_SCENARIO_MULTICAST,		/* the first of them: 1, 2, 4, ... all */
	IPI_SCENARIO_STORM,		/* broadcasts of several senders at once: 2, 4, ... all */
	IPI_SCENARIO_WAKE,		/* a wake-up: reschedule IPI or wake-up callback */
	IPI_SCENARIO_NR,
};

/* What the target does when hit. */
enum ipi_target {
	IPI_TARGET_NONE,		/* the scenario has no target but the sender */
	IPI_TARGET_BUSY,		/* user loop */
	IPI_TARGET_KERNEL,		/* system-call loop */
	IPI_TARGET_IDLE,
	IPI_TARGET_ANY,			/* whatever runs there */
	IPI_TARGET_NR,
};

/* How a delivery really went. */
enum ipi_class {
	IPI_CLASS_INTERRUPT,		/* an IPI was sent and the function ran in its interrupt */
	IPI_CLASS_LOCAL,		/* ran on the caller, no IPI */
	IPI_CLASS_POLLED,		/* run by the target's idle loop, not by an interrupt */
	IPI_CLASS_COALESCED,		/* rode on an IPI already in flight */
	IPI_CLASS_MISSING,		/* nothing of it was seen */
	IPI_CLASS_NR,
};

/*
 * Where the time went, each in ns. The five parts of a delivery, then the sums people ask for;
 * a sum has a histogram of its own since the percentiles of a sum are not the sum of percentiles,
 * and since some kernels can tell the sum but not its parts.
 */
enum ipi_stage {
	IPI_STAGE_TOTAL,		/* call -> return, untraced */
	IPI_STAGE_DELIVERY,		/* call -> the function starts */
	IPI_STAGE_SEND,			/* call -> the IPI leaves the sender */
	IPI_STAGE_DELIVER,		/* -> interrupt entry on the target */
	IPI_STAGE_DISPATCH,		/* -> the function starts */
	IPI_STAGE_HANDLE,		/* -> the function ends */
	IPI_STAGE_ACK,			/* -> the caller goes on */
	IPI_STAGE_SEND_LATENCY,		/* send + deliver: call -> interrupt entry */
	IPI_STAGE_HANDLER_LATENCY,	/* dispatch + handle: interrupt entry -> function ends */
	IPI_STAGE_TOTAL_TRACED,		/* call -> return with the tracepoints on */
	IPI_STAGE_AGREE_DELIVERY,	/* the function starts by tracepoint -> by its own stamp */
	IPI_STAGE_AGREE_HANDLE,		/* handle by tracepoints less handle by its own stamps */
	IPI_STAGE_NR,
};

/* Which interrupt carries it. */
enum ipi_irq {
	IPI_IRQ_CALL,			/* function call (either vector) */
	IPI_IRQ_RESCHED,		/* reschedule */
	IPI_IRQ_WORK,			/* irq_work */
	IPI_IRQ_OTHER,
	IPI_IRQ_NR,
};

/**
 * struct ipi_call - one operation of the sender
 * @t_call:	ns, CLOCK_MONOTONIC_RAW, before the operation
 * @t_return:	ns, the caller goes on
 */
struct ipi_call {
	u64 t_call;
	u64 t_return;
};

/**
 * struct ipi_delivery - one function, or one bare interrupt, brought to one CPU
 * @t_queue:	ns, csd queued; every t_ is 0 where it was not seen
 * @t_send:	ns, the IPI leaves the sender
 * @t_irq_entry: ns, interrupt entry on the target
 * @t_func_entry: ns, the function starts
 * @t_func_exit: ns, the function ends
 * @t_irq_exit:	ns, interrupt exit on the target
 * @func:	kernel address of the function, 0 for a bare interrupt (reschedule)
 * @csd:	kernel address of the call-single data, 0 if none
 * @callsite:	kernel address of who asked, 0 if not known
 * @src:	sending CPU, -1 where no event names it
 * @dst:	target CPU
 * @src_tid:	thread that sent, -1 where no event names it
 * @dst_pid:	thread the interrupt hit on the target (0 is idle), -1 if not seen
 * @src_ctx:	context of the sender, enum ipi_ctx: a sender in interrupt context is not our caller
 * @class:	how it went
 * @irq:	which interrupt carries it
 *
 * Addresses are for joining and naming inside this process; outputs print names only.
 */
struct ipi_delivery {
	u64 t_queue;
	u64 t_send;
	u64 t_irq_entry;
	u64 t_func_entry;
	u64 t_func_exit;
	u64 t_irq_exit;
	u64 func;
	u64 csd;
	u64 callsite;
	int src;
	int dst;
	int src_tid;
	int dst_pid;
	u8 src_ctx;
	u8 class;
	u8 irq;
};

/* The context a record was taken in. */
enum ipi_ctx {
	IPI_CTX_TASK,
	IPI_CTX_SOFTIRQ,
	IPI_CTX_HARDIRQ,
	IPI_CTX_NMI,
	IPI_CTX_NR,
};

/* The names on the command line, in tables and in JSON; "?" for a value out of range. */
const char *ipi_scenario__name(enum ipi_scenario scenario);
const char *ipi_target__name(enum ipi_target target);
const char *ipi_class__name(enum ipi_class class);
const char *ipi_stage__name(enum ipi_stage stage);
const char *ipi_irq__name(enum ipi_irq irq);

/* Does it hit the sender itself, or nobody? */
bool ipi_scenario__is_own(enum ipi_scenario scenario);

/* The way back: -1 if @name is none. */
int ipi_scenario__find(const char *name);
int ipi_target__find(const char *name);
int ipi_stage__find(const char *name);

/* Both for any table of @nr names. */
const char *ipi_name__of(const char *const *names, unsigned int nr, unsigned int index);
int ipi_name__find(const char *const *names, int nr, const char *name);

#endif
