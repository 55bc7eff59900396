// SPDX-License-Identifier: GPL-2.0
/*
 * What the header of a recording says besides: where and how it was made. Texts come from outside
 * and go to terminals: what can't be printed becomes a question mark.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <linux/perf_event.h>

#include "pd.h"

#define BUILD_ID_AT		12	/* in its record: behind the pid */
#define BUILD_ID_MAX		20
#define BUILD_ID_SIZE_AT	32
#define BUILD_ID_NAME_AT	36
#define MISC_BUILD_ID_SIZE	0x8000U
#define CMDLINE_MAX		4096

/* A text with its size in front. Return: bytes taken, 0 if it isn't all there. */
static size_t take_text(const struct ipi_perfdata *data, const unsigned char *at, size_t size,
			const char **text, size_t *len)
{
	u32 room;

	if (size < sizeof(u32))
		return 0;
	room = pd_u32(data, at);
	if (room > size - sizeof(u32))
		return 0;
	*text = (const char *)at + sizeof(u32);
	*len = strnlen(*text, room);
	return sizeof(u32) + room;
}

static void clean(char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || (unsigned char)*text >= 0x7f)
			*text = '?';
	}
}

static int set_text(const struct ipi_perfdata *data, char **to, const unsigned char *at,
		    size_t size)
{
	const char *text;
	size_t len;

	if (!take_text(data, at, size, &text, &len))
		return -EBADMSG;
	free(*to);
	*to = strndup(text, len);
	if (!*to)
		return -ENOMEM;
	clean(*to);
	return 0;
}

static int set_cmdline(struct ipi_perfdata *data, const unsigned char *at, size_t size)
{
	char line[CMDLINE_MAX] = "";
	size_t used = 0, took, len;
	const char *text;
	u32 nr;

	if (size < sizeof(u32))
		return -EBADMSG;
	nr = pd_u32(data, at);
	at += sizeof(u32);
	size -= sizeof(u32);
	for (; nr && used < sizeof(line) - 1; nr--) {
		took = take_text(data, at, size, &text, &len);
		if (!took)
			return -EBADMSG;
		snprintf(line + used, sizeof(line) - used, "%s%.*s", used ? " " : "", (int)len,
			 text);
		used += strlen(line + used);
		at += took;
		size -= took;
	}
	clean(line);
	free(data->info.cmdline);
	data->info.cmdline = strdup(line);
	return data->info.cmdline ? 0 : -ENOMEM;
}

static int set_cpus(struct ipi_perfdata *data, const unsigned char *at, size_t size)
{
	u32 avail;

	if (size < 2 * sizeof(u32))
		return -EBADMSG;
	avail = pd_u32(data, at);
	data->info.nr_cpus = pd_u32(data, at + sizeof(u32));
	/* With room for numbers that are not used. */
	if (avail < IPI_CPUS_MAX / 4)
		data->info.max_cpus = avail < 1024 ? 4096 : avail * 4;
	return 0;
}

/* The names of events that are no tracepoints; those of tracepoints come with their formats. */
static int set_names(struct ipi_perfdata *data, const unsigned char *at, size_t size)
{
	size_t took, len, attr_size;
	const char *text;
	u32 nr, ids, i;

	if (size < 2 * sizeof(u32))
		return -EBADMSG;
	nr = pd_u32(data, at);
	attr_size = pd_u32(data, at + sizeof(u32));
	at += 2 * sizeof(u32);
	size -= 2 * sizeof(u32);
	for (i = 0; i < nr && i < data->nr_attrs; i++) {
		if (size < attr_size || size - attr_size < sizeof(u32))
			return -EBADMSG;
		at += attr_size;
		size -= attr_size;
		ids = pd_u32(data, at);
		took = take_text(data, at + sizeof(u32), size - sizeof(u32), &text, &len);
		if (!took)
			return -EBADMSG;
		at += sizeof(u32) + took;
		size -= sizeof(u32) + took;
		if (ids > size / sizeof(u64))
			return -EBADMSG;
		at += ids * sizeof(u64);
		size -= ids * sizeof(u64);
		free(data->attr[i].name);
		data->attr[i].name = strndup(text, len);
		if (!data->attr[i].name)
			return -ENOMEM;
		clean(data->attr[i].name);
	}
	return 0;
}

