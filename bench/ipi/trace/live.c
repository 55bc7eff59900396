// SPDX-License-Identifier: GPL-2.0
/*
 * The live source: this kernel's IPI tracepoints on some CPUs, decoded and merged in time order.
 * Each ring is in order; a heap over the rings, each with one event decoded ahead, puts them
 * together. Nothing is stored: an event goes from its ring to the correlator. What is open, and how
 * it came to be, is live-open.c's.
 *
 * What the records of a batch need to be complete is up to the caller: drain between batches.
 * Asking for the loss and resetting stop the events for a moment and throw away what is in the
 * rings, so that counters and rings agree.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/perf_event.h>

#include "correlate.h"
#include "decode.h"
#include "live.h"
#include "rings.h"

#define RAW_AT		28	/* common_type in the body of a sample */
#define RECORD_MAX	2048	/* less room than this in a ring may have been too little */

static struct live *to_live(struct ipi_source *source)
{
	return (struct live *)source;
}

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void count_sample(struct live *live, int ring, const struct ipi_record *record)
{
	u16 id;
	int index;

	memcpy(&id, (const char *)record->body + RAW_AT, sizeof(id));
	index = ipi_ids__get(&live->ids, id);
	if (index >= 0)
		live->count[ring * live->nr_events + index].seen++;
}

/* Decode the ring's next event ahead. What can't be decoded isn't counted as seen: it vanishes. */
static void load_ring(struct live *live, int ring)
{
	struct live_ring *state = &live->ring[ring];
	struct ipi_record record;
	u64 lost;

	state->loaded = false;
	while (!state->loaded && ipi_rings__next(live->rings, ring, &record)) {
		state->bytes += record.size + sizeof(struct perf_event_header);
		if (record.type == PERF_RECORD_LOST && record.size >= 2 * sizeof(lost)) {
			memcpy(&lost, (const char *)record.body + sizeof(lost), sizeof(lost));
			state->lost += lost;
			live->lost += lost;
		} else if (record.type == PERF_RECORD_SAMPLE &&
			   !ipi_decode__sample(live->decode, record.body, record.size,
					       &state->head)) {
			count_sample(live, ring, &record);
			state->loaded = true;
		}
	}
}

static bool earlier(const struct live *live, int a, int b)
{
	return live->ring[live->heap[a]].head.time < live->ring[live->heap[b]].head.time;
}

static void swap_heap(struct live *live, int a, int b)
{
	int ring = live->heap[a];

	live->heap[a] = live->heap[b];
	live->heap[b] = ring;
}

static void sift_down(struct live *live, int at)
{
	for (;;) {
		int child = 2 * at + 1;

		if (child >= live->nr_heap)
			return;
		if (child + 1 < live->nr_heap && earlier(live, child + 1, child))
			child++;
		if (!earlier(live, child, at))
			return;
		swap_heap(live, child, at);
		at = child;
	}
}

static void fill_heap(struct live *live)
{
	int i;

	live->nr_heap = 0;
	for (i = 0; i < live->cpus.nr; i++) {
		ipi_rings__begin(live->rings, i);
		live->ring[i].bytes = 0;
		if (!live->ring[i].loaded)
			load_ring(live, i);
		if (live->ring[i].loaded)
			live->heap[live->nr_heap++] = i;
	}
	for (i = live->nr_heap / 2 - 1; i >= 0; i--)
		sift_down(live, i);
}

static int feed_lost(struct live *live, struct ipi_corr *corr, int ring, u64 time)
{
	struct ipi_event event = {
		.kind = IPI_EVENT_LOST,
		.cpu = live->cpus.cpu[ring],
		.time = time,
		.lost = live->ring[ring].lost,
		.irq = IPI_IRQ_NR,
	};

	live->ring[ring].lost = 0;
	return corr ? ipi_corr__feed(corr, &event) : 0;
}

