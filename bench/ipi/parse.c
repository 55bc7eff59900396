// SPDX-License-Identifier: GPL-2.0
/*
 * Strict numbers. strtoul() takes blanks, signs and trailing text, libsubcmd wraps at 32 bits;
 * a benchmark that runs with another number than the one typed measures something else.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>

#include "parse.h"

/* Reads the digits at *@pos and moves it behind them. */
static int parse_digits(const char **pos, u64 *value)
{
	const char *p = *pos;
	u64 v = 0;

	if (*p < '0' || *p > '9')
		return -EINVAL;
	if (p[0] == '0' && p[1] >= '0' && p[1] <= '9')
		return -EINVAL;
	for (; *p >= '0' && *p <= '9'; p++) {
		u64 digit = (u64)(*p - '0');

		if (v > (UINT64_MAX - digit) / 10)
			return -ERANGE;
		v = v * 10 + digit;
	}
	*pos = p;
	*value = v;
	return 0;
}

static int scale(u64 v, u64 factor, u64 min, u64 max, u64 *value)
{
	if (v > UINT64_MAX / factor)
		return -ERANGE;
	v *= factor;
	if (v < min || v > max)
		return -ERANGE;
	*value = v;
	return 0;
}

int ipi_parse__u64(const char *str, u64 min, u64 max, u64 *value)
{
	u64 v;
	int err = parse_digits(&str, &v);

	if (err)
		return err;
	if (*str)
		return -EINVAL;
	return scale(v, 1, min, max, value);
}

int ipi_parse__count(const char *str, u64 min, u64 max, u64 *value)
{
	u64 factor = 1;
	u64 v;
	int err = parse_digits(&str, &v);

	if (err)
		return err;
	if (*str == 'k')
		factor = 1000;
	else if (*str == 'M')
		factor = 1000000;
	if (factor != 1)
		str++;
	if (*str)
		return -EINVAL;
	return scale(v, factor, min, max, value);
}

int ipi_parse__duration(const char *str, u64 min_ns, u64 max_ns, u64 *ns)
{
	static const struct {
		const char *name;
		u64 ns;
	} units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	};
	u64 v;
	size_t i;
	int err = parse_digits(&str, &v);

	if (err)
		return err;
	if (!*str && !v)
		return scale(0, 1, min_ns, max_ns, ns);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (!strcmp(str, units[i].name))
			return scale(v, units[i].ns, min_ns, max_ns, ns);
	}
	return -EINVAL;
}

int ipi_parse__list(const char *list, int (*each)(void *ctx, char *piece), void *ctx)
{
	char *copy = strdup(list);
	char *rest = copy;
	char *piece;
	int err = 0;

	if (!copy)
		return -ENOMEM;
	while (!err && (piece = strsep(&rest, ",")))
		err = each(ctx, piece);
	free(copy);
	return err;
}
