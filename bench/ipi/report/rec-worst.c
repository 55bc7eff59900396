// SPDX-License-Identifier: GPL-2.0
/*
 * The longest deliveries of a recording, each with every event that was seen of it.
 */
#include <stdlib.h>

#include "recording.h"
#include "text.h"

#define NS_PER_SEC	1000000000ULL
#define EVENTS		6

struct happened {
	u64 time;
	const char *what;
	u64 name;		/* an address to be named, 0 if none */
	int cpu;
	bool offset;
};

static int by_time(const void *va, const void *vb)
{
	const struct happened *a = va, *b = vb;

	return (a->time > b->time) - (a->time < b->time);
}

static void print_events(FILE *file, const struct ipi_recording *rec, const struct ipi_delivery *d)
{
	struct happened all[EVENTS] = {
		{ d->t_queue, "function queued, by", d->callsite, d->src, true },
		{ d->t_send, d->class == IPI_CLASS_POLLED ? "polling CPU told, by" : "IPI sent, by",
		  d->callsite, d->src, true },
		{ d->t_irq_entry, "interrupt begins", 0, d->dst, false },
		{ d->t_func_entry, "function starts:", d->func, d->dst, false },
		{ d->t_func_exit, "function ends:", d->func, d->dst, false },
		{ d->t_irq_exit, "interrupt ends", 0, d->dst, false },
	};
	char buf[IPI_SYMBOL_LEN];
	u64 before = 0;
	int i;

	qsort(all, EVENTS, sizeof(all[0]), by_time);
	for (i = 0; i < EVENTS; i++) {
		if (!all[i].time)
			continue;
		fprintf(file, "#    %6llu.%09llu %+10lld ns  CPU %-4d %s %s\n",
			(unsigned long long)(all[i].time / NS_PER_SEC),
			(unsigned long long)(all[i].time % NS_PER_SEC),
			(long long)(before ? all[i].time - before : 0), all[i].cpu, all[i].what,
			all[i].name ? ipi_recording__symbol(rec, all[i].name, all[i].offset, buf) :
				      "");
		before = all[i].time;
	}
}

void ipi_recording__worst(FILE *file, const struct ipi_recording *rec)
{
	const struct ipi_worst_one *one;
	const struct ipi_delivery *d;
	char func[IPI_SYMBOL_LEN];
	size_t i;

	for (i = 0; (one = ipi_worst__get(rec->worst, i)); i++) {
		d = &one->delivery;
		fprintf(file, "#\n# worst %zu: %llu ns, %s %s, CPU ", i + 1,
			(unsigned long long)one->ns, ipi_irq__name(d->irq),
			ipi_recording__symbol(rec, d->func, false, func));
		if (d->src >= 0)
			fprintf(file, "%d", d->src);
		else
			fputc('-', file);
		fprintf(file, " to %d, %s", d->dst, ipi_class__name(d->class));
		if (one->comm[0])
			fprintf(file, ", sent by %s", one->comm);
		if (d->dst_pid >= 0)
			fprintf(file, ", hit %s", d->dst_pid ? "a process" : "idle");
		fputc('\n', file);
		print_events(file, rec, d);
	}
}
