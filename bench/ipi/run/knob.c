// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel knobs, saved and put back.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../why.h"
#include "knob.h"

struct ipi_knob {
	int fd;			/* the file */
	int pipe;		/* our end: a byte says "done", its closing says "do it" */
	pid_t keeper;
	size_t len;
	char old[64];
};

/*
 * The child. Only async-signal-safe calls: the parent may have threads. It keeps two descriptors,
 * or an event of the parent would stay open as long as the child lives.
 */
static void keep(const struct ipi_knob *knob, int pipe_fd)
{
	int low = knob->fd < pipe_fd ? knob->fd : pipe_fd;
	int high = knob->fd < pipe_fd ? pipe_fd : knob->fd;
	sigset_t set;
	char byte;
	ssize_t len;

	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	setsid();
	prctl(PR_SET_NAME, "ipi-knob");
	if (low > 0)
		syscall(__NR_close_range, 0, low - 1, 0);
	if (high > low + 1)
		syscall(__NR_close_range, low + 1, high - 1, 0);
	syscall(__NR_close_range, high + 1, ~0U, 0);
	do {
		len = read(pipe_fd, &byte, 1);
	} while (len < 0 && errno == EINTR);
	if (len <= 0 && pwrite(knob->fd, knob->old, knob->len, 0) < 0)
		_exit(1);
	_exit(0);
}

static int start_keeper(struct ipi_knob *knob)
{
	int pipe_fd[2];

	if (pipe2(pipe_fd, O_CLOEXEC) < 0)
		return -errno;
	knob->keeper = fork();
	if (knob->keeper < 0) {
		int err = -errno;

		close(pipe_fd[0]);
		close(pipe_fd[1]);
		return err;
	}
	if (!knob->keeper)
		keep(knob, pipe_fd[0]);
	close(pipe_fd[0]);
	knob->pipe = pipe_fd[1];
	return 0;
}

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
	err = start_keeper(knob);
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
	/* Where we can't write it back ourselves, the keeper tries. */
	if (pwrite(knob->fd, knob->old, knob->len, 0) == (ssize_t)knob->len &&
	    write(knob->pipe, "d", 1) != 1)
		ipi_dbg("the process that restores a knob is gone already");
	close(knob->pipe);
	close(knob->fd);
	waitpid(knob->keeper, NULL, 0);
	free(knob);
}
