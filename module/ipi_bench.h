/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the module share. main.c is the device, request.c turns a request into a batch,
 * send.c makes its calls and holds the functions that IPIs run, hold.c keeps interrupts off on
 * targets, tick.c their tick on, settle.c waits for functions and counts what became of them,
 * gate.c starts callers together, clock.c stamps, trace.h tells tracers, state.c is how long
 * everything lives.
 */
#ifndef _IPI_BENCH_H
#define _IPI_BENCH_H

#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "clock.h"
#include "include/uapi/linux/ipi_bench.h"

#define IPI_BENCH_VERSION	"1.0"

#define IPI_BENCH_MAX_CALLS	65536
#define IPI_BENCH_MAX_NS	(10ULL * NSEC_PER_SEC)
#define IPI_BENCH_MAX_GAP_NS	1000000ULL
#define IPI_BENCH_MAX_INJECT_NS	(1ULL * NSEC_PER_MSEC)

/* A function waits for a lock for so long at most, for others that were told to spin. */
#define IPI_BENCH_MAX_LOCKED_NS	(100ULL * NSEC_PER_MSEC)

/* Calls between two chances for CPU hotplug; the next tick is one anyway. */
#define IPI_BENCH_CHUNK_CALLS	64

/* A CPU that has not run a function after this long is stuck. */
#define IPI_BENCH_STUCK_NS	(1ULL * NSEC_PER_SEC)

/* A self-interrupt is waited for with preemption off, so not for long. */
#define IPI_BENCH_SELF_WAIT_NS	(20ULL * NSEC_PER_MSEC)

/* A target keeps its interrupts off for so long at most until the call is made. */
#define IPI_BENCH_HOLD_WAIT_NS	(1ULL * NSEC_PER_MSEC)
#define IPI_BENCH_HOLD_TRIES	10

struct ipi_bench_batch;

/**
 * struct ipi_bench_hold - keeps a target's interrupts off while it is hit
 * @csd:	for the function that does it
 * @sent:	functions sent, counted by the sender
 * @armed:	functions started, counted by the target
 * @done:	functions ended, counted by the target
 * @failed:	the last one gave up or came late, so that the target was not held
 */
struct ipi_bench_hold {
	call_single_data_t csd;
	u32 sent;
	u32 armed;
	u32 done;
	bool failed;
};

/**
 * struct ipi_bench_slot - what a CPU keeps about the functions it runs
 * @at:		where the stamps of the next one go, NULL on a CPU that is no online target
 * @next:	number of the call whose function is due; each one run increments it. On a CPU that
 *		is no online target a number that no call of the batch has
 * @refused:	functions run that were not due
 * @hold:	for IPI_BENCH_INJECT_IRQOFF
 * @tick:	for IPI_BENCH_RUN_TICK
 *
 * Per-CPU memory, so that a function touches no line that other targets write. Written by this CPU
 * in interrupt context; by the sender only while nothing is in flight.
 */
struct ipi_bench_slot {
	struct ipi_bench_delivery *at;
	u32 next;
	u32 refused;

	struct ipi_bench_hold hold ____cacheline_aligned_in_smp;
	struct timer_list tick;
} ____cacheline_aligned_in_smp;

/**
 * struct ipi_bench_peer - a target, as the sender sees it
 * @slot:	its slot
 * @out:	its line in the result buffer
 * @deliveries:	its stamps in the result buffer
 * @cpu:	its number
 * @early:	a waiting call returned before its function was seen to have run
 */
struct ipi_bench_peer {
	struct ipi_bench_slot *slot;
	struct ipi_bench_target *out;
	struct ipi_bench_delivery *deliveries;
	int cpu;
	bool early;
};

/**
 * struct ipi_bench_batch - calls that are made in a row
 * @seq:	number of the current call, stored before each: what its functions must see
 * @handler_ns:	IPI_BENCH_INJECT_HANDLER: how long they spin
 * @slots:	one per possible CPU
 * @lock:	IPI_BENCH_BROADCAST_LOCK: what they take
 * @wrong_cpu:	functions run on a CPU that is no target
 * @work:	for IPI_BENCH_SELF_IPI
 * @clock:	how it is stamped
 * @func:	the function that its IPIs run
 * @scenario:	IPI_BENCH_DRY_RUN and so on
 * @sender:	the caller's CPU
 * @nowait:	calls don't wait for their functions
 * @stuck:	functions of the last batch may still run: no new batch, nothing is freed
 * @async:	functions were sent that can be in their last instructions after they are seen to
 *		have run: wait for an RCU grace period before the text goes
 * @ended:	IPI_BENCH_ENDED_*
 * @stuck_cpu:	the CPU that makes it stuck, or -1
 * @traced:	its calls are told to tracers, see trace.h
 * @number:	what tracers know it by, another for each batch of all files
 * @calls:	how many calls are wanted
 * @done:	how many are made
 * @base:	number of the first call of this batch
 * @chunk_done:	@done at the start of the chunk
 * @due:	what &ipi_bench_slot.next of every online target comes to: one more than the number
 *		of the last call made
 * @gap_ns:	pause before each call
 * @hold_ns:	IPI_BENCH_INJECT_IRQOFF: how long after the call interrupts stay off
 * @hold_from:	when that time starts, 0 until the call is made
 * @deadline:	when the batch ends
 * @call:	the first call in the result buffer
 * @migrated:	calls not made since the caller had moved
 * @targets:	mask of all targets
 * @online:	mask of those that are online, in this chunk
 * @peers:	targets, @nr_targets of them, then room up to nr_cpu_ids
 * @nr_targets:	number of targets
 * @live:	online targets, @nr_live of them
 * @nr_live:	number of online targets
 *
 * The first lines are read by every function. The rest is the caller's alone.
 */
