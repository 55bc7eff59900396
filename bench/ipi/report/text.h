/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the text output share: the comment lines around the table, and how a time is
 * written. Only text*.c, rec-*.c and hist.c include it.
 */
#ifndef IPI_REPORT_TEXT_H
#define IPI_REPORT_TEXT_H

#include <stdio.h>

#include <linux/compiler.h>
#include <linux/kernel.h>

#include "report.h"

#define IPI_TEXT_COLUMNS	100	/* comment lines are broken there */

/**
 * struct ipi_text - one text output
 * @file:	where it goes
 * @result:	what is printed
 * @conf:	how
 * @normalize:	times are multiples of the dry run: asked for, and there is one
 */
struct ipi_text {
	FILE *file;
	const struct ipi_result *result;
	const struct ipi_text_conf *conf;
	bool normalize;
};

/* What a piece of text is, for the terminal. */
enum ipi_mark {
	IPI_MARK_PLAIN,
	IPI_MARK_HEAD,
	IPI_MARK_ALARM,
};

void ipi_text__mark(const struct ipi_text *text, enum ipi_mark mark);	/* begin */
void ipi_text__unmark(const struct ipi_text *text, enum ipi_mark mark);	/* and end it */

/* Room for a time or a name. */
struct ipi_word {
	char str[64];
};

/**
 * ipi_text__time - write a time as the conf says
 * @text:	the output
 * @cell:	whose dry run is the unit with --normalize
 * @ns:		the time; may be negative where it is a difference
 * @word:	written: plain ns, or a multiple with two decimals
 */
void ipi_text__time(const struct ipi_text *text, const struct ipi_cell *cell, s64 ns,
		    struct ipi_word *word);

/* The dry run a cell is compared with: of its repetition, else the first; NULL if none is ok. */
const struct ipi_cell *ipi_text__dry_run(const struct ipi_result *result,
					 const struct ipi_cell *cell);

/* What a row is called outside the table: "normal busy", "dry-run, repetition 2". */
void ipi_text__name(const struct ipi_text *text, const struct ipi_cell *cell,
		    struct ipi_word *word);

/* Without the repetition: "normal busy". */
void ipi_text__label(const struct ipi_cell *cell, struct ipi_word *word);

/* Are there several repetitions? */
bool ipi_text__repeated(const struct ipi_result *result);

/* p50 of a stage; 0 where it was not measured. */
s64 ipi_text__p50(const struct ipi_cell *cell, enum ipi_stage stage);

/**
 * struct ipi_line - comment lines of short pieces: "# one | two | three"
 * @file:	where they go
 * @used:	columns used on the present line, 0 when nothing was written yet
 */
struct ipi_line {
	FILE *file;
	int used;
};

void ipi_line__add(struct ipi_line *line, const char *fmt, ...) __printf(2, 3);
void ipi_line__end(struct ipi_line *line);

/* A comment of any length, broken between words: "# LEAD: words". */
void ipi_text__comment(const struct ipi_text *text, enum ipi_mark mark, const char *fmt, ...)
	__printf(3, 4);

/* Of an outside string with several lines: the next one, without its end; NULL after the last. */
const char *ipi_text__next_line(const char **pos, char *buf, size_t size);

void ipi_text__units(const struct ipi_text *text);	/* before the table: what its numbers are */
void ipi_text__table(const struct ipi_text *text);	/* heading and rows */
void ipi_text__notes(const struct ipi_text *text);	/* the lines under the table */
void ipi_text__laws(const struct ipi_text *text);	/* of them: what a sweep says as a whole */
void ipi_text__ledgers(const struct ipi_text *text);	/* with -v: the account of each CPU */

#endif
