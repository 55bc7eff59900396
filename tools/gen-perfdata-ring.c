// SPDX-License-Identifier: GPL-2.0
/*
 * The rings of a generated recording: records in the order of each CPU, until perf record comes by
 * and writes what is there.
 */
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "gen-perfdata.h"

#define RECORD_MAX	65528
#define AT_ONCE		(2 << 20)
#define LOST_LATE	20	/* ns: a loss is stamped after the record that found room */

void gen_raw_u32(const struct gen_file *file, struct gen_raw *raw, u32 value)
{
	value = file->swap ? __builtin_bswap32(value) : value;
	memcpy(raw->byte + raw->size, &value, sizeof(value));
	raw->size += sizeof(value);
}

void gen_raw_u64(const struct gen_file *file, struct gen_raw *raw, u64 value)
{
	while (raw->size % 8)
		raw->byte[raw->size++] = 0;
	value = file->swap ? __builtin_bswap64(value) : value;
	memcpy(raw->byte + raw->size, &value, sizeof(value));
	raw->size += sizeof(value);
}

void gen_raw_begin(const struct gen_file *file, struct gen_raw *raw, enum gen_event event,
		   bool in_irq, int pid)
{
	u16 type = GEN_FIRST_CONFIG + event;

	type = file->swap ? __builtin_bswap16(type) : type;
	memcpy(raw->byte, &type, sizeof(type));
	raw->byte[2] = in_irq ? 0x08 : 0;
	raw->byte[3] = 0;
	raw->size = 4;
	gen_raw_u32(file, raw, pid);
}

void gen_raw_mask(const struct gen_file *file, struct gen_raw *raw, size_t loc_at,
		  const unsigned char *mask)
{
	size_t bytes = (file->cpus + 63) / 64 * 8, at = raw->size, i;
	u32 loc = bytes << 16 | at;

	for (i = 0; i < bytes; i++)
		raw->byte[at + i] = mask[file->big_endian ? i / 8 * 8 + 7 - i % 8 : i];
	loc = file->swap ? __builtin_bswap32(loc) : loc;
	memcpy(raw->byte + loc_at, &loc, sizeof(loc));
	raw->size += bytes;
}

/* A record in the making, at the end of a ring. */
static void put(struct gen_ring *ring, const void *from, size_t size)
{
	memcpy(ring->byte + ring->size, from, size);
	ring->size += size;
}

static void put_u32(const struct gen_file *file, struct gen_ring *ring, u32 value)
{
	value = file->swap ? __builtin_bswap32(value) : value;
	put(ring, &value, sizeof(value));
}

static void put_u64(const struct gen_file *file, struct gen_ring *ring, u64 value)
{
	value = file->swap ? __builtin_bswap64(value) : value;
	put(ring, &value, sizeof(value));
}

static void put_header(const struct gen_file *file, struct gen_ring *ring, u32 type, u16 size)
{
	put_u32(file, ring, type);
	size = file->swap ? __builtin_bswap16(size) : size;
	put(ring, "\0", 2);
	put(ring, &size, sizeof(size));
}

static bool make_room(struct gen_file *file, struct gen_ring *ring)
{
	if (ring->room - ring->size < 2 * GEN_RAW_MAX) {
		size_t room = ring->room ? ring->room * 2 : 65536;
		void *byte = realloc(ring->byte, room);

		if (!byte) {
			file->failed = true;
			return false;
		}
		ring->byte = byte;
		ring->room = room;
	}
	if (ring->nr + 2 > ring->room_nr) {
		size_t room = ring->room_nr ? ring->room_nr * 2 : 1024;
		u64 *time = realloc(ring->time, room * sizeof(*time));
		size_t *end;

		if (time)
			ring->time = time;
		end = realloc(ring->end, room * sizeof(*end));
		if (end)
			ring->end = end;
		if (!time || !end) {
			file->failed = true;
			return false;
		}
		ring->room_nr = room;
	}
	return true;
}

static void end_record(struct gen_ring *ring, u64 time)
{
	ring->time[ring->nr] = time;
	ring->end[ring->nr] = ring->size;
	ring->nr++;
}

static u64 id_of(const struct gen_file *file, int event, int cpu)
{
	return GEN_FIRST_ID + (u64)event * file->cpus + cpu;
}

/* What stands at the end of records that are no samples. */
static void put_trailer(const struct gen_file *file, struct gen_ring *ring, int cpu, u64 time,
			int tid, u64 id)
{
	put_u32(file, ring, tid);
	put_u32(file, ring, tid);
	put_u64(file, ring, time);
	put_u32(file, ring, cpu);
	put_u32(file, ring, 0);
	put_u64(file, ring, id);
}

static void put_lost(const struct gen_file *file, struct gen_ring *ring, int cpu, u64 time,
		     u64 id)
{
	put_header(file, ring, PERF_RECORD_LOST, 8 + 16 + 32);
	put_u64(file, ring, id);
	put_u64(file, ring, ring->lost);
	put_trailer(file, ring, cpu, time + LOST_LATE, 0, id);
	ring->lost = 0;
	end_record(ring, time);
}

