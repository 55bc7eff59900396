// SPDX-License-Identifier: GPL-2.0
/*
 * A recording as JSON, as Documentation/result-format.txt describes it: the numbers of the text
 * output and all those behind them. Kinds are made and written one by one, one a line.
 */
#include <errno.h>

#include "../why.h"
#include "outfile.h"
#include "recording.h"
#include "report.h"

#ifdef HAVE_JANSSON_SUPPORT

#include "json-value.h"

#define SCHEMA		"perf-bench-ipi-report/1"
#define NS_PER_SEC	1000000000.0

static json_t *string_if(const char *str)
{
	return str ? string(str) : json_null();
}

static json_t *where(const struct ipi_recording *rec)
{
	const struct ipi_perfdata_info *info = ipi_perfdata__info(rec->data);
	struct object object = object_new();

	set(&object, "hostname", string_if(info->hostname));
	set(&object, "kernel", string_if(info->osrelease));
	set(&object, "machine", string_if(info->arch));
	set(&object, "cpu_model", string_if(info->cpudesc));
	set(&object, "cpus_online", number_if(info->nr_cpus, info->nr_cpus));
	set(&object, "perf", string_if(info->version));
	set(&object, "command", string_if(info->cmdline));
	set(&object, "build_id", string_if(info->build_id[0] ? info->build_id : NULL));
	set(&object, "build_ids", number(info->nr_build_ids));
	set(&object, "clock", string_if(info->clock));
	set(&object, "pipe", json_boolean(info->pipe));
	set(&object, "compressed", json_boolean(info->compressed));
	set(&object, "big_endian", json_boolean(info->big_endian));
	set(&object, "formats_of_this_kernel", json_boolean(info->borrowed));
	return object_end(&object);
}

static json_t *choice(const struct ipi_recording *rec)
{
	struct object object = object_new();
	json_t *cpus = json_array();
	int i;

	for (i = 0; cpus && i < rec->cpus.nr; i++)
		object.spoilt |= json_array_append_new(cpus, json_integer(rec->cpus.cpu[i])) != 0;
	set(&object, "by", string(ipi_by__name(rec->by)));
	set(&object, "sort", string(ipi_sort__name(rec->sort)));
	set(&object, "cpus", cpus);
	set(&object, "from_ns", number_if(rec->from, rec->from));
	set(&object, "to_ns", number_if(rec->to != UINT64_MAX, rec->to));
	set(&object, "left_out", number(rec->outside));
	return object_end(&object);
}

