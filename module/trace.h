/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace events ipi_bench:call, ipi_bench:return and ipi_bench:delivery, by which whoever
 * records with perf or ftrace finds the calls of this module among everything else.
 *
 * All of them are emitted by the caller, before and after a call, never between its two stamps, and
 * never in a function that an IPI runs: a record made there would be part of what is measured, one
 * at the end of the function too, since the caller waits for it. So a function's two stamps come in
 * one record, after its call has returned. They are the very ones of the result buffer.
 *
 * Stamps in records are ns of CLOCK_MONOTONIC_RAW at once, so a batch that is to be recorded is
 * stamped by the kernel's clock, not by the counter below it. That is decided when it starts: a
 * batch is recorded from its first call on or not at all. One that is not tests a flag twice a
 * call, outside the stamps; the functions don't even that.
 *
 * The names are short since perf and ftrace show the system with them. No kernel address is in a
 * record.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ipi_bench

#if !defined(_IPI_BENCH_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _IPI_BENCH_TRACE_H

#include <linux/tracepoint.h>
#include <linux/types.h>

#include "ipi_bench.h"

#define ipi_bench_show_scenario(scenario)				\
	__print_symbolic(scenario,					\
			 { IPI_BENCH_DRY_RUN,		"dry-run" },	\
			 { IPI_BENCH_SELF_CALL,		"self-call" },	\
			 { IPI_BENCH_SELF_IPI,		"self-ipi" },	\
			 { IPI_BENCH_NORMAL,		"normal" },	\
			 { IPI_BENCH_BROADCAST,		"broadcast" },	\
			 { IPI_BENCH_BROADCAST_LOCK,	"broadcast-lock" }, \
			 { IPI_BENCH_MULTICAST,		"multicast" },	\
			 { IPI_BENCH_STORM,		"storm" })

/**
 * call - a call is about to be made
 * @batch:	its batch
 * @seq:	its number in the batch, from 0
 *
 * Its stamp is taken together with the record's own time, to relate the two clocks. If no
 * ipi_bench:return with this number follows, the call was not made, since the caller had moved.
 *
 * Context: Task, before the first stamp of the call.
 */
TRACE_EVENT(call,
	    TP_PROTO(const struct ipi_bench_batch *batch, u32 seq),
	    TP_ARGS(batch, seq),
	    TP_STRUCT__entry(__field(u32, batch)
			     __field(u32, seq)
			     __field(u32, scenario)
			     __field(u32, sender)
			     __field(u32, targets)
			     __field(u32, flags)
			     __field(u64, stamp)),
	    TP_fast_assign(__entry->batch = batch->number;
			   __entry->seq = seq;
			   __entry->scenario = batch->scenario;
			   __entry->sender = batch->sender;
			   __entry->targets = batch->nr_live;
			   __entry->flags = batch->nowait ? IPI_BENCH_RUN_NOWAIT : 0;
			   __entry->stamp = ipi_bench_now();),
	    TP_printk("batch=%u seq=%u scenario=%s sender=%u targets=%u flags=0x%x stamp=%llu",
		      __entry->batch, __entry->seq, ipi_bench_show_scenario(__entry->scenario),
		      __entry->sender, __entry->targets, __entry->flags, __entry->stamp)
);

/**
 * return - a call has returned
 * @batch:	its batch
 * @seq:	its number in the batch
 * @call:	its stamps
 *
 * Context: Task, after the last stamp of the call.
 */
TRACE_EVENT(return,
	    TP_PROTO(const struct ipi_bench_batch *batch, u32 seq,
		     const struct ipi_bench_call *call),
	    TP_ARGS(batch, seq, call),
	    TP_STRUCT__entry(__field(u32, batch)
			     __field(u32, seq)
			     __field(u32, scenario)
			     __field(u32, sender)
			     __field(u64, t_call)
			     __field(u64, t_return)),
	    TP_fast_assign(__entry->batch = batch->number;
			   __entry->seq = seq;
			   __entry->scenario = batch->scenario;
			   __entry->sender = batch->sender;
			   __entry->t_call = call->t_call;
			   __entry->t_return = call->t_return;),
	    TP_printk("batch=%u seq=%u scenario=%s sender=%u t_call=%llu t_return=%llu",
		      __entry->batch, __entry->seq, ipi_bench_show_scenario(__entry->scenario),
		      __entry->sender, __entry->t_call, __entry->t_return)
);

/**
 * delivery - a call's function has run on one target
 * @batch:	the call's batch
 * @seq:	the call's number in the batch
 * @cpu:	the target
 * @delivery:	the function's stamps
 *
 * Context: Task. Of a call that waits right after its ipi_bench:return, else when the chunk of
 * calls is over, and all its functions have run.
 */
TRACE_EVENT(delivery,
	    TP_PROTO(const struct ipi_bench_batch *batch, u32 seq, int cpu,
		     const struct ipi_bench_delivery *delivery),
	    TP_ARGS(batch, seq, cpu, delivery),
	    TP_STRUCT__entry(__field(u32, batch)
			     __field(u32, seq)
			     __field(u32, scenario)
			     __field(u32, cpu)
			     __field(u64, t_entry)
			     __field(u64, t_exit)),
	    TP_fast_assign(__entry->batch = batch->number;
			   __entry->seq = seq;
			   __entry->scenario = batch->scenario;
			   __entry->cpu = cpu;
			   __entry->t_entry = delivery->t_entry;
			   __entry->t_exit = delivery->t_exit;),
	    TP_printk("batch=%u seq=%u scenario=%s cpu=%u t_entry=%llu t_exit=%llu",
		      __entry->batch, __entry->seq, ipi_bench_show_scenario(__entry->scenario),
		      __entry->cpu, __entry->t_entry, __entry->t_exit)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
