// SPDX-License-Identifier: GPL-2.0
/*
 * Looks at the records of a recording in the order of the file. A sample that tells of IPIs is
 * decoded and noted for later; records that are no samples are handed on (perfdata-others.c); the
 * rest is passed over by its size.
 */
#include <errno.h>
#include <sys/types.h>

#include <linux/compiler.h>
#include <linux/perf_event.h>

#include "../why.h"
#include "decode.h"
#include "pd.h"

static __always_inline struct pd_attr *find_attr(struct ipi_perfdata *data, u64 id)
{
	const struct pd_ids *ids = &data->ids;

	if (!ids->direct)
		return ipi_pd__search_id(data, id);
	id -= ids->base;
	return id < ids->span ? ids->direct[id] : NULL;
}

/* Its raw data, where their place depends on what is in front. Return: false as decode_sample(). */
static noinline bool decode_moved(struct ipi_perfdata *data, const struct pd_attr *attr,
				  const unsigned char *record, u32 size, struct ipi_event *event)
{
	const unsigned char *raw;
	u32 raw_size;

	return ipi_pd__find_raw(data, attr, record, size, &raw, &raw_size) &&
	       !ipi_decode__raw(data->decode, raw, raw_size, event);
}

/* Return: false if it contradicts itself, or its format. */
static __always_inline bool decode_sample(struct ipi_perfdata *data, const struct pd_attr *attr,
					  const unsigned char *record, u32 size,
					  struct ipi_event *event, bool swap)
{
	u32 cpu, raw_size;

	if (size < attr->at_data)
		return false;
	cpu = ipi_bytes__u32(record + attr->at_cpu, swap);
	event->time = ipi_bytes__u64(record + attr->at_time, swap);
	event->cpu = cpu < IPI_CPUS_MAX ? (int)cpu : -1;
	if (attr->at_tid) {
		event->pid = ipi_bytes__u32(record + attr->at_tid, swap);
		event->tid = ipi_bytes__u32(record + attr->at_tid + 4, swap);
	} else {
		event->pid = -1;
		event->tid = -1;
	}
	if (attr->moves)
		return decode_moved(data, attr, record, size, event);
	record += attr->at_data;
	raw_size = ipi_bytes__u32(record - sizeof(u32), swap);
	if (raw_size > size - attr->at_data)
		return false;
	return !ipi_decode__raw(data->decode, record, raw_size, event);
}

/* The record will be gone when the event's turn comes: its mask goes along. */
static noinline int keep_mask(struct pd_merge *merge, struct ipi_event *event)
{
	void *mask = ipi_pd__more(merge, event->mask_bytes);

	if (!mask)
		return -ENOMEM;
	event->mask = memcpy(mask, event->mask, event->mask_bytes);
	return 0;
}

static __always_inline int look_sample(struct ipi_perfdata *data, const unsigned char *record,
				       u32 size, bool swap)
{
	struct pd_attr *attr = data->attr;
	struct ipi_event *event;

	if (data->at_id) {
		if (size < data->at_id + sizeof(u64)) {
			data->stats.bad++;
			return 0;
		}
		attr = find_attr(data, ipi_bytes__u64(record + data->at_id, swap));
		if (!attr) {
			data->stats.stray++;
			return 0;
		}
	}
	attr->event.samples++;
	if (!attr->known)
		return 0;
	event = pd_room(&data->merge);
	if (!event)
		return -ENOMEM;
	if (!decode_sample(data, attr, record, size, event, swap)) {
		data->stats.bad++;
		return 0;
	}
	if (event->mask && keep_mask(&data->merge, event))
		return -ENOMEM;
	return pd_note(&data->merge, event);
}

/* Nearly all records are samples: all up to another one, or one that is not complete. */
static __always_inline int look_samples(struct ipi_perfdata *data, struct pd_stream *stream,
					bool swap)
{
	const unsigned char *at = stream->byte + stream->begin, *end = stream->byte + stream->end;
	u64 samples = 0;
	u32 size;
	int err = 0;

	while (!err && end - at >= PD_HEADER &&
	       ipi_bytes__u32(at, swap) == PERF_RECORD_SAMPLE) {
		size = ipi_bytes__u16(at + 6, swap);
		if (size < PD_HEADER || size > end - at)
			break;
		err = look_sample(data, at, size, swap);
		at += size;
		samples++;
	}
	stream->begin = at - stream->byte;
	data->stats.records += samples;
	data->stats.samples += samples;
	return err;
}

