/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values out of JSON, by type and with a fault for each that has another. Private to the readers of
 * JSON. "Known" is what is there and not null; of what is not known the zero of its type is given,
 * of a real a negative number.
 */
#ifndef IPI_REPORT_JSON_GET_H
#define IPI_REPORT_JSON_GET_H

#include <stdbool.h>
#include <stddef.h>
#include <jansson.h>
#include <linux/types.h>

struct ipi_cpus;
struct ipi_facts;
struct ipi_why;

/**
 * struct ipi_reader - a file being read
 * @path:	its name
 * @cell:	the cell that is read, from 0; -1 before the first
 * @why:	filled by the first fault
 * @err:	that fault, -errno
 */
struct ipi_reader {
	const char *path;
	int cell;
	struct ipi_why *why;
	int err;
};

/* A value can't be: noted with its key and cell, unless there was a fault before. */
void ipi_get__spoil(struct ipi_reader *reader, const char *key);
void ipi_get__no_memory(struct ipi_reader *reader);

/* The value of a key; NULL where it is absent or null. @object may be NULL. */
const json_t *ipi_get__known(const json_t *object, const char *key);

s64 ipi_get__signed(struct ipi_reader *reader, const json_t *object, const char *key);
u64 ipi_get__number(struct ipi_reader *reader, const json_t *object, const char *key);
/* Up to INT_MAX. */
unsigned int ipi_get__small(struct ipi_reader *reader, const json_t *object,
			    const char *key);
double ipi_get__real(struct ipi_reader *reader, const json_t *object, const char *key);
bool ipi_get__bool(struct ipi_reader *reader, const json_t *object, const char *key);
const char *ipi_get__string(struct ipi_reader *reader, const json_t *object,
			    const char *key);
/* Sets @array, NULL where it is not known. Return: its elements. */
size_t ipi_get__array(struct ipi_reader *reader, const json_t *object, const char *key,
		      const json_t **array);

/* An array of strings as the lines of a text of at most @size bytes. */
void ipi_get__lines(struct ipi_reader *reader, const json_t *object, const char *key,
		    char *to, size_t size);
/* The strings and integers of an object. */
void ipi_get__facts(struct ipi_reader *reader, const json_t *object, const char *key,
		    struct ipi_facts *facts);
/* Ascending CPU numbers, from an array or by its key. @array may be NULL. */
void ipi_get__cpu_list(struct ipi_reader *reader, const json_t *array, const char *key,
		       struct ipi_cpus *cpus);
void ipi_get__cpus(struct ipi_reader *reader, const json_t *object, const char *key,
		   struct ipi_cpus *cpus);

#endif
