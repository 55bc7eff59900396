// SPDX-License-Identifier: GPL-2.0
/*
 * Runs commands of the user's. The only file that starts processes for him.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../why.h"
#include "command.h"

/* Ours are ignored or caught: the command's are as in any shell. */
static int set_signals(posix_spawnattr_t *attr)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGPIPE);
	return posix_spawnattr_setsigdefault(attr, &set) ?:
	       posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGDEF);
}

static int start(pid_t *pid, const char *command)
{
	char *const argv[] = { (char *)"sh", (char *)"-c", (char *)(uintptr_t)command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int err;

	err = posix_spawn_file_actions_init(&actions);
	if (err)
		return -err;
	err = posix_spawnattr_init(&attr);
	if (!err) {
		err = set_signals(&attr) ?:
		      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
						       O_RDONLY, 0) ?:
		      posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) ?:
		      posix_spawn(pid, "/bin/sh", &actions, &attr, argv, environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&actions);
	return -err;
}

int ipi_command__run(const char *command, struct ipi_why *why)
{
	int status = 0;
	pid_t pid = -1;
	int err;

	err = start(&pid, command);
	if (err)
		return ipi_why__set(why, -err, NULL, "can't run '%s'", command);
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return ipi_why__set(why, errno, NULL, "can't wait for '%s'", command);
	}
	if (WIFSIGNALED(status)) {
		ipi_why__set(why, 0, NULL, "'%s' was ended by signal %d", command,
			     WTERMSIG(status));
		return -EINTR;
	}
	if (WEXITSTATUS(status)) {
		ipi_why__set(why, 0, "it must set its knob and end with status 0",
			     "'%s' ended with status %d", command, WEXITSTATUS(status));
		return -ECANCELED;
	}
	return 0;
}
