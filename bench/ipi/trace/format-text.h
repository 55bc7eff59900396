/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of a tracepoint's format file, from outside: reduced to what the decoder needs of it.
 */
#ifndef IPI_TRACE_FORMAT_TEXT_H
#define IPI_TRACE_FORMAT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

struct ipi_text_piece;

/**
 * ipi_format_text__name - the name in a format
 * @format:	the text
 * @name:	set to it; not terminated
 *
 * Return: its length, 0 if there is none.
 */
size_t ipi_format_text__name(const struct ipi_text_piece *format, const char **name);

/* The id in a format. Return: false if there is none. */
bool ipi_format_text__id(const struct ipi_text_piece *format, u64 *id);

/**
 * ipi_format_text__clean - a format as the kernel writes it, or as much of it as is one
 * @format:	the text
 * @size:	set to the length of what is returned
 *
 * Parsers of these texts trust the kernel. What is no plain field line is left out, and so is the
 * print format, a little language of its own that no decoder needs.
 *
 * Return: the text, to be freed; NULL without memory, or with errno EINVAL where it has no name
 * and id.
 */
char *ipi_format_text__clean(const struct ipi_text_piece *format, size_t *size);

#endif
