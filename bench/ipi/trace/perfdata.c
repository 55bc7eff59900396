// SPDX-License-Identifier: GPL-2.0
/*
 * A recording from outside: opens it, and gives out what it has event by event. Each noted record
 * is decoded when its turn has come; names of threads are kept up to that moment.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/compiler.h>

#include "../why.h"
#include "decode.h"
#include "pd.h"

#define DEFAULT_CPUS	IPI_CPUS_MAX

int ipi_pd__why(struct ipi_why *why, int err, const char *what)
{
	if (err == -EBADMSG)
		return ipi_why__set(why, 0, NULL, "%s is cut off or damaged", what);
	return ipi_why__set(why, -err, NULL, "%s", what);
}

/* Up to the end of a round, or of the recording. Return: 1, 0 if all is given out, -errno. */
static int advance(struct ipi_perfdata *data, struct ipi_why *why)
{
	int ret;

	for (;;) {
		if (data->flushed)
			return 0;
		ret = ipi_pd__look(data, why);
		if (ret)
			return ret;
		if (data->ended)
			break;
		ret = ipi_pd__fill(data, why);
		if (ret)
			return ret;
	}
	data->flushed = true;
	if (data->outer.end != data->outer.begin || data->inner.end != data->inner.begin ||
	    data->skip || data->tracing_due)
		data->stats.truncated = true;
	if (!data->ready) {
		ret = ipi_pd__learn(data, why);
		if (ret)
			return ret;
	}
	if (ipi_pd__round_end(data, true))
		return ipi_why__set(why, ENOMEM, NULL, "the recording");
	return 1;
}

static int begin(struct ipi_perfdata *data, const char *path, struct ipi_why *why)
{
	int ret;

	data->comms = ipi_pd__comms_new();
	if (!data->comms)
		return ipi_why__set(why, ENOMEM, NULL, "the recording");
	ret = ipi_pd__open_file(data, path, why);
	if (!ret && !data->info.pipe)
		ret = ipi_pd__learn(data, why);
	/* What a pipe has is known when its first records come. */
	if (!ret)
		ret = advance(data, why);
	return ret < 0 ? ret : 0;
}

struct ipi_perfdata *ipi_perfdata__open(const char *path, struct ipi_why *why)
{
	struct ipi_perfdata *data = calloc(1, sizeof(*data));
	struct ipi_why local = { .err = 0 };

	why = why ? why : &local;
	if (!data) {
		ipi_why__set(why, ENOMEM, NULL, "the recording");
		return NULL;
	}
	data->fd = -1;
	data->info.max_cpus = DEFAULT_CPUS;
	data->merge.lost_cpu = -1;
	if (!begin(data, path, why))
		return data;
	ipi_perfdata__close(data);
	return NULL;
}

static void free_chunks(struct ipi_perfdata *data)
{
	struct pd_chunk *chunk;

	while (data->free) {
		chunk = data->free;
		data->free = chunk->next;
		free(chunk);
	}
	free(data->outer.chunk);
	free(data->inner.chunk);
}

void ipi_perfdata__close(struct ipi_perfdata *data)
{
	u32 i;

	if (!data)
		return;
	if (data->fd >= 0)
		close(data->fd);
	ipi_pd__merge_exit(data);
	free_chunks(data);
	for (i = 0; i < data->nr_attrs; i++)
		free(data->attr[i].name);
	free(data->attr);
	free(data->ids.id);
	free(data->ids.direct);
	free(data->tracing.byte);
	free(data->kallsyms);
	ipi_decode__delete(data->decode);
	ipi_pd__comms_delete(data->comms);
	ipi_pd__zstd_delete(data->zstd);
	free(data->info.hostname);
	free(data->info.osrelease);
	free(data->info.version);
	free(data->info.arch);
	free(data->info.cpudesc);
	free(data->info.cmdline);
	free(data);
}

