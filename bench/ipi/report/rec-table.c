// SPDX-License-Identifier: GPL-2.0
/*
 * The kinds of a recording as a table: a row for each, of words without blanks, and under it as
 * comments what a row has no room for: classes, CPUs, percentiles of stages. Then the longest
 * deliveries, with all that was seen of each.
 */
#include <stdlib.h>
#include <string.h>

#include "recording.h"
#include "text.h"

#define NS_PER_SEC	1000000000.0
#define CPUS_SHOWN	8

/* Kinds of a recording, and what makes one. */
struct table {
	const struct ipi_recording *rec;
	const struct ipi_kinds *kinds;
	enum ipi_by by;
};

/* The widths of the columns that name a kind. */
struct names {
	int func;
	int callsite;
};

static bool has_func(enum ipi_by by)
{
	return by == IPI_BY_KIND || by == IPI_BY_CALLBACK || by == IPI_BY_SENDER;
}

static bool has_callsite(enum ipi_by by)
{
	return by == IPI_BY_KIND || by == IPI_BY_CALLSITE || by == IPI_BY_SENDER;
}

static bool has_src(enum ipi_by by)
{
	return by == IPI_BY_SRC || by == IPI_BY_PAIR;
}

static bool has_dst(enum ipi_by by)
{
	return by == IPI_BY_DST || by == IPI_BY_PAIR;
}

static int wider(int width, const char *word)
{
	int len = strlen(word);

	return len > width ? len : width;
}

static void measure(const struct table *table, struct names *names)
{
	char buf[IPI_SYMBOL_LEN];
	size_t i;

	names->func = strlen("function");
	names->callsite = strlen("callsite");
	for (i = 0; i < ipi_kinds__nr(table->kinds); i++) {
		const struct ipi_kind *kind = ipi_kinds__get(table->kinds, i);

		names->func = wider(names->func,
				    ipi_recording__symbol(table->rec, kind->func, false, buf));
		names->callsite = wider(names->callsite,
					ipi_recording__symbol(table->rec, kind->callsite, true,
							      buf));
	}
}

static void print_heading(FILE *file, const struct table *table, const struct names *names)
{
	char key[512];
	int len = 0;

	key[0] = '\0';
	if (has_func(table->by))
		len += snprintf(key + len, sizeof(key) - len, " irq     %-*s", names->func,
				"function");
	if (has_callsite(table->by))
		len += snprintf(key + len, sizeof(key) - len, " %-*s", names->callsite,
				"callsite");
	if (has_src(table->by))
		len += snprintf(key + len, sizeof(key) - len, " %5s", "src");
	if (has_dst(table->by))
		snprintf(key + len, sizeof(key) - len, " %5s", "dst");
	fputs("#\n# ns | time: in handlers, us\n#\n", file);
	fprintf(file, "# %*s %s %s\n", (int)strlen(key) + 27, "",
		"------- p50 of stages --------", "---- send latency ----");
	fprintf(file, "#%s %8s %9s %8s %6s %7s %8s %6s %7s %7s %7s %9s%s\n", key, "count", "per_s",
		"IPIs", "send", "deliver", "dispatch", "handle", "p50", "p99", "max", "time",
		table->by == IPI_BY_SENDER ? " comm" : "");
}

static void print_p50(FILE *file, const struct ipi_kind *kind, enum ipi_stage stage, int width,
		      unsigned int permille10)
{
	if (kind->stage[stage].hist)
		fprintf(file, " %*llu", width,
			(unsigned long long)ipi_kind__percentile(kind, stage, permille10));
	else
		fprintf(file, " %*s", width, "-");
}

static void print_cpu(FILE *file, int cpu)
{
	if (cpu >= 0)
		fprintf(file, " %5d", cpu);
	else
		fprintf(file, " %5s", "-");
}

