// SPDX-License-Identifier: GPL-2.0
/*
 * Events of a recording into time order: random rings in random rounds, of either direction, with
 * losses, against a list that is searched for the earliest, and the ends of what a time can be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/trace/perfdata-merge.h"
#include "random.h"

#define RINGS		40
#define EVENTS		40000	/* of a history: some blocks */
#define PART		50	/* of a ring in a round, without losses */
#define HISTORIES	60

/**
 * struct history - what was noted, in the order of the file
 * @merge:	put to the test
 * @time:	ns, by serial number
 * @ring:	by serial number
 * @given:	given out, by serial number
 * @nr:		noted
 * @nr_given:	given out
 * @random:	state
 */
struct history {
	struct pd_merge merge;
	u64 time[EVENTS];
	int ring[EVENTS];
	bool given[EVENTS];
	int nr;
	int nr_given;
	u64 random;
};

static u64 draw(struct history *history, u64 below)
{
	return next_random(&history->random) % below;
}

static struct history *new_history(u64 seed)
{
	struct history *history = calloc(1, sizeof(*history));

	assert_non_null(history);
	history->random = seed;
	assert_int_equal(ipi_pd__merge_init(&history->merge), 0);
	assert_null(pd_take(&history->merge));
	return history;
}

static void end_history(struct history *history)
{
	assert_int_equal(history->nr_given, history->nr);
	ipi_pd__merge_exit(&history->merge);
	free(history);
}

static struct ipi_event *new_event(struct history *history, u64 time)
{
	struct ipi_event *event = pd_room(&history->merge);

	assert_non_null(event);
	*event = (struct ipi_event){ .time = time };
	return event;
}

static struct ipi_event *fill(struct history *history, int ring, u64 time)
{
	struct ipi_event *event = new_event(history, time);
	unsigned char *mask;

	assert_true(history->nr < EVENTS);
	event->cpu = ring;
	event->func = history->nr;
	/* Some have more, of any size. */
	if (!draw(history, 8)) {
		event->mask_bytes = 1 + draw(history, draw(history, 50) ? 16 : UINT16_MAX);
		mask = ipi_pd__more(&history->merge, event->mask_bytes);
		assert_non_null(mask);
		memset(mask, history->nr & 0xff, event->mask_bytes);
		event->mask = mask;
	}
	history->time[history->nr] = time;
	history->ring[history->nr] = ring;
	history->nr++;
	return event;
}

static void note(struct history *history, int ring, u64 time)
{
	assert_int_equal(pd_note(&history->merge, fill(history, ring, time)), 0);
}

/* Stamped when @time is over, though it stands in front of that event. */
static void note_lost(struct history *history, int ring, u64 time)
{
	struct ipi_event *event = fill(history, ring, time + draw(history, 3));

	event->kind = IPI_EVENT_LOST;
	assert_int_equal(ipi_pd__note_lost(&history->merge, event), 0);
	history->time[history->nr - 1] = time;
	note(history, ring, time);
}

/* What goes along with an event is as it was when it was noted. */
static void check_whole(const struct history *history, const struct ipi_event *event)
{
	u32 i;

	assert_true(event->func < (u64)history->nr);
	assert_int_equal(event->time, history->time[event->func]);
	assert_int_equal(event->cpu, history->ring[event->func]);
	for (i = 0; i < event->mask_bytes; i++)
		assert_int_equal(event->mask[i], event->func & 0xff);
}

/* All that is due: in time order, and of equal times in that of the file. */
static int take_all(struct history *history, u64 limit)
{
	u64 last = 0, last_serial = 0;
	const struct ipi_event *event;
	int nr = 0;

	while ((event = pd_take(&history->merge))) {
		check_whole(history, event);
		assert_true(event->time >= last && event->time <= limit);
		if (nr && event->time == last)
			assert_true(event->func > last_serial);
		assert_false(history->given[event->func]);
		history->given[event->func] = true;
		history->nr_given++;
		last = event->time;
		last_serial = event->func;
		nr++;
	}
	ipi_pd__all_taken(&history->merge);
	return nr;
}

/* How many not yet given out are not later than @limit. */
static int nr_due(const struct history *history, u64 limit)
{
	int i, nr = 0;

	for (i = 0; i < history->nr; i++)
		nr += !history->given[i] && history->time[i] <= limit;
	return nr;
}

/* A ring's part of a round: from where the ring stands on, not beyond @end. */
static void note_ring(struct history *history, int ring, u64 *stands, u64 end, bool backward)
{
	int nr = draw(history, PART), i;
	u64 time[PART];

	for (i = 0; i < nr && *stands < end; i++) {
		*stands += draw(history, 4) ? draw(history, 2 * (end - *stands) / nr + 2) : 0;
		time[i] = *stands;
	}
	nr = i;
	for (i = 0; i < nr; i++) {
		if (!backward && !draw(history, 30))
			note_lost(history, ring, time[i]);
		else
			note(history, ring, time[backward ? nr - 1 - i : i]);
	}
}

