// SPDX-License-Identifier: GPL-2.0
/*
 * Finds tracefs and reads its files. It is looked for where it belongs; then it is attached for
 * this process alone; debugfs' old automount comes last, since the kernel warns of its use.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/mount.h>

#include "../why.h"
#include "tracefs.h"

#define TRACEFS		"/sys/kernel/tracing"
#define OLD_TRACEFS	"/sys/kernel/debug/tracing"
#define CHUNK		16384
#define TEXT_MAX	(64UL << 20)

struct ipi_tracefs {
	int dir;
};

/* A directory with events in it: a file descriptor, or -errno. */
static int open_dir(const char *path)
{
	int dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int err;

	if (dir < 0)
		return -errno;
	if (!faccessat(dir, "events", R_OK | X_OK, AT_EACCESS))
		return dir;
	err = errno;
	close(dir);
	return -err;
}

/* A tracefs of our own, mounted nowhere: gone with its file descriptor. */
static int open_detached(void)
{
	int fs, dir, err;

	fs = syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC);
	if (fs < 0)
		return -errno;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		dir = -1;
	else
		dir = syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID |
			      MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	err = errno;
	close(fs);
	return dir < 0 ? -err : dir;
}

static void explain(struct ipi_why *why, int mounted, int detached)
{
	if (mounted == -EACCES || mounted == -EPERM) {
		ipi_why__set(why, -mounted,
			     "run as root, or let your group in: mount -o remount,mode=750,gid=GROUP "
			     TRACEFS, "can't read " TRACEFS);
		return;
	}
	if (detached == -ENODEV) {
		ipi_why__set(why, ENOENT, "needs a kernel with CONFIG_FTRACE",
			     "this kernel has no tracefs");
		return;
	}
	ipi_why__set(why, ENOENT, "mount -t tracefs nodev " TRACEFS, "tracefs is not mounted");
}

struct ipi_tracefs *ipi_tracefs__open(struct ipi_why *why)
{
	struct ipi_tracefs *tracefs;
	int mounted, detached = 0;
	int dir;

	mounted = open_dir(TRACEFS);
	dir = mounted;
	if (mounted == -ENOENT) {
		detached = open_detached();
		dir = detached < 0 ? open_dir(OLD_TRACEFS) : detached;
	}
	if (dir < 0) {
		explain(why, mounted, detached);
		return NULL;
	}
	tracefs = malloc(sizeof(*tracefs));
	if (!tracefs) {
		close(dir);
		ipi_why__set(why, ENOMEM, NULL, "tracefs");
		return NULL;
	}
	tracefs->dir = dir;
	return tracefs;
}

void ipi_tracefs__close(struct ipi_tracefs *tracefs)
{
	if (!tracefs)
		return;
	close(tracefs->dir);
	free(tracefs);
}

/* Files of tracefs say that they have no size: read until the end. */
static int read_all(int fd, char **textp, size_t *sizep)
{
	size_t size = 0, room = 0;
	char *text = NULL, *more;
	ssize_t got;

	do {
		if (room - size < CHUNK) {
			room = room ? room * 2 : 2 * CHUNK;
			more = room > TEXT_MAX ? NULL : realloc(text, room);
			if (!more) {
				free(text);
				return -ENOMEM;
			}
			text = more;
		}
		got = read(fd, text + size, room - size - 1);
		if (got > 0)
			size += got;
	} while (got > 0 || (got < 0 && errno == EINTR));

	if (got < 0) {
		int err = errno;

		free(text);
		return -err;
	}
	text[size] = '\0';
	*textp = text;
	*sizep = size;
	return 0;
}

int ipi_tracefs__read(struct ipi_tracefs *tracefs, const char *path, char **text, size_t *size)
{
	int fd = openat(tracefs->dir, path, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = read_all(fd, text, size);
	close(fd);
	return err;
}
