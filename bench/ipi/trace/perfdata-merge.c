// SPDX-License-Identifier: GPL-2.0
/*
 * Brings the noted records of a recording into time order, with the memory of two rounds.
 *
 * perf record empties one ring after the other and then writes a FINISHED_ROUND. A ring is in time
 * order, or in the opposite one if it is overwritten from behind. So a round is a few runs of
 * ascending or descending times, which are told from the times alone, and merged two by two: a
 * merge goes through memory in order and its choice needs no branch, which a heap of runs can't
 * have. When a round ends, nothing older than the latest event of the round before can come any
 * more: up to there the notes are due, all of the round before and some of this one.
 */
#include <errno.h>
#include <stdlib.h>

#include "pd.h"

static int grow(struct pd_notes *notes, size_t need)
{
	size_t room = notes->room ? notes->room : 4096;
	struct pd_note *note;

	while (room < need)
		room *= 2;
	if (room == notes->room)
		return 0;
	note = realloc(notes->note, room * sizeof(*note));
	if (!note)
		return -ENOMEM;
	notes->note = note;
	notes->room = room;
	return 0;
}

static int begin_run(struct pd_merge *merge)
{
	size_t room, *run;

	if (merge->nr_runs == merge->room_runs) {
		room = merge->room_runs ? merge->room_runs * 2 : 64;
		run = realloc(merge->run, room * sizeof(*run));
		if (!run)
			return -ENOMEM;
		merge->run = run;
		merge->room_runs = room;
	}
	merge->run[merge->nr_runs++] = merge->coming.nr;
	merge->step = 0;
	return 0;
}

/* A run the other way round is turned. */
static void end_run(struct pd_merge *merge)
{
	struct pd_note *a, *b, note;

	if (merge->step >= 0)
		return;
	a = merge->coming.note + merge->run[merge->nr_runs - 1];
	b = merge->coming.note + merge->coming.nr - 1;
	for (; a < b; a++, b--) {
		note = *a;
		*a = *b;
		*b = note;
	}
}

static int push(struct pd_merge *merge, u64 time, unsigned char *record)
{
	struct pd_notes *coming = &merge->coming;
	struct pd_note *note;
	int step;

	if (coming->nr == coming->room && grow(coming, coming->nr + 1))
		return -ENOMEM;
	note = &coming->note[coming->nr];
	step = coming->nr && time < note[-1].time ? -1 : 1;
	if (!merge->step)
		merge->step = coming->nr ? step : 0;
	if (!coming->nr || step != merge->step) {
		end_run(merge);
		if (begin_run(merge))
			return -ENOMEM;
		note = &coming->note[coming->nr];
	}
	note->time = time;
	note->record = record;
	coming->nr++;
	return 0;
}

/* The last note comes off again. */
static void pop(struct pd_merge *merge)
{
	size_t first = merge->run[merge->nr_runs - 1];

	merge->coming.nr--;
	if (merge->coming.nr == first) {
		/* What is left is a run that has ended and was turned: nothing is added to it. */
		merge->nr_runs--;
		merge->step = merge->nr_runs ? 2 : 0;
	} else if (merge->coming.nr == first + 1) {
		merge->step = 0;
	}
}

/*
 * A loss stands in front of the event that found room again, but is stamped after it: it gets that
 * event's time, so that it stays in front.
 */
static int settle_lost(struct ipi_perfdata *data, u64 time, const unsigned char *record)
{
	struct pd_merge *merge = &data->merge;
	struct pd_note lost = merge->coming.note[merge->coming.nr - 1];
	int lost_cpu = merge->lost_cpu;
	const struct pd_attr *attr;
	u32 index;

	merge->lost_cpu = -1;
	memcpy(&index, record, sizeof(index));
	if (index >= data->nr_attrs || time >= lost.time)
		return 0;
	attr = &data->attr[index];
	if ((int)pd_u32(data, record + attr->at_cpu) != lost_cpu)
		return 0;
	pop(merge);
	return push(merge, time, lost.record);
}

int ipi_pd__note(struct ipi_perfdata *data, u64 time, unsigned char *record)
{
	if (data->merge.lost_cpu >= 0 && settle_lost(data, time, record))
		return -ENOMEM;
	return push(&data->merge, time, record);
}

int ipi_pd__note_lost(struct ipi_perfdata *data, u64 time, unsigned char *record, int cpu)
{
	int err = push(&data->merge, time, record);

	data->merge.lost_cpu = err ? -1 : cpu;
	return err;
}

/*
 * Of equal times those of @a come first. From both ends at once: each choice waits for the one
 * before it, so that two rows of choices take no longer than one.
 */
