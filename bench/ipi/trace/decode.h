/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Raw tracepoint records to normalised events, by the kernel's own format texts. The only file
 * pair that knows libtraceevent.
 */
#ifndef IPI_TRACE_DECODE_H
#define IPI_TRACE_DECODE_H

#include <stddef.h>

#include "event.h"

struct ipi_arch_event;
struct ipi_decode;

/**
 * ipi_decode__new - a decoder
 * @long_size:	bytes in a long of the traced kernel, 8 (4 for a 32-bit one)
 * @big_endian:	the records are big-endian
 *
 * Return: the decoder, or NULL without memory.
 */
struct ipi_decode *ipi_decode__new(int long_size, bool big_endian);
void ipi_decode__delete(struct ipi_decode *decode);

/**
 * ipi_decode__add - teach it one event
 * @decode:	the decoder
 * @event:	the row of the architecture table: system, name, meaning, fields
 * @format:	text of the event's format file
 * @size:	bytes in @format
 *
 * Return: the event's id (>= 0), -EINVAL where the text can't be parsed or lacks a field the
 * table needs, -ENOMEM.
 */
int ipi_decode__add(struct ipi_decode *decode, const struct ipi_arch_event *event,
		    const char *format, size_t size);

/**
 * ipi_decode__reasons - learn which pointer stands for which arm64 reason
 * @decode:	the decoder
 * @printk_formats: text of tracefs' printk_formats
 * @size:	bytes
 *
 * Return: how many reasons were found, or -ENOMEM.
 */
int ipi_decode__reasons(struct ipi_decode *decode, const char *printk_formats, size_t size);

/**
 * ipi_decode__raw - decode one raw record
 * @decode:	the decoder
 * @raw:	the record, from common_type on
 * @size:	bytes in @raw; every field is checked against it
 * @event:	all but time, cpu, pid and tid are filled; cpu must be set by the caller before (a
 *		send to one's own CPU is irq_work)
 *
 * Return: 0, -ENOENT (an event it was not taught), -EBADMSG (too short, or a bad bitmap), -ENOMEM
 * (the bitmap of a big-endian record has no room).
 */
int ipi_decode__raw(struct ipi_decode *decode, const void *raw, size_t size,
		    struct ipi_event *event);

/**
 * ipi_decode__sample - decode the body of a PERF_RECORD_SAMPLE
 * @decode:	the decoder
 * @body:	behind the record's header; PERF_SAMPLE_TID | TIME | CPU | RAW, in that order
 * @size:	bytes in @body
 * @event:	filled
 *
 * Return: as ipi_decode__raw().
 */
int ipi_decode__sample(struct ipi_decode *decode, const void *body, size_t size,
		       struct ipi_event *event);

#endif
