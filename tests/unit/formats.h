/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format texts under tests/data, and the rows of the architecture tables they belong to.
 */
#ifndef TESTS_UNIT_FORMATS_H
#define TESTS_UNIT_FORMATS_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/trace/arch.h"
#include "bench/ipi/trace/decode.h"

/**
 * struct kernel_formats - the texts of one kernel
 * @dir:	below tests/data/formats
 * @machine:	uname's
 * @nr_events:	rows of the table it has
 */
struct kernel_formats {
	const char *dir;
	const char *machine;
	int nr_events;
};

static const struct kernel_formats kernel_formats[] = {
	{ "x86_64-6.1", "x86_64", 9 },
	{ "x86_64-6.12", "x86_64", 14 },
	{ "x86_64-6.18", "x86_64", 14 },
	{ "x86_64-7.3", "x86_64", 14 },
	{ "arm64-6.1", "aarch64", 4 },
	{ "arm64-6.12", "aarch64", 9 },
	{ "arm64-7.3", "aarch64", 9 },
};

static inline const struct kernel_formats *find_formats(const char *dir)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kernel_formats); i++) {
		if (!strcmp(kernel_formats[i].dir, dir))
			return &kernel_formats[i];
	}
	fail_msg("no formats of %s", dir);
	return NULL;
}

static inline const struct ipi_arch_event *find_row(const char *machine, const char *event)
{
	const struct ipi_arch_event *const *rows;
	int nr, i;

	rows = ipi_arch__events(machine, &nr);
	for (i = 0; i < nr; i++) {
		if (!strcmp(rows[i]->name, event))
			return rows[i];
	}
	fail_msg("%s has no %s", machine, event);
	return NULL;
}

/* A file of tests/data, whole; NULL if it isn't there. free() */
static inline char *read_data(const char *name, size_t *size)
{
	const char *data = getenv("IPI_TEST_DATA");
	char path[512];
	FILE *file;
	char *text;

	snprintf(path, sizeof(path), "%s/%s", data ? data : "tests/data", name);
	file = fopen(path, "rb");
	if (!file)
		return NULL;
	text = malloc(1 << 20);
	assert_non_null(text);
	*size = fread(text, 1, 1 << 20, file);
	assert_true(*size > 0 && *size < 1 << 20);
	fclose(file);
	return text;
}

static inline char *read_format(const struct kernel_formats *kernel,
				const struct ipi_arch_event *row, size_t *size)
{
	char name[256];

	snprintf(name, sizeof(name), "formats/%s/%s/%s", kernel->dir, row->system, row->name);
	return read_data(name, size);
}

/* Return: the event's id, -ENOENT where that kernel has no such event. */
static inline int teach(struct ipi_decode *decode, const struct kernel_formats *kernel,
			const struct ipi_arch_event *row)
{
	size_t size;
	char *text = read_format(kernel, row, &size);
	int id;

	if (!text)
		return -ENOENT;
	id = ipi_decode__add(decode, row, text, size);
	free(text);
	return id;
}

#endif
