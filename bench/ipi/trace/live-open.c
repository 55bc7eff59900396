// SPDX-License-Identifier: GPL-2.0
/*
 * Sets up the live source: takes the architecture's table, asks tracefs for each tracepoint's
 * format, teaches it to the decoder, opens it on all CPUs. One by one, so that one this kernel
 * lacks is named and left out; what can't be told without it is put in words.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../why.h"
#include "arch.h"
#include "decode.h"
#include "live.h"
#include "rings.h"
#include "tracefs.h"

#define NAME_LEN	80
#define PATH_LEN	128
#define LINE_LEN	600
#define PROBE_PAGES	16

/**
 * struct setup - a source in the making, or a probe
 * @tracefs:	formats
 * @decode:	learns them
 * @rings:	opens them
 * @live:	the source, NULL if this is but a probe
 */
struct setup {
	struct ipi_tracefs *tracefs;
	struct ipi_decode *decode;
	struct ipi_rings *rings;
	struct live *live;
};

static const struct ipi_arch_event *const *this_arch(int *nr)
{
	struct utsname uts;

	if (uname(&uts))
		uts.machine[0] = '\0';
	return ipi_arch__events(uts.machine, nr);
}

static void event_name(const struct ipi_arch_event *event, char *name)
{
	snprintf(name, NAME_LEN, "%s:%s", event->system, event->name);
}

/* The kernel's format of an event, to the decoder. Return: its id, or -errno. */
static int learn(struct setup *setup, const struct ipi_arch_event *event, const char *name,
		 struct ipi_why *why)
{
	char path[PATH_LEN];
	size_t size;
	char *text;
	int id;

	snprintf(path, sizeof(path), "events/%s/%s/format", event->system, event->name);
	id = ipi_tracefs__read(setup->tracefs, path, &text, &size);
	if (id == -ENOENT)
		return ipi_why__set(why, ENOENT, NULL, "this kernel has no %s", name);
	if (id)
		return ipi_why__set(why, -id, "run as root", "can't read the format of %s", name);

	id = ipi_decode__add(setup->decode, event, text, size);
	free(text);
	if (id < 0)
		return ipi_why__set(why, -id, NULL, "can't make sense of the format of %s", name);
	return id;
}

/* Return: the event's id, or -errno. */
static int open_event(struct setup *setup, const struct ipi_arch_event *event,
		      struct ipi_why *why)
{
	char name[NAME_LEN];
	int id, err;

	event_name(event, name);
	if (event->never)
		return ipi_why__set(why, 0, NULL, "%s %s", name, event->never);
	id = learn(setup, event, name, why);
	if (id < 0)
		return id;
	err = ipi_rings__add(setup->rings, id, name, why);
	return err < 0 ? err : id;
}

/* Not for the event's sake, but ours: the others would fail as well. */
static bool hopeless(const struct ipi_arch_event *event, int err)
{
	return !event->never && err != -ENOENT && err != -EINVAL;
}

static int learn_reasons(struct setup *setup, const struct ipi_arch_event *event,
			 struct ipi_why *why)
{
	size_t size;
	char *text;
	int ret;

	if (!event->reason)
		return 0;
	ret = ipi_tracefs__read(setup->tracefs, "printk_formats", &text, &size);
	if (ret)
		return ipi_why__set(why, -ret, "run as root", "can't read printk_formats");
	ret = ipi_decode__reasons(setup->decode, text, size);
	free(text);
	return ret < 0 ? ipi_why__set(why, -ret, NULL, "printk_formats") : 0;
}

static int begin(struct setup *setup, const struct ipi_cpus *cpus, unsigned int pages,
		 struct ipi_why *why)
{
	const int one = 1;

	memset(setup, 0, sizeof(*setup));
	setup->tracefs = ipi_tracefs__open(why);
	if (!setup->tracefs)
		return why && why->err ? -why->err : -ENOENT;
	setup->decode = ipi_decode__new(sizeof(long), !*(const char *)&one);
	if (!setup->decode)
		return ipi_why__set(why, ENOMEM, NULL, "decoder");
	setup->rings = ipi_rings__new(cpus, pages, why);
	return setup->rings ? 0 : -EINVAL;
}

static void end(struct setup *setup)
{
	ipi_rings__delete(setup->rings);
	ipi_decode__delete(setup->decode);
	ipi_tracefs__close(setup->tracefs);
}

