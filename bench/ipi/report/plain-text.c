// SPDX-License-Identifier: GPL-2.0
/*
 * Text from outside, character by character, and numbers with their thousands apart.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <linux/types.h>

#include "plain-text.h"

/* The least code that takes so many bytes: a longer form of a shorter one is no UTF-8. */
static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };

static int length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xf8 || first < 0xc0)
		return 0;
	return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
}

int ipi_plain__char(const char *str)
{
	const unsigned char *byte = (const unsigned char *)str;
	int len = length_of(*byte);
	u32 code;
	int i;

	if (len < 2)
		return len && *byte != 0x7f && (*byte >= ' ' || *byte == '\t');
	code = *byte & (0x7fU >> len);
	for (i = 1; i < len; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (byte[i] & 0x3f);
	}
	if (code < least[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ||
	    code < 0xa0 || (code & 0xfffe) == 0xfffe)
		return 0;
	return len;
}

const char *ipi_plain__grouped(char *buf, size_t size, double value)
{
	char digits[40];
	size_t len, i, out = 0;

	if (fabs(value) < 10 && value != rint(value)) {
		snprintf(buf, size, "%.2g", value);
		return buf;
	}
	snprintf(digits, sizeof(digits), "%.0f", value);
	len = strlen(digits);
	for (i = 0; i < len && out + 2 < size; i++) {
		if (i && digits[i - 1] != '-' && !((len - i) % 3))
			buf[out++] = ' ';
		buf[out++] = digits[i];
	}
	buf[out] = '\0';
	return buf;
}
