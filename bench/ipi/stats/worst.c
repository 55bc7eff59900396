// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps the longest deliveries in a heap whose first is the shortest of them: what is shorter is
 * passed over by one comparison.
 */
#include <stdlib.h>
#include <string.h>

#include "worst.h"

struct ipi_worst {
	struct ipi_worst_one *one;
	size_t nr;
	size_t room;
};

struct ipi_worst *ipi_worst__new(size_t nr)
{
	struct ipi_worst *worst = calloc(1, sizeof(*worst));

	if (!worst)
		return NULL;
	worst->room = nr;
	worst->one = calloc(nr + 1, sizeof(*worst->one));
	if (worst->one)
		return worst;
	free(worst);
	return NULL;
}

void ipi_worst__delete(struct ipi_worst *worst)
{
	if (!worst)
		return;
	free(worst->one);
	free(worst);
}

static u64 first_of(const struct ipi_delivery *d)
{
	if (d->t_queue || d->t_send)
		return d->t_queue ? d->t_queue : d->t_send;
	return d->t_irq_entry ? d->t_irq_entry : d->t_func_entry;
}

static u64 took(const struct ipi_delivery *d)
{
	u64 first = first_of(d), last = d->t_func_entry ? d->t_func_exit : d->t_irq_exit;

	if (!last)
		last = d->t_func_entry ? d->t_func_entry : d->t_irq_entry;
	return first && last > first ? last - first : 0;
}

static void swap(struct ipi_worst_one *a, struct ipi_worst_one *b)
{
	struct ipi_worst_one c = *a;

	*a = *b;
	*b = c;
}

static void sift(struct ipi_worst *worst)
{
	size_t at = 0, child;

	while ((child = 2 * at + 1) < worst->nr) {
		if (child + 1 < worst->nr && worst->one[child + 1].ns < worst->one[child].ns)
			child++;
		if (worst->one[at].ns <= worst->one[child].ns)
			break;
		swap(&worst->one[at], &worst->one[child]);
		at = child;
	}
}

void ipi_worst__add(struct ipi_worst *worst, const struct ipi_delivery *delivery,
		    const char *comm)
{
	u64 ns = took(delivery);
	struct ipi_worst_one *one;
	size_t at = 0;

	if (!ns || !worst->room)
		return;
	if (worst->nr < worst->room)
		at = worst->nr++;
	else if (ns <= worst->one[0].ns)
		return;
	one = &worst->one[at];
	one->delivery = *delivery;
	one->ns = ns;
	memset(one->comm, 0, sizeof(one->comm));
	if (comm)
		strncpy(one->comm, comm, sizeof(one->comm) - 1);
	if (!at) {
		sift(worst);
		return;
	}
	for (; at && worst->one[at].ns < worst->one[(at - 1) / 2].ns; at = (at - 1) / 2)
		swap(&worst->one[at], &worst->one[(at - 1) / 2]);
}

static int by_length(const void *va, const void *vb)
{
	const struct ipi_worst_one *a = va, *b = vb;
	u64 first_a = first_of(&a->delivery), first_b = first_of(&b->delivery);

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return (first_a > first_b) - (first_a < first_b);
}

void ipi_worst__sort(struct ipi_worst *worst)
{
	qsort(worst->one, worst->nr, sizeof(*worst->one), by_length);
}

size_t ipi_worst__nr(const struct ipi_worst *worst)
{
	return worst->nr;
}

const struct ipi_worst_one *ipi_worst__get(const struct ipi_worst *worst, size_t rank)
{
	return rank < worst->nr ? &worst->one[rank] : NULL;
}