/* The id leads to the index of the event just opened. */
static int remember(struct live *live, const struct ipi_arch_event *event, int id)
{
	int err = ipi_ids__set(&live->ids, id, live->nr_events);

	if (err)
		return err;
	live->nr_events++;

	live->source.have |= IPI_EVENT_BIT(event->kind);
	if (event->kind == IPI_EVENT_IRQ_EXIT)
		live->source.irq_exit |= event->irq == IPI_IRQ_NR ? (1U << IPI_IRQ_NR) - 1 :
								    1U << event->irq;
	return 0;
}

static int open_events(struct setup *setup, struct ipi_why *why)
{
	const struct ipi_arch_event *const *events;
	char line[LINE_LEN];
	int nr, i, id, err;

	events = this_arch(&nr);
	for (i = 0; i < nr; i++) {
		id = open_event(setup, events[i], why);
		if (id < 0) {
			if (hopeless(events[i], id))
				return id;
			ipi_dbg("left out: %s", ipi_why__line(why, line, sizeof(line)));
			continue;
		}
		err = learn_reasons(setup, events[i], why);
		if (err)
			return err;
		if (remember(setup->live, events[i], id))
			return ipi_why__set(why, ENOMEM, NULL, "events");
	}
	/* None at all: the last one's reason is as good as any. */
	return setup->live->nr_events ? 0 : -ENOENT;
}

static int make_room(struct live *live, const struct ipi_cpus *cpus)
{
	if (ipi_cpus__copy(&live->cpus, cpus))
		return -ENOMEM;
	live->ring = calloc(cpus->nr, sizeof(*live->ring));
	live->heap = calloc(cpus->nr, sizeof(*live->heap));
	live->count = calloc((size_t)cpus->nr * (live->nr_events ? live->nr_events : 1),
			     sizeof(*live->count));
	return live->ring && live->heap && live->count ? 0 : -ENOMEM;
}

struct ipi_source *ipi_live__open(const struct ipi_cpus *cpus, unsigned int pages, bool exact,
				  struct ipi_why *why)
{
	struct live *live = calloc(1, sizeof(*live));
	struct setup setup;
	int err;

	if (!live) {
		ipi_why__set(why, ENOMEM, NULL, "source");
		return NULL;
	}
	live->source.ops = &ipi_live__ops;
	err = begin(&setup, cpus, pages, why);
	setup.live = live;
	if (!err)
		err = open_events(&setup, why);
	if (!err && make_room(live, cpus))
		err = ipi_why__set(why, ENOMEM, NULL, "source");
	if (!err) {
		err = ipi_rings__map(setup.rings, exact, why);
		live->source.ring_bytes = err > 0 ? (u64)err * sysconf(_SC_PAGESIZE) : 0;
	}

	live->rings = setup.rings;
	live->decode = setup.decode;
	setup.rings = NULL;
	setup.decode = NULL;
	end(&setup);
	if (err < 0) {
		ipi_source__close(&live->source);
		return NULL;
	}
	ipi_arch__missing(live->source.have, live->source.irq_exit, live->source.missing,
			  sizeof(live->source.missing));
	return &live->source;
}

int ipi_live__probe(void (*line)(void *ctx, const char *event, bool usable, const char *tells,
				 const char *reason),
		    void *ctx, struct ipi_why *why)
{
	const struct ipi_arch_event *const *events;
	struct ipi_cpus cpus = { .nr = 0 };
	char name[NAME_LEN], reason[LINE_LEN];
	struct setup setup = { .live = NULL };
	struct ipi_why local = { .err = 0 };
	int nr, i, id, err;

	why = why ? why : &local;
	err = ipi_cpus__usable(&cpus, why);
	if (!err) {
		/* One CPU will do. */
		cpus.nr = cpus.nr > 1 ? 1 : cpus.nr;
		err = begin(&setup, &cpus, PROBE_PAGES, why);
	}
	events = this_arch(&nr);
	for (i = 0; !err && i < nr; i++) {
		event_name(events[i], name);
		id = open_event(&setup, events[i], why);
		if (id < 0 && hopeless(events[i], id))
			err = id;
		else
			line(ctx, name, id >= 0, events[i]->tells,
			     id < 0 ? ipi_why__line(why, reason, sizeof(reason)) : NULL);
	}
	end(&setup);
	ipi_cpus__free(&cpus);
	return err;
}
