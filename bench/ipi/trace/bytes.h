/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers at any place of a record, of either byte order. Private to trace/.
 *
 * @swap is a parameter of its own, so that what every record goes through can be compiled for each
 * byte order.
 */
#ifndef IPI_TRACE_BYTES_H
#define IPI_TRACE_BYTES_H

#include <stdbool.h>
#include <string.h>
#include <linux/types.h>

static inline u16 ipi_bytes__u16(const void *at, bool swap)
{
	u16 value;

	memcpy(&value, at, sizeof(value));
	return swap ? __builtin_bswap16(value) : value;
}

static inline u32 ipi_bytes__u32(const void *at, bool swap)
{
	u32 value;

	memcpy(&value, at, sizeof(value));
	return swap ? __builtin_bswap32(value) : value;
}

static inline u64 ipi_bytes__u64(const void *at, bool swap)
{
	u64 value;

	memcpy(&value, at, sizeof(value));
	return swap ? __builtin_bswap64(value) : value;
}

#endif
