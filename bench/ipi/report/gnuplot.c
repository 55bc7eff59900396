// SPDX-License-Identifier: GPL-2.0
/*
 * One gnuplot process from script to picture. Script, picture and messages are anonymous memory
 * files: nothing can block, as pipes could, and nothing is left behind. The only file that starts
 * gnuplot.
 */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../why.h"
#include "gnuplot.h"

/* Default settings: neither the system's nor the user's file of commands is run. */
#define NO_INIT_FILES	"-d"

enum { IN, OUT, ERR, FILES };

struct drawing {
	int fd[FILES];
};

static void close_all(struct drawing *drawing)
{
	int i;

	for (i = 0; i < FILES; i++) {
		if (drawing->fd[i] >= 0)
			close(drawing->fd[i]);
	}
}

static int open_all(struct drawing *drawing)
{
	int err = 0;
	int i;

	for (i = 0; i < FILES; i++) {
		drawing->fd[i] = memfd_create("perf-bench-ipi-plot", MFD_CLOEXEC);
		if (drawing->fd[i] < 0)
			err = -errno;
	}
	return err;
}

static int fill(int fd, const char *data, size_t len)
{
	ssize_t nr;

	while (len) {
		nr = write(fd, data, len);
		if (nr < 0 && errno == EINTR)
			continue;
		if (nr <= 0)
			return nr ? -errno : -EIO;
		data += nr;
		len -= (size_t)nr;
	}
	return lseek(fd, 0, SEEK_SET) < 0 ? -errno : 0;
}

/* All of it, with a 0 behind; NULL without memory. */
static char *contents(int fd, size_t *size)
{
	struct stat st;
	size_t done = 0;
	ssize_t nr;
	char *data;

	*size = 0;
	if (fstat(fd, &st))
		return NULL;
	data = malloc((size_t)st.st_size + 1);
	while (data && done < (size_t)st.st_size) {
		nr = pread(fd, data + done, (size_t)st.st_size - done, (off_t)done);
		if (nr < 0 && errno == EINTR)
			continue;
		if (nr <= 0)
			break;
		done += (size_t)nr;
	}
	if (data)
		data[done] = '\0';
	*size = done;
	return data;
}

static int start(const struct drawing *drawing, pid_t *pid)
{
	char name[] = "gnuplot", option[] = NO_INIT_FILES;
	char *const argv[] = { name, option, NULL };
	posix_spawn_file_actions_t actions;
	int err, i;

	err = posix_spawn_file_actions_init(&actions);
	if (err)
		return err;
	for (i = 0; i < FILES && !err; i++)
		err = posix_spawn_file_actions_adddup2(&actions, drawing->fd[i], i);
	if (!err)
		err = posix_spawnp(pid, name, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return err;
}

/* What it complains of: the last line that says something, without its place in the script. */
static void complaint(const struct drawing *drawing, char *buf, size_t size)
{
	size_t len;
	char *text = contents(drawing->fd[ERR], &len);
	char *line, *save;

	snprintf(buf, size, "no reason given");
	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		line += strspn(line, " \t^");
		if (*line && strncmp(line, "gnuplot> ", 9))
			snprintf(buf, size, "%s", line);
	}
	free(text);
}

static int wait_for(pid_t pid, const struct drawing *drawing, struct ipi_why *why)
{
	char line[160];
	int status;
	pid_t done;

	do
		done = waitpid(pid, &status, 0);
	while (done < 0 && errno == EINTR);
	if (done < 0)
		return ipi_why__set(why, errno, NULL, "can't wait for gnuplot");
	if (WIFSIGNALED(status))
		return ipi_why__set(why, EIO, NULL, "gnuplot was killed by signal %d",
				    WTERMSIG(status));
	if (WEXITSTATUS(status) == 127)
		return ipi_why__set(why, EIO, NULL, "gnuplot can't be run");
	complaint(drawing, line, sizeof(line));
	if (WEXITSTATUS(status))
		return ipi_why__set(why, EIO, "one is needed like 5.4, with svg and pngcairo",
				    "gnuplot: %s", line);
	return 0;
}

static int draw(struct drawing *drawing, const char *script, size_t len, struct ipi_why *why)
{
	pid_t pid;
	int err;

	err = -fill(drawing->fd[IN], script, len);
	if (!err)
		err = start(drawing, &pid);
	if (err == ENOENT)
		return ipi_why__set(why, EOPNOTSUPP, "apt-get install gnuplot-nox",
				    "there is no gnuplot");
	if (err)
		return ipi_why__set(why, err, NULL, "can't start gnuplot");
	return wait_for(pid, drawing, why);
}

int ipi_gnuplot__run(const char *script, size_t len, char **image, size_t *size,
		     struct ipi_why *why)
{
	struct drawing drawing;
	int err = open_all(&drawing);

	*image = NULL;
	if (err)
		ipi_why__set(why, -err, NULL, "memory for gnuplot's files");
	else
		err = draw(&drawing, script, len, why);
	if (!err) {
		*image = contents(drawing.fd[OUT], size);
		if (!*image)
			err = ipi_why__set(why, ENOMEM, NULL, "the picture");
		else if (!*size)
			err = ipi_why__set(why, EIO, NULL, "gnuplot drew nothing");
	}
	if (err) {
		free(*image);
		*image = NULL;
	}
	close_all(&drawing);
	return err;
}
