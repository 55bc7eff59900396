// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of /proc/kallsyms: names in one piece of memory, sorted by address. Data symbols
 * are passed over. Looking up a name walks them all: it is asked for a handful of times.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../why.h"
#include "symbols.h"

#define NAMES_MAX	0x4000000
#define FUNCTION_MAX	0x100000	/* farther from a name is in no function we know */

/**
 * struct symbol - a function
 * @address:	where it begins
 * @name:	offset of its name
 */
struct symbol {
	u64 address;
	u32 name;
};

struct ipi_symbols {
	struct symbol *symbol;
	size_t nr;
	size_t room;
	char *names;
	size_t names_size;
	size_t names_room;
};

static bool grow(struct ipi_symbols *symbols, size_t name_size)
{
	struct symbol *symbol;
	size_t room;
	char *names;

	if (symbols->nr == symbols->room) {
		room = symbols->room ? symbols->room * 2 : 4096;
		symbol = realloc(symbols->symbol, room * sizeof(*symbol));
		if (!symbol)
			return false;
		symbols->symbol = symbol;
		symbols->room = room;
	}
	if (symbols->names_room - symbols->names_size < name_size) {
		room = symbols->names_room ? symbols->names_room * 2 : 1UL << 16;
		if (room < symbols->names_size + name_size)
			room = symbols->names_size + name_size;
		if (room > NAMES_MAX)
			return false;
		names = realloc(symbols->names, room);
		if (!names)
			return false;
		symbols->names = names;
		symbols->names_room = room;
	}
	return true;
}

static bool add(struct ipi_symbols *symbols, u64 address, const char *name)
{
	size_t size = strlen(name) + 1;

	if (!grow(symbols, size) || !symbols->symbol || !symbols->names)
		return false;
	symbols->symbol[symbols->nr].address = address;
	symbols->symbol[symbols->nr].name = symbols->names_size;
	symbols->nr++;
	memcpy(symbols->names + symbols->names_size, name, size);
	symbols->names_size += size;
	return true;
}

/* "ffffffff81000000 T _stext", or with a module: "ffffffffc0000000 t name\t[module]". */
static bool read_line(struct ipi_symbols *symbols, char *line, bool *hidden)
{
	char *end, *name;
	u64 address;

	errno = 0;
	address = strtoull(line, &end, 16);
	if (errno || end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return true;
	if (!strchr("tTwW", end[1]))
		return true;
	name = end + 3;
	name[strcspn(name, " \t\n")] = '\0';
	if (!*name)
		return true;
	if (!address) {
		*hidden = true;
		return true;
	}
	return add(symbols, address, name);
}

static int by_address(const void *va, const void *vb)
{
	const struct symbol *a = va, *b = vb;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

static int read_file(struct ipi_symbols *symbols, FILE *file, bool *hidden)
{
	size_t room = 0;
	char *line = NULL;
	int err = 0;

	errno = 0;
	while (!err && getline(&line, &room, file) > 0) {
		if (!read_line(symbols, line, hidden))
			err = ENOMEM;
	}
	if (!err && ferror(file))
		err = errno ? errno : EIO;
	free(line);
	return err;
}

/* Reads @file, which is called @name. */
static struct ipi_symbols *read_symbols(FILE *file, const char *name, struct ipi_why *why)
{
	struct ipi_symbols *symbols;
	bool hidden = false;
	int err;

	symbols = calloc(1, sizeof(*symbols));
	err = symbols ? read_file(symbols, file, &hidden) : ENOMEM;
	if (!err && symbols->nr) {
		qsort(symbols->symbol, symbols->nr, sizeof(*symbols->symbol), by_address);
		return symbols;
	}
	if (err)
		ipi_why__set(why, err, NULL, "can't read %s", name);
	else if (hidden)
		ipi_why__set(why, EACCES,
			     "run as root with /proc/sys/kernel/kptr_restrict at 0 or 1",
			     "the kernel hides its addresses in %s", name);
	else
		ipi_why__set(why, ENOENT, "needs a kernel with CONFIG_KALLSYMS",
			     "no functions in %s", name);
	ipi_symbols__delete(symbols);
	return NULL;
}

struct ipi_symbols *ipi_symbols__new(const char *path, struct ipi_why *why)
{
	struct ipi_symbols *symbols;
	FILE *file;

	file = fopen(path, "re");
	if (!file) {
		ipi_why__set(why, errno, NULL, "can't read %s", path);
		return NULL;
	}
	symbols = read_symbols(file, path, why);
	fclose(file);
	return symbols;
}

struct ipi_symbols *ipi_symbols__parse(const char *text, size_t size, struct ipi_why *why)
{
	struct ipi_symbols *symbols;
	FILE *file;

	/* It is only read. */
	file = fmemopen((void *)(uintptr_t)text, size, "r");
	if (!file) {
		ipi_why__set(why, errno, NULL, "kallsyms");
		return NULL;
	}
	symbols = read_symbols(file, "kallsyms", why);
	fclose(file);
	return symbols;
}

void ipi_symbols__delete(struct ipi_symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->symbol);
	free(symbols->names);
	free(symbols);
}

u64 ipi_symbols__address(const struct ipi_symbols *symbols, const char *name)
{
	size_t len = strlen(name), i;
	u64 suffixed = 0;

	for (i = 0; i < symbols->nr; i++) {
		const char *other = symbols->names + symbols->symbol[i].name;

		if (strncmp(other, name, len))
			continue;
		if (!other[len])
			return symbols->symbol[i].address;
		if (other[len] == '.' && !suffixed)
			suffixed = symbols->symbol[i].address;
	}
	return suffixed;
}

const char *ipi_symbols__name(const struct ipi_symbols *symbols, u64 address,
			      u64 *offset)
{
	size_t low = 0, high = symbols->nr;

	/* The first that begins behind it. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (symbols->symbol[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low-- || address - symbols->symbol[low].address > FUNCTION_MAX)
		return NULL;
	/* Of several names the first, as the kernel prints it. */
	while (low && symbols->symbol[low - 1].address == symbols->symbol[low].address)
		low--;
	if (offset)
		*offset = address - symbols->symbol[low].address;
	return symbols->names + symbols->symbol[low].name;
}
