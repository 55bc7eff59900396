// SPDX-License-Identifier: GPL-2.0
/*
 * The small parts of a page: text, tables, their cells.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "html.h"
#include "plain-text.h"

void ipi_html__text(FILE *file, const char *str)
{
	int len;

	for (; *str; str += len) {
		len = ipi_plain__char(str);
		switch (*str) {
		case '&':
			fputs("&amp;", file);
			break;
		case '<':
			fputs("&lt;", file);
			break;
		case '>':
			fputs("&gt;", file);
			break;
		case '"':
			fputs("&quot;", file);
			break;
		case '\'':
			fputs("&#39;", file);
			break;
		default:
			if (len)
				fwrite(str, 1, (size_t)len, file);
			else
				putc(*str == '\n' ? ' ' : '?', file);
			break;
		}
		if (!len)
			len = 1;
	}
}

void ipi_html__section(const struct ipi_page *page, const char *id, const char *heading)
{
	fprintf(page->file, "<section id=\"%s\">\n<h2>%s</h2>\n", id, heading);
}

void ipi_html__section_end(const struct ipi_page *page)
{
	fputs("</section>\n", page->file);
}

void ipi_html__note(const struct ipi_page *page, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fputs("<p class=\"note\">", page->file);
	ipi_html__text(page->file, text);
	fputs("</p>\n", page->file);
}

void ipi_html__table(const struct ipi_page *page, const char *headings)
{
	fputs("<div class=\"wide\"><table>\n<tr>", page->file);
	while (*headings) {
		bool number = *headings == '#';
		size_t len;

		headings += number;
		len = strcspn(headings, "|");
		fprintf(page->file, "<th scope=\"col\"%s>%.*s</th>", number ? " class=\"n\"" : "",
			(int)len, headings);
		headings += len;
		headings += *headings == '|';
		headings += strspn(headings, "\n");
	}
	fputs("</tr>\n", page->file);
}

void ipi_html__table_end(const struct ipi_page *page)
{
	fputs("</table></div>\n", page->file);
}

void ipi_html__row(const struct ipi_page *page, const char *class)
{
	if (class)
		fprintf(page->file, "<tr class=\"%s\">", class);
	else
		fputs("<tr>", page->file);
}

void ipi_html__row_end(const struct ipi_page *page)
{
	fputs("</tr>\n", page->file);
}

void ipi_html__cell(const struct ipi_page *page, const char *str)
{
	fputs("<td>", page->file);
	ipi_html__text(page->file, str);
	fputs("</td>", page->file);
}

void ipi_html__number(const struct ipi_page *page, double value)
{
	char text[40];

	fprintf(page->file, "<td class=\"n\">%s</td>", value < 0 ? "-" :
		ipi_plain__grouped(text, sizeof(text), value));
}

void ipi_html__percentile(const struct ipi_page *page, const struct ipi_hist *hist,
			  unsigned int permille10)
{
	u64 ns = ipi_hist__percentile(hist, permille10);

	ipi_html__number(page, ipi_hist__count(hist) ? (double)ns : -1);
}
