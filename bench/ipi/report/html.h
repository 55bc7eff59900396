/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the page share. Only html*.c include it. The page is XML as well as HTML: a
 * browser takes it as the one, a checker as the other.
 */
#ifndef IPI_REPORT_HTML_H
#define IPI_REPORT_HTML_H

#include <stdio.h>
#include <linux/compiler.h>

#include "plot.h"

/* Rows of a table that may have thousands. */
#define IPI_HTML_ROWS_MAX	200

/**
 * struct ipi_page - a page being written
 * @file:	where it goes
 * @plot:	what is on it
 * @threshold:	of the verdicts
 */
struct ipi_page {
	FILE *file;
	const struct ipi_plot *plot;
	double threshold;
};

/* Text, so that it can be nothing but text. */
void ipi_html__text(FILE *file, const char *str);

/* A section with its heading, and its end. */
void ipi_html__section(const struct ipi_page *page, const char *id, const char *heading);
void ipi_html__section_end(const struct ipi_page *page);
/* A line under a heading. */
void ipi_html__note(const struct ipi_page *page, const char *fmt, ...) __printf(2, 3);

/*
 * A table with its column headings, "a|b|c", lines broken after a "|" if need be; those
 * behind a "#" are of numbers. And its end.
 */
void ipi_html__table(const struct ipi_page *page, const char *headings);
void ipi_html__table_end(const struct ipi_page *page);
void ipi_html__row(const struct ipi_page *page, const char *class);	/* NULL: of no class */
void ipi_html__row_end(const struct ipi_page *page);
void ipi_html__cell(const struct ipi_page *page, const char *str);
/* A number, "-" if it is negative: not measured. */
void ipi_html__number(const struct ipi_page *page, double value);
/* A percentile, in 1/10000, "-" if there is no histogram. */
void ipi_html__percentile(const struct ipi_page *page, const struct ipi_hist *hist,
			  unsigned int permille10);

/* The sections. */
void ipi_html__runs(const struct ipi_page *page);
void ipi_html__environment(const struct ipi_page *page);
void ipi_html__rows(const struct ipi_page *page);
void ipi_html__refused(const struct ipi_page *page);
void ipi_html__worst(const struct ipi_page *page);
void ipi_html__glossary(const struct ipi_page *page);
int ipi_html__verdicts(const struct ipi_page *page);	/* 0 or -ENOMEM */
int ipi_html__pairs(const struct ipi_page *page);	/* 0 or -ENOMEM */

/* The figures of @svg, NULL where there is no gnuplot: then their places say so. */
void ipi_html__figures(const struct ipi_page *page, const struct ipi_figures *figures,
		       const char *svg);

#endif
