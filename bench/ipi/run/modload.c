// SPDX-License-Identifier: GPL-2.0
/*
 * Loading and unloading by libkmod. The only file that knows it.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
#include <linux/types.h>

#include "../why.h"
#include "keeper.h"
#include "machine.h"
#include "modfile.h"
#include "modload.h"

#define SYS_MODULE	"/sys/module/" IPI_MODULE_NAME
#define UNLOAD_TRIES	200
#define NAP_NS		10000000

struct ipi_modload {
	bool ours;
	struct ipi_keeper keeper;
	char how[320];
};

/* Async-signal-safe: the keeper uses it as well. Somebody else may hold the device for a moment. */
static int unload(void)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	int tries;

	for (tries = 0; tries < UNLOAD_TRIES; tries++) {
		if (!syscall(__NR_delete_module, IPI_MODULE_NAME, O_NONBLOCK) || errno == ENOENT)
			return 0;
		if (errno != EAGAIN && errno != EBUSY)
			return -errno;
		nanosleep(&nap, NULL);
	}
	return -EBUSY;
}

void ipi_modload__put(struct ipi_modload *load)
{
	if (!load)
		return;
	if (load->ours) {
		if (unload())
			ipi_keeper__release(&load->keeper);
		else
			ipi_keeper__stop(&load->keeper);
	}
	free(load);
}

const char *ipi_modload__how(const struct ipi_modload *load)
{
	return load->how;
}

#ifdef HAVE_LIBKMOD_SUPPORT
#include <libkmod.h>

static bool has_suffix(const char *path, const char *suffix)
{
	size_t len = strlen(path), end = strlen(suffix);

	return len > end && !strcmp(path + len - end, suffix);
}

/* What can be said of the file before the kernel refuses it. A compressed one is left to it. */
static int preflight(const char *path, struct ipi_why *why)
{
	struct ipi_modfile file;
	struct utsname uts;
	int err;

	if (has_suffix(path, ".xz") || has_suffix(path, ".zst") || has_suffix(path, ".gz"))
		return 0;
	err = ipi_modfile__read(&file, path, why);
	if (err == -EOPNOTSUPP)
		return 0;
	if (!err && !uname(&uts))
		err = ipi_modfile__check(&file, path, uts.machine, uts.release, why);
	return err;
}

/* Why finit_module(2) may say EPERM, the likeliest first. */
static const char *permission_remedy(void)
{
	char line[128];

	if (geteuid())
		return "run as root";
	ipi_machine__line("/sys/kernel/security/lockdown", line, sizeof(line));
	if (strstr(line, "[integrity]") || strstr(line, "[confidentiality]"))
		return "kernel lockdown is on: sign the module, or boot without lockdown=";
	ipi_machine__line("/proc/sys/kernel/modules_disabled", line, sizeof(line));
	if (line[0] == '1')
		return "kernel.modules_disabled is set until the next boot";
	return "it needs CAP_SYS_MODULE";
}

/* An errno of finit_module(2) in words. */
static int explain(int err, const char *path, struct ipi_why *why)
{
	const char *remedy = "dmesg may say more";

	if (err == EKEYREJECTED || err == ENOKEY || err == EBADMSG)
		remedy = "this kernel takes signed modules only: scripts/sign-file signs it";
	else if (err == EPERM)
		remedy = permission_remedy();
	else if (err == ENOEXEC)
		remedy = "build it for the running kernel: make module; dmesg says more";
	return ipi_why__set(why, err, remedy, "can't load module %s", path);
}

/* The module to load, of a path or of its name. */
static int find(struct kmod_ctx *ctx, const char *path, struct kmod_module **mod,
		struct ipi_why *why)
{
	struct kmod_list *list = NULL;
	int err;

	if (path) {
		err = kmod_module_new_from_path(ctx, path, mod);
		return err < 0 ? ipi_why__set(why, -err, NULL, "can't open module %s", path) : 0;
	}
	err = kmod_module_new_from_lookup(ctx, IPI_MODULE_NAME, &list);
	if (err < 0 || !list) {
		kmod_module_unref_list(list);
		ipi_why__set(why, ENOENT, "name its file: --module PATH",
			     "no module " IPI_MODULE_NAME " for this kernel");
		return -ENOENT;
	}
	*mod = kmod_module_get_module(list);
	kmod_module_unref_list(list);
	return 0;
}

static void undo(void *ctx)
{
	(void)ctx;
	unload();
}

static int insert(struct ipi_modload *load, struct kmod_module *mod, struct ipi_why *why)
{
	const char *path = kmod_module_get_path(mod);
	int err;

	if (!path)
		return ipi_why__set(why, ENOENT, "name its file: --module PATH",
				    "no module " IPI_MODULE_NAME " for this kernel");
	err = preflight(path, why);
	if (err)
		return err;
	/* The keeper first: from the load on there is always somebody to undo it. */
	err = ipi_keeper__start(&load->keeper, undo, NULL, -1);
	if (err)
		return ipi_why__set(why, -err, NULL,
				    "can't start the process that would unload the module");
	err = kmod_module_insert_module(mod, 0, NULL);
	if (err < 0) {
		ipi_keeper__stop(&load->keeper);
		return explain(-err, path, why);
	}
	load->ours = true;
	snprintf(load->how, sizeof(load->how), "loaded from %s", path);
	return 0;
}

static int load_module(struct ipi_modload *load, const char *path, struct ipi_why *why)
{
	struct kmod_module *mod = NULL;
	struct kmod_ctx *ctx;
	int err;

	if (access("/proc/modules", F_OK) < 0)
		return ipi_why__set(why, EOPNOTSUPP, NULL, "this kernel has no CONFIG_MODULES");
	ctx = kmod_new(NULL, NULL);
	if (!ctx)
		return ipi_why__set(why, ENOMEM, NULL, "libkmod");
	err = find(ctx, path, &mod, why);
	if (!err)
		err = insert(load, mod, why);
	kmod_module_unref(mod);
	kmod_unref(ctx);
	return err;
}
#else
static int load_module(struct ipi_modload *load, const char *path, struct ipi_why *why)
{
	(void)load;
	(void)path;
	return ipi_why__set(why, EOPNOTSUPP, "load it with insmod, or build this with libkmod-dev",
			    "built without libkmod");
}
#endif

struct ipi_modload *ipi_modload__get(const char *path, struct ipi_why *why)
{
	struct ipi_modload *load = calloc(1, sizeof(*load));

	if (!load) {
		ipi_why__set(why, ENOMEM, NULL, "module");
		return NULL;
	}
	/* Loaded before, or built into the kernel: it stays. */
	if (!access(SYS_MODULE, F_OK) || !access(IPI_MODULE_DEVICE, F_OK)) {
		snprintf(load->how, sizeof(load->how), "already there");
		return load;
	}
	if (load_module(load, path, why)) {
		free(load);
		return NULL;
	}
	return load;
}
