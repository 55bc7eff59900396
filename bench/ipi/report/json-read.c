// SPDX-License-Identifier: GPL-2.0
/*
 * A result back from its JSON, whole: written again it is the same bytes. Takes the keys it knows,
 * as Documentation/result-format.txt asks of a reader; what has another type than it should have,
 * or can't be, is an error that names the key and the cell. Builds without jansson say so.
 */
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "../why.h"
#include "report.h"

#ifdef HAVE_JANSSON_SUPPORT

#include "../trace/event.h"
#include "json-get.h"

static void copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
}

/* Scenarios and states come at any time: those this program doesn't know, it leaves out. */
static bool knows(struct ipi_reader *reader, const json_t *object)
{
	const char *scenario = ipi_get__string(reader, object, "scenario");
	const char *target = ipi_get__string(reader, object, "target_state");
	const char *none = ipi_target__name(IPI_TARGET_NONE);

	return ipi_scenario__find(scenario) >= 0 &&
	       (!strcmp(target, none) || ipi_target__find(target) >= 0);
}

static enum ipi_verdict verdict_of(struct ipi_reader *reader, const json_t *object)
{
	const char *name = ipi_get__string(reader, object, "verdict");
	int i;

	for (i = 0; i < IPI_VERDICT_NR; i++) {
		if (!strcmp(ipi_verdict__name((enum ipi_verdict)i), name))
			return (enum ipi_verdict)i;
	}
	ipi_get__spoil(reader, "verdict");
	return IPI_VERDICT_FAILED;
}

/* The buckets, to be freed; NULL without memory. */
static struct ipi_bucket *read_buckets(struct ipi_reader *reader, const json_t *stage, size_t *nr)
{
	const json_t *array;
	struct ipi_bucket *bucket;
	size_t i;

	*nr = ipi_get__array(reader, stage, "hist", &array);
	bucket = calloc(*nr + 1, sizeof(*bucket));
	if (!bucket)
		ipi_get__no_memory(reader);
	for (i = 0; bucket && i < *nr; i++) {
		const json_t *pair = json_array_get(array, i);
		const json_t *low = json_array_get(pair, 0);
		const json_t *count = json_array_get(pair, 1);

		if (!json_is_integer(low) || !json_is_integer(count) ||
		    json_integer_value(low) < 0 || json_integer_value(count) <= 0) {
			ipi_get__spoil(reader, "hist");
			break;
		}
		bucket[i].low = (u64)json_integer_value(low);
		bucket[i].count = (u64)json_integer_value(count);
	}
	return bucket;
}

static struct ipi_hist *read_stage(struct ipi_reader *reader, const json_t *stage,
				   const char *name)
{
	u64 count = ipi_get__number(reader, stage, "count");
	u64 min = ipi_get__number(reader, stage, "min");
	u64 max = ipi_get__number(reader, stage, "max");
	double sum = ipi_get__real(reader, stage, "mean") * count;
	struct ipi_hist *hist = NULL;
	struct ipi_bucket *bucket;
	size_t nr;

	bucket = read_buckets(reader, stage, &nr);
	/* The sum isn't there; what the mean tells of it makes the same mean again. */
	if (!reader->err && sum >= 0 && sum < 1.8e19)
		hist = ipi_hist__restore(bucket, nr, min, max, (u64)(sum + 0.5));
	if (!hist && errno == ENOMEM && !reader->err)
		ipi_get__no_memory(reader);
	else if (!hist || ipi_hist__count(hist) != count)
		ipi_get__spoil(reader, name);
	free(bucket);
	return hist;
}

static void read_stages(struct ipi_reader *reader, const json_t *object, struct ipi_cell *cell)
{
	const json_t *stages = ipi_get__known(object, "stages");
	int i;

	if (stages && !json_is_object(stages))
		ipi_get__spoil(reader, "stages");
	for (i = 0; i < IPI_STAGE_NR && !reader->err; i++) {
		const char *name = ipi_stage__name((enum ipi_stage)i);
		const json_t *stage = ipi_get__known(stages, name);

		errno = 0;
		if (stage)
			cell->stage[i] = read_stage(reader, stage, name);
	}
}

