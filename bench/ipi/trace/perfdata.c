// SPDX-License-Identifier: GPL-2.0
/*
 * A recording from outside: opens it, and gives out what it has event by event, each when its turn
 * has come; names of threads are kept up to that moment.
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
	if (ipi_pd__round_end(&data->merge, true))
		return ipi_why__set(why, ENOMEM, NULL, "the recording");
	return 1;
}

static int begin(struct ipi_perfdata *data, const char *path, struct ipi_why *why)
{
	int ret;

	data->comms = ipi_pd__comms_new();
	if (!data->comms || ipi_pd__merge_init(&data->merge))
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
	if (!begin(data, path, why))
		return data;
	ipi_perfdata__close(data);
	return NULL;
}

void ipi_perfdata__close(struct ipi_perfdata *data)
{
	u32 i;

	if (!data)
		return;
	if (data->fd >= 0)
		close(data->fd);
	ipi_pd__merge_exit(&data->merge);
	free(data->outer.byte);
	free(data->inner.byte);
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

/* Who is who from now on. */
static int follow(struct ipi_perfdata *data, const struct ipi_event *event)
{
	if (event->kind == PD_COMM)
		return ipi_pd__comms_set(data->comms, event->tid, (const char *)event->mask,
					 PD_COMM_LEN);
	if (event->kind == PD_FORK)
		return ipi_pd__comms_fork(data->comms, event->tid, event->pid);
	ipi_pd__comms_exit(data->comms, event->tid);
	return 0;
}

/* From @next on, NULL at the end of a round, to the next event: the first of all, or any. */
static noinline int search(struct ipi_perfdata *data, const struct ipi_event *next,
			   const struct ipi_event **event, struct ipi_why *why)
{
	struct ipi_perfdata_stats *stats = &data->stats;
	int ret;

	for (; !next || next->kind >= PD_COMM; next = pd_take(&data->merge)) {
		if (next) {
			ret = follow(data, next);
			if (ret)
				return ipi_why__set(why, -ret, NULL, "the recording");
			continue;
		}
		ipi_pd__all_taken(&data->merge);
		ret = advance(data, why ? why : &data->unasked);
		if (ret <= 0)
			return ret;
	}
	stats->late += next->time < stats->t_last;
	if (!stats->t_first)
		stats->t_first = next->time;
	stats->t_last = next->time;
	*event = next;
	return 1;
}

int ipi_perfdata__next(struct ipi_perfdata *data, const struct ipi_event **event,
		       struct ipi_why *why)
{
	const struct ipi_event *next = pd_take(&data->merge);
	struct ipi_perfdata_stats *stats = &data->stats;

	/* Nearly all are just the next in time. */
	if (!next || next->kind >= PD_COMM || next->time < stats->t_last || !stats->t_first)
		return search(data, next, event, why);
	stats->t_last = next->time;
	*event = next;
	return 1;
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
