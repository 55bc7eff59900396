/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The architecture table: which tracepoints mean sent, interrupt entry and exit, function entry
 * and exit on which architecture. A new architecture is one more table.
 */
#ifndef IPI_TRACE_ARCH_H
#define IPI_TRACE_ARCH_H

#include <stddef.h>

#include "event.h"

/**
 * struct ipi_arch_event - what one tracepoint means
 * @system:	tracepoint system, as "ipi"
 * @name:	tracepoint name, as "ipi_send_cpu"
 * @kind:	enum ipi_event_kind
 * @irq:	enum ipi_irq where the tracepoint alone says it, else IPI_IRQ_NR: by the callback of
 *		a send, from the reason of arm64's
 * @cpu:	field with the target CPU, NULL if none
 * @mask:	field with the target bitmap, NULL if none
 * @func:	field with the function or callback, NULL if none
 * @csd:	field with the csd, NULL if none
 * @callsite:	field with the callsite, NULL if none
 * @reason:	field with arm64's reason pointer, NULL if none
 * @tells:	what it is good for, in words, for "list"
 * @never:	why it can't be sampled though it exists, NULL if it can: never opened
 */
struct ipi_arch_event {
	const char *system;
	const char *name;
	enum ipi_event_kind kind;
	enum ipi_irq irq;
	const char *cpu;
	const char *mask;
	const char *func;
	const char *csd;
	const char *callsite;
	const char *reason;
	const char *tells;
	const char *never;
};

/**
 * ipi_arch__events - the table of an architecture
 * @machine:	uname's machine, as "x86_64", "aarch64"; perf.data's arch works as well
 * @nr:		set to the number of rows
 *
 * An unknown architecture gets the generic rows.
 *
 * Return: the rows.
 */
const struct ipi_arch_event *const *ipi_arch__events(const char *machine, int *nr);

/* Of calls: system calls that send IPIs, and the bench's module. For recordings only. */
const struct ipi_arch_event *const *ipi_arch__calls(int *nr);

/* The rows of all architectures together, each once. */
const struct ipi_arch_event *const *ipi_arch__all(int *nr);

/**
 * ipi_arch__missing - what absent events take away
 * @have:	IPI_EVENT_BIT() of what there is
 * @irq_exit:	a bit per enum ipi_irq whose exit there is
 * @buf:	written, always terminated: in words, one item a line, "" if nothing
 * @size:	bytes in @buf
 */
void ipi_arch__missing(unsigned int have, unsigned int irq_exit, char *buf, size_t size);

#endif
