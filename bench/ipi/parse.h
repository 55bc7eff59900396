/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Strict numbers: the whole string, in range, or an error. No leading blanks, signs or zeros. And
 * lists of what is between commas.
 */
#ifndef IPI_PARSE_H
#define IPI_PARSE_H

#include <linux/types.h>

/**
 * ipi_parse__u64 - read a decimal number
 * @str:	the string
 * @min:	smallest value taken
 * @max:	largest value taken
 * @value:	set on success only
 *
 * Return: 0, -EINVAL (not a number) or -ERANGE.
 */
int ipi_parse__u64(const char *str, u64 min, u64 max, u64 *value);

/* As above with one of the suffixes k, M (10^3, 10^6): "20k". */
int ipi_parse__count(const char *str, u64 min, u64 max, u64 *value);

/* A duration in ns, with one of ns, us, ms, s: "50us"; a bare "0" is taken, other bare ones not. */
int ipi_parse__duration(const char *str, u64 min_ns, u64 max_ns, u64 *ns);

/**
 * ipi_parse__list - take a comma-separated list apart
 * @list:	the list; "a,,b" has an empty piece
 * @each:	called for each piece, which it may write to, until it returns another value than 0
 * @ctx:	passed to @each
 *
 * Return: what @each returned last, or -ENOMEM.
 */
int ipi_parse__list(const char *list, int (*each)(void *ctx, char *piece), void *ctx);

#endif
