// SPDX-License-Identifier: GPL-2.0
/*
 * A histogram as text: one line for each power of two from the smallest sample to the largest,
 * with a bar. Comment lines, as everything outside the table. No bucket of the recorded histogram
 * lies across a power of two, so these counts are exact.
 */
#include "report.h"

#define OCTAVES		65	/* 0, and one for each bit */
#define BAR_COLUMNS	40

/* 0 for 0, else one more than the highest bit's position. */
static int octave_of(u64 value)
{
	return value ? 64 - __builtin_clzll(value) : 0;
}

static u64 octave_low(int octave)
{
	return octave ? (u64)1 << (octave - 1) : 0;
}

static u64 octave_high(int octave)
{
	return octave ? octave_low(octave) * 2 - 1 : 0;
}

/* What holds anything gets a star. */
static int bar_length(u64 count, u64 most)
{
	int len = (double)count * BAR_COLUMNS / most;

	return count && !len ? 1 : len;
}

static int digits(u64 value)
{
	int nr = 1;

	while (value /= 10)
		nr++;
	return nr;
}

static void print_octave(FILE *file, int octave, int width, u64 count, u64 most)
{
	static const char stars[BAR_COLUMNS + 1] = "****************************************";

	fprintf(file, "#  %*llu .. %-*llu %10llu |%-*.*s|\n", width,
		(unsigned long long)octave_low(octave), width,
		(unsigned long long)octave_high(octave), (unsigned long long)count, BAR_COLUMNS,
		bar_length(count, most), stars);
}

void ipi_hist__print(FILE *file, const struct ipi_hist *hist, const char *title, bool colour)
{
	u64 counts[OCTAVES] = { 0 };
	u64 low, width, count;
	unsigned int pos = 0;
	int i, last, digit;
	u64 most = 0;

	fprintf(file, "%s# %s, %llu samples, ns%s\n", colour ? "\033[1m" : "", title,
		(unsigned long long)ipi_hist__count(hist), colour ? "\033[0m" : "");
	while (ipi_hist__next(hist, &pos, &low, &width, &count)) {
		i = octave_of(low);
		counts[i] += count;
		if (counts[i] > most)
			most = counts[i];
	}
	if (!most)
		return;
	last = octave_of(ipi_hist__max(hist));
	digit = digits(octave_high(last));
	for (i = octave_of(ipi_hist__min(hist)); i <= last; i++)
		print_octave(file, i, digit, counts[i], most);
}
