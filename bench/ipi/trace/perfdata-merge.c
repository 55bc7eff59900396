// SPDX-License-Identifier: GPL-2.0
/*
 * Brings the noted records of a recording into time order, with the memory of two rounds.
 *
 * perf record empties one ring after the other and then writes a FINISHED_ROUND. A ring is in time
 * order, or in the opposite one if it is overwritten from behind. So a round is a few runs of
 * ascending or descending times, which are told from the times alone, and merged by a heap. When a
 * round ends, nothing older than the latest event of the round before can come any more: up to
 * there the notes are due, which are all of the round before and some of this one.
 */
#include <errno.h>
#include <stdlib.h>

#include "pd.h"

static int grow(void **array, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 1024;
	void *bigger = realloc(*array, more * size);

	if (!bigger)
		return -ENOMEM;
	*array = bigger;
	*room = more;
	return 0;
}

static int new_run(struct pd_round *round)
{
	struct pd_run *run;

	if (round->nr_runs == round->room_runs &&
	    grow((void **)&round->run, &round->room_runs, sizeof(*round->run)))
		return -ENOMEM;
	run = &round->run[round->nr_runs++];
	run->at = round->nr;
	run->left = 1;
	run->step = 0;
	return 0;
}

static int push(struct pd_round *round, u64 time, unsigned char *record)
{
	struct pd_note *note;
	struct pd_run *run;
	int step;

	if (round->nr == round->room &&
	    grow((void **)&round->note, &round->room, sizeof(*round->note)))
		return -ENOMEM;
	note = &round->note[round->nr];
	note->time = time;
	note->record = record;
	if (time > round->max_time)
		round->max_time = time;

	if (round->nr_runs) {
		run = &round->run[round->nr_runs - 1];
		step = time >= note[-1].time ? 1 : -1;
		if (!run->step)
			run->step = step;
		if (run->step == step) {
			run->left++;
			round->nr++;
			return 0;
		}
	}
	if (new_run(round))
		return -ENOMEM;
	round->nr++;
	return 0;
}

static void pop(struct pd_round *round)
{
	struct pd_run *run = &round->run[round->nr_runs - 1];

	round->nr--;
	if (!--run->left)
		round->nr_runs--;
	else if (run->left == 1)
		run->step = 0;
}

/*
 * A loss stands in front of the event that found room again, but is stamped after it: it gets that
 * event's time, so that it stays in front.
 */
static int settle_lost(struct ipi_perfdata *data, struct pd_round *round, u64 time,
		       const unsigned char *record)
{
	struct pd_note lost = round->note[round->nr - 1];
	int lost_cpu = round->lost_cpu;
	const struct pd_attr *attr;
	u32 index;

	round->lost_cpu = -1;
	memcpy(&index, record, sizeof(index));
	if (index >= data->nr_attrs || time >= lost.time)
		return 0;
	attr = &data->attr[index];
	if ((int)pd_u32(data, record + attr->at_cpu) != lost_cpu)
		return 0;
	pop(round);
	return push(round, time, lost.record);
}

int ipi_pd__note(struct ipi_perfdata *data, u64 time, unsigned char *record)
{
	struct pd_round *round = &data->merge.round[1];

	if (round->lost_cpu >= 0 && settle_lost(data, round, time, record))
		return -ENOMEM;
	return push(round, time, record);
}

int ipi_pd__note_lost(struct ipi_perfdata *data, u64 time, unsigned char *record, int cpu)
{
	struct pd_round *round = &data->merge.round[1];
	int err = push(round, time, record);

	round->lost_cpu = err ? -1 : cpu;
	return err;
}

static bool before(const struct pd_head *a, const struct pd_head *b)
{
	return a->time < b->time || (a->time == b->time && a->run < b->run);
}

/* The first of the heap was replaced: down to where it belongs. */
static void sift(struct pd_head *heap, size_t nr)
{
	struct pd_head head = heap[0];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < nr) {
		if (child + 1 < nr && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &head))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = head;
}

static void insert(struct pd_merge *merge, u64 time, u32 run)
{
	struct pd_head head = { .time = time, .run = run };
	size_t at = merge->nr_heap++;

	while (at && before(&head, &merge->heap[(at - 1) / 2])) {
		merge->heap[at] = merge->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	merge->heap[at] = head;
}

/* @last: nothing comes after it, so that all notes are due. */
int ipi_pd__round_end(struct ipi_perfdata *data, bool last)
{
	struct pd_merge *merge = &data->merge;
	struct pd_round *old = &merge->round[0], *new = &merge->round[1];
	size_t i;

	while (merge->room_heap < old->nr_runs + new->nr_runs) {
		if (grow((void **)&merge->heap, &merge->room_heap, sizeof(*merge->heap)))
			return -ENOMEM;
	}
	new->lost_cpu = -1;
	merge->limit = last ? UINT64_MAX : old->max_time;
	/* Of an empty round the next one needs the time as well. */
	if (new->max_time < old->max_time)
		new->max_time = old->max_time;

	merge->nr_heap = 0;
	for (i = 0; i < old->nr_runs; i++) {
		if (old->run[i].left)
			insert(merge, old->note[old->run[i].at].time, i);
	}
	for (i = 0; i < new->nr_runs; i++) {
		struct pd_run *run = &new->run[i];

		if (run->step < 0)
			run->at += run->left - 1;
		insert(merge, new->note[run->at].time, old->nr_runs + i);
	}
	merge->on = true;
	return 0;
}

static void put_chunks(struct ipi_perfdata *data, struct pd_round *round)
{
	struct pd_chunk *chunk;

	while (round->chunks) {
		chunk = round->chunks;
		round->chunks = chunk->next;
		ipi_pd__put_chunk(data, chunk);
	}
	round->bytes = 0;
}

/* What is left of the latest round waits for the next; the memory of the one before is its. */
static void turn(struct ipi_perfdata *data)
{
	struct pd_merge *merge = &data->merge;
	struct pd_round old = merge->round[0];

	put_chunks(data, &old);
	old.nr = 0;
	old.nr_runs = 0;
	old.max_time = 0;
	old.lost_cpu = -1;
	merge->round[0] = merge->round[1];
	merge->round[1] = old;
	merge->on = false;
}

/* The next note whose turn has come; it stays where it is until the one after is asked for. */
const struct pd_note *ipi_pd__take(struct ipi_perfdata *data)
{
	struct pd_merge *merge = &data->merge;
	struct pd_head *first = merge->heap;
	const struct pd_note *note;
	struct pd_round *round = merge->round;
	struct pd_run *run;
	size_t index;

	if (!merge->on)
		return NULL;
	if (!merge->nr_heap || first->time > merge->limit) {
		turn(data);
		return NULL;
	}
	index = first->run;
	if (index >= round->nr_runs) {
		index -= round->nr_runs;
		round++;
	}
	run = &round->run[index];
	note = &round->note[run->at];
	if (--run->left) {
		run->at += run->step;
		first->time = round->note[run->at].time;
		__builtin_prefetch(round->note[run->at].record);
		__builtin_prefetch(round->note[run->at].record + 64);
		sift(merge->heap, merge->nr_heap);
	} else if (--merge->nr_heap) {
		*first = merge->heap[merge->nr_heap];
		sift(merge->heap, merge->nr_heap);
	}
	return note;
}

void ipi_pd__merge_exit(struct ipi_perfdata *data)
{
	int i;

	for (i = 0; i < 2; i++) {
		struct pd_round *round = &data->merge.round[i];

		put_chunks(data, round);
		free(round->note);
		free(round->run);
	}
	free(data->merge.heap);
}
