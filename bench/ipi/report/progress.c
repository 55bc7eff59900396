// SPDX-License-Identifier: GPL-2.0
/*
 * A line on the terminal for work that takes over 2 s: " 21 % normal busy". It is redrawn in place
 * on stderr, so that it mixes with no output, and wiped when the work is done.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report.h"

#define PATIENCE_NS	2000000000ULL	/* shorter work needs no excuse */
#define REDRAW_NS	100000000ULL	/* 10 times a second is plenty */

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000ULL + (u64)ts.tv_nsec;
}

void ipi_progress__begin(struct ipi_progress *progress)
{
	memset(progress, 0, sizeof(*progress));
	progress->on = isatty(STDERR_FILENO) == 1;
	if (progress->on)
		progress->start_ns = now_ns();
}

void ipi_progress__show(struct ipi_progress *progress, unsigned int done, unsigned int total,
			const char *what)
{
	u64 now;

	if (!progress->on)
		return;
	now = now_ns();
	if (now - progress->start_ns < PATIENCE_NS || now - progress->shown_ns < REDRAW_NS)
		return;

	fprintf(stderr, "\r\033[K%3u %% %.60s", total ? (unsigned int)(100ULL * done / total) : 0,
		what);
	fflush(stderr);
	progress->shown_ns = now;
	progress->drawn = true;
}

void ipi_progress__end(struct ipi_progress *progress)
{
	if (progress->drawn)
		fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->drawn = false;
	progress->on = false;
}
