// SPDX-License-Identifier: GPL-2.0
/*
 * The JSON output: read back it is the structure again, its numbers are those of the text, what
 * was not measured is absent or null. How the file itself is written is test-outfile.c's.
 */
#include <errno.h>

#include "place.h"
#include "sample.h"

#include "bench/ipi/why.h"

#ifdef HAVE_JANSSON_SUPPORT

#include <jansson.h>

/* Written to a file and read back. */
static json_t *there_and_back(const struct ipi_result *result)
{
	json_error_t error;
	struct ipi_why why;
	struct place place;
	json_t *root;

	place = place_begin();
	assert_int_equal(ipi_json__write(result, place.file, &why), 0);
	root = json_load_file(place.file, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		fail_msg("%d:%d: %s", error.line, error.column, error.text);
	place_end(&place);
	return root;
}

static json_t *member(const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	if (!value)
		fail_msg("no %s", key);
	return value;
}

static u64 number(const json_t *object, const char *key)
{
	const json_t *value = member(object, key);

	if (!json_is_integer(value))
		fail_msg("%s is no integer", key);
	return json_integer_value(value);
}

static void expect_str(const json_t *object, const char *key, const char *want)
{
	const char *got = json_string_value(member(object, key));

	assert_non_null(got);
	assert_string_equal(got, want);
}

static void expect_null(const json_t *object, const char *key)
{
	if (!json_is_null(member(object, key)))
		fail_msg("%s is not null", key);
}

static json_t *cell_of(const json_t *root, int index)
{
	json_t *cell = json_array_get(member(root, "cells"), index);

	assert_non_null(cell);
	return cell;
}

static void check_hist(const json_t *array, const struct ipi_hist *hist)
{
	u64 low, width, count;
	unsigned int pos = 0;
	json_t *pair;
	size_t i = 0;

	while (ipi_hist__next(hist, &pos, &low, &width, &count)) {
		pair = json_array_get(array, i++);
		assert_int_equal(json_array_size(pair), 2);
		assert_int_equal(json_integer_value(json_array_get(pair, 0)), low);
		assert_int_equal(json_integer_value(json_array_get(pair, 1)), count);
	}
	assert_int_equal(json_array_size(array), i);
}

static void check_stage(const json_t *json, const struct ipi_hist *hist)
{
	double mean = ipi_hist__sum(hist);

	mean /= ipi_hist__count(hist);
	assert_int_equal(number(json, "count"), ipi_hist__count(hist));
	assert_int_equal(number(json, "min"), ipi_hist__min(hist));
	assert_int_equal(number(json, "p50"), ipi_hist__percentile(hist, 5000));
	assert_int_equal(number(json, "p90"), ipi_hist__percentile(hist, 9000));
	assert_int_equal(number(json, "p99"), ipi_hist__percentile(hist, 9900));
	assert_int_equal(number(json, "p999"), ipi_hist__percentile(hist, 9990));
	assert_int_equal(number(json, "max"), ipi_hist__max(hist));
	mean -= json_real_value(member(json, "mean"));
	assert_true(mean > -0.001 && mean < 0.001);
	check_hist(member(json, "hist"), hist);
}

static void check_stages(const json_t *json, const struct ipi_cell *cell)
{
	size_t nr = 0;
	int i;

	for (i = 0; i < IPI_STAGE_NR; i++) {
		if (!ipi_cell__measured(cell, i)) {
			assert_null(json_object_get(json, ipi_stage__name(i)));
			continue;
		}
		check_stage(member(json, ipi_stage__name(i)), cell->stage[i]);
		nr++;
	}
	assert_int_equal(json_object_size(json), nr);
}

static void check_ledger(const json_t *json, const struct ipi_cell *cell)
{
	const struct ipi_pass *pass = &cell->untraced;
	const struct ipi_ledger_row *row;
	const json_t *entry;
	int i;

	assert_int_equal(json_array_size(json), cell->untraced.nr_row + cell->traced.nr_row);
	for (i = 0; i < cell->untraced.nr_row + cell->traced.nr_row; i++) {
		if (i == cell->untraced.nr_row)
			pass = &cell->traced;
		row = &pass->row[i - (pass == &cell->traced ? cell->untraced.nr_row : 0)];
		entry = json_array_get(json, i);
		expect_str(entry, "pass", pass == &cell->traced ? "traced" : "untraced");
		assert_int_equal(number(entry, "cpu"), row->cpu);
		assert_int_equal(number(entry, "calls"), row->calls);
		assert_int_equal(number(member(entry, "counters"), "call"),
				 row->counter[IPI_COUNTER_CALL]);
		expect_null(member(entry, "counters"), "tlb");
		if (!pass->have) {
			expect_null(entry, "queued");
			expect_null(entry, "sent");
			expect_null(entry, "functions");
			expect_null(member(entry, "entries"), "call");
			continue;
		}
		assert_int_equal(number(entry, "queued"), row->queued);
		assert_int_equal(number(entry, "sent"), row->sent);
		assert_int_equal(number(entry, "functions"), row->functions);
		assert_int_equal(number(member(entry, "entries"), "call"),
				 row->entries[IPI_IRQ_CALL]);
		assert_int_equal(number(member(entry, "entries"), "other"),
				 row->entries[IPI_IRQ_OTHER]);
	}
}

static void check_classes(const json_t *json, const struct ipi_cell *cell)
{
	int i;

	assert_int_equal(json_object_size(json), IPI_CLASS_NR);
	for (i = 0; i < IPI_CLASS_NR; i++) {
		if (cell->traced.done)
			assert_int_equal(number(json, ipi_class__name(i)), cell->classes[i]);
		else
			expect_null(json, ipi_class__name(i));
	}
}

static void check_count(const json_t *json, const char *key, bool known, u64 value)
{
	if (known)
		assert_int_equal(number(json, key), value);
	else
		expect_null(json, key);
}

static void check_counts(const json_t *json, const struct ipi_cell *cell)
{
	bool traced = cell->traced.done;

	check_count(json, "calls", cell->untraced.done, cell->untraced.calls);
	check_count(json, "calls_traced", traced, cell->traced.calls);
	check_count(json, "errors", cell->untraced.done,
		    cell->untraced.errors + cell->traced.errors);
	check_count(json, "migrations", cell->untraced.done, cell->migrations);
	check_count(json, "lost", traced, cell->lost);
	check_count(json, "vanished", traced, cell->vanished);
	check_count(json, "uncertain", traced, cell->uncertain);
	check_count(json, "negative", traced, cell->negative);
	check_count(json, "foreign", traced, cell->foreign);
	check_count(json, "off_state", traced, cell->off_state);
	check_count(json, "observer_ns", cell->observer_known, cell->observer_ns);
}

static void check_cell(const json_t *json, const struct ipi_cell *cell)
{
	const json_t *dst = member(json, "dst");
	int i;

	expect_str(json, "scenario", ipi_scenario__name(cell->scenario));
	expect_str(json, "backend", cell->backend);
	expect_str(json, "trigger", cell->trigger);
	expect_str(json, "target_state", ipi_target__name(cell->target));
	expect_str(json, "verdict", ipi_verdict__name(cell->verdict));
	expect_str(json, "note", cell->note);
	assert_int_equal(number(json, "src"), cell->src);
	assert_int_equal(number(json, "repetition"), cell->repetition);
	assert_true(json_is_boolean(member(json, "interrupted")));
	assert_int_equal(json_is_true(member(json, "interrupted")), cell->interrupted);
	assert_int_equal(json_array_size(dst), cell->dst.nr);
	for (i = 0; i < cell->dst.nr; i++)
		assert_int_equal(json_integer_value(json_array_get(dst, i)), cell->dst.cpu[i]);

	check_counts(json, cell);
	check_classes(member(json, "classes"), cell);
	check_stages(member(json, "stages"), cell);
	check_ledger(member(json, "ledger"), cell);
	if (cell->ipis_per_call >= 0)
		assert_true(json_number_value(member(json, "ipis_per_call")) ==
			    cell->ipis_per_call);
	else
		expect_null(json, "ipis_per_call");
	if (cell->steal_ms >= 0)
		assert_true(json_number_value(member(json, "steal_ms")) == cell->steal_ms);
	else
		expect_null(json, "steal_ms");
	if (cell->baseline_ns >= 0) {
		assert_int_equal(number(member(json, "baseline"), "p50"), cell->baseline_ns);
		expect_str(member(json, "baseline"), "what", cell->baseline_what);
	} else {
		expect_null(json, "baseline");
	}
}

static void check_facts(const json_t *json, const struct ipi_facts *facts)
{
	int i;

	assert_int_equal(json_object_size(json), facts->nr);
	for (i = 0; i < facts->nr; i++) {
		if (facts->fact[i].str)
			expect_str(json, facts->fact[i].key, facts->fact[i].str);
		else
			assert_int_equal(number(json, facts->fact[i].key), facts->fact[i].num);
	}
}

/* Takes @result. */
static void check_result(struct ipi_result *result)
{
	json_t *root = there_and_back(result);
	int i;

	expect_str(root, "schema", "perf-bench-ipi/1");
	expect_str(root, "title", result->title);
	expect_str(root, "trace", result->trace);
	assert_int_equal(json_is_true(member(root, "interrupted")), result->interrupted);
	check_facts(member(root, "environment"), &result->environment);
	check_facts(member(root, "options"), &result->options);
	assert_int_equal(json_array_size(member(root, "cells")), result->nr_cell);
	for (i = 0; i < result->nr_cell; i++)
		check_cell(cell_of(root, i), &result->cell[i]);
	json_decref(root);
	ipi_result__delete(result);
}

static void test_there_and_back(void **state)
{
	(void)state;
	check_result(sample_ok());
	check_result(sample_bad());
	check_result(sample_sums_only());
	check_result(sample_no_split());
	check_result(sample_one_cpu());
	check_result(sample_repeated());
	check_result(ipi_result__new());
}

static void test_lines(void **state)
{
	struct ipi_result *result = sample_sums_only();
	json_t *root = there_and_back(result);
	const json_t *missing = member(root, "missing");
	const json_t *inseparable = member(cell_of(root, 0), "inseparable");

	(void)state;
	assert_int_equal(json_array_size(missing), 2);
	assert_string_equal(json_string_value(json_array_get(missing, 1)),
			    "what was queued is not told: no csd_queue_cpu");
	assert_int_equal(json_array_size(inseparable), 2);
	assert_string_equal(json_string_value(json_array_get(inseparable, 0)),
			    "send + deliver (no ipi_send_cpu on this kernel)");
	json_decref(root);
	ipi_result__delete(result);
}

/* What JSON can't say is said as near as it can. */
static void test_odd_values(void **state)
{
	struct ipi_result *result = sample_new("odd");
	struct ipi_cell *cell = sample_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY, 1);
	json_t *root;

	(void)state;
	ipi_hist__add(cell->stage[IPI_STAGE_TOTAL], UINT64_MAX);
	cell->ipis_per_call = 1.0 / 0.0;
	cell->backend = NULL;
	assert_non_null(ipi_cell__hist(cell, IPI_STAGE_ACK));
	assert_int_equal(ipi_facts__str(&result->environment, "cpu_model", "CPU\xff \"1\"\n"), 0);
	root = there_and_back(result);
	expect_str(member(root, "environment"), "cpu_model", "CPU? \"1\"\n");
	assert_int_equal(number(member(member(cell_of(root, 0), "stages"), "total"), "max"),
			 INT64_MAX);
	expect_null(cell_of(root, 0), "ipis_per_call");
	expect_null(cell_of(root, 0), "backend");
	assert_null(json_object_get(member(cell_of(root, 0), "stages"), "ack"));
	json_decref(root);
	ipi_result__delete(result);
}

