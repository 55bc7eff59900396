// SPDX-License-Identifier: GPL-2.0
/*
 * From deliveries to stages: the differences of a delivery's time stamps, each recorded only
 * where both of its ends were seen. Nothing is guessed from a neighbouring stamp, and an interval
 * that comes out negative is counted, never clamped.
 */
#include <errno.h>

#include <linux/kernel.h>

#include "split.h"

/*
 * Only a caller that waits for the functions it asked for has an acknowledgment. irq_work is
 * queued and forgotten, and a grace period is over when the last CPU has reported, which its
 * function does before it ends. A wake-up's caller waits for the woken thread to answer. The
 * module waits for whatever it has sent, unless it was told not to.
 */
static bool waits_for_end(const struct ipi_cell *cell)
{
	if (cell->nowait || cell->stamped)
		return !cell->nowait;
	return cell->scenario != IPI_SCENARIO_DRY_RUN && cell->scenario != IPI_SCENARIO_SELF_IPI &&
	       cell->scenario != IPI_SCENARIO_BROADCAST_LOCK;
}

/* An unknown pid is no proof of another state, nor is one we have nothing to compare with. */
static bool off_state(const struct ipi_split *split, const struct ipi_delivery *delivery)
{
	if (delivery->dst_pid < 0)
		return false;

	switch (split->cell->target) {
	case IPI_TARGET_BUSY:
	case IPI_TARGET_KERNEL:
		return split->target_pid > 0 && delivery->dst_pid != split->target_pid;
	case IPI_TARGET_IDLE:
		return delivery->dst_pid != 0;
	case IPI_TARGET_NONE:
	case IPI_TARGET_ANY:
	case IPI_TARGET_NR:
	default:
		return false;
	}
}

static int record(struct ipi_cell *cell, enum ipi_stage stage, u64 from, u64 to)
{
	struct ipi_hist *hist;

	if (!from || !to)
		return 0;
	if (to < from) {
		cell->negative++;
		return 0;
	}
	hist = ipi_cell__hist(cell, stage);
	if (!hist)
		return -ENOMEM;
	ipi_hist__add(hist, to - from);
	return 0;
}

/* Where the handler's work ends: its function's end, or the interrupt's where none shows. */
static u64 handler_end(const struct ipi_delivery *delivery)
{
	if (delivery->t_func_entry || delivery->t_func_exit)
		return delivery->t_func_exit;
	return delivery->t_irq_exit;
}

/*
 * Where the caller's wait ends. A function call whose function no event shows has no such moment:
 * the caller is let go when the function ends, well before its interrupt does.
 */
static u64 wait_end(const struct ipi_delivery *delivery)
{
	if (delivery->t_func_entry || delivery->t_func_exit)
		return delivery->t_func_exit;
	return delivery->irq == IPI_IRQ_CALL ? 0 : delivery->t_irq_exit;
}

/* A stamped cell has these from its untraced pass. */
static int record_seen(struct ipi_cell *cell, enum ipi_stage stage, u64 from, u64 to)
{
	return cell->stamped ? 0 : record(cell, stage, from, to);
}

/* The function's own stamps beside those of the tracepoints, which lie around them. */
static int compare(const struct ipi_split *split, const struct ipi_delivery *d)
{
	u64 own = split->own_exit - split->own_entry;
	u64 seen = d->t_func_exit - d->t_func_entry;
	int err;

	if (!split->own_entry || !d->t_func_entry || !d->t_func_exit)
		return 0;
	err = record(split->cell, IPI_STAGE_AGREE_DELIVERY, d->t_func_entry, split->own_entry);
	if (err)
		return err;
	/* As an interval, so that a negative difference is counted as every other is. */
	return record(split->cell, IPI_STAGE_AGREE_HANDLE, 1 + own, 1 + seen);
}

static int record_local(const struct ipi_split *split, const struct ipi_delivery *d)
{
	int err;

	err = record_seen(split->cell, IPI_STAGE_DELIVERY, split->call.t_call, d->t_func_entry);
	if (err)
		return err;
	return record_seen(split->cell, IPI_STAGE_HANDLE, d->t_func_entry, d->t_func_exit);
}

