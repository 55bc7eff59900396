/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the perf.data reader share. Private to perfdata*.c: everybody else includes
 * perfdata.h.
 *
 * The way of a record: bytes come from the file or pipe into a buffer (perfdata-file.c), or out of
 * a COMPRESSED record into one of their own (perfdata-zstd.c). Records are looked at in the order
 * of the file (perfdata-records.c, perfdata-others.c): a sample of an event that tells of IPIs is
 * decoded while it is at hand, and the event noted. Events that lie in the order of time are a run;
 * at the end of a round all runs are merged (perfdata-merge.c), and events given out as it is their
 * turn (perfdata.c). The events of two rounds are all that is ever kept.
 */
#ifndef IPI_TRACE_PD_H
#define IPI_TRACE_PD_H

#include <stddef.h>
#include <string.h>

#include "../cpus.h"
#include "../why.h"
#include "bytes.h"
#include "perfdata-merge.h"
#include "perfdata.h"

#define PD_BUFFER	262144U
#define PD_RECORD_MAX	65535U		/* perf_event_header.size has 16 bits */
#define PD_HEADER	8U		/* bytes in a perf_event_header */
#define PD_ATTRS_MAX	4096
#define PD_TEXT_MAX	(64U << 20)	/* tracing data, a feature */
#define PD_PENDING_MAX	1073741824UL	/* bytes kept for want of a finished round */

/* Records of the perf tool itself, which no uapi header names. */
enum pd_record {
	PD_HEADER_ATTR = 64,
	PD_HEADER_TRACING_DATA = 66,
	PD_HEADER_BUILD_ID = 67,
	PD_FINISHED_ROUND = 68,
	PD_AUXTRACE = 71,
	PD_HEADER_FEATURE = 80,
	PD_COMPRESSED = 81,
	PD_COMPRESSED2 = 83,
};

/* Features of a perf.data header. */
enum pd_feature {
	PD_FEAT_TRACING_DATA = 1,
	PD_FEAT_BUILD_ID = 2,
	PD_FEAT_HOSTNAME = 3,
	PD_FEAT_OSRELEASE = 4,
	PD_FEAT_VERSION = 5,
	PD_FEAT_ARCH = 6,
	PD_FEAT_NRCPUS = 7,
	PD_FEAT_CPUDESC = 8,
	PD_FEAT_CMDLINE = 11,
	PD_FEAT_EVENT_DESC = 12,
	PD_FEAT_COMPRESSED = 27,
	PD_FEAT_NR = 256,
};

/**
 * struct pd_attr - one event of the recording
 * @type:	perf_event_attr's
 * @config:	perf_event_attr's: a tracepoint's id
 * @sample_type: perf_event_attr's
 * @read_format: perf_event_attr's
 * @sample_id_all: records other than samples have a time and more at their end
 * @use_clockid: the clock is @clockid
 * @clockid:	perf_event_attr's
 * @known:	the decoder was taught it
 * @kind:	enum ipi_event_kind, if known
 * @at_time:	where in a record the time is, 0 if it has none
 * @at_tid:	pid and tid
 * @at_cpu:	cpu
 * @at_tail:	where the first field of variable size is, or the raw size if there is none
 * @at_data:	the raw data, behind their size, if they don't move; no sample is smaller
 * @moves:	their place is not the same in all samples
 * @has_read:	it is READ
 * @has_chain:	then CALLCHAIN
 * @event:	its name and count
 * @name:	own memory of the name
 */
struct pd_attr {
	u32 type;
	u64 config;
	u64 sample_type;
	u64 read_format;
	bool sample_id_all;
	bool use_clockid;
	s32 clockid;
	bool known;
	u32 at_time;
	u32 at_tid;
	u32 at_cpu;
	u32 at_tail;
	u32 at_data;
	bool moves;
	bool has_read;
	bool has_chain;
	struct ipi_perfdata_event event;
	char *name;
};

/**
 * struct pd_ids - which event has an id: a table where they are dense, as the kernel's are
 * @nr:		ids
 * @room:	of @id
 * @id:		id and index of the event, sorted once @direct or the search is used
 * @base:	the smallest
 * @span:	entries in @direct
 * @direct:	the event by id - base, NULL if none; NULL where ids are too far apart
 * @sorted:	ready to be used
 */
struct pd_ids {
	size_t nr;
	size_t room;
	struct pd_id {
		u64 id;
		u32 attr;
	} *id;
	u64 base;
	u64 span;
	struct pd_attr **direct;
	bool sorted;
};

/**
 * struct pd_stream - records as they come
 * @byte:	they lie here, NULL before the first; the last one may not be complete
 * @begin:	not yet looked at
 * @end:	behind the last byte
 */
struct pd_stream {
	unsigned char *byte;
	size_t begin;
	size_t end;
};

/**
 * struct pd_blob - what follows a record, or all of a section
 * @byte:	the bytes
 * @size:	how many so far
 * @room:	of @byte
 * @want:	how many it shall be
 */
struct pd_blob {
	unsigned char *byte;
	size_t size;
	size_t room;
	size_t want;
};

struct pd_comms;
struct pd_zstd;
struct ipi_decode;

