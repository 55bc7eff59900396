// SPDX-License-Identifier: GPL-2.0
/*
 * Takes tracing data apart. Everything in it has its size in front, so the end of one piece is the
 * beginning of the next and each size is checked against what is left:
 *
 *	17 08 44 "tracing" VERSION\0 byte-order long-size page-size:4
 *	"header_page\0" size:8 text "header_event\0" size:8 text
 *	nr:4 { size:8 format }			of ftrace's own events
 *	nr:4 { system\0 nr:4 { size:8 format } }
 *	size:4 kallsyms  size:4 printk_formats  ...
 */
#include <errno.h>
#include <string.h>

#include <linux/types.h>

#include "bytes.h"
#include "tracing-data.h"

#define MAGIC	"\027\010Dtracing"

/* What is left, and in which byte order. */
struct rest {
	const unsigned char *at;
	size_t left;
	bool swap;
};

static const void *take(struct rest *rest, u64 size)
{
	const unsigned char *at = rest->at;

	if (size > rest->left)
		return NULL;
	rest->at += size;
	rest->left -= size;
	return at;
}

static bool take_u32(struct rest *rest, u32 *value)
{
	const void *at = take(rest, sizeof(*value));

	if (!at)
		return false;
	*value = ipi_bytes__u32(at, rest->swap);
	return true;
}

static bool take_u64(struct rest *rest, u64 *value)
{
	const void *at = take(rest, sizeof(*value));

	if (!at)
		return false;
	*value = ipi_bytes__u64(at, rest->swap);
	return true;
}

/* A C string; NULL if it doesn't end. */
static const char *take_string(struct rest *rest)
{
	const char *string = (const char *)rest->at;
	size_t len = strnlen(string, rest->left);

	if (len == rest->left)
		return NULL;
	take(rest, len + 1);
	return string;
}

static bool take_piece(struct rest *rest, u64 size, struct ipi_text_piece *piece)
{
	piece->size = size;
	piece->text = take(rest, size);
	return piece->text;
}

static bool skip_named(struct rest *rest, const char *name)
{
	const char *found = take_string(rest);
	u64 size;

	return found && !strcmp(found, name) && take_u64(rest, &size) && take(rest, size);
}

static int take_formats(struct rest *rest, const char *system,
			int (*format)(void *ctx, const char *system,
				      const struct ipi_text_piece *format), void *ctx)
{
	struct ipi_text_piece piece;
	u64 size;
	u32 nr;
	int err;

	if (!take_u32(rest, &nr))
		return -EBADMSG;
	while (nr--) {
		if (!take_u64(rest, &size) || !take_piece(rest, size, &piece))
			return -EBADMSG;
		err = system ? format(ctx, system, &piece) : 0;
		if (err)
			return err;
	}
	return 0;
}

static bool take_head(struct rest *rest, struct ipi_tracing_data *data)
{
	const int one = 1;
	bool little = *(const char *)&one;
	const unsigned char *sizes;
	const void *magic = take(rest, sizeof(MAGIC) - 1);

	if (!magic || memcmp(magic, MAGIC, sizeof(MAGIC) - 1) || !take_string(rest))
		return false;
	/* Byte order, size of a long, size of a page. */
	sizes = take(rest, 2 + sizeof(u32));
	if (!sizes || (sizes[1] != 4 && sizes[1] != 8))
		return false;
	data->big_endian = sizes[0];
	data->long_size = sizes[1];
	rest->swap = data->big_endian == little;
	return skip_named(rest, "header_page") && skip_named(rest, "header_event");
}

int ipi_tracing_data__parse(const void *bytes, size_t size,
			    int (*head)(void *ctx, const struct ipi_tracing_data *data),
			    int (*format)(void *ctx, const char *system,
					  const struct ipi_text_piece *format),
			    void *ctx, struct ipi_tracing_data *data)
{
	struct rest rest = { .at = bytes, .left = size };
	const char *system;
	u32 nr, text;
	int err;

	memset(data, 0, sizeof(*data));
	if (!take_head(&rest, data))
		return -EBADMSG;
	err = head(ctx, data);
	if (!err)
		err = take_formats(&rest, NULL, format, ctx);
	if (err)
		return err;
	if (!take_u32(&rest, &nr))
		return -EBADMSG;
	while (nr--) {
		system = take_string(&rest);
		if (!system)
			return -EBADMSG;
		err = take_formats(&rest, system, format, ctx);
		if (err)
			return err;
	}
	if (!take_u32(&rest, &text) || !take_piece(&rest, text, &data->kallsyms) ||
	    !take_u32(&rest, &text) || !take_piece(&rest, text, &data->printk))
		return -EBADMSG;
	return 0;
}