static void read_classes(struct ipi_reader *reader, const json_t *object, struct ipi_cell *cell)
{
	const json_t *classes = ipi_get__known(object, "classes");
	int i;

	for (i = 0; i < IPI_CLASS_NR; i++)
		cell->classes[i] = ipi_get__number(reader, classes,
						   ipi_class__name((enum ipi_class)i));
}

/* Which events there were shows in what is not null. */
static void read_row(struct ipi_reader *reader, const json_t *from, struct ipi_pass *pass,
		     struct ipi_ledger_row *row)
{
	const json_t *entries = ipi_get__known(from, "entries");
	const json_t *counters = ipi_get__known(from, "counters");
	int i;

	row->cpu = (int)ipi_get__small(reader, from, "cpu");
	row->calls = ipi_get__number(reader, from, "calls");
	row->queued = ipi_get__number(reader, from, "queued");
	row->sent = ipi_get__number(reader, from, "sent");
	row->functions = ipi_get__number(reader, from, "functions");
	if (ipi_get__known(from, "queued"))
		pass->have |= IPI_EVENT_BIT(IPI_EVENT_QUEUE);
	if (ipi_get__known(from, "sent"))
		pass->have |= IPI_EVENT_BIT(IPI_EVENT_SEND);
	if (ipi_get__known(from, "functions"))
		pass->have |= IPI_EVENT_BIT(IPI_EVENT_FUNC_ENTRY);
	if (ipi_get__known(entries, ipi_irq__name(IPI_IRQ_CALL)))
		pass->have |= IPI_EVENT_BIT(IPI_EVENT_IRQ_ENTRY);
	for (i = 0; i < IPI_IRQ_NR; i++)
		row->entries[i] = ipi_get__number(reader, entries, ipi_irq__name((enum ipi_irq)i));
	for (i = 0; i < IPI_COUNTER_NR; i++) {
		const char *name = ipi_counter__name((enum ipi_counter)i);

		row->counter[i] = ipi_get__number(reader, counters, name);
		if (ipi_get__known(counters, name))
			pass->counters |= 1U << i;
	}
}

static void read_ledger(struct ipi_reader *reader, const json_t *object, struct ipi_cell *cell)
{
	const json_t *array;
	size_t nr = ipi_get__array(reader, object, "ledger", &array);
	size_t i;

	for (i = 0; i < nr && !reader->err; i++) {
		const json_t *from = json_array_get(array, i);
		bool traced = !strcmp(ipi_get__string(reader, from, "pass"), "traced");
		struct ipi_pass *pass = traced ? &cell->traced : &cell->untraced;
		struct ipi_ledger_row *row;

		row = reallocarray(pass->row, (size_t)pass->nr_row + 1, sizeof(*row));
		if (!row) {
			ipi_get__no_memory(reader);
			return;
		}
		pass->row = row;
		row += pass->nr_row++;
		memset(row, 0, sizeof(*row));
		read_row(reader, from, pass, row);
	}
}

static void read_last(struct ipi_reader *reader, const json_t *object, struct ipi_cell *cell)
{
	const json_t *array;
	size_t nr = ipi_get__array(reader, object, "last_responders", &array);
	size_t i;
	int t;

	if (!array || reader->err)
		return;
	cell->last = calloc((size_t)cell->dst.nr + 1, sizeof(*cell->last));
	if (!cell->last) {
		ipi_get__no_memory(reader);
		return;
	}
	for (i = 0; i < nr; i++) {
		const json_t *pair = json_array_get(array, i);
		json_int_t cpu = json_integer_value(json_array_get(pair, 0));
		json_int_t count = json_integer_value(json_array_get(pair, 1));

		for (t = 0; t < cell->dst.nr && cell->dst.cpu[t] != cpu; t++)
			;
		if (t == cell->dst.nr || count <= 0 || json_array_size(pair) != 2) {
			ipi_get__spoil(reader, "last_responders");
			return;
		}
		cell->last[t] = (u64)count;
	}
}

/* Names that outlive the file. */
static const char *backend_name(const char *name)
{
	static const char *const names[] = { "user", "module", "fake" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(name, names[i]))
			return names[i];
	}
	return NULL;
}

