// SPDX-License-Identifier: GPL-2.0
/*
 * The default output, for people: puts its parts in order (header, table, notes, histograms,
 * ledgers) and holds what they share. Every line but a row of the table begins with "# ", so that
 * rows can be cut out with grep and split at blanks. It computes nothing but differences: the
 * numbers are the result's, as in JSON.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

void ipi_text__mark(const struct ipi_text *text, enum ipi_mark mark)
{
	if (text->conf->colour && mark != IPI_MARK_PLAIN)
		fputs(mark == IPI_MARK_HEAD ? "\033[1m" : "\033[31m", text->file);
}

void ipi_text__unmark(const struct ipi_text *text, enum ipi_mark mark)
{
	if (text->conf->colour && mark != IPI_MARK_PLAIN)
		fputs("\033[0m", text->file);
}

s64 ipi_text__p50(const struct ipi_cell *cell, enum ipi_stage stage)
{
	return ipi_hist__percentile(cell->stage[stage], 5000);
}

const struct ipi_cell *ipi_text__dry_run(const struct ipi_result *result,
					 const struct ipi_cell *cell)
{
	const struct ipi_cell *first = NULL;
	const struct ipi_cell *it;
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		it = &result->cell[i];
		if (it->scenario != IPI_SCENARIO_DRY_RUN || it->verdict != IPI_VERDICT_OK ||
		    !ipi_cell__measured(it, IPI_STAGE_TOTAL))
			continue;
		if (cell && it->repetition == cell->repetition)
			return it;
		if (!first)
			first = it;
	}
	return first;
}

void ipi_text__time(const struct ipi_text *text, const struct ipi_cell *cell, s64 ns,
		    struct ipi_word *word)
{
	const struct ipi_cell *dry;

	if (text->normalize) {
		dry = ipi_text__dry_run(text->result, cell);
		snprintf(word->str, sizeof(word->str), "%.2f",
			 (double)ns / ipi_text__p50(dry, IPI_STAGE_TOTAL));
	} else {
		snprintf(word->str, sizeof(word->str), "%lld", (long long)ns);
	}
}

bool ipi_text__repeated(const struct ipi_result *result)
{
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		if (result->cell[i].repetition)
			return true;
	}
	return false;
}

void ipi_text__label(const struct ipi_cell *cell, struct ipi_word *word)
{
	bool target = cell->target != IPI_TARGET_NONE;
	char label[32];

	ipi_cell__label(cell, label, sizeof(label));
	snprintf(word->str, sizeof(word->str), "%s%s%s", label, target ? " " : "",
		 target ? ipi_target__name(cell->target) : "");
}

void ipi_text__name(const struct ipi_text *text, const struct ipi_cell *cell,
		    struct ipi_word *word)
{
	size_t used;

	ipi_text__label(cell, word);
	used = strlen(word->str);
	if (ipi_text__repeated(text->result))
		snprintf(word->str + used, sizeof(word->str) - used, ", repetition %u",
			 cell->repetition + 1);
}

void ipi_line__add(struct ipi_line *line, const char *fmt, ...)
{
	char piece[512];
	va_list args;
	int len;

	va_start(args, fmt);
	vsnprintf(piece, sizeof(piece), fmt, args);
	va_end(args);

	/* Whatever a fact holds, a line stays a line. */
	for (len = 0; piece[len]; len++) {
		if (piece[len] == '\n')
			piece[len] = ' ';
	}
	if (!line->used)
		line->used = fprintf(line->file, "# %s", piece);
	else if (line->used + 3 + len > IPI_TEXT_COLUMNS)
		line->used = fprintf(line->file, "\n# %s", piece) - 1;
	else
		line->used += fprintf(line->file, " | %s", piece);
}

void ipi_line__end(struct ipi_line *line)
{
	if (line->used)
		fputc('\n', line->file);
	line->used = 0;
}

/* Further lines are indented, so that where a comment ends can be seen. */
static void print_words(FILE *file, char *words)
{
	int used = fprintf(file, "#");
	const char *word;
	char *save;

	for (word = strtok_r(words, "\n ", &save); word; word = strtok_r(NULL, "\n ", &save)) {
		if (used > 1 && used + 1 + (int)strlen(word) > IPI_TEXT_COLUMNS)
			used = fprintf(file, "\n#  ") - 1;
		used += fprintf(file, " %s", word);
	}
}

void ipi_text__comment(const struct ipi_text *text, enum ipi_mark mark, const char *fmt, ...)
{
	va_list args;
	char *words;
	int err;

	va_start(args, fmt);
	err = vasprintf(&words, fmt, args);
	va_end(args);
	if (err < 0) {
		fputs("# (out of memory)\n", text->file);
		return;
	}

	ipi_text__mark(text, mark);
	print_words(text->file, words);
	ipi_text__unmark(text, mark);
	fputc('\n', text->file);
	free(words);
}

const char *ipi_text__next_line(const char **pos, char *buf, size_t size)
{
	size_t len;

	*pos += strspn(*pos, "\n");
	if (!**pos)
		return NULL;
	len = strcspn(*pos, "\n");
	snprintf(buf, size, "%.*s", (int)len, *pos);
	*pos += len;
	return buf;
}

static void print_hists(const struct ipi_text *text)
{
	const struct ipi_cell *cell;
	struct ipi_word name;
	char title[128];
	int stage;
	int i;

	for (i = 0; i < text->result->nr_cell; i++) {
		cell = &text->result->cell[i];
		if (cell->verdict != IPI_VERDICT_OK)
			continue;
		ipi_text__name(text, cell, &name);
		for (stage = 0; stage < IPI_STAGE_NR; stage++) {
			if (!ipi_cell__measured(cell, stage))
				continue;
			snprintf(title, sizeof(title), "%s: %s", name.str, ipi_stage__name(stage));
			fputs("#\n", text->file);
			ipi_hist__print(text->file, cell->stage[stage], title, text->conf->colour);
		}
	}
}

static bool can_normalize(const struct ipi_result *result)
{
	const struct ipi_cell *cell;
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		cell = ipi_text__dry_run(result, &result->cell[i]);
		if (!cell || ipi_text__p50(cell, IPI_STAGE_TOTAL) <= 0)
			return false;
	}
	return result->nr_cell > 0;
}

void ipi_text__end(FILE *file, const struct ipi_result *result, const struct ipi_text_conf *conf)
{
	const struct ipi_text text = {
		.file = file,
		.result = result,
		.conf = conf,
		.normalize = conf->normalize && can_normalize(result),
	};

	ipi_text__units(&text);
	ipi_text__table(&text);
	ipi_text__notes(&text);
	if (conf->hist)
		print_hists(&text);
	if (conf->verbose)
		ipi_text__ledgers(&text);
	fflush(file);
}
