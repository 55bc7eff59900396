// SPDX-License-Identifier: GPL-2.0
/*
 * Which events of a recording tell of IPIs: the formats in it go to the decoder, by the table of
 * its architecture, and the tracepoints get their names. A recording that was cut off has lost its
 * formats: if they are the running kernel's, its tracefs has them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <linux/perf_event.h>

#include "../why.h"
#include "arch.h"
#include "decode.h"
#include "format-text.h"
#include "pd.h"
#include "tracefs.h"
#include "tracing-data.h"

#define NAME_MAX_LEN	128
#define PATH_LEN	192

struct learning {
	struct ipi_perfdata *data;
	const struct ipi_arch_event *const *rows;
	int nr_rows;
};

static bool is_used(const struct ipi_perfdata *data, u64 id)
{
	u32 i;

	for (i = 0; i < data->nr_attrs; i++) {
		if (data->attr[i].type == PERF_TYPE_TRACEPOINT && data->attr[i].config == id)
			return true;
	}
	return false;
}

static int set_name(struct pd_attr *attr, const char *system, const char *name, size_t len)
{
	char text[NAME_MAX_LEN], *pos;

	snprintf(text, sizeof(text), "%s:%.*s", system, (int)(len < 64 ? len : 64), name);
	for (pos = text; *pos; pos++) {
		if (*pos <= ' ' || (unsigned char)*pos >= 0x7f)
			*pos = '?';
	}
	free(attr->name);
	attr->name = strdup(text);
	return attr->name ? 0 : -ENOMEM;
}

static const struct ipi_arch_event *find_among(const struct ipi_arch_event *const *rows, int nr,
					       const char *system, const char *name, size_t len)
{
	int i;

	for (i = 0; i < nr; i++) {
		if (!strcmp(rows[i]->system, system) && strlen(rows[i]->name) == len &&
		    !memcmp(rows[i]->name, name, len))
			return rows[i];
	}
	return NULL;
}

static const struct ipi_arch_event *find_row(const struct learning *learning, const char *system,
					     const char *name, size_t len)
{
	const struct ipi_arch_event *const *calls, *row;
	int nr;

	row = find_among(learning->rows, learning->nr_rows, system, name, len);
	if (row)
		return row;
	calls = ipi_arch__calls(&nr);
	return find_among(calls, nr, system, name, len);
}

static bool usable(const struct pd_attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_RAW && attr->at_time && attr->at_cpu;
}

/* What the decoder can do with it, the events that have it can deliver. */
static void know(struct ipi_perfdata *data, const struct ipi_arch_event *row, u64 id)
{
	struct ipi_perfdata_info *info = &data->info;
	u32 i;

	for (i = 0; i < data->nr_attrs; i++) {
		struct pd_attr *attr = &data->attr[i];

		if (attr->type != PERF_TYPE_TRACEPOINT || attr->config != id || !usable(attr))
			continue;
		attr->known = true;
		info->have |= IPI_EVENT_BIT(row->kind);
		if (row->kind == IPI_EVENT_IRQ_EXIT)
			info->irq_exit |= row->irq == IPI_IRQ_NR ? (1U << IPI_IRQ_NR) - 1 :
								   1U << row->irq;
	}
}

static bool is_known(const struct ipi_perfdata *data, u64 id)
{
	u32 i;

	for (i = 0; i < data->nr_attrs; i++) {
		if (data->attr[i].known && data->attr[i].config == id)
			return true;
	}
	return false;
}

static int learn_format(void *ctx, const char *system, const struct ipi_text_piece *format)
{
	const struct learning *learning = ctx;
	struct ipi_perfdata *data = learning->data;
	const struct ipi_arch_event *row;
	size_t len, size;
	const char *name;
	char *text;
	u64 id;
	u32 i;
	int ret;

	len = ipi_format_text__name(format, &name);
	if (!len || !ipi_format_text__id(format, &id) || !is_used(data, id) || is_known(data, id))
		return 0;
	for (i = 0; i < data->nr_attrs; i++) {
		if (data->attr[i].type == PERF_TYPE_TRACEPOINT && data->attr[i].config == id &&
		    set_name(&data->attr[i], system, name, len))
			return -ENOMEM;
	}
	row = find_row(learning, system, name, len);
	if (!row)
		return 0;
	text = ipi_format_text__clean(format, &size);
	if (!text)
		return -errno;
	ret = ipi_decode__add(data->decode, row, text, size);
	free(text);
	if (ret == -ENOMEM)
		return ret;
	if (ret >= 0)
		know(data, row, id);
	return 0;
}

static int learn_head(void *ctx, const struct ipi_tracing_data *tracing)
{
	const struct learning *learning = ctx;
	struct ipi_perfdata *data = learning->data;

	if (tracing->big_endian != data->info.big_endian)
		return -EBADMSG;
	data->decode = ipi_decode__new(tracing->long_size, tracing->big_endian);
	return data->decode ? 0 : -ENOMEM;
}

