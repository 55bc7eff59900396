// SPDX-License-Identifier: GPL-2.0
/*
 * Compressed records of a recording: one zstd stream through all of them, which is undone a buffer
 * at a time, so that no claim of a file decides how much memory is taken. The only file that knows
 * libzstd; built without it (HAVE_ZSTD_SUPPORT) it says so.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>

#include "../why.h"
#include "pd.h"

#ifdef HAVE_ZSTD_SUPPORT

#include <zstd.h>

/* What perf needs for its levels is 8 MiB (level 22: 128 MiB). */
#define WINDOW_LOG_MAX	27

struct pd_zstd {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
};

struct pd_zstd *ipi_pd__zstd_new(struct ipi_why *why)
{
	struct pd_zstd *zstd = calloc(1, sizeof(*zstd));

	if (zstd)
		zstd->stream = ZSTD_createDStream();
	if (!zstd || !zstd->stream ||
	    ZSTD_isError(ZSTD_DCtx_setParameter(zstd->stream, ZSTD_d_windowLogMax,
						WINDOW_LOG_MAX))) {
		ipi_why__set(why, ENOMEM, NULL, "decompression");
		ipi_pd__zstd_delete(zstd);
		return NULL;
	}
	return zstd;
}

void ipi_pd__zstd_delete(struct pd_zstd *zstd)
{
	if (!zstd)
		return;
	ZSTD_freeDStream(zstd->stream);
	free(zstd);
}

int ipi_pd__zstd_begin(struct pd_zstd *zstd, const void *from, size_t size)
{
	zstd->in.src = from;
	zstd->in.size = size;
	zstd->in.pos = 0;
	return 0;
}

ssize_t ipi_pd__zstd_more(struct pd_zstd *zstd, void *to, size_t room)
{
	ZSTD_outBuffer out = { .dst = to, .size = room };
	size_t ret;

	ret = ZSTD_decompressStream(zstd->stream, &out, &zstd->in);
	return ZSTD_isError(ret) ? -EBADMSG : (ssize_t)out.pos;
}

#else

struct pd_zstd *ipi_pd__zstd_new(struct ipi_why *why)
{
	ipi_why__set(why, EOPNOTSUPP, "record without -z, or build with libzstd",
		     "the recording is compressed and this program was built without libzstd");
	return NULL;
}

void ipi_pd__zstd_delete(struct pd_zstd *zstd)
{
	(void)zstd;
}

int ipi_pd__zstd_begin(struct pd_zstd *zstd, const void *from, size_t size)
{
	(void)zstd;
	(void)from;
	(void)size;
	return -EOPNOTSUPP;
}

ssize_t ipi_pd__zstd_more(struct pd_zstd *zstd, void *to, size_t room)
{
	(void)zstd;
	(void)to;
	(void)room;
	return -EOPNOTSUPP;
}

#endif
