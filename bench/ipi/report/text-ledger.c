// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger of each cell, with -v: for each CPU and pass the calls it made, what the tracepoints
 * saw it do, and what /proc/interrupts counted, side by side. "-" is what no event or counter of
 * this kernel shows.
 */
#include "../trace/event.h"
#include "text.h"

#define COLUMN	9

static void print_count(FILE *file, bool known, u64 count)
{
	if (known)
		fprintf(file, "%*llu", COLUMN, (unsigned long long)count);
	else
		fprintf(file, "%*s", COLUMN, "-");
}

static void print_rows(FILE *file, const char *name, const struct ipi_pass *pass)
{
	unsigned int sent = IPI_EVENT_BIT(IPI_EVENT_SEND) | IPI_EVENT_BIT(IPI_EVENT_RAISE);
	const struct ipi_ledger_row *row;
	int i, j;

	for (i = 0; i < pass->nr_row; i++) {
		row = &pass->row[i];
		fprintf(file, "#   %-8s %5d", name, row->cpu);
		print_count(file, true, row->calls);
		print_count(file, pass->have & IPI_EVENT_BIT(IPI_EVENT_QUEUE), row->queued);
		print_count(file, pass->have & sent, row->sent);
		print_count(file, pass->have & IPI_EVENT_BIT(IPI_EVENT_FUNC_ENTRY), row->functions);
		for (j = 0; j < IPI_IRQ_NR; j++)
			print_count(file, pass->have & IPI_EVENT_BIT(IPI_EVENT_IRQ_ENTRY),
				    row->entries[j]);
		for (j = 0; j < IPI_COUNTER_NR; j++)
			print_count(file, pass->counters & (1U << j), row->counter[j]);
		fputc('\n', file);
	}
}

static void print_heading(FILE *file)
{
	int i;

	fprintf(file, "#   %-8s %5s%*s%*s%*s%*s  %-*s  %s\n", "", "", COLUMN, "", COLUMN, "",
		COLUMN, "", COLUMN, "", IPI_IRQ_NR * COLUMN - 2, "interrupts taken",
		"/proc/interrupts");
	fprintf(file, "#   %-8s %5s%*s%*s%*s%*s", "pass", "CPU", COLUMN, "calls", COLUMN, "queued",
		COLUMN, "sent", COLUMN, "funcs");
	for (i = 0; i < IPI_IRQ_NR; i++)
		fprintf(file, "%*s", COLUMN, ipi_irq__name(i));
	for (i = 0; i < IPI_COUNTER_NR; i++)
		fprintf(file, "%*s", COLUMN, ipi_counter__name(i));
	fputc('\n', file);
}

void ipi_text__ledgers(const struct ipi_text *text)
{
	const struct ipi_cell *cell;
	struct ipi_word name;
	bool headed = false;
	int i;

	for (i = 0; i < text->result->nr_cell; i++) {
		cell = &text->result->cell[i];
		if (!cell->untraced.nr_row && !cell->traced.nr_row)
			continue;
		if (!headed) {
			fputs("#\n# ledger:\n", text->file);
			print_heading(text->file);
			headed = true;
		}
		ipi_text__name(text, cell, &name);
		fprintf(text->file, "# %s\n", name.str);
		print_rows(text->file, "untraced", &cell->untraced);
		print_rows(text->file, "traced", &cell->traced);
	}
}
