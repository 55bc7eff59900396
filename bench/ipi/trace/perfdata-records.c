// SPDX-License-Identifier: GPL-2.0
/*
 * Looks at the records of a recording in the order of the file. A sample that tells of IPIs, a
 * loss and what names a thread are noted for later; what describes the recording is used at once;
 * the rest is passed over by its size.
 */
#include <errno.h>
#include <sys/types.h>

#include <linux/compiler.h>
#include <linux/perf_event.h>

#include "../why.h"
#include "pd.h"

#define MMAP_PGOFF	32
#define MMAP_NAME	40
#define MMAP2_NAME	72
#define LOST_NR		16
#define LOST_SAMPLES_NR	8
#define COMM_TEXT	16
#define FORK_END	32

static struct pd_attr *find_attr(struct ipi_perfdata *data, u64 id)
{
	const struct pd_ids *ids = &data->ids;

	if (!ids->direct)
		return ipi_pd__search_id(data, id);
	id -= ids->base;
	if (id >= ids->span || !ids->direct[id])
		return NULL;
	return &data->attr[ids->direct[id] - 1];
}

static void write_type(unsigned char *record, u32 type)
{
	memcpy(record, &type, sizeof(type));
}

/* The record stays where it is; its type is not needed any more, what it is about is. */
static __always_inline int look_sample(struct ipi_perfdata *data, struct pd_chunk *chunk,
				       unsigned char *record, u32 size, bool swap)
{
	struct pd_attr *attr = data->attr;

	data->stats.samples++;
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
	if (size < attr->at_tail + sizeof(u32)) {
		data->stats.bad++;
		return 0;
	}
	write_type(record, attr - data->attr);
	chunk->noted = true;
	return pd_note(data, ipi_bytes__u64(record + attr->at_time, swap), record);
}

static int look_lost(struct ipi_perfdata *data, struct pd_chunk *chunk, unsigned char *record,
		     u32 size)
{
	u64 time;
	int cpu;

	if (size < LOST_NR + sizeof(u64)) {
		data->stats.bad++;
		return 0;
	}
	data->stats.lost += pd_u64(data, record + LOST_NR);
	if (!ipi_pd__sample_id(data, record, size, &time, &cpu) || cpu < 0)
		return 0;
	/* All the loss needs when its turn comes: where. */
	write_type(record, PD_NOTE_LOST);
	memcpy(record + PD_HEADER, &cpu, sizeof(cpu));
	chunk->noted = true;
	return ipi_pd__note_lost(data, time, record, cpu);
}

static void look_lost_samples(struct ipi_perfdata *data, const unsigned char *record, u32 size)
{
	if (size < LOST_SAMPLES_NR + sizeof(u64))
		data->stats.bad++;
	else
		data->stats.lost_samples += pd_u64(data, record + LOST_SAMPLES_NR);
}

/* Of threads that were there before the recording the names have no time. */
static int look_thread(struct ipi_perfdata *data, struct pd_chunk *chunk, unsigned char *record,
		       u32 size, u32 note)
{
	u64 time = 0;
	int cpu;

	if (size < (note == PD_NOTE_COMM ? COMM_TEXT : FORK_END)) {
		data->stats.bad++;
		return 0;
	}
	if (!ipi_pd__sample_id(data, record, size, &time, &cpu) || !time) {
		if (note == PD_NOTE_COMM)
			return ipi_pd__comms_set(data->comms, pd_u32(data, record + 12),
						 (char *)record + COMM_TEXT, size - COMM_TEXT);
		return 0;
	}
	write_type(record, note);
	chunk->noted = true;
	return ipi_pd__note(data, time, record);
}

/* Where the kernel was: its addresses are those of the running one if it is there now. */
static void look_mmap(struct ipi_perfdata *data, const unsigned char *record, u32 size, u32 name)
{
	static const char kernel[] = "[kernel.kallsyms]_";
	const u32 skip = sizeof(kernel) - 2;
	struct ipi_perfdata_info *info = &data->info;
	u32 len;

	if (size < name + sizeof(kernel) || info->kernel_ref ||
	    memcmp(record + name, kernel, sizeof(kernel) - 1))
		return;
	len = strnlen((const char *)record + name + skip, size - name - skip);
	if (len >= sizeof(info->kernel_ref_name))
		return;
	memcpy(info->kernel_ref_name, record + name + skip, len);
	info->kernel_ref = pd_u64(data, record + MMAP_PGOFF);
}

