// SPDX-License-Identifier: GPL-2.0
/*
 * Compression of generated recordings, as perf record does it: one stream, flushed with each
 * record.
 */
#include <stdlib.h>

#include "gen-perfdata.h"

#ifdef HAVE_ZSTD_SUPPORT

#include <zstd.h>

struct gen_zstd {
	ZSTD_CStream *stream;
};

struct gen_zstd *gen_zstd_new(void)
{
	struct gen_zstd *zstd = calloc(1, sizeof(*zstd));

	if (zstd)
		zstd->stream = ZSTD_createCStream();
	if (zstd && zstd->stream)
		return zstd;
	free(zstd);
	return NULL;
}

void gen_zstd_delete(struct gen_zstd *zstd)
{
	if (!zstd)
		return;
	ZSTD_freeCStream(zstd->stream);
	free(zstd);
}

size_t gen_zstd_some(struct gen_zstd *zstd, void *to, size_t room, const void *from, size_t size,
		     size_t *pos)
{
	ZSTD_outBuffer out = { .dst = to, .size = room };
	ZSTD_inBuffer in = { .src = from, .size = size, .pos = *pos };
	size_t ret;

	ret = ZSTD_compressStream2(zstd->stream, &out, &in, ZSTD_e_flush);
	*pos = in.pos;
	return ZSTD_isError(ret) ? 0 : out.pos;
}

#else

struct gen_zstd *gen_zstd_new(void)
{
	return NULL;
}

void gen_zstd_delete(struct gen_zstd *zstd)
{
	(void)zstd;
}

size_t gen_zstd_some(struct gen_zstd *zstd, void *to, size_t room, const void *from, size_t size,
		     size_t *pos)
{
	(void)zstd;
	(void)to;
	(void)room;
	(void)from;
	(void)size;
	(void)pos;
	return 0;
}

#endif
