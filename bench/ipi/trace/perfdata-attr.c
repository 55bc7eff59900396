// SPDX-License-Identifier: GPL-2.0
/*
 * The events of a recording: what their perf_event_attr says of the layout of their samples, and
 * which of them has an id. perf makes sure that all events have their id at the same place of a
 * sample, so that it can be read before the event is known.
 */
#include <errno.h>
#include <stdlib.h>

#include <linux/kernel.h>
#include <linux/perf_event.h>

#include "../why.h"
#include "pd.h"

/* Where what is in a perf_event_attr. */
#define ATTR_TYPE		0
#define ATTR_SIZE		4
#define ATTR_CONFIG		8
#define ATTR_SAMPLE_TYPE	24
#define ATTR_READ_FORMAT	32
#define ATTR_FLAGS		40
#define ATTR_CLOCKID		92

#define FLAG_SAMPLE_ID_ALL	18
#define FLAG_USE_CLOCKID	25

#define SPAN_PER_ID		16	/* a table of ids may be this sparse */
#define SPAN_MIN		65536

/* All fields of fixed size that stand in front of READ, in their order. */
static const u64 fixed[] = {
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
	PERF_SAMPLE_ADDR, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
	PERF_SAMPLE_PERIOD,
};

/* Those at the end of other records. */
#define TRAILER	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
		 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

static u32 place(u64 sample_type, u64 field)
{
	u32 at = PD_HEADER;
	size_t i;

	if (!(sample_type & field))
		return 0;
	for (i = 0; fixed[i] != field; i++)
		at += sample_type & fixed[i] ? 8 : 0;
	return at;
}

static u32 id_place(u64 sample_type)
{
	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		return place(sample_type, PERF_SAMPLE_IDENTIFIER);
	return place(sample_type, PERF_SAMPLE_ID);
}

/* Bitfields begin with the highest bit of a byte where bytes begin with the highest of a word. */
static bool flag(const struct ipi_perfdata *data, const unsigned char *at, int nr)
{
	int bit = nr % 8;

	if (data->info.big_endian)
		bit = 7 - bit;
	return at[ATTR_FLAGS + nr / 8] >> bit & 1;
}

static void layout(struct pd_attr *attr)
{
	u64 type = attr->sample_type;
	size_t i;

	attr->at_time = place(type, PERF_SAMPLE_TIME);
	attr->at_tid = place(type, PERF_SAMPLE_TID);
	attr->at_cpu = place(type, PERF_SAMPLE_CPU);
	attr->at_tail = PD_HEADER;
	for (i = 0; i < ARRAY_SIZE(fixed); i++)
		attr->at_tail += type & fixed[i] ? 8 : 0;
	attr->at_data = attr->at_tail + sizeof(u32);
	attr->has_read = type & PERF_SAMPLE_READ;
	attr->has_chain = type & PERF_SAMPLE_CALLCHAIN;
	attr->moves = attr->has_read || attr->has_chain;
}

