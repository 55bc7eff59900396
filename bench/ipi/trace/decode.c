// SPDX-License-Identifier: GPL-2.0
/*
 * Decodes raw tracepoint records. libtraceevent reads the format texts once, when an event is
 * taught; what is left for each record is one comparison of its size and a few loads. No record
 * is trusted: neither its size nor where it says that its bitmap is.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "../cpus.h"
#include "arch.h"
#include "bytes.h"
#include "decode.h"
#include "ids.h"
#include "reasons.h"

#define MAX_ID		UINT16_MAX	/* common_type has 16 bits */
#define COMMON_SIZE	8		/* of the fields that every record has */
#define FLAGS_OFFSET	2

/* trace_flag_type of the kernel: common_flags. */
#define FLAG_HARDIRQ	0x08
#define FLAG_SOFTIRQ	0x10
#define FLAG_NMI	0x40
#define FLAGS_CTX	(FLAG_HARDIRQ | FLAG_SOFTIRQ | FLAG_NMI)

/* Body of a sample with PERF_SAMPLE_TID | TIME | CPU | RAW. */
struct sample_body {
	u32 pid;
	u32 tid;
	u64 time;
	u32 cpu;
	u32 res;
	u32 raw_size;
	unsigned char raw[];
};

/**
 * struct field - where a value is
 * @keep:	bits of it that count: 0 if the event has no such field, all if its sign is extended
 * @at:		into the record: the 8 bytes that end where the field does
 * @shift:	bits of these that are not the field's
 *
 * A load of any size, or of none, without a branch: the kinds of events come as they like.
 */
struct field {
	u64 keep;
	u16 at;
	u8 shift;
};

/**
 * struct known - an event the decoder was taught
 * @need:	bytes a record must have for all fields to be in it
 * @no_cpu:	-1 if it has no @cpu, 0 if it has
 * @irq:	its interrupt, IPI_IRQ_NR where that depends
 * @usual:	it has neither mask nor reason, its addresses have 8 bytes, and @cpu has 4
 */
struct known {
	struct field cpu;
	struct field mask;
	struct field func;
	struct field csd;
	struct field callsite;
	struct field reason;
	u32 need;
	int no_cpu;
	u8 kind;
	u8 irq;
	bool usual;
};

/* A bitmap turned to little-endian, one for each CPU since it must outlive the next record. */
struct turned {
	unsigned char *bytes;
	u32 size;
};

/**
 * struct ipi_decode - the decoder
 * @tep:	libtraceevent's
 * @long_size:	of the traced kernel
 * @big_endian:	so are the records
 * @swap:	their byte order is not ours
 * @ids:	of @known
 * @known:	the events
 * @nr_known:	how many
 * @reasons:	arm's reasons
 * @turned:	by CPU, big-endian only
 * @nr_turned:	how many
 */
struct ipi_decode {
	struct tep_handle *tep;
	int long_size;
	bool big_endian;
	bool swap;
	struct ipi_ids ids;
	struct known *known;
	int nr_known;
	struct ipi_reasons reasons;
	struct turned *turned;
	int nr_turned;
};

struct ipi_decode *ipi_decode__new(int long_size, bool big_endian)
{
	struct ipi_decode *decode = calloc(1, sizeof(*decode));

	if (!decode)
		return NULL;
	decode->tep = tep_alloc();
	if (!decode->tep) {
		free(decode);
		return NULL;
	}
	/* What it can't print (__get_cpumask) it needn't tell: nothing is printed by it. */
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(decode->tep, long_size);
	decode->long_size = long_size;
	decode->big_endian = big_endian;
	decode->swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	return decode;
}

void ipi_decode__delete(struct ipi_decode *decode)
{
	int i;

	if (!decode)
		return;
	for (i = 0; i < decode->nr_turned; i++)
		free(decode->turned[i].bytes);
	free(decode->turned);
	ipi_reasons__free(&decode->reasons);
	free(decode->known);
	ipi_ids__free(&decode->ids);
	tep_free(decode->tep);
	free(decode);
}