static void merge_two(struct pd_note *to, const struct pd_note *a, size_t nr_a,
		      const struct pd_note *b, size_t nr_b)
{
	const struct pd_note *end_a = a + nr_a, *end_b = b + nr_b;
	struct pd_note *end = to + nr_a + nr_b;
	size_t second, last;

	while (a < end_a && b < end_b) {
		second = b->time < a->time;
		*to++ = *(second ? b : a);
		a += 1 - second;
		b += second;
		if (a == end_a || b == end_b)
			break;
		last = end_b[-1].time >= end_a[-1].time;
		*--end = *(last ? end_b - 1 : end_a - 1);
		end_a -= 1 - last;
		end_b -= last;
	}
	memcpy(to, a, (end_a - a) * sizeof(*to));
	memcpy(to + (end_a - a), b, (end_b - b) * sizeof(*to));
}

static void swap_notes(struct pd_notes *a, struct pd_notes *b)
{
	struct pd_notes notes = *a;

	*a = *b;
	*b = notes;
}

/* All runs become one, two by two. */
static int sort(struct pd_merge *merge)
{
	struct pd_notes *coming = &merge->coming, *other = &merge->other;
	size_t i, nr, middle, end;

	if (grow(coming, coming->nr) || grow(other, coming->nr))
		return -ENOMEM;
	end_run(merge);
	while (merge->nr_runs > 1) {
		for (i = 0, nr = 0; i < merge->nr_runs; i += 2, nr++) {
			size_t begin = merge->run[i];

			middle = i + 1 < merge->nr_runs ? merge->run[i + 1] : coming->nr;
			end = i + 2 < merge->nr_runs ? merge->run[i + 2] : coming->nr;
			merge_two(other->note + begin, coming->note + begin, middle - begin,
				  coming->note + middle, end - middle);
			merge->run[nr] = begin;
		}
		other->nr = coming->nr;
		swap_notes(coming, other);
		merge->nr_runs = nr;
	}
	return 0;
}

/* How many of the sorted notes are not later than @limit. */
static size_t not_later(const struct pd_notes *notes, u64 limit)
{
	size_t low = 0, high = notes->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (notes->note[mid].time <= limit)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* What was left is due, with the first @now that came; the others are left then. */
static int become_due(struct pd_merge *merge, size_t now)
{
	struct pd_notes *coming = &merge->coming, *left = &merge->left, *due = &merge->due;
	size_t nr = left->nr - left->at;

	if (now) {
		if (grow(due, nr + now) || grow(left, left->nr))
			return -ENOMEM;
		merge_two(due->note, left->note + left->at, nr, coming->note, now);
		due->at = 0;
		due->nr = nr + now;
	} else {
		swap_notes(due, left);
	}
	swap_notes(left, coming);
	left->at = now;
	return 0;
}

/* @last: nothing comes after it, so that all notes are due. */
int ipi_pd__round_end(struct ipi_perfdata *data, bool last)
{
	struct pd_merge *merge = &data->merge;
	struct pd_notes *coming = &merge->coming;
	size_t now;

	if (sort(merge))
		return -ENOMEM;
	now = last ? coming->nr : not_later(coming, merge->max_time);
	if (coming->nr && coming->note[coming->nr - 1].time > merge->max_time)
		merge->max_time = coming->note[coming->nr - 1].time;
	if (become_due(merge, now))
		return -ENOMEM;
	coming->nr = 0;
	merge->nr_runs = 0;
	merge->step = 0;
	merge->lost_cpu = -1;
	merge->on = true;
	return 0;
}

static void put_chunks(struct ipi_perfdata *data, struct pd_chunk **chunks)
{
	struct pd_chunk *chunk;

	while (*chunks) {
		chunk = *chunks;
		*chunks = chunk->next;
		ipi_pd__put_chunk(data, chunk);
	}
}

/* What is left lies in chunks of this round: those of the one before are free. */
void ipi_pd__all_taken(struct ipi_perfdata *data)
{
	struct pd_merge *merge = &data->merge;

	if (!merge->on)
		return;
	put_chunks(data, &merge->old_chunks);
	merge->old_chunks = merge->chunks;
	merge->chunks = NULL;
	merge->bytes = 0;
	merge->on = false;
}

void ipi_pd__merge_exit(struct ipi_perfdata *data)
{
	struct pd_merge *merge = &data->merge;

	put_chunks(data, &merge->old_chunks);
	put_chunks(data, &merge->chunks);
	free(merge->coming.note);
	free(merge->other.note);
	free(merge->left.note);
	free(merge->due.note);
	free(merge->run);
}
