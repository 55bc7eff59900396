// SPDX-License-Identifier: GPL-2.0
/*
 * The whole result as JSON, as Documentation/result-format.txt describes it: the numbers of the
 * text output and all those behind them. Built without jansson (HAVE_JANSSON_SUPPORT) it says
 * so. Cells are made and written one by one, one a line, so that
 * memory does not grow with the number of rows.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../why.h"
#include "outfile.h"
#include "report.h"

#ifdef HAVE_JANSSON_SUPPORT

#include "../trace/event.h"
#include "json-fits.h"
#include "json-value.h"

static json_t *facts(const struct ipi_facts *from)
{
	struct object object = object_new();
	const struct ipi_fact *fact;
	int i;

	for (i = 0; i < from->nr; i++) {
		fact = &from->fact[i];
		set(&object, fact->key, fact->str ? string(fact->str) : json_integer(fact->num));
	}
	return object_end(&object);
}

static json_t *cpus(const struct ipi_cpus *from)
{
	json_t *array = json_array();
	int i;

	for (i = 0; array && i < from->nr; i++) {
		if (json_array_append_new(array, json_integer(from->cpu[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *stage(const struct ipi_hist *hist)
{
	struct object object = object_new();
	double mean = ipi_hist__sum(hist);

	mean /= ipi_hist__count(hist);
	set(&object, "count", number(ipi_hist__count(hist)));
	set(&object, "min", number(ipi_hist__min(hist)));
	set(&object, "p50", number(ipi_hist__percentile(hist, 5000)));
	set(&object, "p90", number(ipi_hist__percentile(hist, 9000)));
	set(&object, "p99", number(ipi_hist__percentile(hist, 9900)));
	set(&object, "p999", number(ipi_hist__percentile(hist, 9990)));
	set(&object, "max", number(ipi_hist__max(hist)));
	set(&object, "mean", real_if(true, mean));
	set(&object, "hist", buckets(hist));
	return object_end(&object);
}

static json_t *stages(const struct ipi_cell *cell)
{
	struct object object = object_new();
	int i;

	for (i = 0; i < IPI_STAGE_NR; i++) {
		if (ipi_cell__measured(cell, i))
			set(&object, ipi_stage__name(i), stage(cell->stage[i]));
	}
	return object_end(&object);
}

static json_t *classes(const struct ipi_cell *cell)
{
	struct object object = object_new();
	int i;

	for (i = 0; i < IPI_CLASS_NR; i++)
		set(&object, ipi_class__name(i), number_if(cell->traced.done, cell->classes[i]));
	return object_end(&object);
}

static json_t *baseline(const struct ipi_cell *cell)
{
	struct object object;

	if (cell->baseline_ns < 0)
		return json_null();
	object = object_new();
	set(&object, "p50", json_integer(cell->baseline_ns));
	set(&object, "what", string(cell->baseline_what));
	return object_end(&object);
}

static json_t *entries(const struct ipi_pass *pass, const struct ipi_ledger_row *row)
{
	bool known = pass->have & IPI_EVENT_BIT(IPI_EVENT_IRQ_ENTRY);
	struct object object = object_new();
	int i;

	for (i = 0; i < IPI_IRQ_NR; i++)
		set(&object, ipi_irq__name(i), number_if(known, row->entries[i]));
	return object_end(&object);
}

static json_t *counters(const struct ipi_pass *pass, const struct ipi_ledger_row *row)
{
	struct object object = object_new();
	int i;

	for (i = 0; i < IPI_COUNTER_NR; i++)
		set(&object, ipi_counter__name(i),
		    number_if(pass->counters & (1U << i), row->counter[i]));
	return object_end(&object);
}

static json_t *ledger_row(const char *name, const struct ipi_pass *pass,
			  const struct ipi_ledger_row *row)
{
	unsigned int sent = IPI_EVENT_BIT(IPI_EVENT_SEND) | IPI_EVENT_BIT(IPI_EVENT_RAISE);
	struct object object = object_new();

	set(&object, "pass", string(name));
	set(&object, "cpu", json_integer(row->cpu));
	set(&object, "calls", number(row->calls));
	set(&object, "queued", number_if(pass->have & IPI_EVENT_BIT(IPI_EVENT_QUEUE), row->queued));
	set(&object, "sent", number_if(pass->have & sent, row->sent));
	set(&object, "functions",
	    number_if(pass->have & IPI_EVENT_BIT(IPI_EVENT_FUNC_ENTRY), row->functions));
	set(&object, "entries", entries(pass, row));
	set(&object, "counters", counters(pass, row));
	return object_end(&object);
}

static int add_ledger(json_t *array, const char *name, const struct ipi_pass *pass)
{
	int i;

	for (i = 0; i < pass->nr_row; i++) {
		if (json_array_append_new(array, ledger_row(name, pass, &pass->row[i])))
			return -1;
	}
	return 0;
}

static json_t *ledger(const struct ipi_cell *cell)
{
	json_t *array = json_array();

	if (add_ledger(array, "untraced", &cell->untraced) ||
	    add_ledger(array, "traced", &cell->traced)) {
		json_decref(array);
		return NULL;
	}
	return array;
}

/* [[cpu, how often it was the last to end], ...], those that never were left out. */
static json_t *last_responders(const struct ipi_cell *cell)
{
	json_t *array;
	int i;

	if (!cell->last)
		return json_null();
	array = json_array();
	for (i = 0; array && i < cell->dst.nr; i++) {
		if (cell->last[i] &&
		    json_array_append_new(array, json_pack("[i,I]", cell->dst.cpu[i],
							   (json_int_t)cell->last[i]))) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

static void set_what(struct object *object, const struct ipi_cell *cell)
{
	set(object, "scenario", string(ipi_scenario__name(cell->scenario)));
	set(object, "backend", cell->backend ? string(cell->backend) : json_null());
	set(object, "trigger", string(cell->trigger));
	set(object, "stamped", json_boolean(cell->stamped));
	set(object, "nowait", json_boolean(cell->nowait));
	set(object, "src", json_integer(cell->src));
	set(object, "dst", cpus(&cell->dst));
	set(object, "senders", cpus(&cell->senders));
	set(object, "target_state", string(ipi_target__name(cell->target)));
	set(object, "repetition", json_integer(cell->repetition));
	set(object, "verdict", string(ipi_verdict__name(cell->verdict)));
	set(object, "note", string(cell->note));
	set(object, "interrupted", json_boolean(cell->interrupted));
}

static void set_counts(struct object *object, const struct ipi_cell *cell)
{
	bool traced = cell->traced.done;
	bool any = cell->untraced.done || traced;

	set(object, "calls", number_if(cell->untraced.done, cell->untraced.calls));
	set(object, "calls_traced", number_if(traced, cell->traced.calls));
	set(object, "calls_others",
	    number_if(cell->untraced.done && cell->senders.nr, cell->untraced.others));
	set(object, "storm_calls_per_s", real_if(cell->storm_rate >= 0, cell->storm_rate));
	set(object, "ipis_per_call", real_if(cell->ipis_per_call >= 0, cell->ipis_per_call));
	set(object, "errors", number_if(any, cell->untraced.errors + cell->traced.errors));
	set(object, "migrations", number_if(any, cell->migrations));
	set(object, "classes", classes(cell));
	set(object, "lost", number_if(traced, cell->lost));
	set(object, "vanished", number_if(traced, cell->vanished));
	set(object, "uncertain", number_if(traced, cell->uncertain));
	set(object, "negative", number_if(traced, cell->negative));
	set(object, "foreign", number_if(traced, cell->foreign));
	set(object, "off_state", number_if(traced, cell->off_state));
}

static json_t *make_cell(const struct ipi_cell *cell)
{
	struct object object = object_new();

	set_what(&object, cell);
	set_counts(&object, cell);
	set(&object, "inseparable", lines(cell->inseparable));
	set(&object, "observer_ns",
	    cell->observer_known ? json_integer(cell->observer_ns) : json_null());
	set(&object, "baseline", baseline(cell));
	set(&object, "steal_ms", real_if(cell->steal_ms >= 0, cell->steal_ms));
	set(&object, "last_responders", last_responders(cell));
	set(&object, "stages", stages(cell));
	set(&object, "ledger", ledger(cell));
	return object_end(&object);
}

/* Groups of CPUs by what they share, narrowest first. */
static json_t *levels(const struct ipi_topology *topology)
{
	enum ipi_distance level[IPI_LEVEL_NR];
	int nr = ipi_topology__levels(topology, level);
	struct object object = object_new();
	int i, k;

	for (i = 0; i < nr; i++) {
		const struct ipi_level *from = &topology->level[level[i]];
		json_t *groups = json_array();

		for (k = 0; groups && k < from->nr; k++) {
			if (json_array_append_new(groups, cpus(&from->group[k])))
				object.spoilt = true;
		}
		set(&object, ipi_distance__name(level[i]), groups);
	}
	return object_end(&object);
}

static json_t *topology(const struct ipi_topology *from)
{
	struct object object = object_new();

	set(&object, "source", string(from->source));
	set(&object, "cpus", cpus(&from->cpus));
	set(&object, "levels", levels(from));
	set(&object, "unknown", lines(from->missing));
	return object_end(&object);
}

static int write_cells(FILE *file, const struct ipi_result *result)
{
	int err;
	int i;

	fputs("\"cells\": [", file);
	for (i = 0; i < result->nr_cell; i++) {
		fputs(i ? ",\n" : "\n", file);
		err = dump(file, make_cell(&result->cell[i]));
		if (err)
			return err;
	}
	fputs("\n]", file);
	return 0;
}

static int write_result(FILE *file, const struct ipi_result *result)
{
	int err;

	fputs("{\n", file);
	err = write_member(file, "schema", string(IPI_RESULT_SCHEMA)) ?:
	      write_member(file, "title", string(result->title)) ?:
	      write_member(file, "interrupted", json_boolean(result->interrupted)) ?:
	      write_member(file, "environment", facts(&result->environment)) ?:
	      write_member(file, "options", facts(&result->options)) ?:
	      write_member(file, "trace", string(result->trace)) ?:
	      write_member(file, "missing", lines(result->missing)) ?:
	      (result->topology ? write_member(file, "topology", topology(result->topology)) : 0) ?:
	      write_cells(file, result);
	if (err)
		return err;
	fputs(",\n\"fits\": ", file);
	err = dump(file, ipi_json__fits(result));
	if (err)
		return err;
	fputs("\n}\n", file);
	return 0;
}

int ipi_json__write(const struct ipi_result *result, const char *path, struct ipi_why *why)
{
	struct ipi_outfile out;
	int err;

	err = ipi_outfile__open(&out, path, why);
	if (err)
		return err;
	err = write_result(out.file, result);
	return err ? ipi_outfile__abort(&out, -err, why) : ipi_outfile__commit(&out, why);
}

int ipi_json__check(const char *path, struct ipi_why *why)
{
	return ipi_outfile__check(path, why);
}

#else /* !HAVE_JANSSON_SUPPORT */

static int no_jansson(struct ipi_why *why)
{
	return ipi_why__set(why, EOPNOTSUPP, "apt-get install libjansson-dev, and build again",
			    "this program was built without JSON (jansson)");
}

int ipi_json__write(const struct ipi_result *result, const char *path, struct ipi_why *why)
{
	(void)result;
	(void)path;
	return no_jansson(why);
}

int ipi_json__check(const char *path, struct ipi_why *why)
{
	(void)path;
	return no_jansson(why);
}

#endif
