// SPDX-License-Identifier: GPL-2.0
/*
 * The records of a recording that are no samples. A loss, and what names a thread, are noted for
 * later as samples are; what describes the recording is used at once.
 */
#include <errno.h>
#include <sys/types.h>

#include <linux/perf_event.h>

#include "../why.h"
#include "pd.h"

/* Where what is in a record. */
#define MMAP_PGOFF	32
#define MMAP_NAME	40
#define MMAP2_NAME	72
#define LOST_NR		16
#define LOST_SAMPLES_NR	8
#define COMM_TID	12
#define COMM_TEXT	16
#define FORK_TID	16
#define FORK_PARENT	20
#define FORK_END	32

static int look_lost(struct ipi_perfdata *data, const unsigned char *record, u32 size)
{
	struct ipi_event *event;
	u64 time;
	int cpu;

	if (size < LOST_NR + sizeof(u64)) {
		data->stats.bad++;
		return 0;
	}
	data->stats.lost += pd_u64(data, record + LOST_NR);
	if (!ipi_pd__sample_id(data, record, size, &time, &cpu) || cpu < 0)
		return 0;
	event = pd_room(&data->merge);
	if (!event)
		return -ENOMEM;
	memset(event, 0, sizeof(*event));
	event->time = time;
	event->kind = IPI_EVENT_LOST;
	event->irq = IPI_IRQ_NR;
	event->lost = pd_u64(data, record + LOST_NR);
	event->cpu = cpu;
	event->target = -1;
	return ipi_pd__note_lost(&data->merge, event);
}

static void look_lost_samples(struct ipi_perfdata *data, const unsigned char *record, u32 size)
{
	if (size < LOST_SAMPLES_NR + sizeof(u64))
		data->stats.bad++;
	else
		data->stats.lost_samples += pd_u64(data, record + LOST_SAMPLES_NR);
}

/* Noted: its name counts from @time on. */
static int note_comm(struct ipi_perfdata *data, u64 time, u32 tid, const void *comm, size_t size)
{
	struct ipi_event *event = pd_room(&data->merge);
	char *name = ipi_pd__more(&data->merge, PD_COMM_LEN);

	if (!event || !name)
		return -ENOMEM;
	event->time = time;
	event->kind = PD_COMM;
	event->tid = tid;
	memset(name, 0, PD_COMM_LEN);
	event->mask = memcpy(name, comm, size < PD_COMM_LEN ? size : PD_COMM_LEN);
	return ipi_pd__note(&data->merge, event);
}

/* Of threads that were there before the recording the names have no time. */
static int look_comm(struct ipi_perfdata *data, const unsigned char *record, u32 size)
{
	const unsigned char *comm = record + COMM_TEXT;
	u64 time = 0;
	u32 tid;
	int cpu;

	if (size < COMM_TEXT) {
		data->stats.bad++;
		return 0;
	}
	tid = pd_u32(data, record + COMM_TID);
	size -= COMM_TEXT;
	if (!ipi_pd__sample_id(data, record, size + COMM_TEXT, &time, &cpu) || !time)
		return ipi_pd__comms_set(data->comms, tid, (const char *)comm, size);
	return note_comm(data, time, tid, comm, size);
}

/* A thread begins or ends. */
static int look_thread(struct ipi_perfdata *data, const unsigned char *record, u32 size,
		       enum pd_kind kind)
{
	struct ipi_event *event;
	u64 time = 0;
	int cpu;

	if (size < FORK_END) {
		data->stats.bad++;
		return 0;
	}
	if (!ipi_pd__sample_id(data, record, size, &time, &cpu) || !time)
		return 0;
	event = pd_room(&data->merge);
	if (!event)
		return -ENOMEM;
	event->time = time;
	event->kind = kind;
	event->tid = pd_u32(data, record + FORK_TID);
	event->pid = pd_u32(data, record + FORK_PARENT);
	return ipi_pd__note(&data->merge, event);
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
int ipi_pd__look_tool(struct ipi_perfdata *data, const unsigned char *record, u32 size, u32 type,
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

/* Of the kernel. */
int ipi_pd__look_other(struct ipi_perfdata *data, const unsigned char *record, u32 size, u32 type)
{
	switch (type) {
	case PERF_RECORD_LOST:
		return look_lost(data, record, size);
	case PERF_RECORD_LOST_SAMPLES:
		look_lost_samples(data, record, size);
		return 0;
	case PERF_RECORD_COMM:
		return look_comm(data, record, size);
	case PERF_RECORD_FORK:
		return look_thread(data, record, size, PD_FORK);
	case PERF_RECORD_EXIT:
		return look_thread(data, record, size, PD_EXIT);
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