/* Of a matrix: who shares what, before the cells; of others there is no such key. */
static void test_topology(void **state)
{
	static const char text[] =
		"{\"source\": \"model\", \"cpus\": [0, 1, 2, 3], \"levels\": {"
		"\"llc\": [[0, 1, 2, 3]]}, \"unknown\": [\"die not told\", \"node not told\"]}";
	static int list[] = { 0, 1, 2, 3 };
	const struct ipi_cpus cpus = { .nr = 4, .cpu = list };
	struct ipi_result *result = sample_no_split();
	json_t *root = there_and_back(result);
	json_t *want = json_loads(text, 0, NULL);

	(void)state;
	assert_null(json_object_get(root, "topology"));
	json_decref(root);
	result->topology = ipi_topology__new("model", &cpus);
	assert_non_null(result->topology);
	assert_int_equal(ipi_topology__add(result->topology, IPI_DISTANCE_LLC, &cpus, NULL), 0);
	snprintf(result->topology->missing, sizeof(result->topology->missing),
		 "die not told\nnode not told");
	root = there_and_back(result);
	assert_true(json_equal(member(root, "topology"), want));
	json_decref(want);
	json_decref(root);
	ipi_result__delete(result);
}

/* The order of the keys is part of the format; each cell has a line. */
static void test_key_order(void **state)
{
	static const char * const keys[] = {
		"\"schema\"", "\"title\"", "\"interrupted\"", "\"environment\"", "\"options\"",
		"\"trace\"", "\"missing\"", "\"cells\"", "\"scenario\"", "\"backend\"",
		"\"trigger\"", "\"src\"", "\"dst\"", "\"target_state\"", "\"repetition\"",
		"\"verdict\"", "\"note\"", "\"interrupted\"", "\"calls\"", "\"calls_traced\"",
		"\"ipis_per_call\"", "\"errors\"", "\"migrations\"", "\"classes\"",
		"\"interrupt\"", "\"local\"", "\"polled\"", "\"coalesced\"", "\"missing\"",
		"\"lost\"", "\"vanished\"", "\"uncertain\"", "\"negative\"", "\"foreign\"",
		"\"off_state\"", "\"inseparable\"", "\"observer_ns\"", "\"baseline\"",
		"\"steal_ms\"", "\"stages\"", "\"total\"", "\"count\"", "\"min\"", "\"p50\"",
		"\"p90\"", "\"p99\"", "\"p999\"", "\"max\"", "\"mean\"", "\"hist\"",
		"\"ledger\"",
	};
	struct ipi_result *result = sample_no_split();
	struct ipi_why why;
	struct place place;
	unsigned int i;
	char *text;
	char *pos;

	(void)state;
	place = place_begin();
	assert_int_equal(ipi_json__write(result, place.file, &why), 0);
	text = place_read(place.file);
	pos = text;
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		pos = strstr(pos, keys[i]);
		if (!pos)
			fail_msg("%s is not where it belongs", keys[i]);
		pos += strlen(keys[i]);
	}
	assert_non_null(strstr(text, "\n{\"scenario\": \"dry-run\""));
	assert_non_null(strstr(text, "\n{\"scenario\": \"normal\""));
	free(text);
	place_end(&place);
	ipi_result__delete(result);
}

