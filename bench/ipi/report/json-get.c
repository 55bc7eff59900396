// SPDX-License-Identifier: GPL-2.0
/*
 * Values out of JSON, checked. Empty in builds without jansson.
 */
#ifdef HAVE_JANSSON_SUPPORT

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "../cpus.h"
#include "../stats/result.h"
#include "../why.h"
#include "json-get.h"

/* The first fault is the one that is told. */
void ipi_get__spoil(struct ipi_reader *reader, const char *key)
{
	char where[32] = "";

	if (reader->err)
		return;
	if (reader->cell >= 0)
		snprintf(where, sizeof(where), " of cell %d", reader->cell);
	ipi_why__set(reader->why, 0, "was it edited? write it anew with --json",
		     "%s: '%s'%s makes no sense", reader->path, key, where);
	reader->err = -EINVAL;
}

void ipi_get__no_memory(struct ipi_reader *reader)
{
	if (!reader->err)
		reader->err = ipi_why__set(reader->why, ENOMEM, NULL, "%s", reader->path);
}

/* The value of a key, NULL where it is absent or null: not known. */
const json_t *ipi_get__known(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_null(value) ? NULL : value;
}

s64 ipi_get__signed(struct ipi_reader *reader, const json_t *object, const char *key)
{
	const json_t *value = ipi_get__known(object, key);

	if (value && !json_is_integer(value))
		ipi_get__spoil(reader, key);
	return value ? json_integer_value(value) : 0;
}

u64 ipi_get__number(struct ipi_reader *reader, const json_t *object, const char *key)
{
	s64 value = ipi_get__signed(reader, object, key);

	if (value < 0)
		ipi_get__spoil(reader, key);
	return (u64)value;
}

unsigned int ipi_get__small(struct ipi_reader *reader, const json_t *object,
			    const char *key)
{
	u64 value = ipi_get__number(reader, object, key);

	if (value > INT_MAX)
		ipi_get__spoil(reader, key);
	return (unsigned int)value;
}

/* Negative where it is not known. */
double ipi_get__real(struct ipi_reader *reader, const json_t *object, const char *key)
{
	const json_t *value = ipi_get__known(object, key);

	if (value && (!json_is_number(value) || !(json_number_value(value) >= 0)))
		ipi_get__spoil(reader, key);
	return value ? json_number_value(value) : -1;
}

bool ipi_get__bool(struct ipi_reader *reader, const json_t *object, const char *key)
{
	const json_t *value = ipi_get__known(object, key);

	if (value && !json_is_boolean(value))
		ipi_get__spoil(reader, key);
	return json_is_true(value);
}

/* "" where it is not known. */
const char *ipi_get__string(struct ipi_reader *reader, const json_t *object, const char *key)
{
	const json_t *value = ipi_get__known(object, key);

	if (value && !json_is_string(value))
		ipi_get__spoil(reader, key);
	return json_is_string(value) ? json_string_value(value) : "";
}

/* The elements of an array, none where it is not known. */
size_t ipi_get__array(struct ipi_reader *reader, const json_t *object, const char *key,
		      const json_t **array)
{
	*array = ipi_get__known(object, key);
	if (*array && !json_is_array(*array))
		ipi_get__spoil(reader, key);
	return json_array_size(*array);
}

void ipi_get__lines(struct ipi_reader *reader, const json_t *object, const char *key, char *to,
		    size_t size)
{
	const json_t *array;
	size_t nr = ipi_get__array(reader, object, key, &array);
	size_t used = 0, i;

	to[0] = '\0';
	for (i = 0; i < nr && used < size; i++) {
		const json_t *line = json_array_get(array, i);

		if (!json_is_string(line))
			ipi_get__spoil(reader, key);
		else
			used += (size_t)snprintf(to + used, size - used, "%s%s", i ? "\n" : "",
						 json_string_value(line));
	}
}

void ipi_get__facts(struct ipi_reader *reader, const json_t *object, const char *key,
		    struct ipi_facts *facts)
{
	const json_t *from = ipi_get__known(object, key);
	const char *name;
	json_t *value;
	int err;

	if (from && !json_is_object(from))
		ipi_get__spoil(reader, key);
	/* The macro wants it without const, and changes nothing. */
	json_object_foreach((json_t *)(uintptr_t)from, name, value) {
		if (json_is_string(value))
			err = ipi_facts__str(facts, name, json_string_value(value));
		else if (json_is_integer(value))
			err = ipi_facts__num(facts, name, json_integer_value(value));
		else
			continue;
		if (err)
			ipi_get__no_memory(reader);
	}
}

void ipi_get__cpu_list(struct ipi_reader *reader, const json_t *array, const char *key,
		       struct ipi_cpus *cpus)
{
	size_t i;

	if (array && !json_is_array(array))
		ipi_get__spoil(reader, key);
	for (i = 0; i < json_array_size(array) && !reader->err; i++) {
		const json_t *cpu = json_array_get(array, i);
		json_int_t value = json_integer_value(cpu);

		if (!json_is_integer(cpu) || value < 0 || value >= IPI_CPUS_MAX ||
		    (cpus->nr && value <= cpus->cpu[cpus->nr - 1]))
			ipi_get__spoil(reader, key);
		else if (ipi_cpus__add(cpus, (int)value))
			ipi_get__no_memory(reader);
	}
}

void ipi_get__cpus(struct ipi_reader *reader, const json_t *object, const char *key,
		   struct ipi_cpus *cpus)
{
	ipi_get__cpu_list(reader, ipi_get__known(object, key), key, cpus);
}

#endif
