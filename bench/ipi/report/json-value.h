/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of the JSON outputs, with jansson: what json.c and rec-json.c share, and nobody else may
 * include.
 */
#ifndef IPI_REPORT_JSON_VALUE_H
#define IPI_REPORT_JSON_VALUE_H

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <linux/types.h>

#include "../stats/hist.h"

#define DUMP_FLAGS	(JSON_ENCODE_ANY | JSON_REAL_PRECISION(12))

/* An object being made: one failure, of memory only, spoils it. */
struct object {
	json_t *json;
	bool spoilt;
};

static inline struct object object_new(void)
{
	struct object object = { .json = json_object() };

	object.spoilt = !object.json;
	return object;
}

static inline void set(struct object *object, const char *key, json_t *value)
{
	if (json_object_set_new(object->json, key, value))
		object->spoilt = true;
}

/* NULL if it is spoilt. */
static inline json_t *object_end(struct object *object)
{
	if (!object->spoilt)
		return object->json;
	json_decref(object->json);
	return NULL;
}

/* jansson's integers are signed: what goes beyond, 292 years, is written as the greatest. */
static inline json_t *number(u64 value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

/* What was not measured is null, never 0. */
static inline json_t *number_if(bool known, u64 value)
{
	return known ? number(value) : json_null();
}

static inline json_t *real_if(bool known, double value)
{
	return known && isfinite(value) ? json_real(value) : json_null();
}

/* Names from firmware may be no UTF-8: that must not cost the result. */
static inline json_t *string(const char *str)
{
	json_t *json = json_string(str);
	char *copy, *pos;

	if (json)
		return json;
	copy = strdup(str);
	if (!copy)
		return NULL;
	for (pos = copy; *pos; pos++) {
		if (*pos & 0x80)
			*pos = '?';
	}
	json = json_string(copy);
	free(copy);
	return json;
}

/* An array of the lines of a text. */
static inline json_t *lines(const char *str)
{
	json_t *array = json_array();
	char line[512];
	size_t len;

	while (array && *str) {
		len = strcspn(str, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)len, str);
		if (len && json_array_append_new(array, string(line))) {
			json_decref(array);
			return NULL;
		}
		str += len;
		str += strspn(str, "\n");
	}
	return array;
}

/* Sparse: [[smallest value, samples], ...] of the buckets that hold something. */
static inline json_t *buckets(const struct ipi_hist *hist)
{
	json_t *array = json_array();
	u64 low, width, count;
	unsigned int pos = 0;
	json_t *pair;

	while (array && ipi_hist__next(hist, &pos, &low, &width, &count)) {
		pair = json_array();
		if (json_array_append_new(pair, number(low)) ||
		    json_array_append_new(pair, number(count)) ||
		    json_array_append(array, pair)) {
			json_decref(array);
			array = NULL;
		}
		json_decref(pair);
	}
	return array;
}

/* Consumes @json. Return: 0 or -errno. */
static inline int dump(FILE *file, json_t *json)
{
	int err;

	if (!json)
		return -ENOMEM;
	errno = EIO;
	err = json_dumpf(json, file, DUMP_FLAGS) ? -errno : 0;
	json_decref(json);
	return err;
}

static inline int write_member(FILE *file, const char *key, json_t *value)
{
	fprintf(file, "\"%s\": ", key);
	return dump(file, value) ?: (fputs(",\n", file) < 0 ? -errno : 0);
}

#endif
