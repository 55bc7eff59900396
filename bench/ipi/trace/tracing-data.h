/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracing data of a recording: what perf record took along of tracefs, in the form of the old
 * trace.dat. Knows its structure, not what the texts in it mean.
 */
#ifndef IPI_TRACE_TRACING_DATA_H
#define IPI_TRACE_TRACING_DATA_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of it. */
struct ipi_text_piece {
	const char *text;
	size_t size;
};

/**
 * struct ipi_tracing_data - what is in it
 * @big_endian:	byte order of the traced kernel
 * @long_size:	bytes of its long
 * @kallsyms:	as /proc/kallsyms; perf leaves it empty
 * @printk:	as tracefs' printk_formats
 */
struct ipi_tracing_data {
	bool big_endian;
	int long_size;
	struct ipi_text_piece kallsyms;
	struct ipi_text_piece printk;
};

/**
 * ipi_tracing_data__parse - take it apart
 * @bytes:	the tracing data
 * @size:	how many
 * @head:	called once, before the formats, with the byte order and the size of a long
 * @format:	called for each event's format file; @system is a C string
 * @ctx:	passed to both; what they return other than 0 ends it
 * @data:	filled, pieces point into @bytes
 *
 * Return: 0, -EBADMSG where it isn't what it should be, or what a callback returned.
 */
int ipi_tracing_data__parse(const void *bytes, size_t size,
			    int (*head)(void *ctx, const struct ipi_tracing_data *data),
			    int (*format)(void *ctx, const char *system,
					  const struct ipi_text_piece *format),
			    void *ctx, struct ipi_tracing_data *data);

#endif