struct ipi_bench_batch {
	u32 seq ____cacheline_aligned_in_smp;
	u64 handler_ns;
	struct ipi_bench_slot __percpu *slots;

	raw_spinlock_t lock ____cacheline_aligned_in_smp;
	atomic_t wrong_cpu;

	struct ipi_bench_clock clock ____cacheline_aligned_in_smp;
	smp_call_func_t func;
	u32 scenario;
	int sender;
	bool nowait;
	bool stuck;
	bool async;
	u32 ended;
	int stuck_cpu;
	bool traced;
	u32 number;
	u32 calls;
	u32 done;
	u32 base;
	u32 chunk_done;
	u32 due;
	u64 gap_ns;
	u64 hold_ns;
	u64 hold_from;
	u64 deadline;
	struct ipi_bench_call *call;
	u64 migrated;
	struct irq_work work;
	cpumask_var_t targets;
	cpumask_var_t online;
	struct ipi_bench_peer *peers;
	u32 nr_targets;
	struct ipi_bench_peer **live;
	u32 nr_live;
};

/**
 * struct ipi_bench_gate - a place where callers meet to start together
 * @lock:	for the fields below
 * @wait:	where they sleep until all are there
 * @generation:	counts the meetings
 * @expected:	how many have to come
 * @arrived:	how many are there
 * @running:	how many of those that met do not run yet
 */
struct ipi_bench_gate {
	spinlock_t lock;	/* for the fields below */
	wait_queue_head_t wait;
	u32 generation;
	u32 expected;
	u32 arrived;
	atomic_t running;
};

/**
 * struct ipi_bench_state - all that belongs to an open file
 * @busy:	held while a batch runs or the buffer is made, only ever tried
 * @buffer:	result buffer, NULL until there is one; then it stays until the file is closed
 * @bytes:	its size
 * @batch:	the batch, one at a time
 * @gate:	where the callers meet that name this file
 * @orphan:	in the list of those that outlive their file
 */
struct ipi_bench_state {
	struct mutex busy;	/* while a batch runs */
	void *buffer;
	size_t bytes;
	struct ipi_bench_batch batch;
	struct ipi_bench_gate gate;
	struct list_head orphan;
};

/* main.c */
extern const struct file_operations ipi_bench_fops;

/* state.c */
struct ipi_bench_state *ipi_bench_state_alloc(void);
void ipi_bench_state_release(struct ipi_bench_state *state);
void ipi_bench_state_exit(void);

/* request.c */
int ipi_bench_request(struct ipi_bench_state *state, struct ipi_bench_run *run);

/* send.c */
void ipi_bench_batch_funcs(struct ipi_bench_batch *batch);
void ipi_bench_batch_run(struct ipi_bench_batch *batch);

/* hold.c */
void ipi_bench_hold_init(struct ipi_bench_batch *batch, struct ipi_bench_slot *slot);
void ipi_bench_hold_arm(struct ipi_bench_batch *batch);
void ipi_bench_hold_end(struct ipi_bench_batch *batch);

/* tick.c */
void ipi_bench_tick_init(struct ipi_bench_slot *slot);
void ipi_bench_tick_start(struct ipi_bench_batch *batch);
void ipi_bench_tick_stop(struct ipi_bench_batch *batch);

/* settle.c */
bool ipi_bench_batch_idle(const struct ipi_bench_batch *batch);
bool ipi_bench_batch_settle(struct ipi_bench_batch *batch);
void ipi_bench_chunk_count(struct ipi_bench_batch *batch);
void ipi_bench_batch_flush(struct ipi_bench_batch *batch);

/* gate.c */
void ipi_bench_gate_init(struct ipi_bench_gate *gate);
int ipi_bench_gate_pass(struct ipi_bench_gate *gate, u32 callers, u64 max_ns);

#endif
