// SPDX-License-Identifier: GPL-2.0
/*
 * What may be compared with what. Compares nothing itself.
 */
#include <stdio.h>

#include "alike.h"

static const char *const facts[IPI_ALIKE_FACTS] = {
	"machine", "cpu_model", "hypervisor", "kernel", "kernel_version", "backend", "clock",
	"clock_source", "governor", "idle_driver", "preempt", "irqchip", "smt", "rt", "isolated",
	"nohz_full", "csd_lock_wait_debug", "version",
};

int ipi_alike__order(const struct ipi_cell *a, const struct ipi_cell *b)
{
	if (a->scenario != b->scenario)
		return a->scenario < b->scenario ? -1 : 1;
	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	if (a->dst.nr != b->dst.nr)
		return a->dst.nr < b->dst.nr ? -1 : 1;
	if (a->senders.nr != b->senders.nr)
		return a->senders.nr < b->senders.nr ? -1 : 1;
	return a->nowait - b->nowait;
}

int ipi_alike__order_place(const struct ipi_cell *a, const struct ipi_cell *b)
{
	int order = ipi_alike__order(a, b);
	int i;

	if (order)
		return order;
	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	for (i = 0; i < a->dst.nr; i++) {
		if (a->dst.cpu[i] != b->dst.cpu[i])
			return a->dst.cpu[i] < b->dst.cpu[i] ? -1 : 1;
	}
	return 0;
}

bool ipi_alike__compares(enum ipi_stage stage)
{
	return stage != IPI_STAGE_TOTAL_TRACED && stage != IPI_STAGE_AGREE_DELIVERY &&
	       stage != IPI_STAGE_AGREE_HANDLE;
}

const char *ipi_alike__fact(unsigned int index)
{
	return index < IPI_ALIKE_FACTS ? facts[index] : "?";
}

const char *ipi_alike__value(const struct ipi_facts *from, const char *key, char *buf, size_t size)
{
	const struct ipi_fact *found = ipi_facts__get(from, key);

	if (!found)
		snprintf(buf, size, "-");
	else if (found->str)
		snprintf(buf, size, "%s", found->str);
	else
		snprintf(buf, size, "%lld", (long long)found->num);
	return buf;
}