/* A perf_event_attr of any version. Return: 0, -EBADMSG, -ENOMEM. */
int ipi_pd__add_attr(struct ipi_perfdata *data, const unsigned char *at, size_t size)
{
	struct pd_attr *more, *attr;
	u32 attr_size;

	if (size < PERF_ATTR_SIZE_VER0 || data->nr_attrs == PD_ATTRS_MAX)
		return -EBADMSG;
	attr_size = pd_u32(data, at + ATTR_SIZE);
	if (attr_size > size)
		return -EBADMSG;
	if (!attr_size)
		attr_size = PERF_ATTR_SIZE_VER0;

	more = realloc(data->attr, (data->nr_attrs + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	data->attr = more;
	attr = &more[data->nr_attrs++];
	memset(attr, 0, sizeof(*attr));
	attr->type = pd_u32(data, at + ATTR_TYPE);
	attr->config = pd_u64(data, at + ATTR_CONFIG);
	attr->sample_type = pd_u64(data, at + ATTR_SAMPLE_TYPE);
	attr->read_format = pd_u64(data, at + ATTR_READ_FORMAT);
	attr->sample_id_all = flag(data, at, FLAG_SAMPLE_ID_ALL);
	if (attr_size >= ATTR_CLOCKID + sizeof(u32) && flag(data, at, FLAG_USE_CLOCKID)) {
		attr->use_clockid = true;
		attr->clockid = pd_u32(data, at + ATTR_CLOCKID);
	}
	layout(attr);
	return 0;
}

int ipi_pd__add_id(struct ipi_perfdata *data, u32 attr, u64 id)
{
	struct pd_ids *ids = &data->ids;
	struct pd_id *more;
	size_t room;

	if (ids->nr == ids->room) {
		room = ids->room ? ids->room * 2 : 64;
		more = realloc(ids->id, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		ids->id = more;
		ids->room = room;
	}
	ids->id[ids->nr].id = id;
	ids->id[ids->nr].attr = attr;
	ids->nr++;
	return 0;
}

static const char *clock_name(const struct pd_attr *attr)
{
	static const struct {
		s32 id;
		const char *name;
	} clocks[] = {
		{ 0, "CLOCK_REALTIME" }, { 1, "CLOCK_MONOTONIC" },
		{ 4, "CLOCK_MONOTONIC_RAW" }, { 7, "CLOCK_BOOTTIME" }, { 11, "CLOCK_TAI" },
	};
	size_t i;

	if (!attr->use_clockid)
		return "perf's clock";
	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (clocks[i].id == attr->clockid)
			return clocks[i].name;
	}
	return "a clock of another name";
}

/* All events are known: is there one place for the ids of all? */
int ipi_pd__settle_attrs(struct ipi_perfdata *data, struct ipi_why *why)
{
	u32 i;

	if (!data->nr_attrs)
		return ipi_why__set(why, 0, NULL, "the recording has no events");
	data->at_id = id_place(data->attr[0].sample_type);
	for (i = 1; i < data->nr_attrs; i++) {
		if (id_place(data->attr[i].sample_type) != data->at_id)
			return ipi_why__set(why, 0, NULL,
					    "the recording has events whose samples can't be told apart");
	}
	data->info.clock = clock_name(&data->attr[0]);
	return ipi_pd__sort_ids(data) ? ipi_why__set(why, ENOMEM, NULL, "ids") : 0;
}

static int by_id(const void *va, const void *vb)
{
	const struct pd_id *a = va, *b = vb;

	return (a->id > b->id) - (a->id < b->id);
}

int ipi_pd__sort_ids(struct ipi_perfdata *data)
{
	struct pd_ids *ids = &data->ids;
	size_t i;

	ids->sorted = true;
	if (!ids->nr)
		return 0;
	qsort(ids->id, ids->nr, sizeof(*ids->id), by_id);
	ids->base = ids->id[0].id;
	ids->span = ids->id[ids->nr - 1].id - ids->base;
	if (ids->span >= SPAN_MIN && ids->span / SPAN_PER_ID >= ids->nr)
		return 0;
	ids->span++;
	ids->direct = calloc(ids->span, sizeof(*ids->direct));
	if (!ids->direct)
		return -ENOMEM;
	for (i = 0; i < ids->nr; i++)
		ids->direct[ids->id[i].id - ids->base] = &data->attr[ids->id[i].attr];
	return 0;
}

/* Where they are too far apart for a table. */
struct pd_attr *ipi_pd__search_id(const struct ipi_perfdata *data, u64 id)
{
	const struct pd_ids *ids = &data->ids;
	const struct pd_id key = { .id = id }, *found = NULL;

	if (ids->nr)
		found = bsearch(&key, ids->id, ids->nr, sizeof(key), by_id);
	return found ? &data->attr[found->attr] : NULL;
}

/* Past PERF_SAMPLE_READ. Return: false if it is not all there. */
static bool pass_read(const struct ipi_perfdata *data, const struct pd_attr *attr,
		      const unsigned char *record, u32 size, u32 *pos)
{
	u64 format = attr->read_format, words = 1, each = 1, nr;

	words += !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED);
	words += !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	each += !!(format & PERF_FORMAT_ID);
	each += !!(format & PERF_FORMAT_LOST);
	if (!(format & PERF_FORMAT_GROUP)) {
		words += each - 1;
	} else {
		if (size - *pos < sizeof(u64))
			return false;
		nr = pd_u64(data, record + *pos);
		if (nr > size / sizeof(u64))
			return false;
		words += nr * each;
	}
	if ((size - *pos) / sizeof(u64) < words)
		return false;
	*pos += words * sizeof(u64);
	return true;
}

static bool pass_chain(const struct ipi_perfdata *data, const unsigned char *record, u32 size,
		       u32 *pos)
{
	u64 nr;

	if (size - *pos < sizeof(u64))
		return false;
	nr = pd_u64(data, record + *pos);
	*pos += sizeof(u64);
	if (nr > (size - *pos) / sizeof(u64))
		return false;
	*pos += nr * sizeof(u64);
	return true;
}

/* The raw data of a sample that has them; @size is at least @attr->at_tail. */
bool ipi_pd__find_raw(const struct ipi_perfdata *data, const struct pd_attr *attr,
		      const unsigned char *record, u32 size, const unsigned char **raw,
		      u32 *raw_size)
{
	u32 pos = attr->at_tail;

	if (attr->has_read && !pass_read(data, attr, record, size, &pos))
		return false;
	if (attr->has_chain && !pass_chain(data, record, size, &pos))
		return false;
	if (size - pos < sizeof(u32))
		return false;
	*raw_size = pd_u32(data, record + pos);
	pos += sizeof(u32);
	*raw = record + pos;
	return *raw_size <= size - pos;
}

/* With IDENTIFIER the id is last; without, all events have the same there. */
static const struct pd_attr *attr_of_trailer(const struct ipi_perfdata *data,
					     const unsigned char *record, u32 size)
{
	const struct pd_attr *attr = &data->attr[0], *found;

	if (!(attr->sample_type & PERF_SAMPLE_IDENTIFIER) || size < PD_HEADER + sizeof(u64))
		return attr;
	found = ipi_pd__search_id(data, pd_u64(data, record + size - sizeof(u64)));
	return found ? found : attr;
}

bool ipi_pd__sample_id(const struct ipi_perfdata *data, const unsigned char *record, u32 size,
		       u64 *time, int *cpu)
{
	const struct pd_attr *attr = attr_of_trailer(data, record, size);
	u64 type = attr->sample_type, rest;
	u32 pos;

	*cpu = -1;
	*time = 0;
	if (!attr->sample_id_all)
		return false;
	for (pos = 0, rest = type & TRAILER; rest; rest &= rest - 1)
		pos += sizeof(u64);
	if (pos > size - PD_HEADER)
		return false;
	pos = size - pos;
	if (type & PERF_SAMPLE_TID)
		pos += sizeof(u64);
	if (!(type & PERF_SAMPLE_TIME))
		return false;
	*time = pd_u64(data, record + pos);
	pos += sizeof(u64);
	if (type & PERF_SAMPLE_ID)
		pos += sizeof(u64);
	if (type & PERF_SAMPLE_STREAM_ID)
		pos += sizeof(u64);
	if (type & PERF_SAMPLE_CPU) {
		u32 number = pd_u32(data, record + pos);

		*cpu = number < IPI_CPUS_MAX ? (int)number : -1;
	}
	return true;
}