static void print_key(FILE *file, const struct table *table, const struct ipi_kind *kind,
		      const struct names *names)
{
	char buf[IPI_SYMBOL_LEN];

	if (has_func(table->by)) {
		fprintf(file, " %-7s", kind->irq < IPI_IRQ_NR ? ipi_irq__name(kind->irq) : "-");
		fprintf(file, " %-*s", names->func, kind->others ? "(others)" :
			ipi_recording__symbol(table->rec, kind->func, false, buf));
	}
	if (has_callsite(table->by))
		fprintf(file, " %-*s", names->callsite,
			ipi_recording__symbol(table->rec, kind->callsite, true, buf));
	if (has_src(table->by))
		print_cpu(file, kind->src);
	if (has_dst(table->by))
		print_cpu(file, kind->dst);
}

static void print_comm(FILE *file, const char *comm)
{
	char word[IPI_COMM_LEN], *pos;

	snprintf(word, sizeof(word), "%s", comm[0] ? comm : "-");
	for (pos = word; *pos; pos++) {
		if (*pos == ' ')
			*pos = '_';
	}
	fprintf(file, " %s", word);
}

static void print_row(FILE *file, const struct table *table, const struct ipi_kind *kind,
		      const struct names *names)
{
	double seconds = ipi_recording__duration(table->rec) / NS_PER_SEC;

	fputc(' ', file);
	print_key(file, table, kind, names);
	fprintf(file, " %8llu", (unsigned long long)kind->count);
	if (seconds > 0)
		fprintf(file, " %9.1f", kind->count / seconds);
	else
		fprintf(file, " %9s", "-");
	fprintf(file, " %8llu", (unsigned long long)kind->classes[IPI_CLASS_INTERRUPT]);
	print_p50(file, kind, IPI_STAGE_SEND, 6, 5000);
	print_p50(file, kind, IPI_STAGE_DELIVER, 7, 5000);
	print_p50(file, kind, IPI_STAGE_DISPATCH, 8, 5000);
	print_p50(file, kind, IPI_STAGE_HANDLE, 6, 5000);
	print_p50(file, kind, IPI_STAGE_SEND_LATENCY, 7, 5000);
	print_p50(file, kind, IPI_STAGE_SEND_LATENCY, 7, 9900);
	if (kind->stage[IPI_STAGE_SEND_LATENCY].count)
		fprintf(file, " %7llu",
			(unsigned long long)kind->stage[IPI_STAGE_SEND_LATENCY].max);
	else
		fprintf(file, " %7s", "-");
	fprintf(file, " %9.1f", kind->handler_ns / 1e3);
	if (table->by == IPI_BY_SENDER)
		print_comm(file, kind->comm);
	fputc('\n', file);
}

/* Which CPUs sent, and which were hit, as lists. */
static void print_cpus(FILE *file, const struct table *table, size_t rank)
{
	struct ipi_cpus from = { .nr = 0 }, to = { .nr = 0 };
	const struct ipi_kind_cpu *cpu;
	char list[160];
	size_t pos = 0;
	bool failed = false;

	while ((cpu = ipi_kinds__cpu(table->kinds, rank, &pos))) {
		failed |= cpu->sent && ipi_cpus__add(&from, cpu->cpu);
		failed |= cpu->taken && ipi_cpus__add(&to, cpu->cpu);
	}
	if (!failed) {
		fprintf(file, "#    from CPUs %s", from.nr ?
			ipi_cpus__format(&from, list, sizeof(list)) : "-");
		fprintf(file, " to CPUs %s", ipi_cpus__format(&to, list, sizeof(list)));
	}
	ipi_cpus__free(&from);
	ipi_cpus__free(&to);
}

static void print_classes(FILE *file, const struct ipi_kind *kind)
{
	int i;

	for (i = 0; i < IPI_CLASS_NR; i++) {
		if (kind->classes[i])
			fprintf(file, " | %llu %s", (unsigned long long)kind->classes[i],
				ipi_class__name(i));
	}
	if (kind->negative)
		fprintf(file, " | %llu negative", (unsigned long long)kind->negative);
	fputc('\n', file);
}