static void read_what(struct ipi_reader *reader, const json_t *object, struct ipi_cell *cell)
{
	int scenario = ipi_scenario__find(ipi_get__string(reader, object, "scenario"));
	int target = ipi_target__find(ipi_get__string(reader, object, "target_state"));

	cell->scenario = (enum ipi_scenario)scenario;
	cell->target = target < 0 ? IPI_TARGET_NONE : (enum ipi_target)target;
	cell->verdict = verdict_of(reader, object);
	cell->backend = backend_name(ipi_get__string(reader, object, "backend"));
	copy(cell->trigger, sizeof(cell->trigger), ipi_get__string(reader, object, "trigger"));
	copy(cell->note, sizeof(cell->note), ipi_get__string(reader, object, "note"));
	cell->stamped = ipi_get__bool(reader, object, "stamped");
	cell->nowait = ipi_get__bool(reader, object, "nowait");
	cell->interrupted = ipi_get__bool(reader, object, "interrupted");
	cell->src = (int)ipi_get__small(reader, object, "src");
	cell->repetition = ipi_get__small(reader, object, "repetition");
	ipi_get__cpus(reader, object, "dst", &cell->dst);
	ipi_get__cpus(reader, object, "senders", &cell->senders);
}

static void read_counts(struct ipi_reader *reader, const json_t *object, struct ipi_cell *cell)
{
	const json_t *baseline = ipi_get__known(object, "baseline");

	cell->untraced.done = ipi_get__known(object, "calls");
	cell->traced.done = ipi_get__known(object, "calls_traced");
	cell->untraced.calls = ipi_get__number(reader, object, "calls");
	cell->traced.calls = ipi_get__number(reader, object, "calls_traced");
	cell->untraced.others = ipi_get__number(reader, object, "calls_others");
	cell->untraced.errors = ipi_get__number(reader, object, "errors");
	cell->storm_rate = ipi_get__real(reader, object, "storm_calls_per_s");
	cell->ipis_per_call = ipi_get__real(reader, object, "ipis_per_call");
	cell->migrations = ipi_get__number(reader, object, "migrations");
	cell->lost = ipi_get__number(reader, object, "lost");
	cell->vanished = ipi_get__number(reader, object, "vanished");
	cell->uncertain = ipi_get__number(reader, object, "uncertain");
	cell->negative = ipi_get__number(reader, object, "negative");
	cell->foreign = ipi_get__number(reader, object, "foreign");
	cell->off_state = ipi_get__number(reader, object, "off_state");
	cell->observer_known = ipi_get__known(object, "observer_ns");
	cell->observer_ns = ipi_get__signed(reader, object, "observer_ns");
	cell->steal_ms = ipi_get__real(reader, object, "steal_ms");
	if (!baseline)
		return;
	cell->baseline_ns = (s64)ipi_get__number(reader, baseline, "p50");
	copy(cell->baseline_what, sizeof(cell->baseline_what),
	     ipi_get__string(reader, baseline, "what"));
}

static void read_cells(struct ipi_reader *reader, const json_t *root, struct ipi_result *result)
{
	const json_t *array;
	size_t nr = ipi_get__array(reader, root, "cells", &array);
	size_t i;

	for (i = 0; i < nr && i < INT_MAX && !reader->err; i++) {
		const json_t *object = json_array_get(array, i);
		struct ipi_cell *cell;

		reader->cell = (int)i;
		if (!knows(reader, object))
			continue;
		cell = ipi_result__add_cell(result);
		if (!cell) {
			ipi_get__no_memory(reader);
			return;
		}
		read_what(reader, object, cell);
		read_counts(reader, object, cell);
		read_classes(reader, object, cell);
		ipi_get__lines(reader, object, "inseparable", cell->inseparable,
			       sizeof(cell->inseparable));
		read_last(reader, object, cell);
		read_stages(reader, object, cell);
		read_ledger(reader, object, cell);
	}
}

static void read_level(struct ipi_reader *reader, const json_t *levels, enum ipi_distance level,
		       struct ipi_topology *topology)
{
	const char *name = ipi_distance__name(level);
	const json_t *groups;
	size_t nr = ipi_get__array(reader, levels, name, &groups);
	size_t i;

	for (i = 0; i < nr && !reader->err; i++) {
		struct ipi_cpus group = { 0 };
		int err;

		ipi_get__cpu_list(reader, json_array_get(groups, i), name, &group);
		if (!group.nr)
			ipi_get__spoil(reader, name);
		err = reader->err ? 0 : ipi_topology__add(topology, level, &group, NULL);
		if (err == -ENOMEM)
			ipi_get__no_memory(reader);
		else if (err)
			ipi_get__spoil(reader, name);
		ipi_cpus__free(&group);
	}
}

