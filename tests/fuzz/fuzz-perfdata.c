// SPDX-License-Identifier: GPL-2.0
/*
 * Feeds any bytes to the perf.data reader, and what comes out of it to the correlator and to the
 * kinds: as "report" does, without printing. Whatever the bytes are, it may give an error; no
 * crash, no hang, no memory beyond the file's size. For libFuzzer, and with fuzz-main.c for AFL.
 */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/ipi/stats/calls.h"
#include "bench/ipi/stats/kinds.h"
#include "bench/ipi/stats/offsets.h"
#include "bench/ipi/stats/worst.h"
#include "bench/ipi/trace/correlate.h"
#include "bench/ipi/trace/perfdata.h"
#include "bench/ipi/trace/tracefs.h"
#include "bench/ipi/why.h"
#include "fuzz.h"

#define WORST	10
#define MAX_CPUS	512	/* more of them take time and show nothing new */

struct fuzz {
	struct ipi_perfdata *data;
	struct ipi_kinds *kinds;
	struct ipi_kinds *called;
	struct ipi_calls *calls;
	struct ipi_offsets *offsets;
	struct ipi_worst *worst;
};

/* In place of those of bench/ipi/trace/: what this kernel has is not part of the input. */
struct ipi_tracefs *ipi_tracefs__open(struct ipi_why *why)
{
	(void)why;
	return NULL;
}

void ipi_tracefs__close(struct ipi_tracefs *tracefs)
{
	(void)tracefs;
}

int ipi_tracefs__read(struct ipi_tracefs *tracefs, const char *path, char **text, size_t *size)
{
	(void)tracefs;
	(void)path;
	(void)text;
	(void)size;
	return -1;
}

static void take(void *ctx, const struct ipi_delivery *delivery)
{
	struct fuzz *fuzz = ctx;
	const char *comm = ipi_perfdata__comm(fuzz->data, delivery->src_tid);

	ipi_kinds__add(fuzz->kinds, delivery, comm);
	ipi_offsets__add(fuzz->offsets, delivery);
	ipi_calls__delivery(fuzz->calls, delivery);
	ipi_worst__add(fuzz->worst, delivery, comm);
}

static void read_all(struct fuzz *fuzz)
{
	const struct ipi_perfdata_info *info = ipi_perfdata__info(fuzz->data);
	struct ipi_corr_conf conf = {
		.max_cpus = info->max_cpus < MAX_CPUS ? info->max_cpus : MAX_CPUS,
		.have = info->have, .irq_exit = info->irq_exit,
		.emit = take, .ctx = fuzz,
	};
	struct ipi_corr *corr = ipi_corr__new(&conf);
	struct ipi_offsets_found found;
	const struct ipi_event *event;

	while (corr && ipi_perfdata__next(fuzz->data, &event, NULL) > 0) {
		if (event->kind == IPI_EVENT_CALL)
			ipi_calls__begin(fuzz->calls, event->tid, event->cpu, event->time);
		else if (event->kind == IPI_EVENT_RETURN)
			ipi_calls__end(fuzz->calls, event->tid, event->time, event->func,
				       event->csd);
		else
			ipi_corr__feed(corr, event);
		if (event->kind == IPI_EVENT_LOST)
			ipi_calls__lost(fuzz->calls, event->cpu);
	}
	if (corr)
		ipi_corr__flush(corr);
	ipi_corr__delete(corr);
	ipi_calls__flush(fuzz->calls);
	ipi_kinds__sort(fuzz->called, IPI_SORT_COUNT);
	ipi_kinds__sort(fuzz->kinds, IPI_SORT_LATENCY);
	ipi_offsets__find(fuzz->offsets, &found);
	ipi_worst__sort(fuzz->worst);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fuzz fuzz = { .data = NULL };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[64];

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size) {
		close(fd);
		return 0;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fuzz.data = ipi_perfdata__open(path, NULL);
	fuzz.kinds = ipi_kinds__new(size & 1 ? IPI_BY_SENDER : IPI_BY_KIND);
	fuzz.offsets = ipi_offsets__new();
	fuzz.worst = ipi_worst__new(WORST);
	fuzz.called = ipi_kinds__new(IPI_BY_KIND);
	fuzz.calls = fuzz.called ? ipi_calls__new(fuzz.called) : NULL;
	if (fuzz.data && fuzz.kinds && fuzz.offsets && fuzz.worst && fuzz.calls)
		read_all(&fuzz);
	ipi_calls__delete(fuzz.calls);
	ipi_kinds__delete(fuzz.called);
	ipi_worst__delete(fuzz.worst);
	ipi_offsets__delete(fuzz.offsets);
	ipi_kinds__delete(fuzz.kinds);
	ipi_perfdata__close(fuzz.data);
	close(fd);
	return 0;
}
