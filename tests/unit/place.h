/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A directory of a test's own, and the files in it.
 */
#ifndef TESTS_UNIT_PLACE_H
#define TESTS_UNIT_PLACE_H

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/**
 * struct place - a directory for one test
 * @dir:	the directory
 * @file:	a file in it, which is not there yet
 */
struct place {
	char dir[64];
	char file[96];
};

static inline struct place place_begin(void)
{
	const char *tmp = getenv("TMPDIR");
	struct place place;

	snprintf(place.dir, sizeof(place.dir), "%.40s/perf-bench-ipi-XXXXXX", tmp ? tmp : P_tmpdir);
	assert_non_null(mkdtemp(place.dir));
	snprintf(place.file, sizeof(place.file), "%s/result.json", place.dir);
	return place;
}

/* Fails if anything but the file was left behind. */
static inline void place_end(const struct place *place)
{
	unlink(place->file);
	assert_int_equal(rmdir(place->dir), 0);
}

static inline int place_count(const struct place *place)
{
	DIR *dir = opendir(place->dir);
	struct dirent *entry;
	int nr = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		nr += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	closedir(dir);
	return nr;
}

static inline void place_write(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* To be freed. */
static inline char *place_read(const char *path)
{
	size_t room = 1 << 20;
	char *text = calloc(1, room);
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_non_null(text);
	assert_true(fread(text, 1, room - 1, file) < room - 1);
	fclose(file);
	return text;
}

#endif
