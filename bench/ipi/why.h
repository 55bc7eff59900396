/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why something could not be done: what failed, errno in words, one line of remedy. Inner
 * functions fill one in and return; only the front door decides whether that is an error, a note
 * in the table's header, or nothing.
 */
#ifndef IPI_WHY_H
#define IPI_WHY_H

#include <stdbool.h>
#include <linux/compiler.h>

/**
 * struct ipi_why - the reason for a failure
 * @err:	errno value, 0 if the failure has none
 * @what:	what failed, without a full stop; never contains errno in words
 * @remedy:	one line of advice, may be empty
 */
struct ipi_why {
	int err;
	char what[256];
	char remedy[256];
};

/**
 * ipi_why__set - note why something failed
 * @why:	filled; may be NULL when the caller doesn't ask
 * @err:	errno value (positive), or 0
 * @remedy:	one line, or NULL
 * @fmt:	what failed
 *
 * Return: -@err, or -EINVAL where @err is 0: "return ipi_why__set(...)".
 */
int ipi_why__set(struct ipi_why *why, int err, const char *remedy, const char *fmt, ...)
	__printf(4, 5);

/**
 * ipi_why__print - print it on stderr as perf does
 * @why:	the reason
 *
 * "perf bench ipi: WHAT: ERRNO" and, on a line of its own, the remedy.
 */
void ipi_why__print(const struct ipi_why *why);

/**
 * ipi_why__line - the reason on one line, for headers and JSON
 * @why:	the reason
 * @buf:	written, always terminated
 * @size:	bytes in @buf
 *
 * Return: @buf.
 */
const char *ipi_why__line(const struct ipi_why *why, char *buf, unsigned long size);

/* "perf bench ipi: " and the text on stderr, one line. */
void ipi_err(const char *fmt, ...) __printf(1, 2);

/* As ipi_err(), only once ipi_dbg__set() was given a level above 0 (-v). */
void ipi_dbg(const char *fmt, ...) __printf(1, 2);
void ipi_dbg__set(int level);

#endif
