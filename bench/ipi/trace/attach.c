// SPDX-License-Identifier: GPL-2.0
/*
 * Attaches deliveries to calls: sorts the deliveries by when they began and walks them beside the
 * calls, which are in time order already. Says nothing about how a delivery went.
 */
#include <errno.h>
#include <stdbool.h>
#include <linux/types.h>
#include <stdlib.h>

#include "attach.h"

/* ns, its first trace: queue, else send, else interrupt entry, else function entry. */
static u64 began(const struct ipi_delivery *delivery)
{
	if (delivery->t_queue)
		return delivery->t_queue;
	if (delivery->t_send)
		return delivery->t_send;
	if (delivery->t_irq_entry)
		return delivery->t_irq_entry;
	return delivery->t_func_entry;
}

static int by_begin(const void *va, const void *vb)
{
	const struct ipi_delivery *a = va, *b = vb;
	u64 ta = began(a), tb = began(b);

	if (ta != tb)
		return ta < tb ? -1 : 1;
	return (a->dst > b->dst) - (a->dst < b->dst);
}

static int find_dst(const struct ipi_attach_rule *rule, int dst)
{
	int low = 0, high = rule->nr_dst;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (rule->dst[mid] < dst)
			low = mid + 1;
		else
			high = mid;
	}
	return low < rule->nr_dst && rule->dst[low] == dst ? low : -1;
}

/* Ours, as far as it can tell without the time? */
static bool fits(const struct ipi_attach_rule *rule, const struct ipi_delivery *delivery)
{
	if (delivery->irq >= IPI_IRQ_NR || !(rule->irqs & (1U << delivery->irq)))
		return false;
	if (delivery->src == -1)
		return true;
	/* Where no event names the function, as on arm64 before 6.5, time and interrupt decide. */
	if (rule->any_sender)
		return !delivery->func || (rule->func && delivery->func == rule->func);
	if (delivery->src != rule->src || delivery->src_tid != rule->tid ||
	    delivery->src_ctx != IPI_CTX_TASK)
		return false;
	/* A bare interrupt names no function. */
	return !rule->func || !delivery->func || delivery->func == rule->func;
}

/*
 * When does the window of a call close for a delivery? Where only its arrival shows, and the call
 * may return before, it stays open until the next call.
 */
static bool in_window(const struct ipi_attach_rule *rule, const struct ipi_call *calls,
		      size_t nr_calls, size_t call, const struct ipi_delivery *delivery)
{
	u64 time = began(delivery);

	if (time < calls[call].t_call)
		return false;
	if (time <= calls[call].t_return)
		return true;
	if (!rule->async || delivery->t_queue || delivery->t_send)
		return false;
	return call + 1 == nr_calls || time < calls[call + 1].t_call;
}

static void end_call(const struct ipi_attach_rule *rule, size_t call,
		     const struct ipi_delivery **slot, const struct ipi_attach_ops *ops, void *ctx)
{
	int i;

	for (i = 0; i < rule->nr_dst; i++) {
		ops->delivery(ctx, call, rule->dst[i], slot[i]);
		slot[i] = NULL;
	}
}

int ipi_attach__batch(const struct ipi_attach_rule *rule, const struct ipi_call *calls,
		      size_t nr_calls, struct ipi_delivery *deliveries, size_t nr_deliveries,
		      const struct ipi_attach_ops *ops, void *ctx)
{
	const struct ipi_delivery **slot;
	size_t call = 0, i;

	slot = calloc(rule->nr_dst > 0 ? rule->nr_dst : 1, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	if (nr_deliveries)
		qsort(deliveries, nr_deliveries, sizeof(*deliveries), by_begin);

	for (i = 0; i < nr_deliveries; i++) {
		const struct ipi_delivery *delivery = &deliveries[i];
		int dst = fits(rule, delivery) ? find_dst(rule, delivery->dst) : -1;

		/* The last call that began before it. */
		while (call + 1 < nr_calls && calls[call + 1].t_call <= began(delivery))
			end_call(rule, call++, slot, ops, ctx);

		if (dst >= 0 && call < nr_calls && !slot[dst] &&
		    in_window(rule, calls, nr_calls, call, delivery))
			slot[dst] = delivery;
		else
			ops->foreign(ctx, delivery);
	}
	for (; call < nr_calls; call++)
		end_call(rule, call, slot, ops, ctx);
	free(slot);
	return 0;
}
