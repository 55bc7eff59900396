/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The live source inside: what live-open.c sets up and live.c reads. Private to the two.
 */
#ifndef IPI_TRACE_LIVE_H
#define IPI_TRACE_LIVE_H

#include <stdbool.h>
#include <linux/types.h>

#include "ids.h"
#include "source.h"

struct ipi_decode;
struct ipi_rings;

/**
 * struct live_ring - one CPU's
 * @head:	its next event, decoded
 * @loaded:	@head is one
 * @lost:	records lost before @head
 * @bytes:	taken from the ring in this drain
 */
struct live_ring {
	struct ipi_event head;
	bool loaded;
	u64 lost;
	u64 bytes;
};

/**
 * struct live_count - one event on one CPU, since the last reset
 * @seen:	samples
 * @base:	its counter then
 * @base_lost:	its count of lost ones then
 */
struct live_count {
	u64 seen;
	u64 base;
	u64 base_lost;
};

/**
 * struct live - the live source
 * @source:	base
 * @rings:	the rings
 * @decode:	the decoder
 * @cpus:	the CPUs, by ring
 * @ring:	their state
 * @heap:	rings with a loaded head, earliest first
 * @nr_heap:	how many
 * @nr_events:	events open
 * @ids:	of the events
 * @count:	by ring, then event
 * @lost:	told by LOST records since the last reset
 */
struct live {
	struct ipi_source source;
	struct ipi_rings *rings;
	struct ipi_decode *decode;
	struct ipi_cpus cpus;
	struct live_ring *ring;
	int *heap;
	int nr_heap;
	int nr_events;
	struct ipi_ids ids;
	struct live_count *count;
	u64 lost;
};

extern const struct ipi_source_ops ipi_live__ops;

#endif