static int learn_own(struct learning *learning, struct ipi_why *why)
{
	struct ipi_perfdata *data = learning->data;
	struct ipi_tracing_data tracing;
	int err;

	err = ipi_tracing_data__parse(data->tracing.byte, data->tracing.size, learn_head,
				      learn_format, learning, &tracing);
	if (!err && tracing.printk.size &&
	    ipi_decode__reasons(data->decode, tracing.printk.text, tracing.printk.size) < 0)
		err = -ENOMEM;
	if (!err && tracing.kallsyms.size) {
		data->kallsyms = malloc(tracing.kallsyms.size);
		if (!data->kallsyms)
			return ipi_why__set(why, ENOMEM, NULL, "kallsyms");
		memcpy(data->kallsyms, tracing.kallsyms.text, tracing.kallsyms.size);
		data->kallsyms_size = tracing.kallsyms.size;
	}
	if (err)
		return ipi_pd__why(why, err, "the tracing data of the recording");
	return 0;
}

/* From tracefs: the ids in the recording are this kernel's, or they mean something else here. */
static int borrow(struct learning *learning, struct ipi_tracefs *tracefs)
{
	struct ipi_text_piece piece;
	char path[PATH_LEN], *text;
	size_t size;
	int i, err;

	for (i = 0; i < learning->nr_rows; i++) {
		snprintf(path, sizeof(path), "events/%s/%s/format", learning->rows[i]->system,
			 learning->rows[i]->name);
		if (ipi_tracefs__read(tracefs, path, &text, &size))
			continue;
		piece.text = text;
		piece.size = size;
		err = learn_format(learning, learning->rows[i]->system, &piece);
		free(text);
		if (err)
			return err;
	}
	if (ipi_tracefs__read(tracefs, "printk_formats", &text, &size))
		return 0;
	err = ipi_decode__reasons(learning->data->decode, text, size);
	free(text);
	return err < 0 ? err : 0;
}

static int learn_borrowed(struct learning *learning, struct ipi_why *why)
{
	struct ipi_perfdata *data = learning->data;
	struct ipi_tracefs *tracefs;
	int err;

	if (data->swap)
		return ipi_why__set(why, 0, NULL, "the formats are cut off the recording");
	tracefs = ipi_tracefs__open(NULL);
	if (!tracefs)
		return ipi_why__set(why, 0,
				    "as root where it was recorded, the kernel's own formats serve",
				    "the formats are cut off the recording");
	data->decode = ipi_decode__new(sizeof(long), data->info.big_endian);
	err = data->decode ? borrow(learning, tracefs) : -ENOMEM;
	ipi_tracefs__close(tracefs);
	data->info.borrowed = true;
	return err ? ipi_why__set(why, -err, NULL, "the formats of this kernel") : 0;
}

static int name_rest(struct ipi_perfdata *data)
{
	char text[NAME_MAX_LEN];
	u32 i;

	for (i = 0; i < data->nr_attrs; i++) {
		struct pd_attr *attr = &data->attr[i];

		if (!attr->name) {
			snprintf(text, sizeof(text), "type %u config 0x%llx", attr->type,
				 (unsigned long long)attr->config);
			attr->name = strdup(text);
		}
		if (!attr->name)
			return -ENOMEM;
		attr->event.name = attr->name;
		attr->event.used = attr->known;
	}
	return 0;
}

/* The events and formats are all there, or will never be. */
int ipi_pd__learn(struct ipi_perfdata *data, struct ipi_why *why)
{
	struct learning learning = { .data = data };
	struct ipi_perfdata_info *info = &data->info;
	unsigned int ipis;
	int err;

	err = ipi_pd__settle_attrs(data, why);
	if (err)
		return err;
	learning.rows = ipi_arch__events(info->arch ? info->arch : "", &learning.nr_rows);
	if (!info->arch)
		learning.rows = ipi_arch__all(&learning.nr_rows);
	err = data->tracing.size ? learn_own(&learning, why) : learn_borrowed(&learning, why);
	if (err)
		return err;
	if (name_rest(data))
		return ipi_why__set(why, ENOMEM, NULL, "events");
	ipis = info->have & ~(IPI_EVENT_BIT(IPI_EVENT_CALL) | IPI_EVENT_BIT(IPI_EVENT_RETURN));
	if (!ipis && info->borrowed)
		return ipi_why__set(why, 0, NULL,
				    "the formats are cut off the recording, and are not this kernel's");
	if (!ipis)
		return ipi_why__set(why, 0, "record with: perf record -a -e 'ipi:*,csd:*' ...",
				    "no event of the recording tells of IPIs");
	ipi_arch__missing(info->have, info->irq_exit, info->missing, sizeof(info->missing));
	free(data->tracing.byte);
	memset(&data->tracing, 0, sizeof(data->tracing));
	data->ready = true;
	return 0;
}