/* Of a matrix: who shares what. */
static void read_topology(struct ipi_reader *reader, const json_t *root, struct ipi_result *result)
{
	const json_t *from = ipi_get__known(root, "topology");
	const json_t *levels = ipi_get__known(from, "levels");
	struct ipi_topology *topology;
	struct ipi_cpus cpus = { 0 };
	int i;

	if (!from || reader->err)
		return;
	if (!json_is_object(from))
		ipi_get__spoil(reader, "topology");
	ipi_get__cpus(reader, from, "cpus", &cpus);
	topology = reader->err ? NULL :
		   ipi_topology__new(ipi_get__string(reader, from, "source"), &cpus);
	ipi_cpus__free(&cpus);
	if (!topology) {
		/* Unless it was spoilt before. */
		ipi_get__no_memory(reader);
		return;
	}
	result->topology = topology;
	for (i = 0; i < IPI_LEVEL_NR; i++)
		read_level(reader, levels, (enum ipi_distance)i, topology);
	ipi_get__lines(reader, from, "unknown", topology->missing, sizeof(topology->missing));
}

static int check_schema(const json_t *root, const char *path, struct ipi_why *why)
{
	static const char ours[] = IPI_RESULT_SCHEMA;
	const char *schema = json_string_value(json_object_get(root, "schema"));
	size_t name = strcspn(ours, "/");

	if (schema && !strcmp(schema, ours))
		return 0;
	if (schema && !strncmp(schema, ours, name + 1))
		return ipi_why__set(why, EPROTO, "use the program that wrote it, or a newer one",
				    "%s: schema '%s' is not ours, '%s'", path, schema, ours);
	return ipi_why__set(why, 0, "give it a file that perf bench ipi --json wrote",
			    "%s: no result of perf bench ipi", path);
}

static json_t *load(const char *path, struct ipi_why *why)
{
	json_error_t error;
	json_t *root;

#ifdef M_MXFAST
	/*
	 * glibc keeps small pieces that were freed in lists of their own, and tidies them all up
	 * whenever a large one is asked for: a third of the time where there are thousands of
	 * histograms.
	 */
	mallopt(M_MXFAST, 0);
#endif
	errno = 0;
	root = strcmp(path, "-") ? json_load_file(path, JSON_REJECT_DUPLICATES, &error) :
				   json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
	if (root)
		return root;
	if (error.line < 0)
		ipi_why__set(why, errno ? errno : EIO, NULL, "can't read %s", path);
	else
		ipi_why__set(why, 0, "give it a file that perf bench ipi --json wrote",
			     "%s:%d: %s", path, error.line, error.text);
	return NULL;
}

struct ipi_result *ipi_json__read(const char *path, struct ipi_why *why)
{
	struct ipi_reader reader = { .path = path, .cell = -1, .why = why };
	struct ipi_result *result = NULL;
	json_t *root = load(path, why);

	if (!root)
		return NULL;
	if (!check_schema(root, path, why)) {
		result = ipi_result__new();
		if (!result)
			ipi_get__no_memory(&reader);
	}
	if (result) {
		copy(result->title, sizeof(result->title), ipi_get__string(&reader, root, "title"));
		copy(result->trace, sizeof(result->trace), ipi_get__string(&reader, root, "trace"));
		result->interrupted = ipi_get__bool(&reader, root, "interrupted");
		ipi_get__facts(&reader, root, "environment", &result->environment);
		ipi_get__facts(&reader, root, "options", &result->options);
		ipi_get__lines(&reader, root, "missing", result->missing, sizeof(result->missing));
		read_topology(&reader, root, result);
		read_cells(&reader, root, result);
	}
	json_decref(root);
	if (reader.err) {
		ipi_result__delete(result);
		result = NULL;
	}
	return result;
}

#else /* !HAVE_JANSSON_SUPPORT */

struct ipi_result *ipi_json__read(const char *path, struct ipi_why *why)
{
	(void)path;
	ipi_why__set(why, EOPNOTSUPP, "apt-get install libjansson-dev, and build again",
		     "this program was built without JSON (jansson)");
	return NULL;
}

#endif
