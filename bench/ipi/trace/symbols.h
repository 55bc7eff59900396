/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel symbols from /proc/kallsyms: the address of a function by name, a name by address.
 */
#ifndef IPI_TRACE_SYMBOLS_H
#define IPI_TRACE_SYMBOLS_H

#include <stddef.h>
#include <linux/types.h>

struct ipi_why;
struct ipi_symbols;

/**
 * ipi_symbols__new - read a kallsyms file
 * @path:	"/proc/kallsyms", or a file of its form
 * @why:	filled on failure; hidden addresses (kptr_restrict) are a failure: -EACCES
 *
 * Return: the symbols, or NULL.
 */
struct ipi_symbols *ipi_symbols__new(const char *path, struct ipi_why *why);

/* The same from a text of that form in memory. */
struct ipi_symbols *ipi_symbols__parse(const char *text, size_t size, struct ipi_why *why);

void ipi_symbols__delete(struct ipi_symbols *symbols);

/* The address of function @name, also with a compiler's suffix (".isra.0"); 0 if there is none. */
u64 ipi_symbols__address(const struct ipi_symbols *symbols, const char *name);

/* The name of the function @address is in and the offset into it; NULL if unknown. */
const char *ipi_symbols__name(const struct ipi_symbols *symbols, u64 address,
			      u64 *offset);

#endif
