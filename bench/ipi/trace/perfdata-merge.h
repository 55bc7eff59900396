/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of a recording on their way into time order, with the memory of two rounds. One
 * operation is one event, noted and given out again. Private to perfdata*.c.
 *
 * An event is written where it will stay: pd_room(), filled, pd_note(). At the end of a round,
 * ipi_pd__round_end(), and pd_take() until there is none; then ipi_pd__all_taken().
 */
#ifndef IPI_TRACE_PERFDATA_MERGE_H
#define IPI_TRACE_PERFDATA_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/compiler.h>

#include "event.h"

#define PD_EVENTS	4096U		/* in a block */
#define PD_AHEAD	4		/* events of a run, fetched so much before their turn */
#define PD_NOTHING	UINT64_MAX	/* the key of a leaf that has nothing left */

/* Kinds of what is noted and no event. */
enum pd_kind {
	PD_COMM = IPI_EVENT_NR,		/* its mask is the name, of PD_COMM_LEN bytes */
	PD_FORK,			/* pid is the parent's thread */
	PD_EXIT,
};

#define PD_COMM_LEN	16		/* TASK_COMM_LEN */

/* Events, one behind the other; or what some have of variable size. Whole lines of a cache. */
struct pd_block {
	struct ipi_event event[PD_EVENTS];
	struct pd_block *next;
} __aligned(sizeof(struct ipi_event));

/**
 * struct pd_run - events of one block in the order of time
 * @at:		the next
 * @nr:		how many there are still
 * @step:	1; -1 where they lie the other way round; 0 if there is but one, so far
 * @next:	index of a run that goes on where it ends, 0 if there is none
 * @leaf:	of the tree, where it and those it goes on with are
 */
struct pd_run {
	struct ipi_event *at;
	size_t nr;
	ptrdiff_t step;
	u32 next;
	u32 leaf;
};

struct pd_runs {
	struct pd_run *run;
	size_t nr;
	size_t room;
};

/* Runs of which each goes on where the one before ends. */
struct pd_chain {
	u32 head;			/* index of the first */
	u32 tail;			/* of the last */
};

/**
 * struct pd_merge - two rounds being merged
 * @block:	being filled with events, NULL before the first
 * @next:	the place of the next
 * @end:	of @block
 * @more:	as @block, with what events have of variable size
 * @more_used:	bytes of it
 * @coming:	runs of the round being read, in the order of the file
 * @open:	the last of them is not complete
 * @quick:	an event not before @last just goes on with it
 * @last:	ns, its last event
 * @lost:	the loss noted last if its event is to come, else NULL
 * @left:	runs of the round before, due with the next
 * @due:	runs whose turn it is, in the order of the file
 * @run_mask:	bits of a key that are a run's
 * @chain:	of them
 * @nr_chains:	how many
 * @chain_room:	of @chain
 * @key:	a tree of chains, see pd_key(): [1] is the root, [i] has [2 i] and [2 i + 1] below
 *		it and is the lesser of them
 * @leaves:	a power of two; the first is key[leaves]
 * @key_room:	of @key
 * @base:	ns, the earliest of @due
 * @shift:	of a time, to where its bits are in a key
 * @on:		blocks are to be given back when @due is at its end
 * @max_time:	ns, the latest of all rounds that ended
 * @full:	blocks filled up in this round
 * @bytes:	of @full
 * @old:	blocks filled up in the round before
 * @free:	blocks to be used again
 */
struct pd_merge {
	struct pd_block *block;
	struct ipi_event *next;
	struct ipi_event *end;
	struct pd_block *more;
	size_t more_used;
	struct pd_runs coming;
	bool open;
	bool quick;
	u64 last;
	struct ipi_event *lost;
	struct pd_runs left;
	struct pd_runs due;
	u64 run_mask;
	struct pd_chain *chain;
	size_t nr_chains;
	size_t chain_room;
	u64 *key;
	size_t leaves;
	size_t key_room;
	u64 base;
	unsigned int shift;
	bool on;
	u64 max_time;
	struct pd_block *full;
	size_t bytes;
	struct pd_block *old;
	struct pd_block *free;
};

int ipi_pd__merge_init(struct pd_merge *merge);
void ipi_pd__merge_exit(struct pd_merge *merge);
int ipi_pd__new_block(struct pd_merge *merge);
void *ipi_pd__more(struct pd_merge *merge, size_t size);	/* NULL without memory */
int ipi_pd__note(struct pd_merge *merge, struct ipi_event *event);
int ipi_pd__note_lost(struct pd_merge *merge, struct ipi_event *event);
/* @last: nothing comes after it, so that all is due. */
int ipi_pd__round_end(struct pd_merge *merge, bool last);
void ipi_pd__all_taken(struct pd_merge *merge);

/* The place of the next event, taken when it is noted. NULL without memory. */
static inline struct ipi_event *pd_room(struct pd_merge *merge)
{
	if (merge->next == merge->end && ipi_pd__new_block(merge))
		return NULL;
	return merge->next;
}

/* What pd_room() gave is an event. As ipi_pd__note(), which is called for few. */
static inline int pd_note(struct pd_merge *merge, struct ipi_event *event)
{
	if (!merge->quick || event->time < merge->last)
		return ipi_pd__note(merge, event);
	merge->last = event->time;
	merge->next++;
	return 0;
}

/*
 * What orders the first events of runs: their time, and of equal times the order of the file. Where
 * a round lasts too long for that, which is weeks for thousands of CPUs, the lowest bits of times
 * are cut off.
 */
static inline u64 pd_key(const struct pd_merge *merge, u64 run, u64 time)
{
	return ((time - merge->base) << merge->shift & ~merge->run_mask) | run;
}

/* A leaf has another key: up from there. Without a branch, nor waiting for what was just stored. */
static inline void pd_climb(struct pd_merge *merge, size_t leaf, u64 key)
{
	size_t at = merge->leaves + leaf;
	u64 other;

	merge->key[at] = key;
	for (; at > 1; at /= 2) {
		other = merge->key[at ^ 1];
		key = other < key ? other : key;
		merge->key[at / 2] = key;
	}
}

/*
 * The next event whose turn has come; it stays where it is until the one after is asked for. NULL
 * at the end of what is due.
 */
static inline const struct ipi_event *pd_take(struct pd_merge *merge)
{
	const struct ipi_event *event;
	struct pd_run *run;
	u64 index;
	u32 leaf;

	if (merge->key[1] == PD_NOTHING)
		return NULL;
	index = merge->key[1] & merge->run_mask;
	run = &merge->due.run[index];
	leaf = run->leaf;
	event = run->at;
	run->at += run->step;
	if (!--run->nr && run->next) {
		index = run->next;
		run = &merge->due.run[index];
	}
	__builtin_prefetch(run->at + PD_AHEAD * run->step);
	pd_climb(merge, leaf, run->nr ? pd_key(merge, index, run->at->time) : PD_NOTHING);
	return event;
}

#endif