/* Bytes that are no record of their own. Return: true while more of them are to come. */
static bool pass(struct ipi_perfdata *data, struct pd_stream *stream, int *err)
{
	size_t here = stream->end - stream->begin, some;

	if (data->skip) {
		some = data->skip < here ? data->skip : here;
		data->skip -= some;
		stream->begin += some;
	}
	if (data->tracing_due) {
		here = stream->end - stream->begin;
		some = data->tracing.want - data->tracing.size;
		some = some < here ? some : here;
		if (some && !ipi_pd__blob_add(&data->tracing, stream->byte + stream->begin,
					      some))
			*err = -ENOMEM;
		stream->begin += some;
		data->tracing_due = data->tracing.size < data->tracing.want;
	}
	return *err || data->skip || data->tracing_due;
}

/*
 * A record of perf record's own, and what lies behind it. Return: 0, 1 if that is still to come,
 * -EAGAIN where records are to come out of it, another -errno.
 */
static int look_behind(struct ipi_perfdata *data, struct pd_stream *stream,
		       const unsigned char *record, u32 size, u32 type, struct ipi_why *why)
{
	int err = ipi_pd__look_tool(data, record, size, type, why);

	if (err)
		return err;
	if (data->inflating)
		return -EAGAIN;
	if (pass(data, stream, &err))
		return err ? err : 1;
	return 0;
}

/*
 * The records of a stream. Return: 1 at the end of a round, 0 where it has no more, -EAGAIN at a
 * compressed record, -EILSEQ where no record can follow.
 */
static int look_stream(struct ipi_perfdata *data, struct pd_stream *stream, struct ipi_why *why)
{
	bool outer = stream == &data->outer;
	const unsigned char *record;
	u32 type, size;
	int err = 0;

	if (!stream->byte || (outer && pass(data, stream, &err)))
		return err;
	while (!err) {
		if (data->ready)
			err = data->swap ? look_samples(data, stream, true) :
					   look_samples(data, stream, false);
		if (err || stream->end - stream->begin < PD_HEADER)
			break;
		record = stream->byte + stream->begin;
		type = pd_u32(data, record);
		size = pd_u16(data, record + 6);
		if (size < PD_HEADER)
			return -EILSEQ;
		if (size > stream->end - stream->begin)
			break;
		if (!data->ready && type < PD_HEADER_ATTR) {
			err = ipi_pd__learn(data, why);
			continue;
		}
		stream->begin += size;
		data->stats.records++;
		if (type == PD_FINISHED_ROUND)
			return 1;
		if (type < PD_HEADER_ATTR)
			err = ipi_pd__look_other(data, record, size, type);
		else if (outer)
			err = look_behind(data, stream, record, size, type, why);
	}
	return err < 0 ? err : 0;
}

/* Some more records out of a compressed one. Return: -EAGAIN, or -EILSEQ if it is none. */
static int inflate(struct ipi_perfdata *data)
{
	struct pd_stream *inner = &data->inner;
	ssize_t got;

	if (ipi_pd__make_room(inner, PD_RECORD_MAX + 1))
		return -ENOMEM;
	got = ipi_pd__zstd_more(data->zstd, inner->byte + inner->end, PD_BUFFER - inner->end);
	if (got < 0)
		return -EILSEQ;
	inner->end += got;
	data->inflating = got;
	return -EAGAIN;
}

/* Without finished rounds nothing is ever due: what there is then counts as one. */
static bool crowded(const struct ipi_perfdata *data)
{
	return data->merge.bytes > PD_PENDING_MAX;
}

static int look_on(struct ipi_perfdata *data, struct ipi_why *why)
{
	int ret;

	do {
		ret = look_stream(data, &data->inner, why);
		if (!ret && data->inflating)
			ret = inflate(data);
		else if (!ret)
			ret = look_stream(data, &data->outer, why);
	} while (ret == -EAGAIN && !crowded(data));
	return ret;
}

int ipi_pd__look(struct ipi_perfdata *data, struct ipi_why *why)
{
	int ret;

	why->err = 0;
	why->what[0] = '\0';
	why->remedy[0] = '\0';
	ret = look_on(data, why);
	if (ret == -EILSEQ) {
		/* Nobody can tell where the next record begins. */
		data->stats.bad++;
		data->stats.truncated = true;
		data->ended = true;
		return 0;
	}
	if (ret < 0 && !why->what[0])
		return ipi_why__set(why, -ret, NULL, "the recording");
	if (ret == 1)
		data->stats.rounds++;
	else if ((!ret || ret == -EAGAIN) && crowded(data))
		ret = 1;
	if (ret == 1 && ipi_pd__round_end(&data->merge, false))
		return ipi_why__set(why, ENOMEM, NULL, "the recording");
	return ret;
}
