// SPDX-License-Identifier: GPL-2.0
/*
 * A file that is written whole or not at all. A full disk shows at the latest when the data is
 * synced, so the older file is replaced only after that.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../why.h"
#include "outfile.h"

static const char *remedy(int err)
{
	switch (err) {
	case ENOSPC:
	case EDQUOT:
		return "free some space, or name a file on another disk";
	case EACCES:
	case EPERM:
	case EROFS:
		return "name a file in a directory you may write to";
	case EISDIR:
		return "name a file, not a directory";
	case ENOENT:
	case ENOTDIR:
		return "make the directory first";
	case EFBIG:
		return "raise the limit on file sizes (ulimit -f)";
	default:
		return NULL;
	}
}

static int failed(const char *name, int err, struct ipi_why *why)
{
	return ipi_why__set(why, err, remedy(err), "cannot write %s", name);
}

/* /dev/stdout of a redirected stdout names a regular file, which must not be replaced. */
static bool is_stdout(const struct stat *st)
{
	struct stat out;

	return !fstat(STDOUT_FILENO, &out) && out.st_dev == st->st_dev && out.st_ino == st->st_ino;
}

static int open_direct(struct ipi_outfile *out, struct ipi_why *why)
{
	int fd = open(out->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	int err;

	if (fd < 0)
		return failed(out->name, errno, why);
	out->file = fdopen(fd, "w");
	if (out->file)
		return 0;
	err = errno;
	close(fd);
	return failed(out->name, err, why);
}

/* The permissions of the file that is replaced, or those a new file gets. */
static int set_mode(int fd, const struct stat *old)
{
	mode_t mask;

	if (old) {
		/* Only root can give a file away: where it fails it stays ours. */
		if (fchown(fd, old->st_uid, old->st_gid) && errno != EPERM)
			return -1;
		return fchmod(fd, old->st_mode & 07777);
	}
	mask = umask(077);
	umask(mask);
	return fchmod(fd, 0666 & ~mask);
}

static int open_temp(struct ipi_outfile *out, const struct stat *old)
{
	int fd = mkostemp(out->temp, O_CLOEXEC);
	int err;

	if (fd < 0)
		return errno;
	if (!set_mode(fd, old)) {
		out->file = fdopen(fd, "w");
		if (out->file)
			return 0;
	}
	err = errno;
	close(fd);
	unlink(out->temp);
	return err;
}

static void forget(struct ipi_outfile *out)
{
	free(out->temp);
	free(out->path);
	out->temp = NULL;
	out->path = NULL;
}

static int open_beside(struct ipi_outfile *out, const struct stat *old, struct ipi_why *why)
{
	char *path = old ? realpath(out->name, NULL) : strdup(out->name);
	char *temp = NULL;
	int err;

	if (!path || asprintf(&temp, "%s.XXXXXX", path) < 0) {
		err = errno;
		free(path);
		return failed(out->name, err, why);
	}
	out->path = path;
	out->temp = temp;
	err = open_temp(out, old);
	if (!err)
		return 0;
	forget(out);
	return failed(out->name, err, why);
}

int ipi_outfile__open(struct ipi_outfile *out, const char *name, struct ipi_why *why)
{
	struct stat st;

	memset(out, 0, sizeof(*out));
	out->name = name;
	if (!strcmp(name, "-")) {
		out->file = stdout;
		return 0;
	}
	if (stat(name, &st)) {
		if (errno != ENOENT)
			return failed(name, errno, why);
		return open_beside(out, NULL, why);
	}
	if (S_ISDIR(st.st_mode))
		return failed(name, EISDIR, why);
	if (is_stdout(&st)) {
		out->file = stdout;
		return 0;
	}
	return S_ISREG(st.st_mode) ? open_beside(out, &st, why) : open_direct(out, why);
}

/* The stream is closed whatever comes; stdout is not ours to close. */
static int finish(struct ipi_outfile *out)
{
	int err = 0;

	errno = EIO;
	if (fflush(out->file) || ferror(out->file))
		err = errno;
	if (out->temp && !err && fsync(fileno(out->file)))
		err = errno;
	if (out->file != stdout && fclose(out->file) && !err)
		err = errno;
	out->file = NULL;
	return err;
}

int ipi_outfile__commit(struct ipi_outfile *out, struct ipi_why *why)
{
	int err = finish(out);

	if (out->temp && !err && rename(out->temp, out->path))
		err = errno;
	if (out->temp && err)
		unlink(out->temp);
	forget(out);
	return err ? failed(out->name, err, why) : 0;
}

int ipi_outfile__abort(struct ipi_outfile *out, int err, struct ipi_why *why)
{
	finish(out);
	if (out->temp)
		unlink(out->temp);
	forget(out);
	return failed(out->name, err, why);
}

int ipi_outfile__check(const char *name, struct ipi_why *why)
{
	struct ipi_outfile out;
	struct stat st;
	int err;

	if (!strcmp(name, "-"))
		return 0;
	/* To open a pipe just to look would tell its reader that all is over. */
	if (!stat(name, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return access(name, W_OK) ? failed(name, errno, why) : 0;

	err = ipi_outfile__open(&out, name, why);
	if (err)
		return err;
	finish(&out);
	if (out.temp)
		unlink(out.temp);
	forget(&out);
	return 0;
}