/**
 * struct ipi_perfdata - a recording being read
 * @info:	as published
 * @stats:	as published
 * @fd:		the file or pipe
 * @swap:	its byte order is not ours
 * @left:	bytes of the data section still to be read; of a pipe, all there are
 * @skip:	bytes to pass over before the next record
 * @file_size:	0 of a pipe
 * @attr:	the events
 * @nr_attrs:	how many
 * @at_id:	where in a record of a sample its id is, 0 if it has none
 * @ids:	ids of the events
 * @outer:	records of the file
 * @inner:	records out of compressed ones
 * @merge:	events, and the order of their turns
 * @tracing:	tracing data, until the first round
 * @tracing_due: more of it is to come
 * @decode:	NULL until the formats are known
 * @comms:	names of threads
 * @zstd:	NULL until the first compressed record
 * @inflating:	more records are to come out of the last one
 * @kallsyms:	NULL if the recording has none
 * @kallsyms_size: bytes of @kallsyms
 * @unasked:	reasons that the caller doesn't ask for
 * @ended:	no more bytes
 * @flushed:	and no more notes to come
 * @ready:	formats are known, events can come
 */
struct ipi_perfdata {
	struct ipi_perfdata_info info;
	struct ipi_perfdata_stats stats;
	int fd;
	bool swap;
	u64 left;
	u64 skip;
	u64 file_size;
	struct pd_attr *attr;
	u32 nr_attrs;
	u32 at_id;
	struct pd_ids ids;
	struct pd_stream outer;
	struct pd_stream inner;
	struct pd_merge merge;
	struct pd_blob tracing;
	bool tracing_due;
	struct ipi_decode *decode;
	struct pd_comms *comms;
	struct pd_zstd *zstd;
	bool inflating;
	char *kallsyms;
	size_t kallsyms_size;
	struct ipi_why unasked;
	bool ended;
	bool flushed;
	bool ready;
};

static inline u16 pd_u16(const struct ipi_perfdata *data, const void *at)
{
	return ipi_bytes__u16(at, data->swap);
}

static inline u32 pd_u32(const struct ipi_perfdata *data, const void *at)
{
	return ipi_bytes__u32(at, data->swap);
}

static inline u64 pd_u64(const struct ipi_perfdata *data, const void *at)
{
	return ipi_bytes__u64(at, data->swap);
}

/* "WHAT is cut off or damaged" where @err is -EBADMSG, else @err in words. Return: @err. */
int ipi_pd__why(struct ipi_why *why, int err, const char *what);

/* perfdata-file.c: header and sections, bytes into buffers. Return: 0 or -errno. */
int ipi_pd__open_file(struct ipi_perfdata *data, const char *path, struct ipi_why *why);
int ipi_pd__fill(struct ipi_perfdata *data, struct ipi_why *why);
int ipi_pd__make_room(struct pd_stream *stream, size_t room);
int ipi_pd__read_at(const struct ipi_perfdata *data, void *to, size_t size, u64 offset);
bool ipi_pd__blob_add(struct pd_blob *blob, const void *from, size_t size);

/* perfdata-features.c: what the header says besides. */
int ipi_pd__features(struct ipi_perfdata *data, const unsigned char *bitmap, u64 table);
int ipi_pd__feature(struct ipi_perfdata *data, u64 feature, const unsigned char *at, size_t size);
void ipi_pd__build_id(struct ipi_perfdata *data, const unsigned char *record, size_t size);

/* perfdata-attr.c: events, ids, where what is in a sample. */
int ipi_pd__add_attr(struct ipi_perfdata *data, const unsigned char *at, size_t size);
int ipi_pd__add_id(struct ipi_perfdata *data, u32 attr, u64 id);
int ipi_pd__settle_attrs(struct ipi_perfdata *data, struct ipi_why *why);
int ipi_pd__sort_ids(struct ipi_perfdata *data);
struct pd_attr *ipi_pd__search_id(const struct ipi_perfdata *data, u64 id);
bool ipi_pd__find_raw(const struct ipi_perfdata *data, const struct pd_attr *attr,
		      const unsigned char *record, u32 size, const unsigned char **raw,
		      u32 *raw_size);
/* Time and CPU at the end of a record that is no sample; -1 where it has no CPU. */
bool ipi_pd__sample_id(const struct ipi_perfdata *data, const unsigned char *record, u32 size,
		       u64 *time, int *cpu);

/* perfdata-names.c: formats to the decoder, names to the events. */
int ipi_pd__learn(struct ipi_perfdata *data, struct ipi_why *why);

/* perfdata-records.c: look at records. Return: 1 at the end of a round, 0 if bytes are needed. */
int ipi_pd__look(struct ipi_perfdata *data, struct ipi_why *why);

/* perfdata-others.c: a record that is no sample. */
int ipi_pd__look_other(struct ipi_perfdata *data, const unsigned char *record, u32 size, u32 type);
int ipi_pd__look_tool(struct ipi_perfdata *data, const unsigned char *record, u32 size, u32 type,
		      struct ipi_why *why);

/* perfdata-comm.c */
struct pd_comms *ipi_pd__comms_new(void);
void ipi_pd__comms_delete(struct pd_comms *comms);
int ipi_pd__comms_set(struct pd_comms *comms, u32 tid, const char *comm, size_t size);
int ipi_pd__comms_fork(struct pd_comms *comms, u32 tid, u32 parent);
void ipi_pd__comms_exit(struct pd_comms *comms, u32 tid);
const char *ipi_pd__comms_get(const struct pd_comms *comms, u32 tid);

/* perfdata-zstd.c: -EOPNOTSUPP where the program was built without libzstd. */
struct pd_zstd *ipi_pd__zstd_new(struct ipi_why *why);
void ipi_pd__zstd_delete(struct pd_zstd *zstd);
int ipi_pd__zstd_begin(struct pd_zstd *zstd, const void *from, size_t size);
/* Some more bytes to @to: how many, 0 at the end of what was given, -EBADMSG. */
ssize_t ipi_pd__zstd_more(struct pd_zstd *zstd, void *to, size_t room);

#endif
