// SPDX-License-Identifier: GPL-2.0
/*
 * Brings the noted events of a recording into time order, with the memory of two rounds.
 *
 * perf record empties one ring after the other and then writes a FINISHED_ROUND. A ring is in time
 * order, or in the opposite one if it is overwritten from behind. So a round is a few runs of
 * ascending or descending times, which are told from the times alone. When a round ends, nothing
 * older than the latest event of the round before can come any more: up to there events are due,
 * all of the round before and some of this one. They stay where they are: a tree with a leaf for
 * each ring, more or less, knows the earliest, and is put right from that leaf up when it was given
 * out. Its choices need no branch, and are made while the event before is still being worked on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>

#include "perfdata-merge.h"

/* @array with room for @need elements of @size bytes, perhaps elsewhere; NULL without memory. */
static void *grow(void *array, size_t *room, size_t need, size_t size)
{
	size_t more = *room ? *room : 64;

	if (need <= *room)
		return array;
	while (more < need)
		more *= 2;
	array = realloc(array, more * size);
	if (array)
		*room = more;
	return array;
}

static void free_blocks(struct pd_block *block)
{
	struct pd_block *next;

	for (; block; block = next) {
		next = block->next;
		free(block);
	}
}

void ipi_pd__merge_exit(struct pd_merge *merge)
{
	free(merge->block);
	free(merge->more);
	free_blocks(merge->full);
	free_blocks(merge->old);
	free_blocks(merge->free);
	free(merge->coming.run);
	free(merge->left.run);
	free(merge->due.run);
	free(merge->chain);
	free(merge->key);
}

/* A block in place of @full, which is given back with its round; NULL without memory. */
static struct pd_block *next_block(struct pd_merge *merge, struct pd_block *full)
{
	struct pd_block *block = merge->free;

	if (block)
		merge->free = block->next;
	else
		block = aligned_alloc(sizeof(struct ipi_event), sizeof(*block));
	if (block && full) {
		full->next = merge->full;
		merge->full = full;
		merge->bytes += sizeof(*full);
	}
	return block;
}

static int add_run(struct pd_runs *runs, const struct pd_run *new)
{
	struct pd_run *run = grow(runs->run, &runs->room, runs->nr + 1, sizeof(*run));

	if (!run)
		return -ENOMEM;
	runs->run = run;
	run[runs->nr++] = *new;
	return 0;
}

static struct pd_run *last_run(const struct pd_merge *merge)
{
	return &merge->coming.run[merge->coming.nr - 1];
}

static void end_run(struct pd_merge *merge)
{
	struct pd_run *run;

	if (!merge->open)
		return;
	run = last_run(merge);
	run->nr = merge->next - run->at;
	if (run->step < 0)
		run->at = merge->next - 1;
	else
		run->step = 1;
	merge->open = false;
	merge->quick = false;
}

/* It begins with the next event. */
static int begin_run(struct pd_merge *merge)
{
	const struct pd_run run = { .at = merge->next };

	end_run(merge);
	if (add_run(&merge->coming, &run))
		return -ENOMEM;
	merge->open = true;
	return 0;
}

int ipi_pd__new_block(struct pd_merge *merge)
{
	struct pd_block *block = next_block(merge, merge->block);

	if (!block)
		return -ENOMEM;
	end_run(merge);
	merge->block = block;
	merge->next = block->event;
	merge->end = block->event + PD_EVENTS;
	return 0;
}

void *ipi_pd__more(struct pd_merge *merge, size_t size)
{
	const size_t room = sizeof(merge->more->event);
	struct pd_block *block;
	unsigned char *byte;

	if (!merge->more || room - merge->more_used < size) {
		block = next_block(merge, merge->more);
		if (!block)
			return NULL;
		merge->more = block;
		merge->more_used = 0;
	}
	byte = (unsigned char *)merge->more->event + merge->more_used;
	merge->more_used += size;
	return byte;
}

/* Does it go on with the last run? One event alone can do so in either direction. */
static bool goes_on(struct pd_merge *merge, const struct ipi_event *event)
{
	int step = event->time < merge->last ? -1 : 1;
	struct pd_run *run;

	if (!merge->open)
		return false;
	run = last_run(merge);
	if (!run->step)
		run->step = step;
	return run->step == step;
}

static int go_on(struct pd_merge *merge, const struct ipi_event *event)
{
	if (!goes_on(merge, event) && begin_run(merge))
		return -ENOMEM;
	merge->quick = last_run(merge)->step > 0;
	merge->last = event->time;
	merge->next++;
	return 0;
}

/*
 * A loss stands in front of the event that found room again, but is stamped after it: it gets that
 * event's time, so that it stays in front. A run begins with it, and is it alone so far.
 */
static void settle_lost(struct pd_merge *merge, const struct ipi_event *event)
{
	struct ipi_event *lost = merge->lost;

	merge->lost = NULL;
	if (event->kind >= PD_COMM || event->cpu != lost->cpu || event->time >= lost->time)
		return;
	lost->time = event->time;
	merge->last = event->time;
}

int ipi_pd__note(struct pd_merge *merge, struct ipi_event *event)
{
	if (merge->lost)
		settle_lost(merge, event);
	return go_on(merge, event);
}

int ipi_pd__note_lost(struct pd_merge *merge, struct ipi_event *event)
{
	if (begin_run(merge))
		return -ENOMEM;
	merge->last = event->time;
	merge->lost = event;
	merge->next++;
	return 0;
}

static u64 last_time(const struct pd_run *run)
{
	return run->at[((ptrdiff_t)run->nr - 1) * run->step].time;
}