void gen_sample(struct gen_file *file, int cpu, u64 time, int tid, enum gen_event event,
		const struct gen_raw *raw)
{
	u32 raw_size = (4 + raw->size + 7) / 8 * 8 - 4, size = 8 + 7 * 8 - 8 + 4 + raw_size;
	struct gen_ring *ring = &file->ring[cpu];
	u64 id = id_of(file, event, cpu);
	int i;

	if (!make_room(file, ring))
		return;
	if (ring->lost)
		put_lost(file, ring, cpu, time, id);
	if (file->chain)
		size += 8 + 8 * GEN_CHAIN;
	put_header(file, ring, PERF_RECORD_SAMPLE, size);
	put_u64(file, ring, id);
	put_u64(file, ring, 0xffffffff81000000ULL);
	put_u32(file, ring, tid);
	put_u32(file, ring, tid);
	put_u64(file, ring, time);
	put_u32(file, ring, cpu);
	put_u32(file, ring, 0);
	put_u64(file, ring, 1);
	if (file->chain)
		put_u64(file, ring, GEN_CHAIN);
	for (i = 0; file->chain && i < GEN_CHAIN; i++)
		put_u64(file, ring, 0xffffffff81000000ULL + i);
	put_u32(file, ring, raw_size);
	put(ring, raw->byte, raw->size);
	for (i = raw->size; i < (int)raw_size; i++)
		put(ring, "", 1);
	end_record(ring, time);
}

void gen_lose(struct gen_file *file, int cpu)
{
	file->ring[cpu].lost++;
}

void gen_comm(struct gen_file *file, int tid, const char *comm)
{
	struct gen_ring *ring = &file->ring[0];
	char text[16] = "";

	if (!make_room(file, ring))
		return;
	snprintf(text, sizeof(text), "%s", comm);
	put_header(file, ring, PERF_RECORD_COMM, 8 + 8 + 16 + 32);
	put_u32(file, ring, tid);
	put_u32(file, ring, tid);
	put(ring, text, sizeof(text));
	put_trailer(file, ring, 0, 0, tid, id_of(file, 0, 0));
	end_record(ring, 0);
}

static void write_all(struct gen_file *file, const void *from, size_t size)
{
	if (size && fwrite(from, size, 1, file->file) != 1)
		file->failed = true;
}

static void write_header(struct gen_file *file, u32 type, u16 size)
{
	unsigned char bytes[8] = { 0 };
	struct gen_ring record = { .byte = bytes };

	put_header(file, &record, type, size);
	write_all(file, bytes, sizeof(bytes));
}

static void write_zstd(struct gen_file *file, const void *from, size_t size)
{
	static const unsigned char padding[8];
	unsigned char bytes[8] = { 0 };
	struct gen_ring record = { .byte = bytes };
	size_t more = -size & 7;

	if (!file->padded) {
		write_header(file, 81, 8 + size);
		write_all(file, from, size);
		return;
	}
	write_header(file, 83, 16 + size + more);
	put_u64(file, &record, size);
	write_all(file, bytes, sizeof(bytes));
	write_all(file, from, size);
	write_all(file, padding, more);
}

static void write_some(struct gen_file *file, const unsigned char *from, size_t size)
{
	static unsigned char to[RECORD_MAX];
	size_t pos = 0, some;

	while (pos < size && !file->failed) {
		some = gen_zstd_some(file->zstd, to, sizeof(to) - 24, from, size, &pos);
		if (!some) {
			file->failed = true;
			return;
		}
		write_zstd(file, to, some);
	}
}

/* No more at once than a reader was told to expect of a record. */
static void write_compressed(struct gen_file *file, const unsigned char *from, size_t size)
{
	size_t some;

	for (; size; from += some, size -= some) {
		some = size < AT_ONCE ? size : AT_ONCE;
		write_some(file, from, some);
	}
}

static void write_ring(struct gen_file *file, struct gen_ring *ring, u64 until)
{
	size_t nr = 0, size, i;

	while (nr < ring->nr && ring->time[nr] <= until)
		nr++;
	if (!nr)
		return;
	size = ring->end[nr - 1];
	if (file->compress)
		write_compressed(file, ring->byte, size);
	else
		write_all(file, ring->byte, size);
	memmove(ring->byte, ring->byte + size, ring->size - size);
	ring->size -= size;
	ring->nr -= nr;
	for (i = 0; i < ring->nr; i++) {
		ring->time[i] = ring->time[i + nr];
		ring->end[i] = ring->end[i + nr] - size;
	}
}

void gen_round(struct gen_file *file, const u64 *until)
{
	int cpu;

	for (cpu = 0; cpu < file->cpus; cpu++)
		write_ring(file, &file->ring[cpu], until[cpu]);
	write_header(file, 68, 8);
}
