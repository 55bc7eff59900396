// SPDX-License-Identifier: GPL-2.0
/*
 * The bytes of a recording: its header, where its sections are, and its records into a buffer. A
 * file is read as a pipe is, in large pieces: no page faults, and a file that gets shorter
 * meanwhile does no harm. No size a header claims is believed beyond the file's own.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../why.h"
#include "pd.h"

#define MAGIC		"PERFILE2"
#define MAGIC_SIZE	8
#define PIPE_HEADER	16U
#define FILE_HEADER	104U

/* Where what is in a file's header. */
#define AT_SIZE		8
#define AT_ATTR_SIZE	16
#define AT_ATTRS	24
#define AT_DATA		40
#define AT_FEATURES	72

#define SECTION		16U		/* offset and size */
#define IDS_AT_ONCE	512

/* Read exactly @size bytes. Return: 0, -EBADMSG where they are not there, -errno. */
static int read_all(int fd, unsigned char *to, size_t size)
{
	ssize_t got;

	while (size) {
		got = read(fd, to, size);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EBADMSG;
		to += got;
		size -= got;
	}
	return 0;
}

int ipi_pd__read_at(const struct ipi_perfdata *data, void *to, size_t size, u64 offset)
{
	unsigned char *byte = to;
	ssize_t got;

	if (offset > data->file_size || size > data->file_size - offset)
		return -EBADMSG;
	while (size) {
		got = pread(data->fd, byte, size, offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EBADMSG;
		byte += got;
		offset += got;
		size -= got;
	}
	return 0;
}

bool ipi_pd__blob_add(struct pd_blob *blob, const void *from, size_t size)
{
	unsigned char *more;
	size_t room = blob->room ? blob->room : 65536;

	while (room - blob->size < size)
		room *= 2;
	if (room != blob->room) {
		more = realloc(blob->byte, room);
		if (!more)
			return false;
		blob->byte = more;
		blob->room = room;
	}
	memcpy(blob->byte + blob->size, from, size);
	blob->size += size;
	return true;
}

/* The ids of one event: together not more than a file can have. */
static int read_ids(struct ipi_perfdata *data, u32 attr, u64 offset, u64 size)
{
	u64 ids[IDS_AT_ONCE];
	size_t left, some, i;
	int err;

	if (size / sizeof(u64) > data->file_size / sizeof(u64) - data->ids.nr)
		return -EBADMSG;
	for (left = size / sizeof(u64); left; left -= some) {
		some = IDS_AT_ONCE;
		if (left < some)
			some = left;
		err = ipi_pd__read_at(data, ids, some * sizeof(u64), offset);
		if (err)
			return err;
		for (i = 0; i < some; i++) {
			if (ipi_pd__add_id(data, attr, pd_u64(data, &ids[i])))
				return -ENOMEM;
		}
		offset += some * sizeof(u64);
	}
	return 0;
}

static int read_attrs(struct ipi_perfdata *data, const unsigned char *header)
{
	u64 attr_size = pd_u64(data, header + AT_ATTR_SIZE);
	u64 offset = pd_u64(data, header + AT_ATTRS);
	u64 size = pd_u64(data, header + AT_ATTRS + 8);
	unsigned char attr[4096];
	u32 i;
	int err;

	if (attr_size <= SECTION || attr_size > sizeof(attr) ||
	    size / attr_size > PD_ATTRS_MAX)
		return -EBADMSG;
	for (i = 0; i < size / attr_size; i++, offset += attr_size) {
		err = ipi_pd__read_at(data, attr, attr_size, offset);
		if (!err)
			err = ipi_pd__add_attr(data, attr, attr_size - SECTION);
		if (!err)
			err = read_ids(data, i, pd_u64(data, attr + attr_size - SECTION),
				       pd_u64(data, attr + attr_size - SECTION + 8));
		if (err)
			return err;
	}
	return 0;
}

static int read_header(struct ipi_perfdata *data, struct ipi_why *why)
{
	unsigned char header[FILE_HEADER];
	u64 offset, size;
	int err;

	err = ipi_pd__read_at(data, header, sizeof(header), 0);
	if (!err)
		err = read_attrs(data, header);
	if (err)
		return ipi_pd__why(why, err, "the header of the recording");
	offset = pd_u64(data, header + AT_DATA);
	size = pd_u64(data, header + AT_DATA + 8);

	/* perf record writes the size when it ends, and the features behind. */
	if (!size || offset > data->file_size || size > data->file_size - offset) {
		data->stats.truncated = true;
		data->left = offset < data->file_size ? data->file_size - offset : 0;
	} else {
		data->left = size;
		err = ipi_pd__features(data, header + AT_FEATURES, offset + size);
		if (err == -EBADMSG)
			data->stats.truncated = true;
		else if (err)
			return ipi_pd__why(why, err, "the header of the recording");
	}
	if (data->left && lseek(data->fd, offset, SEEK_SET) < 0)
		return ipi_why__set(why, errno, NULL, "the recording");
	return 0;
}

/* Whose byte order is it, and is it a file's or a pipe's? */
static int read_magic(struct ipi_perfdata *data, struct ipi_why *why)
{
	const int one = 1;
	bool little = *(const char *)&one;
	unsigned char start[PIPE_HEADER];
	unsigned char turned[MAGIC_SIZE];
	int err, i;

	err = read_all(data->fd, start, sizeof(start));
	if (err && err != -EBADMSG)
		return ipi_why__set(why, -err, NULL, "can't read the recording");
	for (i = 0; i < MAGIC_SIZE; i++)
		turned[i] = start[MAGIC_SIZE - 1 - i];
	if (!err && !memcmp(start, MAGIC, MAGIC_SIZE))
		data->info.big_endian = false;
	else if (!err && !memcmp(turned, MAGIC, MAGIC_SIZE))
		data->info.big_endian = true;
	else
		return ipi_why__set(why, 0, "record with: perf record -a -e 'ipi:*,csd:*' ...",
				    "this is no recording of perf record");
	data->swap = data->info.big_endian == little;
	data->info.pipe = pd_u64(data, start + AT_SIZE) == PIPE_HEADER;
	return 0;
}

int ipi_pd__open_file(struct ipi_perfdata *data, const char *path, struct ipi_why *why)
{
	bool is_stdin = !strcmp(path, "-");
	struct stat st;
	int err;

	data->fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (data->fd < 0 || fstat(data->fd, &st))
		return ipi_why__set(why, errno, NULL, "can't open %s", is_stdin ? "stdin" : path);
	if (S_ISDIR(st.st_mode))
		return ipi_why__set(why, EISDIR, "record without --threads and --kcore",
				    "can't read %s", path);
	err = read_magic(data, why);
	if (err)
		return err;
	if (data->info.pipe) {
		data->left = UINT64_MAX;
		return 0;
	}
	if (!S_ISREG(st.st_mode))
		return ipi_why__set(why, ESPIPE,
				    "give its name, or record to the pipe: perf record -o -",
				    "a recording made as a file can't be read from a pipe");
	data->file_size = st.st_size;
	return read_header(data, why);
}

/* What was looked at is gone; what was not moves to the front. */
int ipi_pd__make_room(struct pd_stream *stream, size_t room)
{
	if (!stream->byte)
		stream->byte = malloc(PD_BUFFER);
	if (!stream->byte)
		return -ENOMEM;
	if (PD_BUFFER - stream->end >= room)
		return 0;
	stream->end -= stream->begin;
	memmove(stream->byte, stream->byte + stream->begin, stream->end);
	stream->begin = 0;
	return 0;
}

/* Some more bytes, or data->ended. */
int ipi_pd__fill(struct ipi_perfdata *data, struct ipi_why *why)
{
	struct pd_stream *outer = &data->outer;
	size_t room;
	ssize_t got;

	if (ipi_pd__make_room(outer, PD_RECORD_MAX + 1))
		return ipi_why__set(why, ENOMEM, NULL, "the recording");
	room = PD_BUFFER - outer->end;
	if (room > data->left)
		room = data->left;
	do {
		got = room ? read(data->fd, outer->byte + outer->end, room) : 0;
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return ipi_why__set(why, errno, NULL, "can't read the recording");
	if (!got) {
		data->ended = true;
		if (!data->info.pipe && data->left)
			data->stats.truncated = true;
		return 0;
	}
	outer->end += got;
	data->left -= got;
	data->stats.bytes += got;
	return 0;
}
