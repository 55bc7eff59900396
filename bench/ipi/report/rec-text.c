// SPDX-License-Identifier: GPL-2.0
/*
 * A recording as text, for people: where it was made, its table (rec-table.c), and what could not
 * be told. Every line but a row of the table begins with "#". Its numbers are those of the JSON.
 */
#include <string.h>

#include "recording.h"
#include "text.h"

#define NS_PER_SEC	1000000000ULL

const char *ipi_recording__symbol(const struct ipi_recording *rec, u64 address, bool offset,
				  char *buf)
{
	const char *name = NULL;
	u64 into = 0;

	if (address && rec->symbols)
		name = ipi_symbols__name(rec->symbols, address, &into);
	if (name && offset && into)
		snprintf(buf, IPI_SYMBOL_LEN, "%.72s+0x%llx", name, (unsigned long long)into);
	else
		snprintf(buf, IPI_SYMBOL_LEN, "%.80s", name ? name : address ? "[unknown]" : "-");
	return buf;
}

u64 ipi_recording__duration(const struct ipi_recording *rec)
{
	const struct ipi_perfdata_stats *stats = ipi_perfdata__stats(rec->data);
	u64 from = stats->t_first > rec->from ? stats->t_first : rec->from;
	u64 to = stats->t_last < rec->to ? stats->t_last : rec->to;

	return to > from ? to - from : 0;
}

static void print_where(FILE *file, const struct ipi_recording *rec)
{
	const struct ipi_perfdata_info *info = ipi_perfdata__info(rec->data);
	struct ipi_line line = { .file = file };

	if (info->hostname)
		ipi_line__add(&line, "host %s", info->hostname);
	if (info->osrelease)
		ipi_line__add(&line, "Linux %s%s%s", info->osrelease, info->arch ? " " : "",
			      info->arch ? info->arch : "");
	else if (info->arch)
		ipi_line__add(&line, "%s", info->arch);
	if (info->nr_cpus)
		ipi_line__add(&line, "%u CPUs", info->nr_cpus);
	if (info->cpudesc)
		ipi_line__add(&line, "%s", info->cpudesc);
	if (info->version)
		ipi_line__add(&line, "perf %s", info->version);
	ipi_line__add(&line, "%s", info->clock);
	if (info->build_id[0])
		ipi_line__add(&line, "kernel build-id %s", info->build_id);
	if (info->nr_build_ids)
		ipi_line__add(&line, "%u build-ids", info->nr_build_ids);
	ipi_line__end(&line);
}

static void print_what(FILE *file, const struct ipi_recording *rec)
{
	const struct ipi_perfdata_stats *stats = ipi_perfdata__stats(rec->data);
	const struct ipi_perfdata_info *info = ipi_perfdata__info(rec->data);
	double seconds = ipi_recording__duration(rec);
	struct ipi_line line = { .file = file };
	int nr = 0;

	while (ipi_perfdata__event(rec->data, nr))
		nr++;
	ipi_line__add(&line, "%llu samples of %d events", (unsigned long long)stats->samples, nr);
	ipi_line__add(&line, "%.6f s", seconds / NS_PER_SEC);
	ipi_line__add(&line, "%llu rounds", (unsigned long long)stats->rounds);
	if (info->pipe)
		ipi_line__add(&line, "written to a pipe");
	if (info->compressed)
		ipi_line__add(&line, "compressed");
	if (info->big_endian)
		ipi_line__add(&line, "big-endian");
	ipi_line__add(&line, "names from %s", rec->names_from);
	if (info->borrowed)
		ipi_line__add(&line, "formats of this kernel, since its own are cut off");
	ipi_line__end(&line);
}

static void print_events(FILE *file, const struct ipi_recording *rec)
{
	const struct ipi_perfdata_event *event;
	int i;

	fprintf(file, "#\n# %12s  event\n", "samples");
	for (i = 0; (event = ipi_perfdata__event(rec->data, i)); i++)
		fprintf(file, "# %12llu  %s%s\n", (unsigned long long)event->samples, event->name,
			event->used ? "" : " (tells nothing of IPIs)");
}

static void print_choice(FILE *file, const struct ipi_recording *rec)
{
	struct ipi_line line = { .file = file };
	char cpus[256];

	if (rec->cpus.nr)
		ipi_line__add(&line, "only deliveries to CPUs %s",
			      ipi_cpus__format(&rec->cpus, cpus, sizeof(cpus)));
	if (rec->from)
		ipi_line__add(&line, "from %llu.%09llu s",
			      (unsigned long long)(rec->from / NS_PER_SEC),
			      (unsigned long long)(rec->from % NS_PER_SEC));
	if (rec->to != UINT64_MAX)
		ipi_line__add(&line, "to %llu.%09llu s", (unsigned long long)(rec->to / NS_PER_SEC),
			      (unsigned long long)(rec->to % NS_PER_SEC));
	if (rec->outside)
		ipi_line__add(&line, "%llu others left out", (unsigned long long)rec->outside);
	ipi_line__end(&line);
}

