// SPDX-License-Identifier: GPL-2.0
/*
 * The rings, by libperf. No record wakes anybody (a wake-up would be an IPI of its own): the
 * watermark is the size of the ring, and the caller comes by himself.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <perf/core.h>
#include <perf/cpumap.h>
#include <perf/event.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/mmap.h>
#include <perf/threadmap.h>
#include <internal/evlist.h>	/* has_user_cpus and the file descriptors have no accessor */

#include "../cpus.h"
#include "../why.h"
#include "rings.h"

#define PAGES_MIN	16
#define PAGES_MAX	262144		/* libperf counts bytes in an int */
#define RELEASE_EVERY	64

/**
 * struct ipi_rings - the rings
 * @evlist:	libperf's
 * @cpus:	the CPUs
 * @threads:	everybody's
 * @evsel:	the events, owned by @evlist
 * @nr_evsels:	how many
 * @ring:	the rings
 * @taken:	records taken from each since the last went back
 * @nr_rings:	how many
 * @pages:	data pages of a ring
 * @page_size:	bytes
 * @read_format: PERF_FORMAT_LOST, 0 on a kernel before 6.0
 */
struct ipi_rings {
	struct perf_evlist *evlist;
	struct perf_cpu_map *cpus;
	struct perf_thread_map *threads;
	struct perf_evsel **evsel;
	int nr_evsels;
	struct perf_mmap **ring;
	unsigned int *taken;
	int nr_rings;
	unsigned int pages;
	long page_size;
	u64 read_format;
};

static int print(enum libperf_print_level level, const char *fmt, va_list ap)
{
	char line[256];

	/* Its chatter about each file descriptor is of no use even with -v. */
	if (level > LIBPERF_WARN)
		return 0;
	vsnprintf(line, sizeof(line), fmt, ap);
	line[strcspn(line, "\n")] = '\0';
	ipi_dbg("%s", line);
	return 0;
}

static bool power_of_two(unsigned int n)
{
	return n && !(n & (n - 1));
}

struct ipi_rings *ipi_rings__new(const struct ipi_cpus *cpus, unsigned int pages,
				 struct ipi_why *why)
{
	struct ipi_rings *rings;

	if (!power_of_two(pages) || pages > PAGES_MAX) {
		ipi_why__set(why, EINVAL, "give a power of two up to 262144",
			     "rings of %u pages", pages);
		return NULL;
	}
	if (cpus->nr <= 0) {
		ipi_why__set(why, EINVAL, NULL, "no CPUs to trace");
		return NULL;
	}
	libperf_init(print);

	rings = calloc(1, sizeof(*rings));
	if (rings) {
		rings->pages = pages;
		rings->page_size = sysconf(_SC_PAGESIZE);
		rings->read_format = PERF_FORMAT_LOST;
		rings->nr_rings = cpus->nr;
		rings->ring = calloc(cpus->nr, sizeof(*rings->ring));
		rings->taken = calloc(cpus->nr, sizeof(*rings->taken));
		rings->evlist = perf_evlist__new();
		rings->cpus = ipi_cpus__perf_map(cpus);
		rings->threads = perf_thread_map__new_dummy();
	}
	if (!rings || !rings->ring || !rings->taken || !rings->evlist || !rings->cpus ||
	    !rings->threads) {
		ipi_rings__delete(rings);
		ipi_why__set(why, ENOMEM, NULL, "rings");
		return NULL;
	}
	perf_thread_map__set_pid(rings->threads, 0, -1);
	return rings;
}

void ipi_rings__delete(struct ipi_rings *rings)
{
	if (!rings)
		return;
	if (rings->evlist)
		perf_evlist__delete(rings->evlist);
	perf_cpu_map__put(rings->cpus);
	perf_thread_map__put(rings->threads);
	free(rings->evsel);
	free(rings->ring);
	free(rings->taken);
	free(rings);
}

/* A number in a file of /proc/sys, as text; "?" if it can't be read. */
static void knob(const char *path, char *buf, size_t size)
{
	FILE *file = fopen(path, "re");

	if (!file || !fgets(buf, size, file))
		snprintf(buf, size, "?");
	if (file)
		fclose(file);
	buf[strcspn(buf, "\n")] = '\0';
}

static int explain_open(struct ipi_why *why, int err, const char *name)
{
	char value[32], remedy[192];

	switch (err) {
	case EACCES:
	case EPERM:
		knob("/proc/sys/kernel/perf_event_paranoid", value, sizeof(value));
		snprintf(remedy, sizeof(remedy), geteuid() ?
			 "run as root or with CAP_PERFMON (kernel.perf_event_paranoid is %s)" :
			 "in a container or under kernel lockdown? (kernel.perf_event_paranoid is %s)",
			 value);
		break;
	case EMFILE:
		snprintf(remedy, sizeof(remedy), "fewer CPUs (--cpus), or more files: ulimit -n");
		break;
	case EINVAL:
	case ENODEV:
		snprintf(remedy, sizeof(remedy), "is one of the CPUs offline?");
		break;
	default:
		remedy[0] = '\0';
		break;
	}
	return ipi_why__set(why, err, remedy, "can't open %s", name);
}

/* One file descriptor per event and CPU: on a large machine more than the soft limit. */
static bool raise_nofile(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &limit);
}

