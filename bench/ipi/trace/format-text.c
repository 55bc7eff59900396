// SPDX-License-Identifier: GPL-2.0
/*
 * Reads format files of tracepoints as far as they are what the kernel writes:
 *
 *	name: ipi_send_cpumask
 *	ID: 353
 *	format:
 *		field:__data_loc cpumask_t cpumask;	offset:8;	size:4;	signed:0;
 *
 * A field is some words of its type, stars, its name, and the size of an array if it is one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format-text.h"
#include "tracing-data.h"

#define NAME_MAX_LEN	64
#define DIGITS_MAX	5
#define WORDS_MAX	8
#define FOOT		"\nprint fmt: \"\"\n"

/* A line, or what is left of it. */
struct line {
	const char *at;
	const char *end;
};

static bool next_line(const struct ipi_text_piece *format, const char **pos, struct line *line)
{
	const char *end = format->text + format->size;

	if (*pos >= end)
		return false;
	line->at = *pos;
	line->end = memchr(line->at, '\n', end - line->at);
	if (!line->end)
		line->end = end;
	*pos = line->end + 1;
	return true;
}

static bool take(struct line *line, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(line->end - line->at) < len || memcmp(line->at, text, len))
		return false;
	line->at += len;
	return true;
}

static bool is_word(char c, bool first)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (!first && c >= '0' && c <= '9');
}

static size_t take_word(struct line *line)
{
	const char *begin = line->at;

	while (line->at < line->end && is_word(*line->at, line->at == begin))
		line->at++;
	return line->at - begin;
}

static bool take_number(struct line *line, u64 *value)
{
	const char *begin = line->at;

	for (*value = 0; line->at < line->end && *line->at >= '0' && *line->at <= '9'; line->at++)
		*value = *value * 10 + (*line->at - '0');
	return line->at > begin && line->at - begin <= DIGITS_MAX;
}

/* "unsigned long[] mask", "const char * reason", "char comm[16]": up to the semicolon. */
static bool take_declaration(struct line *line)
{
	bool dynamic = take(line, "__data_loc ");
	int words = 0;
	u64 number;

	for (;;) {
		if (!take_word(line) || words++ == WORDS_MAX)
			return false;
		if (dynamic && words > 1)
			take(line, "[]");
		if (take(line, "["))
			return words > 1 && take_number(line, &number) && take(line, "];");
		if (take(line, ";"))
			return words > 1;
		if (!take(line, " "))
			return false;
		while (take(line, "*"))
			take(line, " ");
	}
}

static bool is_field(struct line line)
{
	u64 number;

	if (!take(&line, "\tfield:") || !take_declaration(&line) ||
	    !take(&line, "\toffset:") || !take_number(&line, &number) ||
	    !take(&line, ";\tsize:") || !take_number(&line, &number) || !take(&line, ";"))
		return false;
	if (take(&line, "\tsigned:") && (!take_number(&line, &number) || !take(&line, ";")))
		return false;
	return line.at == line.end;
}

size_t ipi_format_text__name(const struct ipi_text_piece *format, const char **name)
{
	const char *pos = format->text;
	struct line line;
	size_t len;

	while (next_line(format, &pos, &line)) {
		if (!take(&line, "name: "))
			continue;
		*name = line.at;
		len = take_word(&line);
		return line.at == line.end && len < NAME_MAX_LEN ? len : 0;
	}
	return 0;
}

bool ipi_format_text__id(const struct ipi_text_piece *format, u64 *id)
{
	const char *pos = format->text;
	struct line line;

	while (next_line(format, &pos, &line)) {
		if (take(&line, "ID: "))
			return take_number(&line, id) && line.at == line.end;
	}
	return false;
}

char *ipi_format_text__clean(const struct ipi_text_piece *format, size_t *size)
{
	const char *pos = format->text, *name;
	bool fields = false, parted = false;
	size_t name_len, room, used;
	struct line line;
	char *text;
	u64 id;

	name_len = ipi_format_text__name(format, &name);
	if (!name_len || !ipi_format_text__id(format, &id)) {
		errno = EINVAL;
		return NULL;
	}
	/* Of each line at most what is there, a head and a foot. */
	room = format->size + 2 * NAME_MAX_LEN + sizeof(FOOT);
	text = malloc(room);
	if (!text)
		return NULL;
	used = snprintf(text, room, "name: %.*s\nID: %llu\nformat:\n", (int)name_len, name,
			(unsigned long long)id);
	while (next_line(format, &pos, &line)) {
		/* The first empty line behind fields parts the common ones from the others. */
		if (fields && !parted && line.at == line.end)
			parted = true;
		else if (is_field(line))
			fields = true;
		else
			continue;
		memcpy(text + used, line.at, line.end - line.at);
		used += line.end - line.at;
		text[used++] = '\n';
	}
	memcpy(text + used, FOOT, sizeof(FOOT));
	*size = used + sizeof(FOOT) - 1;
	return text;
}
