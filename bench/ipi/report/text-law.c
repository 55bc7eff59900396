// SPDX-License-Identifier: GPL-2.0
/*
 * What the rows of a sweep say together: how a call's cost grows with its targets (multicast), and
 * what becomes of rate and tail as more CPUs send at once (storm). One line a sweep.
 */
#include <stdlib.h>

#include "../stats/law.h"
#include "text.h"

static int digits_of(double value)
{
	return value < 100 && value > -100 ? 1 : 0;
}

/* The header names one sender: a law names its own where they differ. */
static bool senders_differ(const struct ipi_law *laws, int nr)
{
	int i;

	for (i = 1; i < nr; i++) {
		if (laws[i].cell->src != laws[0].cell->src)
			return true;
	}
	return false;
}

static void print_law(const struct ipi_text *text, const struct ipi_law *law, bool name_sender)
{
	const struct ipi_fit *fit = &law->fit;
	struct ipi_line line = { .file = text->file };
	char sender[32] = "";
	int i;

	if (name_sender)
		snprintf(sender, sizeof(sender), " from CPU %d", law->cell->src);
	ipi_line__add(&line, "%s %s%s: %.*f + %.*f ns per target (+- %.*f, +- %.*f)",
		      ipi_scenario__name(law->cell->scenario),
		      ipi_target__name(law->cell->target), sender, digits_of(fit->base),
		      fit->base, digits_of(fit->slope), fit->slope, digits_of(fit->base_err),
		      fit->base_err, digits_of(fit->slope_err), fit->slope_err);
	for (i = 0; i < fit->nr_knee; i++) {
		const struct ipi_fit_knee *knee = &fit->knee[i];

		ipi_line__add(&line, "knee at %.0f: then %.*f (+- %.*f)", knee->x,
			      digits_of(knee->slope), knee->slope, digits_of(knee->slope_err),
			      knee->slope_err);
	}
	ipi_line__end(&line);
}

static void print_laws(const struct ipi_text *text)
{
	struct ipi_law *laws;
	int nr = ipi_law__list(text->result, &laws);
	int i;

	if (nr < 0)
		fputs("# (out of memory)\n", text->file);
	for (i = 0; i < nr; i++)
		print_law(text, &laws[i], senders_differ(laws, nr));
	free(laws);
}

static void print_storms(const struct ipi_text *text)
{
	struct ipi_line line = { .file = text->file };
	const struct ipi_cell *cell;
	struct ipi_word name;
	char p99[32];
	int i;

	for (i = 0; i < text->result->nr_cell; i++) {
		cell = &text->result->cell[i];
		if (cell->storm_rate < 0)
			continue;
		snprintf(p99, sizeof(p99), "-");
		if (cell->verdict == IPI_VERDICT_OK && ipi_cell__measured(cell, IPI_STAGE_TOTAL))
			snprintf(p99, sizeof(p99), "%llu",
				 (unsigned long long)
				 ipi_hist__percentile(cell->stage[IPI_STAGE_TOTAL], 9900));
		ipi_text__name(text, cell, &name);
		ipi_line__add(&line, "%s%s: %.0f (%s)", line.used ? "" :
			      "calls per second of all senders (p99 of one's, ns): ", name.str,
			      cell->storm_rate, p99);
	}
	ipi_line__end(&line);
}

void ipi_text__laws(const struct ipi_text *text)
{
	print_laws(text);
	print_storms(text);
}
