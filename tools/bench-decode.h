/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recorded ring, which bench-decode.c measures and bench-decode-record.c makes. In the byte order
 * of the machine that wrote it:
 *	"IPIRING1", u32 0x01020304, u32 bytes in a long, u32 events, u32 CPUs
 *	per event: text "system:name", text of its format file
 *	per CPU: u32 its number, u32 bytes, records as in a perf ring (header, TID, TIME, CPU, RAW)
 * where a text is u32 bytes and the bytes.
 */
#ifndef TOOLS_BENCH_DECODE_H
#define TOOLS_BENCH_DECODE_H

#define RING_MAGIC	"IPIRING1"
#define RING_ORDER	0x01020304

/* Record this kernel's IPI tracepoints, while we send, into @path. Return: exit status. */
int ipi_bench_decode__record(const char *path);

#endif
