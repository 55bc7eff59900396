// SPDX-License-Identifier: GPL-2.0
/*
 * The figures of the page: gnuplot's documents as parts of this one. Their names get a prefix,
 * since a name may stand for one thing only in a page, and what a page doesn't need, names of
 * formats that look like addresses and tool tips, goes.
 */
#include <stdio.h>
#include <string.h>

#include "html.h"

#define DOCUMENT	"<?xml"

/* What stands in for a piece of a tag. */
static const struct {
	const char *from;
	const char *to;		/* NULL: it goes, up to @end */
	const char *end;
	bool named;		/* a name follows, which gets the prefix */
} pieces[] = {
	{ "<title>",		NULL,		"</title>",	false },
	{ "<desc>",		NULL,		"</desc>",	false },
	{ "xmlns=\"",		NULL,		"\"",		false },
	{ "xmlns:xlink=\"",	NULL,		"\"",		false },
	{ "xlink:href='#",	"href='#",	NULL,		true },
	{ "xlink:href=\"#",	"href=\"#",	NULL,		true },
	{ " id='",		" id='",	NULL,		true },
	{ " id=\"",		" id=\"",	NULL,		true },
	{ "url(#",		"url(#",	NULL,		true },
};

#define PIECES	(sizeof(pieces) / sizeof(*pieces))

/* Is there a piece at @pos? Writes what it becomes. Return: its end, NULL if there is none. */
static const char *put_piece(FILE *file, const char *pos, int figure)
{
	const char *end;
	size_t i;

	for (i = 0; i < PIECES; i++) {
		if (strncmp(pos, pieces[i].from, strlen(pieces[i].from)))
			continue;
		pos += strlen(pieces[i].from);
		if (!pieces[i].to) {
			end = strstr(pos, pieces[i].end);
			return end ? end + strlen(pieces[i].end) : pos;
		}
		fputs(pieces[i].to, file);
		if (pieces[i].named)
			fprintf(file, "f%d-", figure);
		return pos;
	}
	return NULL;
}

/* From "<svg" up to @end. Text between tags is left as it is. */
static void put_svg(FILE *file, const char *pos, const char *end, int figure)
{
	const char *after;
	bool tag = true;

	fprintf(file, "<svg role=\"img\" aria-labelledby=\"title-%d\"", figure);
	for (pos += strlen("<svg"); pos < end;) {
		if (*pos == '<')
			tag = true;
		after = tag ? put_piece(file, pos, figure) : NULL;
		if (!after) {
			putc(*pos, file);
			after = pos + 1;
		}
		pos = after;
		if (pos[-1] == '>')
			tag = false;
	}
}

/* The next document, and where it ends; NULL behind the last. */
static const char *next_document(const char *svg, const char **end)
{
	const char *start = strstr(svg, DOCUMENT);
	const char *next = start ? strstr(start + 1, DOCUMENT) : NULL;

	*end = next ? next : svg + strlen(svg);
	return start ? strstr(start, "<svg") : NULL;
}

/* What was said above needs no second time. */
static bool says_the_same(const struct ipi_figures *figures, int i)
{
	return i && !strcmp(figures->figure[i].caption, figures->figure[i - 1].caption);
}

static void put_figure(const struct ipi_page *page, const struct ipi_figure *figure, int number,
		       bool captioned, const char **svg)
{
	const char *end, *start = *svg ? next_document(*svg, &end) : NULL;

	fprintf(page->file, "<figure id=\"figure-%d\">\n<figcaption><b id=\"title-%d\">", number,
		number);
	ipi_html__text(page->file, figure->title);
	fputs("</b><span>", page->file);
	if (captioned)
		ipi_html__text(page->file, figure->caption);
	fputs("</span></figcaption>\n", page->file);
	if (start) {
		put_svg(page->file, start, end, number);
		*svg = end;
	} else {
		fputs("<p>Not drawn: gnuplot was not there. apt-get install gnuplot-nox, and make\n"
		      "the page anew.</p>\n",
		      page->file);
	}
	fputs("</figure>\n", page->file);
}

void ipi_html__figures(const struct ipi_page *page, const struct ipi_figures *figures,
		       const char *svg)
{
	static const char *const headings[IPI_FIGURE_KIND_NR] = {
		[IPI_FIGURE_STAGES]	= "Stages",
		[IPI_FIGURE_CDF]	= "Percentiles",
		[IPI_FIGURE_HIST]	= "Histograms",
		[IPI_FIGURE_FANOUT]	= "Fan-out",
		[IPI_FIGURE_MATRIX]	= "Heat maps",
	};
	int i;

	ipi_html__section(page, "figures", "Figures");
	if (!figures->nr)
		ipi_html__note(page, "Nothing to draw: no row with a headline has what was asked\n"
			       "for.");
	for (i = 0; i < figures->nr; i++) {
		const struct ipi_figure *figure = &figures->figure[i];

		if (!i || figure->kind != figure[-1].kind)
			fprintf(page->file, "<h3>%s</h3>\n", headings[figure->kind]);
		put_figure(page, figure, i + 1, !says_the_same(figures, i), &svg);
	}
	ipi_html__section_end(page);
}