static __always_inline bool decode_sample(struct ipi_perfdata *data, const unsigned char *record,
					  u32 index, struct ipi_event *event, bool swap)
{
	const struct pd_attr *attr = &data->attr[index];
	u32 size = ipi_bytes__u16(record + 6, swap), cpu, raw_size;
	const unsigned char *raw = record + attr->at_tail + sizeof(u32);

	if (attr->at_raw) {
		raw_size = ipi_bytes__u32(record + attr->at_raw, swap);
		if (raw_size > size - attr->at_raw - sizeof(u32))
			return false;
	} else if (!ipi_pd__find_raw(data, attr, record, size, &raw, &raw_size)) {
		return false;
	}
	cpu = ipi_bytes__u32(record + attr->at_cpu, swap);
	event->cpu = cpu < IPI_CPUS_MAX ? (int)cpu : -1;
	event->pid = -1;
	event->tid = -1;
	if (attr->at_tid) {
		event->pid = ipi_bytes__u32(record + attr->at_tid, swap);
		event->tid = ipi_bytes__u32(record + attr->at_tid + 4, swap);
	}
	return !ipi_decode__raw(data->decode, raw, raw_size, event);
}

static void decode_lost(const struct ipi_perfdata *data, const unsigned char *record,
			struct ipi_event *event)
{
	int cpu;

	memcpy(&cpu, record + PD_HEADER, sizeof(cpu));
	memset(event, 0, sizeof(*event));
	event->kind = IPI_EVENT_LOST;
	event->irq = IPI_IRQ_NR;
	event->lost = pd_u64(data, record + 16);
	event->cpu = cpu;
	event->target = -1;
}

/* Who is who from now on. */
static int follow(struct ipi_perfdata *data, const unsigned char *record, u32 note)
{
	u32 size = pd_u16(data, record + 6);

	if (note == PD_NOTE_COMM)
		return ipi_pd__comms_set(data->comms, pd_u32(data, record + 12),
					 (const char *)record + 16, size - 16);
	if (note == PD_NOTE_FORK)
		return ipi_pd__comms_fork(data->comms, pd_u32(data, record + 16),
					  pd_u32(data, record + 20));
	ipi_pd__comms_exit(data->comms, pd_u32(data, record + 16));
	return 0;
}

/* Return: 1 if it is an event, 0 if it is not, -errno. */
static __always_inline int turn_of(struct ipi_perfdata *data, const struct pd_note *note,
				   struct ipi_event *event, bool swap)
{
	u32 about;

	memcpy(&about, note->record, sizeof(about));
	if (about < PD_NOTE_LOST) {
		if (!decode_sample(data, note->record, about, event, swap)) {
			data->stats.bad++;
			return 0;
		}
	} else if (about == PD_NOTE_LOST) {
		decode_lost(data, note->record, event);
	} else {
		return follow(data, note->record, about);
	}
	event->time = note->time;
	if (note->time < data->stats.t_last)
		data->stats.late++;
	if (!data->stats.t_first)
		data->stats.t_first = note->time;
	data->stats.t_last = note->time;
	return 1;
}

int ipi_perfdata__next(struct ipi_perfdata *data, struct ipi_event *event, struct ipi_why *why)
{
	const struct pd_note *note;
	int ret;

	for (;;) {
		note = pd_take(data);
		if (!note) {
			ret = advance(data, why ? why : &data->unasked);
			if (ret <= 0)
				return ret;
			continue;
		}
		ret = data->swap ? turn_of(data, note, event, true) :
				   turn_of(data, note, event, false);
		if (ret < 0)
			return ipi_why__set(why, -ret, NULL, "the recording");
		if (ret)
			return ret;
	}
}

const char *ipi_perfdata__comm(const struct ipi_perfdata *data, int tid)
{
	if (tid < 0)
		return NULL;
	return tid ? ipi_pd__comms_get(data->comms, tid) : "swapper";
}

const struct ipi_perfdata_info *ipi_perfdata__info(const struct ipi_perfdata *data)
{
	return &data->info;
}

const struct ipi_perfdata_stats *ipi_perfdata__stats(const struct ipi_perfdata *data)
{
	return &data->stats;
}

const char *ipi_perfdata__kallsyms(const struct ipi_perfdata *data, size_t *size)
{
	*size = data->kallsyms_size;
	return data->kallsyms;
}

const struct ipi_perfdata_event *ipi_perfdata__event(const struct ipi_perfdata *data, int index)
{
	if (index < 0 || (u32)index >= data->nr_attrs)
		return NULL;
	return &data->attr[index].event;
}
