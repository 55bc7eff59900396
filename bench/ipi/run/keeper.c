// SPDX-License-Identifier: GPL-2.0
/*
 * A child process that undoes things for one that was killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../why.h"
#include "keeper.h"

/* Close all but two: an event of the parent would stay open as long as the child lives. */
static void close_others(int a, int b)
{
	int low = a < b ? a : b;
	int high = a < b ? b : a;

	if (low > 0)
		syscall(__NR_close_range, 0, low - 1, 0);
	if (high > low + 1)
		syscall(__NR_close_range, low + 1, high - 1, 0);
	syscall(__NR_close_range, high + 1, ~0U, 0);
}

static void keep(int pipe_fd, int fd, void (*undo)(void *ctx), void *ctx)
{
	sigset_t set;
	ssize_t len;
	char byte;

	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	setsid();
	prctl(PR_SET_NAME, "ipi-keeper");
	close_others(pipe_fd, fd < 0 ? pipe_fd : fd);
	do {
		len = read(pipe_fd, &byte, 1);
	} while (len < 0 && errno == EINTR);
	if (len <= 0)
		undo(ctx);
	_exit(0);
}

int ipi_keeper__start(struct ipi_keeper *keeper, void (*undo)(void *ctx), void *ctx, int fd)
{
	int pipe_fd[2];

	if (pipe2(pipe_fd, O_CLOEXEC) < 0)
		return -errno;
	keeper->pid = fork();
	if (keeper->pid < 0) {
		int err = -errno;

		close(pipe_fd[0]);
		close(pipe_fd[1]);
		return err;
	}
	if (!keeper->pid)
		keep(pipe_fd[0], fd, undo, ctx);
	close(pipe_fd[0]);
	keeper->pipe = pipe_fd[1];
	return 0;
}

static void end(struct ipi_keeper *keeper, bool done)
{
	if (done && write(keeper->pipe, "d", 1) != 1)
		ipi_dbg("the keeper is gone already");
	close(keeper->pipe);
	waitpid(keeper->pid, NULL, 0);
}

void ipi_keeper__stop(struct ipi_keeper *keeper)
{
	end(keeper, true);
}

void ipi_keeper__release(struct ipi_keeper *keeper)
{
	end(keeper, false);
}
