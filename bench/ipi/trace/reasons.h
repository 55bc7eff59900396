/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reasons of arm's and arm64's IPIs: a record holds but the address of a text, and tracefs'
 * printk_formats tells which text that is.
 */
#ifndef IPI_TRACE_REASONS_H
#define IPI_TRACE_REASONS_H

#include <stddef.h>
#include <linux/types.h>

#include "../ipi.h"

struct ipi_reason;

/**
 * struct ipi_reasons - the reasons known; all zero is an empty one
 * @nr:		how many
 * @reason:	by no order: there are about ten
 */
struct ipi_reasons {
	int nr;
	struct ipi_reason *reason;
};

/**
 * ipi_reasons__read - learn the reasons in a printk_formats text
 * @reasons:	those found are added, each address once
 * @text:	the text; lines that aren't reasons of IPIs are passed over
 * @size:	bytes in @text
 *
 * Return: how many were added, or -ENOMEM.
 */
int ipi_reasons__read(struct ipi_reasons *reasons, const char *text, size_t size);

/* Which interrupt is meant by @address; IPI_IRQ_OTHER if it is none of ours or not known. */
enum ipi_irq ipi_reasons__irq(const struct ipi_reasons *reasons, u64 address);

void ipi_reasons__free(struct ipi_reasons *reasons);

#endif