void ipi_pd__build_id(struct ipi_perfdata *data, const unsigned char *record, size_t size)
{
	static const char kernel[] = "[kernel.kallsyms]";
	u32 bytes = BUILD_ID_MAX, i;

	if (size < BUILD_ID_NAME_AT)
		return;
	data->info.nr_build_ids++;
	if (size - BUILD_ID_NAME_AT < sizeof(kernel) ||
	    memcmp(record + BUILD_ID_NAME_AT, kernel, sizeof(kernel)))
		return;
	if (pd_u16(data, record + 4) & MISC_BUILD_ID_SIZE &&
	    record[BUILD_ID_SIZE_AT] < BUILD_ID_MAX)
		bytes = record[BUILD_ID_SIZE_AT];
	for (i = 0; i < bytes; i++)
		snprintf(data->info.build_id + 2 * i, 3, "%02x", record[BUILD_ID_AT + i]);
}

static int set_build_ids(struct ipi_perfdata *data, const unsigned char *at, size_t size)
{
	u16 step;

	for (; size >= PD_HEADER; at += step, size -= step) {
		step = pd_u16(data, at + 6);
		if (step < PD_HEADER || step > size)
			return -EBADMSG;
		ipi_pd__build_id(data, at, step);
	}
	return 0;
}

static int set_tracing(struct ipi_perfdata *data, const unsigned char *at, size_t size)
{
	data->tracing.size = 0;
	return ipi_pd__blob_add(&data->tracing, at, size) ? 0 : -ENOMEM;
}

/* Return: 0, -EBADMSG, -ENOMEM. */
int ipi_pd__feature(struct ipi_perfdata *data, u64 feature, const unsigned char *at, size_t size)
{
	struct ipi_perfdata_info *info = &data->info;

	switch (feature) {
	case PD_FEAT_TRACING_DATA:
		return set_tracing(data, at, size);
	case PD_FEAT_BUILD_ID:
		return set_build_ids(data, at, size);
	case PD_FEAT_HOSTNAME:
		return set_text(data, &info->hostname, at, size);
	case PD_FEAT_OSRELEASE:
		return set_text(data, &info->osrelease, at, size);
	case PD_FEAT_VERSION:
		return set_text(data, &info->version, at, size);
	case PD_FEAT_ARCH:
		return set_text(data, &info->arch, at, size);
	case PD_FEAT_CPUDESC:
		return set_text(data, &info->cpudesc, at, size);
	case PD_FEAT_NRCPUS:
		return set_cpus(data, at, size);
	case PD_FEAT_CMDLINE:
		return set_cmdline(data, at, size);
	case PD_FEAT_EVENT_DESC:
		return set_names(data, at, size);
	default:
		return 0;
	}
}

static bool wanted(int feature)
{
	return feature < PD_FEAT_CMDLINE ? feature <= PD_FEAT_CPUDESC && feature > 0 :
					   feature <= PD_FEAT_EVENT_DESC;
}

static int read_feature(struct ipi_perfdata *data, int feature, u64 offset, u64 size)
{
	unsigned char *at;
	int err;

	if (size > PD_TEXT_MAX || offset > data->file_size || size > data->file_size - offset)
		return -EBADMSG;
	at = malloc(size ? size : 1);
	if (!at)
		return -ENOMEM;
	err = ipi_pd__read_at(data, at, size, offset);
	if (!err)
		err = ipi_pd__feature(data, feature, at, size);
	free(at);
	return err;
}

/* The features whose bit is set have a section each, in the order of their bits, at @table. */
int ipi_pd__features(struct ipi_perfdata *data, const unsigned char *bitmap, u64 table)
{
	unsigned char section[16];
	int feature, err, ret = 0;

	for (feature = 0; feature < PD_FEAT_NR; feature++) {
		u64 word = pd_u64(data, bitmap + feature / 64 * 8);

		if (!(word >> (feature % 64) & 1))
			continue;
		err = ipi_pd__read_at(data, section, sizeof(section), table);
		if (err)
			return err;
		table += sizeof(section);
		if (feature == PD_FEAT_COMPRESSED)
			data->info.compressed = true;
		if (!wanted(feature))
			continue;
		err = read_feature(data, feature, pd_u64(data, section),
				   pd_u64(data, section + 8));
		if (err && err != -EBADMSG)
			return err;
		if (err)
			ret = err;
	}
	return ret;
}
