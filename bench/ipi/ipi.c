// SPDX-License-Identifier: GPL-2.0
/*
 * The names of the vocabulary. One table per enum, so that options, tables and JSON say the same.
 */
#include <stddef.h>
#include <string.h>

#include "ipi.h"

static const char *const scenario_names[IPI_SCENARIO_NR] = {
	[IPI_SCENARIO_DRY_RUN]		= "dry-run",
	[IPI_SCENARIO_SELF_CALL]	= "self-call",
	[IPI_SCENARIO_SELF_IPI]		= "self-ipi",
	[IPI_SCENARIO_NORMAL]		= "normal",
	[IPI_SCENARIO_BROADCAST]	= "broadcast",
	[IPI_SCENARIO_BROADCAST_LOCK]	= "broadcast-lock",
	[IPI_SCENARIO_MULTICAST]	= "multicast",
	[IPI_SCENARIO_STORM]		= "storm",
	[IPI_SCENARIO_WAKE]		= "wake",
};

static const char *const target_names[IPI_TARGET_NR] = {
	[IPI_TARGET_NONE]	= "-",
	[IPI_TARGET_BUSY]	= "busy",
	[IPI_TARGET_KERNEL]	= "kernel",
	[IPI_TARGET_IDLE]	= "idle",
	[IPI_TARGET_ANY]	= "any",
};

static const char *const class_names[IPI_CLASS_NR] = {
	[IPI_CLASS_INTERRUPT]	= "interrupt",
	[IPI_CLASS_LOCAL]	= "local",
	[IPI_CLASS_POLLED]	= "polled",
	[IPI_CLASS_COALESCED]	= "coalesced",
	[IPI_CLASS_MISSING]	= "missing",
};

static const char *const stage_names[IPI_STAGE_NR] = {
	[IPI_STAGE_TOTAL]		= "total",
	[IPI_STAGE_DELIVERY]		= "delivery",
	[IPI_STAGE_SEND]		= "send",
	[IPI_STAGE_DELIVER]		= "deliver",
	[IPI_STAGE_DISPATCH]		= "dispatch",
	[IPI_STAGE_HANDLE]		= "handle",
	[IPI_STAGE_ACK]			= "ack",
	[IPI_STAGE_SEND_LATENCY]	= "send_latency",
	[IPI_STAGE_HANDLER_LATENCY]	= "handler_latency",
	[IPI_STAGE_TOTAL_TRACED]	= "total_traced",
	[IPI_STAGE_AGREE_DELIVERY]	= "agree_delivery",
	[IPI_STAGE_AGREE_HANDLE]	= "agree_handle",
};

static const char *const irq_names[IPI_IRQ_NR] = {
	[IPI_IRQ_CALL]		= "call",
	[IPI_IRQ_RESCHED]	= "resched",
	[IPI_IRQ_WORK]		= "work",
	[IPI_IRQ_OTHER]		= "other",
};

const char *ipi_name__of(const char *const *names, unsigned int nr, unsigned int index)
{
	return index < nr ? names[index] : "?";
}

const char *ipi_scenario__name(enum ipi_scenario scenario)
{
	return ipi_name__of(scenario_names, IPI_SCENARIO_NR, scenario);
}

const char *ipi_target__name(enum ipi_target target)
{
	return ipi_name__of(target_names, IPI_TARGET_NR, target);
}

const char *ipi_class__name(enum ipi_class class)
{
	return ipi_name__of(class_names, IPI_CLASS_NR, class);
}

const char *ipi_stage__name(enum ipi_stage stage)
{
	return ipi_name__of(stage_names, IPI_STAGE_NR, stage);
}

const char *ipi_irq__name(enum ipi_irq irq)
{
	return ipi_name__of(irq_names, IPI_IRQ_NR, irq);
}

bool ipi_scenario__is_own(enum ipi_scenario scenario)
{
	return scenario == IPI_SCENARIO_DRY_RUN || scenario == IPI_SCENARIO_SELF_CALL ||
	       scenario == IPI_SCENARIO_SELF_IPI;
}

int ipi_name__find(const char *const *names, int nr, const char *name)
{
	int i;

	for (i = 0; i < nr; i++) {
		if (!strcmp(names[i], name))
			return i;
	}
	return -1;
}

int ipi_scenario__find(const char *name)
{
	return ipi_name__find(scenario_names, IPI_SCENARIO_NR, name);
}

int ipi_target__find(const char *name)
{
	int target = ipi_name__find(target_names, IPI_TARGET_NR, name);

	return target == IPI_TARGET_NONE ? -1 : target;
}

int ipi_stage__find(const char *name)
{
	return ipi_name__find(stage_names, IPI_STAGE_NR, name);
}