static struct perf_evsel *new_evsel(const struct ipi_rings *rings, int id)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_RAW,
		.read_format = rings->read_format,
		.disabled = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC_RAW,
		.watermark = 1,
		.wakeup_watermark = rings->pages * rings->page_size - 1,
	};

	return perf_evsel__new(&attr);
}

static int open_evsel(struct ipi_rings *rings, int id, struct perf_evsel **evselp)
{
	struct perf_evsel *evsel;
	int err;

	do {
		evsel = new_evsel(rings, id);
		if (!evsel)
			return -ENOMEM;
		err = perf_evsel__open(evsel, rings->cpus, rings->threads);
		if (!err) {
			*evselp = evsel;
			return 0;
		}
		perf_evsel__delete(evsel);
		if (err == -EINVAL && rings->read_format && !rings->nr_evsels) {
			rings->read_format = 0;
			continue;
		}
	} while (err == -EMFILE && raise_nofile());
	return err;
}

int ipi_rings__add(struct ipi_rings *rings, int id, const char *name, struct ipi_why *why)
{
	struct perf_evsel **more, *evsel = NULL;
	int err;

	more = realloc(rings->evsel, (rings->nr_evsels + 1) * sizeof(*more));
	if (!more)
		return ipi_why__set(why, ENOMEM, NULL, "%s", name);
	rings->evsel = more;

	err = open_evsel(rings, id, &evsel);
	if (err)
		return explain_open(why, -err, name);
	perf_evlist__add(rings->evlist, evsel);
	more[rings->nr_evsels] = evsel;
	return rings->nr_evsels++;
}

static int explain_map(struct ipi_why *why, int err, const struct ipi_rings *rings)
{
	char value[32], remedy[192] = "";

	if (err == EPERM || err == ENOMEM) {
		knob("/proc/sys/kernel/perf_event_mlock_kb", value, sizeof(value));
		snprintf(remedy, sizeof(remedy),
			 "less -m/--mmap-pages, or more `ulimit -l` or kernel.perf_event_mlock_kb (%s)",
			 value);
	}
	return ipi_why__set(why, err, remedy, "can't map rings of %u pages for %d CPUs",
			    rings->pages, rings->nr_rings);
}

/* libperf opens without it. */
static void close_on_exec(const struct perf_evlist *evlist)
{
	int i;

	for (i = 0; i < evlist->pollfd.nr; i++)
		fcntl(evlist->pollfd.entries[i].fd, F_SETFD, FD_CLOEXEC);
}

int ipi_rings__map(struct ipi_rings *rings, bool exact, struct ipi_why *why)
{
	struct perf_mmap *map;
	int i = 0;

	if (!rings->nr_evsels)
		return ipi_why__set(why, ENOENT, NULL, "no event to trace");
	/* Else newer libperfs take all online CPUs. */
	rings->evlist->has_user_cpus = true;
	perf_evlist__set_maps(rings->evlist, rings->cpus, rings->threads);

	errno = 0;
	while (perf_evlist__mmap(rings->evlist, rings->pages)) {
		int err = errno ? errno : EINVAL;

		if ((err != EPERM && err != ENOMEM) || exact || rings->pages / 2 < PAGES_MIN)
			return explain_map(why, err, rings);
		rings->pages /= 2;
		errno = 0;
	}
	close_on_exec(rings->evlist);
	perf_evlist__for_each_mmap(rings->evlist, map, false) {
		if (i < rings->nr_rings)
			rings->ring[i++] = map;
	}
	if (i != rings->nr_rings)
		return ipi_why__set(why, ENODEV, NULL, "%d rings for %d CPUs", i, rings->nr_rings);
	perf_evlist__enable(rings->evlist);
	return rings->pages;
}

void ipi_rings__enable(struct ipi_rings *rings)
{
	perf_evlist__enable(rings->evlist);
}

void ipi_rings__disable(struct ipi_rings *rings)
{
	perf_evlist__disable(rings->evlist);
}

void ipi_rings__begin(struct ipi_rings *rings, int ring)
{
	/* Cannot fail: it reads forward from where it was. */
	perf_mmap__read_init(rings->ring[ring]);
}

bool ipi_rings__next(struct ipi_rings *rings, int ring, struct ipi_record *record)
{
	struct perf_mmap *map = rings->ring[ring];
	union perf_event *event;

	if (++rings->taken[ring] == RELEASE_EVERY)
		ipi_rings__release(rings, ring);
	event = perf_mmap__read_event(map);
	if (!event)
		return false;
	record->type = event->header.type;
	record->body = &event->header + 1;
	record->size = event->header.size - sizeof(event->header);
	return true;
}

/* perf_mmap__read_done() must not be called: it would skip what came since. */
void ipi_rings__release(struct ipi_rings *rings, int ring)
{
	perf_mmap__consume(rings->ring[ring]);
	rings->taken[ring] = 0;
}

bool ipi_rings__tell_lost(const struct ipi_rings *rings)
{
	return rings->read_format & PERF_FORMAT_LOST;
}

int ipi_rings__read(struct ipi_rings *rings, int event, int ring, u64 *count, u64 *lost)
{
	struct perf_counts_values values;
	int err = perf_evsel__read(rings->evsel[event], ring, 0, &values);

	if (err)
		return err;
	*count = values.val;
	*lost = values.lost;
	return 0;
}