/* Feed the earliest event of all, and load the next of its ring. */
static int feed_first(struct live *live, struct ipi_corr *corr)
{
	int ring = live->heap[0];
	struct live_ring *state = &live->ring[ring];
	int err = 0;

	if (state->lost)
		err = feed_lost(live, corr, ring, state->head.time);
	if (!err && corr)
		err = ipi_corr__feed(corr, &state->head);
	load_ring(live, ring);
	if (!state->loaded)
		live->heap[0] = live->heap[--live->nr_heap];
	sift_down(live, 0);
	return err;
}

/*
 * A ring that was full has lost what came then, but says so only with its next record, which may
 * be long after this window.
 */
static int end_ring(struct live *live, struct ipi_corr *corr, int ring, u64 limit)
{
	struct live_ring *state = &live->ring[ring];

	if (state->loaded)
		return 0;
	ipi_rings__release(live->rings, ring);
	if (state->lost || state->bytes + RECORD_MAX > live->source.ring_bytes)
		return feed_lost(live, corr, ring, limit);
	return 0;
}

/* All events up to @limit ns; what comes while reading is left to the next time. */
static int drain_until(struct live *live, struct ipi_corr *corr, u64 limit)
{
	int i, err = 0;

	fill_heap(live);
	while (!err && live->nr_heap && live->ring[live->heap[0]].head.time <= limit)
		err = feed_first(live, corr);
	for (i = 0; !err && i < live->cpus.nr; i++)
		err = end_ring(live, corr, i, limit);
	return err;
}

static int live_drain(struct ipi_source *source, struct ipi_corr *corr)
{
	return drain_until(to_live(source), corr, now_ns());
}

/* Stop, and throw away what has come: what was seen is what was counted. */
static void stand_still(struct live *live)
{
	ipi_rings__disable(live->rings);
	drain_until(live, NULL, UINT64_MAX);
}

static int live_loss(struct ipi_source *source, struct ipi_source_loss *loss)
{
	struct live *live = to_live(source);
	u64 counted, lost, told = 0, accounted;
	int ring, i, err = 0;

	memset(loss, 0, sizeof(*loss));
	stand_still(live);
	for (ring = 0; !err && ring < live->cpus.nr; ring++) {
		for (i = 0; !err && i < live->nr_events; i++) {
			const struct live_count *count = &live->count[ring * live->nr_events + i];

			err = ipi_rings__read(live->rings, i, ring, &counted, &lost);
			if (err)
				break;
			lost -= count->base_lost;
			told += lost;
			accounted = count->seen + lost;
			counted -= count->base;
			if (counted > accounted)
				loss->vanished += counted - accounted;
		}
	}
	ipi_rings__enable(live->rings);
	if (ipi_rings__tell_lost(live->rings)) {
		/* A LOST record may be of before the reset: a ring says it with its next event. */
		loss->lost = told;
	} else {
		/* It doesn't say of which event: they didn't vanish. */
		loss->lost = live->lost;
		loss->vanished -= loss->vanished < live->lost ? loss->vanished : live->lost;
	}
	return err;
}

static int live_reset(struct ipi_source *source)
{
	struct live *live = to_live(source);
	int ring, i, err = 0;

	stand_still(live);
	for (ring = 0; !err && ring < live->cpus.nr; ring++) {
		live->ring[ring].lost = 0;
		for (i = 0; !err && i < live->nr_events; i++) {
			struct live_count *count = &live->count[ring * live->nr_events + i];

			count->seen = 0;
			err = ipi_rings__read(live->rings, i, ring, &count->base,
					      &count->base_lost);
		}
	}
	live->lost = 0;
	ipi_rings__enable(live->rings);
	/* Enabling has sent IPIs of its own. */
	return err ? err : drain_until(live, NULL, now_ns());
}

static void live_close(struct ipi_source *source)
{
	struct live *live = to_live(source);

	ipi_rings__delete(live->rings);
	ipi_decode__delete(live->decode);
	ipi_cpus__free(&live->cpus);
	free(live->ring);
	free(live->heap);
	ipi_ids__free(&live->ids);
	free(live->count);
	free(live);
}

const struct ipi_source_ops ipi_live__ops = {
	.drain = live_drain,
	.loss = live_loss,
	.reset = live_reset,
	.close = live_close,
};