/* What was recorded but does not show above, by reason; those that are 0 say nothing. */
static void print_unjoined(FILE *file, const struct ipi_recording *rec)
{
	const struct ipi_perfdata_stats *stats = ipi_perfdata__stats(rec->data);
	const struct ipi_corr_stats *corr = rec->corr;
	const struct {
		u64 nr;
		const char *what;
	} piece[] = {
		{ corr->uncertain, "uncertain, for want of lost records" },
		{ corr->orphan_entry, "interrupt entries without exit" },
		{ corr->orphan_exit, "exits without entry" },
		{ corr->requeued, "csds queued again before they ran" },
		{ corr->unordered, "events out of order" },
		{ corr->bad, "events of CPUs out of range" },
		{ stats->bad, "records that make no sense" },
		{ stats->stray, "samples of no known event" },
	};
	struct ipi_line line = { .file = file };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(piece); i++) {
		if (piece[i].nr)
			ipi_line__add(&line, "%llu %s", (unsigned long long)piece[i].nr,
				      piece[i].what);
	}
	ipi_line__end(&line);
}

static void print_total(FILE *file, const struct ipi_recording *rec)
{
	const struct ipi_perfdata_stats *stats = ipi_perfdata__stats(rec->data);
	const struct ipi_kind *total = ipi_kinds__total(rec->kinds);
	struct ipi_line line = { .file = file };
	u64 negative = 0;
	size_t i;

	for (i = 0; i < ipi_kinds__nr(rec->kinds); i++)
		negative += ipi_kinds__get(rec->kinds, i)->negative;
	ipi_line__add(&line, "deliveries: %llu %s", (unsigned long long)total->classes[0],
		      ipi_class__name(0));
	for (i = 1; i < IPI_CLASS_NR; i++)
		ipi_line__add(&line, "%llu %s", (unsigned long long)total->classes[i],
			      ipi_class__name(i));
	ipi_line__end(&line);
	ipi_line__add(&line, "%llu records lost", (unsigned long long)stats->lost);
	if (stats->lost_samples)
		ipi_line__add(&line, "%llu by the kernel's own count",
			      (unsigned long long)stats->lost_samples);
	ipi_line__add(&line, "%llu negative intervals", (unsigned long long)negative);
	ipi_line__end(&line);
}

static void print_clocks(FILE *file, const struct ipi_recording *rec)
{
	const struct ipi_offsets_found *found = &rec->offsets;
	struct ipi_line line = { .file = file };

	if (!found->pairs)
		return;
	ipi_line__add(&line, "shortest send to entry: %lld ns (CPU %d to %d)",
		      (long long)found->shortest, found->shortest_src, found->shortest_dst);
	if (found->negative)
		ipi_line__add(&line, "clock skew: %llu of %llu pairs have negative ones",
			      (unsigned long long)found->negative,
			      (unsigned long long)found->pairs);
	if (found->both_ways)
		ipi_line__add(&line,
			      "clock skew: largest offset by both ways %lld ns (CPU %d ahead of %d)",
			      (long long)found->offset, found->offset_dst, found->offset_src);
	else
		ipi_line__add(&line, "clock skew not known: no pair sent both ways");
	ipi_line__end(&line);
}

static void print_missing(FILE *file, const struct ipi_recording *rec)
{
	const char *pos = ipi_perfdata__info(rec->data)->missing;
	char line[128];

	while (ipi_text__next_line(&pos, line, sizeof(line)))
		fprintf(file, "# %s\n", line);
}

/* Those of their deliveries again, from the call on. */
static void print_calls(FILE *file, const struct ipi_recording *rec,
			const struct ipi_recording_conf *conf)
{
	fprintf(file, "#\n# calls: %llu, of which %llu sent: %llu deliveries, from the call on\n",
		(unsigned long long)rec->calls_stats->calls,
		(unsigned long long)rec->calls_stats->sent,
		(unsigned long long)rec->calls_stats->deliveries);
	if (ipi_kinds__nr(rec->calls))
		ipi_recording__table(file, rec, rec->calls, IPI_BY_KIND, conf);
}

void ipi_recording__print(FILE *file, const struct ipi_recording *rec,
			  const struct ipi_recording_conf *conf)
{
	const struct ipi_perfdata_info *info = ipi_perfdata__info(rec->data);
	const struct ipi_text_conf text_conf = { .colour = conf->colour };
	const struct ipi_text text = { .file = file, .conf = &text_conf };

	print_where(file, rec);
	if (info->cmdline)
		ipi_text__comment(&text, IPI_MARK_PLAIN, "command: %s", info->cmdline);
	print_what(file, rec);
	print_choice(file, rec);
	if (conf->verbose)
		print_events(file, rec);
	ipi_recording__table(file, rec, rec->kinds, rec->by, conf);
	if (rec->calls)
		print_calls(file, rec, conf);
	if (rec->worst)
		ipi_recording__worst(file, rec);
	fputs("#\n", file);
	print_total(file, rec);
	print_unjoined(file, rec);
	print_clocks(file, rec);
	print_missing(file, rec);
	if (ipi_perfdata__stats(rec->data)->truncated)
		ipi_text__comment(&text, IPI_MARK_ALARM,
				  "the recording is cut off: it was read up to the cut");
}
