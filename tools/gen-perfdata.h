/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the two files of gen-perfdata share: gen-perfdata.c makes deliveries and knows the truth of
 * them, gen-perfdata-file.c writes them as perf record would.
 */
#ifndef IPI_TOOLS_GEN_PERFDATA_H
#define IPI_TOOLS_GEN_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <linux/types.h>

#define GEN_CPUS_MAX	4096
#define GEN_RAW_MAX	1024
#define GEN_FIRST_ID	1000	/* of events on CPUs */
#define GEN_FIRST_CONFIG 300	/* of tracepoints */
#define GEN_CHAIN	3	/* entries of a call chain */

/* The tracepoints, as x86 of 6.5 or later has them; NOISE tells nothing of IPIs. */
enum gen_event {
	GEN_QUEUE,
	GEN_SEND,
	GEN_SEND_MASK,
	GEN_SINGLE_ENTRY,
	GEN_SINGLE_EXIT,
	GEN_CALL_ENTRY,
	GEN_CALL_EXIT,
	GEN_RESCHED_ENTRY,
	GEN_RESCHED_EXIT,
	GEN_FUNC_ENTRY,
	GEN_FUNC_EXIT,
	GEN_NOISE,
	GEN_ENTER,
	GEN_LEAVE,
	GEN_EVENTS,
};

/**
 * struct gen_ring - what a CPU recorded and perf record has not yet written
 * @byte:	records
 * @size:	bytes
 * @room:	of @byte
 * @time:	by record: when
 * @end:	by record: where it ends
 * @nr:		records
 * @room_nr:	of @time and @end
 * @lost:	records dropped since the last one
 */
struct gen_ring {
	unsigned char *byte;
	size_t size;
	size_t room;
	u64 *time;
	size_t *end;
	size_t nr;
	size_t room_nr;
	u64 lost;
};

struct gen_zstd;

/**
 * struct gen_file - a recording being written
 * @file:	where to
 * @cpus:	how many
 * @swap:	in the other byte order
 * @big_endian:	which is this one
 * @pipe:	as to a pipe
 * @chain:	with a call chain in each sample
 * @compress:	by zstd
 * @padded:	in records of the later kind (perf 6.16), padded to 8 bytes
 * @zstd:	its stream
 * @ring:	by CPU
 * @failed:	something could not be written
 * @data_at:	where records begin in the file
 */
struct gen_file {
	FILE *file;
	int cpus;
	bool swap;
	bool big_endian;
	bool pipe;
	bool chain;
	bool compress;
	bool padded;
	struct gen_zstd *zstd;
	struct gen_ring *ring;
	bool failed;
	long data_at;
};

/* A sample's raw data in the making. */
struct gen_raw {
	unsigned char byte[GEN_RAW_MAX];
	size_t size;
};

bool gen_file_begin(struct gen_file *file);
bool gen_file_end(struct gen_file *file);

void gen_raw_begin(const struct gen_file *file, struct gen_raw *raw, enum gen_event event,
		   bool in_irq, int pid);
void gen_raw_u32(const struct gen_file *file, struct gen_raw *raw, u32 value);
void gen_raw_u64(const struct gen_file *file, struct gen_raw *raw, u64 value);
/* A bitmap of all CPUs, as dynamic data behind the fields. */
void gen_raw_mask(const struct gen_file *file, struct gen_raw *raw, size_t loc_at,
		  const unsigned char *mask);

/* Into the CPU's ring. */
void gen_sample(struct gen_file *file, int cpu, u64 time, int tid, enum gen_event event,
		const struct gen_raw *raw);
/* One that didn't fit. */
void gen_lose(struct gen_file *file, int cpu);
/* A thread got a name. */
void gen_comm(struct gen_file *file, int tid, const char *comm);

/* perf record comes by: of each CPU all up to @until[cpu]. */
void gen_round(struct gen_file *file, const u64 *until);

/* gen-perfdata-zstd.c */
struct gen_zstd *gen_zstd_new(void);	/* NULL where built without libzstd */
void gen_zstd_delete(struct gen_zstd *zstd);
/* Some of @from to @to; what it took is added to @pos. Return: bytes written, 0 on failure. */
size_t gen_zstd_some(struct gen_zstd *zstd, void *to, size_t room, const void *from, size_t size,
		     size_t *pos);

#endif