/* Only in front of the first event of a pipe. */
static int look_attr(struct ipi_perfdata *data, const unsigned char *record, u32 size)
{
	u32 attr_size, at;
	int err;

	if (!data->info.pipe || data->ready || size < PD_HEADER + PERF_ATTR_SIZE_VER0)
		return -EBADMSG;
	attr_size = pd_u32(data, record + PD_HEADER + 4);
	if (!attr_size)
		attr_size = PERF_ATTR_SIZE_VER0;
	if (attr_size < PERF_ATTR_SIZE_VER0 || attr_size > size - PD_HEADER)
		return -EBADMSG;
	err = ipi_pd__add_attr(data, record + PD_HEADER, attr_size);
	for (at = PD_HEADER + attr_size; !err && size - at >= sizeof(u64); at += sizeof(u64))
		err = ipi_pd__add_id(data, data->nr_attrs - 1, pd_u64(data, record + at));
	return err;
}

/* The tracing data, or the auxiliary ones, lie behind the record. */
static int look_tracing(struct ipi_perfdata *data, const unsigned char *record, u32 size)
{
	if (size < PD_HEADER + sizeof(u32))
		return -EBADMSG;
	if (!data->info.pipe || data->ready || data->tracing.size) {
		data->skip = pd_u32(data, record + PD_HEADER);
		return 0;
	}
	data->tracing.want = pd_u32(data, record + PD_HEADER);
	if (data->tracing.want > PD_TEXT_MAX) {
		data->skip = data->tracing.want;
		return -EBADMSG;
	}
	data->tracing_due = data->tracing.want;
	return 0;
}

static int look_auxtrace(struct ipi_perfdata *data, const unsigned char *record, u32 size)
{
	if (size < PD_HEADER + sizeof(u64))
		return -EBADMSG;
	data->skip = pd_u64(data, record + PD_HEADER);
	return 0;
}

static int look_feature(struct ipi_perfdata *data, const unsigned char *record, u32 size)
{
	u64 feature;

	if (size < PD_HEADER + sizeof(u64))
		return -EBADMSG;
	feature = pd_u64(data, record + PD_HEADER);
	if (feature == PD_FEAT_COMPRESSED)
		data->info.compressed = true;
	if (data->ready || feature == PD_FEAT_TRACING_DATA)
		return 0;
	return ipi_pd__feature(data, feature, record + PD_HEADER + sizeof(u64),
			       size - PD_HEADER - sizeof(u64));
}

static int look_compressed(struct ipi_perfdata *data, const unsigned char *record, u32 size,
			   u32 type, struct ipi_why *why)
{
	u32 at = PD_HEADER;
	u64 bytes = size - PD_HEADER;

	if (type == PD_COMPRESSED2) {
		if (size < PD_HEADER + sizeof(u64))
			return -EBADMSG;
		at += sizeof(u64);
		bytes = pd_u64(data, record + PD_HEADER);
		if (bytes > size - at)
			return -EBADMSG;
	}
	data->info.compressed = true;
	if (!data->zstd)
		data->zstd = ipi_pd__zstd_new(why);
	if (!data->zstd)
		return why->err == ENOMEM ? -ENOMEM : -EOPNOTSUPP;
	data->inflating = true;
	return ipi_pd__zstd_begin(data->zstd, record + at, bytes);
}

/* Of perf record itself. */
static int look_tool(struct ipi_perfdata *data, const unsigned char *record, u32 size, u32 type,
		     struct ipi_why *why)
{
	int err = 0;