/* A round reads rings one after the other, while time goes on: it may find what is later yet. */
static void check_history(u64 seed, bool backward)
{
	struct history *history = new_history(seed);
	int rings = 1 + draw(history, RINGS), round, ring, due;
	u64 stands[RINGS] = { 0 }, end = 1000, max = 0, limit;

	for (round = 0; round < 10; round++, end += 1000) {
		for (ring = 0; ring < rings; ring++) {
			note_ring(history, ring, &stands[ring], end + 10 * ring, backward);
			max = stands[ring] > max ? stands[ring] : max;
		}
		limit = history->merge.max_time;
		due = nr_due(history, limit);
		assert_int_equal(ipi_pd__round_end(&history->merge, false), 0);
		assert_int_equal(history->merge.max_time, max);
		assert_int_equal(take_all(history, limit), due);
	}
	assert_int_equal(ipi_pd__round_end(&history->merge, true), 0);
	take_all(history, UINT64_MAX);
	end_history(history);
}

static void test_histories(void **state)
{
	int i;

	(void)state;
	for (i = 1; i <= HISTORIES; i++)
		check_history(0x9e3779b97f4a7c15ULL * i, i & 1);
}

/* As files can have them that nobody recorded: runs of one, none later than @late ns. */
static void check_any_times(u64 below, u64 late)
{
	struct history *history = new_history(below | 1);
	const struct ipi_event *event;
	u64 last = 0;
	int i;

	for (i = 0; i < EVENTS; i++)
		note(history, i % RINGS, draw(history, 50) ? draw(history, below) :
		     draw(history, 2) * (below - 1));
	assert_int_equal(ipi_pd__round_end(&history->merge, true), 0);
	while ((event = pd_take(&history->merge))) {
		check_whole(history, event);
		assert_true(event->time >= last || last - event->time < late);
		last = event->time;
		history->nr_given++;
	}
	end_history(history);
}

static void test_any_times(void **state)
{
	(void)state;
	check_any_times(100, 0);
	check_any_times(1ULL << 48, 0);
	/* Centuries: more than goes into a key, with so many runs. */
	check_any_times(UINT64_MAX, 1 << 16);
}

/* One ring alone has no need of keys. */
static void test_ends_of_time(void **state)
{
	static const u64 times[] = { 0, 0, 1, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX };
	struct history *history = new_history(1);
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(times); i++)
		note(history, 0, times[i]);
	assert_int_equal(ipi_pd__round_end(&history->merge, true), 0);
	assert_int_equal(take_all(history, UINT64_MAX), i);
	end_history(history);
}

/* Its event is in no round with it: nothing that comes later changes its time. */
static void test_loss_ends_round(void **state)
{
	struct history *history = new_history(1);
	struct ipi_event *lost;

	(void)state;
	note(history, 0, 5);
	lost = fill(history, 0, 10);
	lost->kind = IPI_EVENT_LOST;
	assert_int_equal(ipi_pd__note_lost(&history->merge, lost), 0);
	assert_int_equal(ipi_pd__round_end(&history->merge, false), 0);
	assert_int_equal(take_all(history, 0), 0);
	note(history, 0, 7);
	assert_int_equal(lost->time, 10);
	assert_int_equal(ipi_pd__round_end(&history->merge, true), 0);
	assert_int_equal(take_all(history, UINT64_MAX), 3);
	end_history(history);
}

/* Rounds without an end, of several blocks: these are given back, but not before their turn. */
static void test_memory(void **state)
{
	struct history *history = new_history(7);
	const int round = 3 * PD_EVENTS + 100;
	const struct ipi_event *event;
	struct pd_block *block;
	u64 taken = 0;
	int i, nr = 0;

	(void)state;
	for (i = 1; i <= 50 * round; i++) {
		assert_int_equal(pd_note(&history->merge, new_event(history, i)), 0);
		if (i % round)
			continue;
		assert_int_equal(ipi_pd__round_end(&history->merge, false), 0);
		while ((event = pd_take(&history->merge)))
			assert_int_equal(event->time, ++taken);
		assert_int_equal(taken, i - round);
		assert_true(history->merge.bytes >= 3 * sizeof(*block));
		ipi_pd__all_taken(&history->merge);
		assert_int_equal(history->merge.bytes, 0);
	}
	for (block = history->merge.free; block; block = block->next)
		nr++;
	assert_in_range(nr, 3, 4);
	end_history(history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_histories),
		cmocka_unit_test(test_any_times),
		cmocka_unit_test(test_ends_of_time),
		cmocka_unit_test(test_loss_ends_round),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