static bool is_number(int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* A field the table names must be there, and be what it is thought to be. */
static int resolve(struct tep_event *tep_event, const char *name, bool dynamic,
		   struct field *field, u32 *need)
{
	const struct tep_format_field *found;
	u32 end;

	if (!name)
		return 0;
	found = tep_find_field(tep_event, name);
	if (!found || found->offset < 0 || found->offset > UINT16_MAX)
		return -EINVAL;
	if (dynamic != !!(found->flags & TEP_FIELD_IS_DYNAMIC))
		return -EINVAL;
	if (found->flags & (TEP_FIELD_IS_RELATIVE | TEP_FIELD_IS_STRING))
		return -EINVAL;
	if (found->size != 4 && (dynamic || !is_number(found->size)))
		return -EINVAL;
	end = found->offset + found->size;
	if (end < COMMON_SIZE)
		return -EINVAL;

	field->at = end - COMMON_SIZE;
	field->shift = 64 - 8 * found->size;
	field->keep = ~0ULL;
	if (!(found->flags & TEP_FIELD_IS_SIGNED))
		field->keep >>= field->shift;
	if (*need < end)
		*need = end;
	return 0;
}

/* Or there is none. */
static bool is_size(const struct field *field, int size)
{
	return !field->keep || field->shift == 64 - 8 * size;
}

static bool common_is(struct tep_event *tep_event, const char *name, int offset, int size)
{
	const struct tep_format_field *found = tep_find_common_field(tep_event, name);

	return found && found->offset == offset && found->size == size;
}

static int resolve_all(struct tep_event *tep_event, const struct ipi_arch_event *event,
		       struct known *known)
{
	memset(known, 0, sizeof(*known));
	known->kind = event->kind;
	known->irq = event->irq;
	known->need = COMMON_SIZE;

	if (!common_is(tep_event, "common_type", 0, 2) ||
	    !common_is(tep_event, "common_flags", FLAGS_OFFSET, 1))
		return -EINVAL;
	if (resolve(tep_event, event->cpu, false, &known->cpu, &known->need) ||
	    resolve(tep_event, event->mask, true, &known->mask, &known->need) ||
	    resolve(tep_event, event->func, false, &known->func, &known->need) ||
	    resolve(tep_event, event->csd, false, &known->csd, &known->need) ||
	    resolve(tep_event, event->callsite, false, &known->callsite, &known->need) ||
	    resolve(tep_event, event->reason, false, &known->reason, &known->need))
		return -EINVAL;
	known->no_cpu = known->cpu.keep ? 0 : -1;
	/* A send's depends on what is sent, a reason's on the reason. */
	if (event->irq == IPI_IRQ_NR && !known->reason.keep && event->kind != IPI_EVENT_SEND)
		known->irq = IPI_IRQ_OTHER;
	known->usual = !known->mask.keep && !known->reason.keep && is_size(&known->func, 8) &&
		       is_size(&known->csd, 8) && is_size(&known->callsite, 8) &&
		       is_size(&known->cpu, 4);
	return 0;
}

/* The last of the known ones, found by its id from now on. */
static int add_known(struct ipi_decode *decode, u32 id, const struct known *new)
{
	struct known *known;
	int err;

	known = realloc(decode->known, (decode->nr_known + 1) * sizeof(*known));
	if (!known)
		return -ENOMEM;
	decode->known = known;
	known[decode->nr_known] = *new;
	err = ipi_ids__set(&decode->ids, id, decode->nr_known);
	if (!err)
		decode->nr_known++;
	return err;
}

int ipi_decode__add(struct ipi_decode *decode, const struct ipi_arch_event *event,
		    const char *format, size_t size)
{
	struct tep_event *tep_event = NULL;
	struct known known;
	int err;

	if (!size || size > INT_MAX)
		return -EINVAL;
	if (tep_parse_format(decode->tep, &tep_event, format, size, event->system) || !tep_event)
		return -EINVAL;
	if (tep_event->id < 0 || tep_event->id > MAX_ID || !tep_event->name ||
	    strcmp(tep_event->name, event->name))
		return -EINVAL;
	if (resolve_all(tep_event, event, &known))
		return -EINVAL;

	err = add_known(decode, tep_event->id, &known);
	return err ? err : tep_event->id;
}

int ipi_decode__reasons(struct ipi_decode *decode, const char *printk_formats, size_t size)
{
	return ipi_reasons__read(&decode->reasons, printk_formats, size);
}

/* The shift to the right is that of a signed value: @keep takes its sign away. */
static inline u64 load(const unsigned char *raw, const struct field *field, bool swap)
{
	u64 value = ipi_bytes__u64(raw + field->at, swap);

	if (swap)
		value <<= field->shift;
	return (u64)((s64)value >> field->shift) & field->keep;
}

/* Without a shift: of 8 bytes, or none. */
static inline u64 load_address(const unsigned char *raw, const struct field *field, bool swap)
{
	return ipi_bytes__u64(raw + field->at, swap) & field->keep;
}

/* Of 4 bytes, or none. */
static inline u32 load_number(const unsigned char *raw, const struct field *field, bool swap)
{
	return ipi_bytes__u32(raw + field->at + 4, swap) & field->keep;
}

/* A number that is no CPU's becomes -1: the correlator counts it as bad. */
static inline int target_of(const struct known *known, u64 cpu)
{
	return (cpu < IPI_CPUS_MAX ? (int)cpu : -1) | known->no_cpu;
}

static u8 context(unsigned char flags)
{
	static const u8 highest[] = {
		[0] = IPI_CTX_TASK,
		[FLAG_SOFTIRQ / FLAG_HARDIRQ] = IPI_CTX_SOFTIRQ,
		[1] = IPI_CTX_HARDIRQ,
		[(FLAG_SOFTIRQ | FLAG_HARDIRQ) / FLAG_HARDIRQ] = IPI_CTX_HARDIRQ,
		[FLAG_NMI / FLAG_HARDIRQ ... FLAGS_CTX / FLAG_HARDIRQ] = IPI_CTX_NMI,
	};

	return highest[(flags & FLAGS_CTX) / FLAG_HARDIRQ];
}

static struct turned *room_to_turn(struct ipi_decode *decode, int cpu, u32 bytes)
{
	struct turned *turned;
	unsigned char *room;

	if (cpu >= decode->nr_turned) {
		turned = realloc(decode->turned, (cpu + 1) * sizeof(*turned));
		if (!turned)
			return NULL;
		memset(turned + decode->nr_turned, 0,
		       (cpu + 1 - decode->nr_turned) * sizeof(*turned));
		decode->turned = turned;
		decode->nr_turned = cpu + 1;
	}
	turned = &decode->turned[cpu];
	if (turned->size < bytes) {
		room = realloc(turned->bytes, bytes);
		if (!room)
			return NULL;
		turned->bytes = room;
		turned->size = bytes;
	}
	return turned;
}

/* A big-endian bitmap is an array of longs: within each the bytes are the other way round. */
static int turn_mask(struct ipi_decode *decode, struct ipi_event *event)
{
	u32 size = decode->long_size, i;
	struct turned *turned;

	if (event->mask_bytes % size || event->cpu < 0 || event->cpu >= IPI_CPUS_MAX)
		return -EBADMSG;
	turned = room_to_turn(decode, event->cpu, event->mask_bytes);
	if (!turned)
		return -ENOMEM;
	for (i = 0; i < event->mask_bytes; i++)
		turned->bytes[i] = event->mask[i - i % size + (size - 1 - i % size)];
	event->mask = turned->bytes;
	return 0;
}

static int load_mask(struct ipi_decode *decode, const struct known *known,
		     const unsigned char *raw, size_t size, struct ipi_event *event)
{
	u32 loc = load(raw, &known->mask, decode->swap);
	u32 offset = loc & 0xffff, bytes = loc >> 16;

	if (!bytes || offset + bytes > size)
		return -EBADMSG;
	event->mask = raw + offset;
	event->mask_bytes = bytes;
	return decode->big_endian ? turn_mask(decode, event) : 0;
}

/* Of a send, by its callback and target. */
static inline u8 irq_of_send(const struct ipi_event *event)
{
	u8 irq = event->mask || event->target != event->cpu ? IPI_IRQ_CALL : IPI_IRQ_WORK;

	return event->func ? irq : IPI_IRQ_RESCHED;
}

/* Fields of any size, and what few events have. */
static noinline int decode_rare(struct ipi_decode *decode, const struct known *known,
				const unsigned char *bytes, size_t size, struct ipi_event *event)
{
	bool swap = decode->swap;
	int err;

	event->func = load(bytes, &known->func, swap);
	event->csd = load(bytes, &known->csd, swap);
	event->callsite = load(bytes, &known->callsite, swap);
	event->target = target_of(known, load(bytes, &known->cpu, swap));
	if (known->mask.keep) {
		err = load_mask(decode, known, bytes, size, event);
		if (err)
			return err;
	}
	if (known->irq != IPI_IRQ_NR)
		return 0;
	if (known->reason.keep)
		event->irq = ipi_reasons__irq(&decode->reasons, load(bytes, &known->reason, swap));
	else
		event->irq = irq_of_send(event);
	return 0;
}

/* Compiled once for each byte order, which is asked for once then. */
static __always_inline int decode_raw(struct ipi_decode *decode, const unsigned char *bytes,
				      size_t size, struct ipi_event *event, bool swap)
{
	const struct known *known;
	int index;

	if (size < sizeof(u16))
		return -EBADMSG;
	index = ipi_ids__get(&decode->ids, ipi_bytes__u16(bytes, swap));
	if (index < 0)
		return -ENOENT;
	known = &decode->known[index];
	if (size < known->need)
		return -EBADMSG;

	event->kind = known->kind;
	event->irq = known->irq;
	event->ctx = context(bytes[FLAGS_OFFSET]);
	event->mask = NULL;
	event->mask_bytes = 0;
	if (!known->usual)
		return decode_rare(decode, known, bytes, size, event);
	event->func = load_address(bytes, &known->func, swap);
	event->csd = load_address(bytes, &known->csd, swap);
	event->callsite = load_address(bytes, &known->callsite, swap);
	event->target = target_of(known, load_number(bytes, &known->cpu, swap));
	event->irq = known->irq == IPI_IRQ_NR ? irq_of_send(event) : known->irq;
	return 0;
}

int ipi_decode__raw(struct ipi_decode *decode, const void *raw, size_t size,
		    struct ipi_event *event)
{
	if (decode->swap)
		return decode_raw(decode, raw, size, event, true);
	return decode_raw(decode, raw, size, event, false);
}

int ipi_decode__sample(struct ipi_decode *decode, const void *body, size_t size,
		       struct ipi_event *event)
{
	const unsigned char *bytes = body;
	const size_t raw_at = offsetof(struct sample_body, raw);
	u32 raw_size, cpu;

	if (size < raw_at)
		return -EBADMSG;
	raw_size = ipi_bytes__u32(bytes + offsetof(struct sample_body, raw_size), decode->swap);
	if (raw_size > size - raw_at)
		return -EBADMSG;
	cpu = ipi_bytes__u32(bytes + offsetof(struct sample_body, cpu), decode->swap);

	event->pid = ipi_bytes__u32(bytes + offsetof(struct sample_body, pid), decode->swap);
	event->tid = ipi_bytes__u32(bytes + offsetof(struct sample_body, tid), decode->swap);
	event->time = ipi_bytes__u64(bytes + offsetof(struct sample_body, time), decode->swap);
	event->cpu = cpu < IPI_CPUS_MAX ? (int)cpu : -1;
	return ipi_decode__raw(decode, bytes + raw_at, raw_size, event);
}