	if (type == PD_HEADER_ATTR)
		err = look_attr(data, record, size);
	else if (type == PD_HEADER_TRACING_DATA)
		err = look_tracing(data, record, size);
	else if (type == PD_HEADER_BUILD_ID)
		ipi_pd__build_id(data, record, size);
	else if (type == PD_HEADER_FEATURE)
		err = look_feature(data, record, size);
	else if (type == PD_AUXTRACE)
		err = look_auxtrace(data, record, size);
	else if (type == PD_COMPRESSED || type == PD_COMPRESSED2)
		err = look_compressed(data, record, size, type, why);
	if (err != -EBADMSG)
		return err;
	data->stats.bad++;
	return 0;
}

/* Of the kernel, but no sample. */
static int look_other(struct ipi_perfdata *data, struct pd_chunk *chunk, unsigned char *record,
		      u32 size, u32 type)
{
	switch (type) {
	case PERF_RECORD_LOST:
		return look_lost(data, chunk, record, size);
	case PERF_RECORD_LOST_SAMPLES:
		look_lost_samples(data, record, size);
		return 0;
	case PERF_RECORD_COMM:
		return look_thread(data, chunk, record, size, PD_NOTE_COMM);
	case PERF_RECORD_FORK:
		return look_thread(data, chunk, record, size, PD_NOTE_FORK);
	case PERF_RECORD_EXIT:
		return look_thread(data, chunk, record, size, PD_NOTE_EXIT);
	case PERF_RECORD_MMAP:
		look_mmap(data, record, size, MMAP_NAME);
		return 0;
	case PERF_RECORD_MMAP2:
		look_mmap(data, record, size, MMAP2_NAME);
		return 0;
	default:
		return 0;
	}
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
		if (some && !ipi_pd__blob_add(&data->tracing, stream->chunk->byte + stream->begin,
					      some))
			*err = -ENOMEM;
		stream->begin += some;
		data->tracing_due = data->tracing.size < data->tracing.want;
	}
	return *err || data->skip || data->tracing_due;
}

/*
 * The records of a stream. Return: 1 at the end of a round, 0 where it has no more, -EAGAIN at a
 * compressed record, -EILSEQ where no record can follow.
 */
static __always_inline int look_records(struct ipi_perfdata *data, struct pd_stream *stream,
					struct ipi_why *why, bool swap)
{
	bool outer = stream == &data->outer;
	unsigned char *record;
	u32 type, size;
	int err = 0;

	if (!stream->chunk || (outer && pass(data, stream, &err)))
		return err;
	while (stream->end - stream->begin >= PD_HEADER) {
		record = stream->chunk->byte + stream->begin;
		type = ipi_bytes__u32(record, swap);
		size = ipi_bytes__u16(record + 6, swap);
		if (size < PD_HEADER)
			return -EILSEQ;
		if (size > stream->end - stream->begin)
			break;
		if (!data->ready && type < PD_HEADER_ATTR) {
			err = ipi_pd__learn(data, why);
			if (err)
				return err;
		}
		stream->begin += size;
		data->stats.records++;
		if (type == PERF_RECORD_SAMPLE)
			err = look_sample(data, stream->chunk, record, size, swap);
		else if (type < PD_HEADER_ATTR)
			err = look_other(data, stream->chunk, record, size, type);
		else if (type == PD_FINISHED_ROUND)
			return 1;
		else if (outer)
			err = look_tool(data, record, size, type, why);
		if (err)
			return err;
		if (data->inflating && outer)
			return -EAGAIN;
		if ((data->skip || data->tracing_due) && pass(data, stream, &err))
			return err;
	}
	return 0;
}

static int look_stream(struct ipi_perfdata *data, struct pd_stream *stream, struct ipi_why *why)
{
	return data->swap ? look_records(data, stream, why, true) :
			    look_records(data, stream, why, false);
}

/* Some more records out of a compressed one. Return: -EAGAIN, or -EILSEQ if it is none. */
static int inflate(struct ipi_perfdata *data)
{
	struct pd_stream *inner = &data->inner;
	ssize_t got;

	if (ipi_pd__make_room(data, inner, PD_RECORD_MAX + 1))
		return -ENOMEM;
	got = ipi_pd__zstd_more(data->zstd, inner->chunk->byte + inner->end,
				PD_CHUNK - inner->end);
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
	if (ret == 1 && ipi_pd__round_end(data, false))
		return ipi_why__set(why, ENOMEM, NULL, "the recording");
	return ret;
}