/* Of a row of the text, the number under a heading. */
static u64 text_number(const char *row, int field)
{
	unsigned long long value;
	int i;

	for (i = 0; i < field; i++) {
		row += strspn(row, " ");
		row += strcspn(row, " ");
	}
	assert_int_equal(sscanf(row, "%llu", &value), 1);
	return value;
}

static void check_text_stage(const char *row, int field, const json_t *stage)
{
	if (stage)
		assert_int_equal(text_number(row, field), number(stage, "p50"));
}

/* The rows of the text say what the cells of the JSON say. */
static void test_same_as_text(void **state)
{
	const struct ipi_text_conf conf = { 0 };
	struct ipi_result *result = sample_ok();
	json_t *root = there_and_back(result);
	const json_t *stages, *total;
	char *text = NULL;
	char *row, *save;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	int nr = 0;

	(void)state;
	assert_non_null(file);
	ipi_text__end(file, result, &conf);
	assert_int_equal(fclose(file), 0);
	for (row = strtok_r(text, "\n", &save); row; row = strtok_r(NULL, "\n", &save)) {
		if (*row == '#')
			continue;
		stages = member(cell_of(root, nr++), "stages");
		total = member(stages, "total");
		assert_int_equal(text_number(row, 3), number(total, "min"));
		assert_int_equal(text_number(row, 4), number(total, "p50"));
		assert_int_equal(text_number(row, 5), number(total, "p99"));
		assert_int_equal(text_number(row, 6), number(total, "max"));
		check_text_stage(row, 7, json_object_get(stages, "send"));
		check_text_stage(row, 10, json_object_get(stages, "handle"));
	}
	assert_int_equal(nr, result->nr_cell);
	free(text);
	json_decref(root);
	ipi_result__delete(result);
}

