// SPDX-License-Identifier: GPL-2.0
/*
 * Reasons for failures, and the one place that writes them to stderr.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "why.h"

#define PREFIX	"perf bench ipi: "

/* How many -v were given: an option, set once by the front door. */
static int verbose_level;

int ipi_why__set(struct ipi_why *why, int err, const char *remedy, const char *fmt, ...)
{
	va_list ap;

	if (why) {
		why->err = err;
		va_start(ap, fmt);
		vsnprintf(why->what, sizeof(why->what), fmt, ap);
		va_end(ap);
		snprintf(why->remedy, sizeof(why->remedy), "%s", remedy ? remedy : "");
	}
	return err ? -err : -EINVAL;
}

/* strerror() without its static buffer; the GNU strerror_r() always returns a string. */
static const char *error_text(int err, char *buf, size_t size)
{
	return strerror_r(err, buf, size);
}

void ipi_why__print(const struct ipi_why *why)
{
	char buf[128];

	if (why->err)
		fprintf(stderr, PREFIX "%s: %s\n", why->what,
			error_text(why->err, buf, sizeof(buf)));
	else
		fprintf(stderr, PREFIX "%s\n", why->what);
	if (why->remedy[0])
		fprintf(stderr, "  %s\n", why->remedy);
}

const char *ipi_why__line(const struct ipi_why *why, char *buf, unsigned long size)
{
	const char *gap = why->remedy[0] ? "; " : "";
	char text[128];

	if (why->err)
		snprintf(buf, size, "%s: %s%s%s", why->what,
			 error_text(why->err, text, sizeof(text)), gap, why->remedy);
	else
		snprintf(buf, size, "%s%s%s", why->what, gap, why->remedy);
	return buf;
}

void ipi_err(const char *fmt, ...)
{
	va_list ap;

	fputs(PREFIX, stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void ipi_dbg__set(int level)
{
	verbose_level = level;
}

void ipi_dbg(const char *fmt, ...)
{
	va_list ap;

	if (verbose_level <= 0)
		return;
	fputs(PREFIX, stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}