/* How many events of the run are not later than @limit. */
static size_t not_later(const struct pd_run *run, u64 limit)
{
	size_t low = 0, high = run->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (run->at[(ptrdiff_t)mid * run->step].time <= limit)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* What was left is due, with what came up to @limit; the rest is left then. */
static int become_due(struct pd_merge *merge, u64 limit)
{
	struct pd_runs due = merge->left;
	const struct pd_run *from;
	struct pd_run run;
	size_t i, nr;
	int err = 0;

	merge->left = merge->due;
	merge->left.nr = 0;
	merge->due = due;
	for (i = 0; i < merge->coming.nr; i++) {
		from = &merge->coming.run[i];
		nr = not_later(from, limit);
		run = *from;
		run.nr = nr;
		if (nr)
			err = add_run(&merge->due, &run);
		run.at += run.step * (ptrdiff_t)nr;
		run.nr = from->nr - nr;
		if (!err && run.nr)
			err = add_run(&merge->left, &run);
		if (err)
			return err;
	}
	merge->coming.nr = 0;
	return 0;
}

/* Does run @index go on where chain @leaf ends? If so it becomes part of it. */
static bool chain_up(struct pd_merge *merge, u32 leaf, u32 index)
{
	struct pd_run *run = &merge->due.run[index];
	struct pd_run *tail = &merge->due.run[merge->chain[leaf].tail];

	if (last_time(tail) > run->at->time)
		return false;
	tail->next = index;
	run->leaf = leaf;
	merge->chain[leaf].tail = index;
	return true;
}

static int add_chain(struct pd_merge *merge, u32 index)
{
	struct pd_chain *chain = grow(merge->chain, &merge->chain_room, merge->nr_chains + 1,
				      sizeof(*chain));

	if (!chain)
		return -ENOMEM;
	merge->chain = chain;
	merge->due.run[index].leaf = merge->nr_chains;
	chain += merge->nr_chains++;
	chain->head = index;
	chain->tail = index;
	return 0;
}

/*
 * The fewer chains, the lower the tree. Rings come in the same order in every round: a run goes on
 * with the one before it, if a block ended between them, or with that of the same rank of the
 * round before, which is the next that nothing was added to.
 */
static int make_chains(struct pd_merge *merge)
{
	u32 i, latest = 0, rank = 0;

	merge->nr_chains = 0;
	for (i = 0; i < merge->due.nr; i++) {
		if (merge->nr_chains && chain_up(merge, latest, i))
			continue;
		if (rank < merge->nr_chains && chain_up(merge, rank, i)) {
			latest = rank++;
			continue;
		}
		latest = merge->nr_chains;
		if (add_chain(merge, i))
			return -ENOMEM;
	}
	return 0;
}

static unsigned int bits_for(size_t nr)
{
	unsigned int bits = 0;

	while (1UL << bits < nr)
		bits++;
	return bits;
}

/* Where what is in a key: as many bits for the run as there are runs, and one of them for none. */
static void lay_out_keys(struct pd_merge *merge)
{
	unsigned int bits = bits_for(merge->due.nr + 1);
	u64 first = UINT64_MAX, last = 0;
	u32 i;

	for (i = 0; i < merge->due.nr; i++) {
		first = min(first, merge->due.run[i].at->time);
		last = max(last, last_time(&merge->due.run[i]));
	}
	merge->base = first;
	merge->run_mask = (1ULL << bits) - 1;
	merge->shift = bits;
	while (merge->due.nr && (last - first) << merge->shift >> merge->shift != last - first)
		merge->shift--;
}

static int build_tree(struct pd_merge *merge)
{
	size_t leaves = 1UL << bits_for(merge->nr_chains);
	const struct pd_run *run = merge->due.run;
	u64 *key = grow(merge->key, &merge->key_room, leaves * 2, sizeof(*key));
	u32 i, head;

	if (!key)
		return -ENOMEM;
	merge->key = key;
	merge->leaves = leaves;
	memset(key, 0xff, leaves * 2 * sizeof(*key));
	lay_out_keys(merge);
	for (i = 0; i < merge->nr_chains; i++) {
		head = merge->chain[i].head;
		pd_climb(merge, i, pd_key(merge, head, run[head].at->time));
	}
	return 0;
}

/* Nothing is due. */
int ipi_pd__merge_init(struct pd_merge *merge)
{
	return build_tree(merge);
}

static u64 latest_time(const struct pd_merge *merge)
{
	u64 time = merge->max_time;
	size_t i;

	for (i = 0; i < merge->coming.nr; i++) {
		u64 last = last_time(&merge->coming.run[i]);

		time = last > time ? last : time;
	}
	return time;
}

int ipi_pd__round_end(struct pd_merge *merge, bool last)
{
	u64 max_time;

	end_run(merge);
	merge->lost = NULL;
	max_time = latest_time(merge);
	if (become_due(merge, last ? UINT64_MAX : merge->max_time) || make_chains(merge) ||
	    build_tree(merge))
		return -ENOMEM;
	merge->max_time = max_time;
	merge->on = true;
	return 0;
}

/* What is left lies in blocks of this round: those of the one before are free. */
void ipi_pd__all_taken(struct pd_merge *merge)
{
	struct pd_block *block;

	if (!merge->on)
		return;
	while (merge->old) {
		block = merge->old;
		merge->old = block->next;
		block->next = merge->free;
		merge->free = block;
	}
	merge->old = merge->full;
	merge->full = NULL;
	merge->bytes = 0;
	merge->on = false;
}
