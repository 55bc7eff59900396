/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Everything that is printed from a result. An output is one file here.
 */
#ifndef IPI_REPORT_REPORT_H
#define IPI_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "../stats/result.h"

struct ipi_why;

/**
 * struct ipi_text_conf - how the text output should look
 * @verbose:	every column and the ledger of every cell
 * @hist:	histograms of each row, under the table
 * @normalize:	times as multiples of the dry run's p50
 * @colour:	the file is a terminal and NO_COLOR is not set
 */
struct ipi_text_conf {
	int verbose;
	bool hist;
	bool normalize;
	bool colour;
};

/* The header: what runs where; printed before the first measurement. */
void ipi_text__begin(FILE *file, const struct ipi_result *result,
		     const struct ipi_text_conf *conf);
/* The table and the lines under it. */
void ipi_text__end(FILE *file, const struct ipi_result *result, const struct ipi_text_conf *conf);

/* "-f simple": one line per cell: name, p50 of the total in ns ("-" where there is no headline). */
void ipi_simple__print(FILE *file, const struct ipi_result *result);

/* May that string stand between the fields of "-x"? Not what may be part of a field. */
bool ipi_csv__may_separate(const char *sep);
/* "-x SEP": the line that names the columns, and a line for each row and stage of a result. */
void ipi_csv__heading(FILE *file, const char *sep);
void ipi_csv__print(FILE *file, const struct ipi_result *result, const char *name,
		    const char *sep);

/* The five lines of the 2017 module. */
void ipi_classic__print(FILE *file, const struct ipi_result *result);

/* An ASCII histogram of one stage, log2 rows. */
void ipi_hist__print(FILE *file, const struct ipi_hist *hist, const char *title, bool colour);

/**
 * ipi_json__write - write the whole result
 * @result:	the result
 * @path:	the file, or "-" for stdout; written beside it and renamed, so that a full disk
 *		never leaves half a file, nor takes an older one
 * @why:	filled on failure
 *
 * Return: 0 or -errno; -EOPNOTSUPP where the program was built without jansson.
 */
int ipi_json__write(const struct ipi_result *result, const char *path, struct ipi_why *why);

/* Could it be written? To be asked before measuring. Return: 0 or -errno with @why filled. */
int ipi_json__check(const char *path, struct ipi_why *why);

/**
 * ipi_json__read - a result back from its JSON
 * @path:	the file, or "-" for stdin
 * @why:	filled on failure: names the line, or the key and the cell
 *
 * All that Documentation/result-format.txt promises is there again: written again it is the same
 * bytes. Cells of scenarios and target states that this program doesn't know are left out.
 *
 * Return: the result, or NULL.
 */
struct ipi_result *ipi_json__read(const char *path, struct ipi_why *why);

struct ipi_compare;

/**
 * struct ipi_diff_conf - how a comparison should look
 * @base:	name of the base, as for a heading
 * @new:	name of the new result
 * @threshold:	as it was compared with
 * @verbose:	every row, however many there are
 * @colour:	the file is a terminal and NO_COLOR is not set
 */
struct ipi_diff_conf {
	const char *base;
	const char *new;
	double threshold;
	int verbose;
	bool colour;
};

/* A comparison for people: what differs besides, a row for each stage, and the sum of it. */
void ipi_diff__print(FILE *file, const struct ipi_compare *compare,
		     const struct ipi_diff_conf *conf);

/**
 * struct ipi_table_conf - what a table for a commit message shows
 * @name:	headings of the columns, the base's first
 * @nr:		results
 * @normalize:	times as multiples of each result's own dry run
 */
struct ipi_table_conf {
	const char *const *name;
	int nr;
	bool normalize;
};

/**
 * ipi_table__print - totals of several results side by side, in plain text
 * @file:	where to
 * @compare:	the base compared with each of the others, @conf->nr - 1
 * @conf:	what to show
 *
 * The change is shown where there is one result to compare with; a column each otherwise.
 */
void ipi_table__print(FILE *file, const struct ipi_compare *compare,
		      const struct ipi_table_conf *conf);

struct ipi_fleet;

/* What is usual of many machines, and which of them are off, as it was judged with @threshold. */
void ipi_outliers__print(FILE *file, const struct ipi_fleet *fleet, double threshold, int verbose);

/**
 * struct ipi_progress - a line on the terminal for work over 2 s
 * @start_ns:	when the work began
 * @shown_ns:	when the line was last drawn
 * @on:	stderr is a terminal
 * @drawn:	there is a line to take away
 *
 * Nothing is printed where stderr is no terminal. ipi_progress__end() takes the line away.
 */
struct ipi_progress {
	u64 start_ns;
	u64 shown_ns;
	bool on;
	bool drawn;
};

void ipi_progress__begin(struct ipi_progress *progress);
void ipi_progress__show(struct ipi_progress *progress, unsigned int done, unsigned int total,
			const char *what);
void ipi_progress__end(struct ipi_progress *progress);

#endif
