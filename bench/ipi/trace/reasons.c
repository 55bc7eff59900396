// SPDX-License-Identifier: GPL-2.0
/*
 * Reads printk_formats for the reasons of arm's IPIs and looks them up by address.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reasons.h"

struct ipi_reason {
	u64 address;
	enum ipi_irq irq;
};

static bool ends_with(const char *text, size_t size, const char *end)
{
	size_t len = strlen(end);

	return size >= len && !memcmp(text + size - len, end, len);
}

/* arm once had "Single function call interrupts" as well. */
static enum ipi_irq text_irq(const char *text, size_t size)
{
	if (ends_with(text, size, "unction call interrupts"))
		return IPI_IRQ_CALL;
	if (ends_with(text, size, "Rescheduling interrupts"))
		return IPI_IRQ_RESCHED;
	if (ends_with(text, size, "IRQ work interrupts"))
		return IPI_IRQ_WORK;
	return IPI_IRQ_OTHER;
}

static int add(struct ipi_reasons *reasons, u64 address, const char *text, size_t size)
{
	struct ipi_reason *more;
	int i;

	if (!ends_with(text, size, " interrupts") && !ends_with(text, size, " NMIs"))
		return 0;
	for (i = 0; i < reasons->nr; i++) {
		if (reasons->reason[i].address == address)
			return 0;
	}
	more = realloc(reasons->reason, (reasons->nr + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	more[reasons->nr].address = address;
	more[reasons->nr].irq = text_irq(text, size);
	reasons->reason = more;
	reasons->nr++;
	return 1;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* One line: 0xffffad228280d368 : "Function call interrupts" */
static int read_line(struct ipi_reasons *reasons, const char *line, const char *end)
{
	u64 address = 0;
	int digits = 0;

	if (end - line < 2 || line[0] != '0' || line[1] != 'x')
		return 0;
	for (line += 2; line < end && hex_digit(*line) >= 0; line++, digits++)
		address = address << 4 | (u64)hex_digit(*line);
	if (!digits || digits > 16 || end - line < 4 || memcmp(line, " : \"", 4))
		return 0;
	line += 4;

	/* Up to the last quote: the text may have some of its own. */
	while (end > line && end[-1] != '"')
		end--;
	return end == line ? 0 : add(reasons, address, line, end - 1 - line);
}

int ipi_reasons__read(struct ipi_reasons *reasons, const char *text, size_t size)
{
	const char *line = text, *end = text + size, *stop;
	int nr = 0, ret;

	for (; line < end; line = stop + 1) {
		stop = memchr(line, '\n', end - line);
		if (!stop)
			stop = end;
		ret = read_line(reasons, line, stop);
		if (ret < 0)
			return ret;
		nr += ret;
	}
	return nr;
}

enum ipi_irq ipi_reasons__irq(const struct ipi_reasons *reasons, u64 address)
{
	int i;

	for (i = 0; i < reasons->nr; i++) {
		if (reasons->reason[i].address == address)
			return reasons->reason[i].irq;
	}
	return IPI_IRQ_OTHER;
}

void ipi_reasons__free(struct ipi_reasons *reasons)
{
	free(reasons->reason);
	reasons->reason = NULL;
	reasons->nr = 0;
}
