// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel knobs, saved and put back.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../why.h"
#include "keeper.h"
#include "knob.h"

struct ipi_knob {
	int fd;
	struct ipi_keeper keeper;
	size_t len;
	char old[64];
};

static int read_old(struct ipi_knob *knob, const char *path, struct ipi_why *why)
{
	ssize_t len;

	knob->fd = open(path, O_RDWR | O_CLOEXEC);
	if (knob->fd < 0)
		return ipi_why__set(why, errno, errno == EACCES ? "run as root" : NULL,
				    "can't open %s", path);
	len = pread(knob->fd, knob->old, sizeof(knob->old), 0);
	if (len <= 0 || (size_t)len == sizeof(knob->old)) {
		int err = len < 0 ? errno : EPROTO;

		close(knob->fd);
		return ipi_why__set(why, err, NULL, "can't read %s", path);
	}
	knob->len = (size_t)len;
	return 0;
}

static bool write_old(const struct ipi_knob *knob)
{
	return pwrite(knob->fd, knob->old, knob->len, 0) == (ssize_t)knob->len;
}

static void undo(void *ctx)
{
	write_old(ctx);
}

struct ipi_knob *ipi_knob__set(const char *path, const char *value, struct ipi_why *why)
{
	struct ipi_knob *knob = calloc(1, sizeof(*knob));
	int err;

	if (!knob) {
		ipi_why__set(why, ENOMEM, NULL, "%s", path);
		return NULL;
	}
	if (read_old(knob, path, why)) {
		free(knob);
		return NULL;
	}
	/* The keeper first: from the write on there is always somebody to undo it. */
	err = ipi_keeper__start(&knob->keeper, undo, knob, knob->fd);
	if (err) {
		ipi_why__set(why, -err, NULL, "can't start the process that would restore %s",
			     path);
		close(knob->fd);
		free(knob);
		return NULL;
	}
	if (pwrite(knob->fd, value, strlen(value), 0) < 0) {
		ipi_why__set(why, errno, NULL, "can't write %s", path);
		ipi_knob__restore(knob);
		return NULL;
	}
	return knob;
}

void ipi_knob__restore(struct ipi_knob *knob)
{
	if (!knob)
		return;
	if (write_old(knob))
		ipi_keeper__stop(&knob->keeper);
	else
		ipi_keeper__release(&knob->keeper);
	close(knob->fd);
	free(knob);
}