/* What goes wrong with the file is told, also when it shows in the middle. */
static void test_failure(void **state)
{
	struct ipi_result *result = sample_ok();
	struct ipi_why why = { 0 };
	struct place place;

	(void)state;
	assert_int_equal(ipi_json__write(result, "/dev/full", &why), -ENOSPC);
	assert_int_equal(why.err, ENOSPC);
	assert_string_not_equal(why.remedy, "");
	place = place_begin();
	assert_int_equal(ipi_json__write(result, place.dir, &why), -EISDIR);
	assert_int_equal(ipi_json__check(place.dir, &why), -EISDIR);
	assert_int_equal(place_count(&place), 0);
	assert_int_equal(ipi_json__check(place.file, &why), 0);
	assert_int_equal(place_count(&place), 0);
	place_end(&place);
	ipi_result__delete(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_odd_values),
		cmocka_unit_test(test_topology),
		cmocka_unit_test(test_key_order),
		cmocka_unit_test(test_same_as_text),
		cmocka_unit_test(test_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else /* !HAVE_JANSSON_SUPPORT */

/* Built without jansson: says which package it lacks, and writes nothing. */
static void test_without_jansson(void **state)
{
	struct ipi_result *result = sample_no_split();
	struct ipi_why why = { 0 };

	(void)state;
	assert_int_equal(ipi_json__write(result, "-", &why), -EOPNOTSUPP);
	assert_non_null(strstr(why.remedy, "libjansson-dev"));
	assert_int_equal(ipi_json__check("-", &why), -EOPNOTSUPP);
	ipi_result__delete(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_jansson),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