static void print_stages(FILE *file, const struct ipi_kind *kind)
{
	bool headed = false;
	int i;

	for (i = 0; i < IPI_STAGE_NR; i++) {
		const struct ipi_kind_stage *stage = &kind->stage[i];

		if (!stage->count)
			continue;
		if (!headed)
			fprintf(file, "#    %-15s %10s %8s %8s %8s %8s %8s %8s\n", "ns", "count",
				"min", "p50", "p90", "p99", "p99.9", "max");
		headed = true;
		fprintf(file, "#    %-15s %10llu %8llu", ipi_stage__name(i),
			(unsigned long long)stage->count, (unsigned long long)stage->min);
		print_p50(file, kind, i, 8, 5000);
		print_p50(file, kind, i, 8, 9000);
		print_p50(file, kind, i, 8, 9900);
		print_p50(file, kind, i, 8, 9990);
		fprintf(file, " %8llu\n", (unsigned long long)stage->max);
	}
}

static int by_time(const void *va, const void *vb)
{
	const struct ipi_kind_cpu *a = va, *b = vb;

	if (a->handler_ns != b->handler_ns)
		return a->handler_ns > b->handler_ns ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

/* Where its handlers ran longest. */
static void print_handlers(FILE *file, const struct table *table, size_t rank, bool all)
{
	u64 duration = ipi_recording__duration(table->rec);
	struct ipi_line line = { .file = file };
	const struct ipi_kind_cpu *cpu;
	struct ipi_kind_cpu *cpus;
	size_t pos = 0, nr = 0, i;

	while (ipi_kinds__cpu(table->kinds, rank, &pos))
		;
	cpus = calloc(pos + 1, sizeof(*cpus));
	if (!cpus)
		return;
	for (pos = 0; (cpu = ipi_kinds__cpu(table->kinds, rank, &pos));) {
		if (cpu->handler_ns)
			cpus[nr++] = *cpu;
	}
	qsort(cpus, nr, sizeof(*cpus), by_time);
	for (i = 0; i < nr && (all || i < CPUS_SHOWN); i++)
		ipi_line__add(&line, "%sCPU %u %.1f us (%.3f %%)", i ? "" : "   in handlers: ",
			      cpus[i].cpu, cpus[i].handler_ns / 1e3,
			      duration ? 100.0 * cpus[i].handler_ns / duration : 0.0);
	if (i < nr)
		ipi_line__add(&line, "%zu more CPUs", nr - i);
	ipi_line__end(&line);
	free(cpus);
}

static void print_hists(FILE *file, const struct ipi_kind *kind,
			const struct ipi_recording_conf *conf)
{
	int i;

	for (i = 0; i < IPI_STAGE_NR; i++) {
		if (kind->stage[i].hist)
			ipi_hist__print(file, kind->stage[i].hist, ipi_stage__name(i),
					conf->colour);
	}
}

void ipi_recording__table(FILE *file, const struct ipi_recording *rec,
			  const struct ipi_kinds *kinds, enum ipi_by by,
			  const struct ipi_recording_conf *conf)
{
	const struct table table = { .rec = rec, .kinds = kinds, .by = by };
	bool details = conf->verbose || by == IPI_BY_KIND || by == IPI_BY_CALLBACK ||
		       by == IPI_BY_CALLSITE || by == IPI_BY_SENDER;
	const struct ipi_kind *kind;
	struct names names;
	size_t i;

	if (!ipi_kinds__nr(kinds)) {
		fputs("#\n# no IPIs\n", file);
		return;
	}
	measure(&table, &names);
	print_heading(file, &table, &names);
	for (i = 0; (kind = ipi_kinds__get(kinds, i)); i++) {
		print_row(file, &table, kind, &names);
		if (details) {
			print_cpus(file, &table, i);
			print_classes(file, kind);
			print_stages(file, kind);
			print_handlers(file, &table, i, conf->verbose);
		}
		if (conf->hist)
			print_hists(file, kind, conf);
	}
}