static int record_interrupt(const struct ipi_split *split, const struct ipi_delivery *d)
{
	u64 start = d->t_func_entry ? d->t_func_entry : d->t_irq_entry;
	const struct {
		enum ipi_stage stage;
		u64 from;
		u64 to;
	} interval[] = {
		{ IPI_STAGE_SEND,		split->call.t_call,	d->t_send },
		{ IPI_STAGE_DELIVER,		d->t_send,		d->t_irq_entry },
		{ IPI_STAGE_DISPATCH,		d->t_irq_entry,		d->t_func_entry },
		{ IPI_STAGE_SEND_LATENCY,	split->call.t_call,	d->t_irq_entry },
		{ IPI_STAGE_HANDLER_LATENCY,	d->t_irq_entry,		handler_end(d) },
	};
	unsigned int i;
	int err;

	err = record_seen(split->cell, IPI_STAGE_DELIVERY, split->call.t_call, start);
	if (!err)
		err = record_seen(split->cell, IPI_STAGE_HANDLE, d->t_func_entry, d->t_func_exit);
	for (i = 0; !err && i < ARRAY_SIZE(interval); i++)
		err = record(split->cell, interval[i].stage, interval[i].from, interval[i].to);
	return err;
}

void ipi_split__begin(struct ipi_split *split, struct ipi_cell *cell, const struct ipi_call *call,
		      int target_pid)
{
	split->cell = cell;
	split->call = *call;
	split->last_exit = 0;
	split->unended = false;
	split->target_pid = target_pid;
	split->own_entry = 0;
	split->own_exit = 0;
}

void ipi_split__stamps(struct ipi_split *split, u64 entry, u64 exit)
{
	split->own_entry = entry;
	split->own_exit = exit;
}

int ipi_split__untraced(struct ipi_cell *cell, const struct ipi_call *call, u64 entry, u64 exit)
{
	int err = record(cell, IPI_STAGE_DELIVERY, call->t_call, entry);

	return err ? err : record(cell, IPI_STAGE_HANDLE, entry, exit);
}

/* With function tracepoints their stamps, without them the function's own. */
static void merge(const struct ipi_split *split, struct ipi_delivery *d)
{
	if (d->t_func_entry || d->t_func_exit || !split->own_entry)
		return;
	d->t_func_entry = split->own_entry;
	d->t_func_exit = split->own_exit;
}

/*
 * No event tells of it. If the function has run all the same, in a storm, it was queued behind
 * another sender's, whose IPI it took: kernels without csd events don't say so.
 */
static enum ipi_class unseen_class(const struct ipi_split *split)
{
	return split->cell->scenario == IPI_SCENARIO_STORM && split->own_entry ?
	       IPI_CLASS_COALESCED : IPI_CLASS_MISSING;
}

/*
 * A function that was over when its interrupt came was not run by it. Both moments are of one CPU
 * and one clock, so that this is no matter of skew: the idle loop was first or, in a storm, the
 * interrupt of another sender. Where there are function events the correlator has seen to it.
 */
static enum ipi_class seen_class(const struct ipi_split *split, const struct ipi_delivery *d)
{
	if (d->class != IPI_CLASS_INTERRUPT || d->t_func_entry || d->t_func_exit ||
	    !split->own_exit || split->own_exit > d->t_irq_entry)
		return d->class;
	return split->cell->scenario == IPI_SCENARIO_STORM ? IPI_CLASS_COALESCED :
							     IPI_CLASS_POLLED;
}

int ipi_split__delivery(struct ipi_split *split, const struct ipi_delivery *delivery)
{
	struct ipi_cell *cell = split->cell;
	u8 wanted = ipi_cell__wanted_class(cell);
	struct ipi_delivery merged;
	enum ipi_class class;
	bool off;
	u64 end;
	int err;

	if (!delivery || delivery->class >= IPI_CLASS_MISSING) {
		cell->classes[unseen_class(split)]++;
		split->unended = true;
		return 0;
	}

	class = seen_class(split, delivery);
	cell->classes[class]++;
	off = off_state(split, delivery);
	if (off)
		cell->off_state++;
	if (off || class != wanted) {
		split->unended = true;
		return 0;
	}

	err = compare(split, delivery);
	if (err)
		return err;
	merged = *delivery;
	merge(split, &merged);
	end = wait_end(&merged);
	if (!end)
		split->unended = true;
	if (end > split->last_exit)
		split->last_exit = end;

	return merged.class == IPI_CLASS_LOCAL ? record_local(split, &merged) :
						 record_interrupt(split, &merged);
}

int ipi_split__end(struct ipi_split *split)
{
	struct ipi_cell *cell = split->cell;
	int err;

	err = record(cell, IPI_STAGE_TOTAL_TRACED, split->call.t_call, split->call.t_return);
	if (err)
		return err;
	if (split->unended || !waits_for_end(cell))
		return 0;
	return record(cell, IPI_STAGE_ACK, split->last_exit, split->call.t_return);
}