static json_t *events(const struct ipi_recording *rec)
{
	const struct ipi_perfdata_event *event;
	json_t *array = json_array();
	int i;

	for (i = 0; array && (event = ipi_perfdata__event(rec->data, i)); i++) {
		struct object object = object_new();

		set(&object, "event", string(event->name));
		set(&object, "samples", number(event->samples));
		set(&object, "used", json_boolean(event->used));
		if (json_array_append_new(array, object_end(&object))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *unjoined(const struct ipi_recording *rec)
{
	const struct ipi_perfdata_stats *stats = ipi_perfdata__stats(rec->data);
	const struct ipi_corr_stats *corr = rec->corr;
	struct object object = object_new();

	set(&object, "uncertain", number(corr->uncertain));
	set(&object, "orphan_entry", number(corr->orphan_entry));
	set(&object, "orphan_exit", number(corr->orphan_exit));
	set(&object, "requeued", number(corr->requeued));
	set(&object, "unordered", number(corr->unordered));
	set(&object, "cpu_out_of_range", number(corr->bad));
	set(&object, "bad_records", number(stats->bad));
	set(&object, "stray_samples", number(stats->stray));
	return object_end(&object);
}

static json_t *clocks(const struct ipi_recording *rec)
{
	const struct ipi_offsets_found *found = &rec->offsets;
	struct object object = object_new();

	set(&object, "pairs", number(found->pairs));
	set(&object, "negative_pairs", number(found->negative));
	set(&object, "shortest_ns", found->pairs ? json_integer(found->shortest) : json_null());
	set(&object, "shortest_src", json_integer(found->shortest_src));
	set(&object, "shortest_dst", json_integer(found->shortest_dst));
	set(&object, "pairs_both_ways", number(found->both_ways));
	set(&object, "offset_ns", found->both_ways ? json_integer(found->offset) : json_null());
	set(&object, "offset_behind", json_integer(found->offset_src));
	set(&object, "offset_ahead", json_integer(found->offset_dst));
	return object_end(&object);
}

static json_t *class_counts(const struct ipi_kind *kind)
{
	struct object object = object_new();
	int i;

	for (i = 0; i < IPI_CLASS_NR; i++)
		set(&object, ipi_class__name(i), number(kind->classes[i]));
	return object_end(&object);
}

static json_t *one_stage(const struct ipi_kind *kind, enum ipi_stage index)
{
	const struct ipi_kind_stage *stage = &kind->stage[index];
	struct object object = object_new();
	bool known = stage->hist;

	set(&object, "count", number(stage->count));
	set(&object, "sum", number(stage->sum));
	set(&object, "min", number(stage->min));
	set(&object, "p50", number_if(known, ipi_kind__percentile(kind, index, 5000)));
	set(&object, "p90", number_if(known, ipi_kind__percentile(kind, index, 9000)));
	set(&object, "p99", number_if(known, ipi_kind__percentile(kind, index, 9900)));
	set(&object, "p999", number_if(known, ipi_kind__percentile(kind, index, 9990)));
	set(&object, "max", number(stage->max));
	set(&object, "mean", real_if(true, (double)stage->sum / stage->count));
	set(&object, "hist", known ? buckets(stage->hist) : json_null());
	return object_end(&object);
}

static json_t *stages_of(const struct ipi_kind *kind)
{
	struct object object = object_new();
	int i;

	for (i = 0; i < IPI_STAGE_NR; i++) {
		if (kind->stage[i].count)
			set(&object, ipi_stage__name(i), one_stage(kind, i));
	}
	return object_end(&object);
}

static json_t *cpus_of(const struct ipi_kinds *kinds, size_t rank)
{
	const struct ipi_kind_cpu *cpu;
	json_t *array = json_array();
	size_t pos = 0;

	while (array && (cpu = ipi_kinds__cpu(kinds, rank, &pos))) {
		struct object object = object_new();

		set(&object, "cpu", number(cpu->cpu));
		set(&object, "sent", number(cpu->sent));
		set(&object, "taken", number(cpu->taken));
		set(&object, "handler_ns", number(cpu->handler_ns));
		if (json_array_append_new(array, object_end(&object))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *cpu_if(int cpu)
{
	return cpu >= 0 ? json_integer(cpu) : json_null();
}

static json_t *symbol(const struct ipi_recording *rec, u64 address, bool offset)
{
	char buf[IPI_SYMBOL_LEN];

	return address ? string(ipi_recording__symbol(rec, address, offset, buf)) : json_null();
}

static json_t *kind_of(const struct ipi_recording *rec, const struct ipi_kinds *kinds, size_t rank)
{
	const struct ipi_kind *kind = ipi_kinds__get(kinds, rank);
	double seconds = ipi_recording__duration(rec) / NS_PER_SEC;
	struct object object = object_new();

	set(&object, "irq", kind->irq < IPI_IRQ_NR ? string(ipi_irq__name(kind->irq)) :
						     json_null());
	set(&object, "function", symbol(rec, kind->func, false));
	set(&object, "callsite", symbol(rec, kind->callsite, true));
	set(&object, "src", cpu_if(kind->src));
	set(&object, "dst", cpu_if(kind->dst));
	set(&object, "comm", string_if(kind->comm[0] ? kind->comm : NULL));
	set(&object, "others", json_boolean(kind->others));
	set(&object, "count", number(kind->count));
	set(&object, "per_s", real_if(seconds > 0, kind->count / seconds));
	set(&object, "classes", class_counts(kind));
	set(&object, "handler_ns", number(kind->handler_ns));
	set(&object, "negative", number(kind->negative));
	set(&object, "stages", stages_of(kind));
	set(&object, "cpus", cpus_of(kinds, rank));
	return object_end(&object);
}

static json_t *make_kind(const struct ipi_recording *rec, size_t rank)
{
	return kind_of(rec, rec->kinds, rank);
}

static json_t *make_call(const struct ipi_recording *rec, size_t rank)
{
	return kind_of(rec, rec->calls, rank);
}

static json_t *call_counts(const struct ipi_calls_stats *stats)
{
	struct object object;

	if (!stats)
		return json_null();
	object = object_new();
	set(&object, "calls", number(stats->calls));
	set(&object, "sent", number(stats->sent));
	set(&object, "deliveries", number(stats->deliveries));
	return object_end(&object);
}

static json_t *stamp(u64 time)
{
	return number_if(time, time);
}

static json_t *make_worst(const struct ipi_recording *rec, size_t rank)
{
	const struct ipi_worst_one *one = ipi_worst__get(rec->worst, rank);
	const struct ipi_delivery *d = &one->delivery;
	struct object object = object_new();

	set(&object, "ns", number(one->ns));
	set(&object, "irq", string(ipi_irq__name(d->irq)));
	set(&object, "class", string(ipi_class__name(d->class)));
	set(&object, "function", symbol(rec, d->func, false));
	set(&object, "callsite", symbol(rec, d->callsite, true));
	set(&object, "src", cpu_if(d->src));
	set(&object, "dst", cpu_if(d->dst));
	set(&object, "comm", string_if(one->comm[0] ? one->comm : NULL));
	set(&object, "t_queue", stamp(d->t_queue));
	set(&object, "t_send", stamp(d->t_send));
	set(&object, "t_irq_entry", stamp(d->t_irq_entry));
	set(&object, "t_func_entry", stamp(d->t_func_entry));
	set(&object, "t_func_exit", stamp(d->t_func_exit));
	set(&object, "t_irq_exit", stamp(d->t_irq_exit));
	return object_end(&object);
}

static int write_array(FILE *file, const char *key, const struct ipi_recording *rec, size_t nr,
		       json_t *(*make)(const struct ipi_recording *rec, size_t rank))
{
	size_t i;
	int err;

	fprintf(file, "\"%s\": [", key);
	for (i = 0; i < nr; i++) {
		fputs(i ? ",\n" : "\n", file);
		err = dump(file, make(rec, i));
		if (err)
			return err;
	}
	return fputs("\n]", file) < 0 ? -errno : 0;
}

static int write_recording(FILE *file, const struct ipi_recording *rec)
{
	const struct ipi_perfdata_stats *stats = ipi_perfdata__stats(rec->data);
	int err;

	fputs("{\n", file);
	err = write_member(file, "schema", string(SCHEMA)) ?:
	      write_member(file, "input", string(rec->input)) ?:
	      write_member(file, "truncated", json_boolean(stats->truncated)) ?:
	      write_member(file, "recording", where(rec)) ?:
	      write_member(file, "choice", choice(rec)) ?:
	      write_member(file, "names_from", string(rec->names_from)) ?:
	      write_member(file, "duration_ns", number(ipi_recording__duration(rec))) ?:
	      write_member(file, "samples", number(stats->samples)) ?:
	      write_member(file, "rounds", number(stats->rounds)) ?:
	      write_member(file, "lost", number(stats->lost)) ?:
	      write_member(file, "lost_samples", number(stats->lost_samples)) ?:
	      write_member(file, "events", events(rec)) ?:
	      write_member(file, "classes", class_counts(ipi_kinds__total(rec->kinds))) ?:
	      write_member(file, "unjoined", unjoined(rec)) ?:
	      write_member(file, "clocks", clocks(rec)) ?:
	      write_member(file, "missing", lines(ipi_perfdata__info(rec->data)->missing)) ?:
	      write_member(file, "calls", call_counts(rec->calls_stats)) ?:
	      write_array(file, "kinds", rec, ipi_kinds__nr(rec->kinds), make_kind);
	if (!err && rec->calls) {
		fputs(",\n", file);
		err = write_array(file, "call_kinds", rec, ipi_kinds__nr(rec->calls), make_call);
	}
	if (!err && rec->worst) {
		fputs(",\n", file);
		err = write_array(file, "worst", rec, ipi_worst__nr(rec->worst), make_worst);
	}
	if (err)
		return err;
	return fputs("\n}\n", file) < 0 ? -errno : 0;
}

int ipi_recording__json(const struct ipi_recording *rec, const char *path, struct ipi_why *why)
{
	struct ipi_outfile out;
	int err;

	err = ipi_outfile__open(&out, path, why);
	if (err)
		return err;
	err = write_recording(out.file, rec);
	return err ? ipi_outfile__abort(&out, -err, why) : ipi_outfile__commit(&out, why);
}

#else /* !HAVE_JANSSON_SUPPORT */

int ipi_recording__json(const struct ipi_recording *rec, const char *path, struct ipi_why *why)
{
	(void)rec;
	return ipi_json__check(path, why);
}

#endif
