// SPDX-License-Identifier: GPL-2.0
/*
 * Reads module files with libelf. The only file that knows it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <linux/ipi_bench.h>
#include <linux/kernel.h>

#include "../parse.h"
#include "../why.h"
#include "modfile.h"

#ifdef HAVE_LIBELF_SUPPORT
#include <gelf.h>

/* One "key=value" of .modinfo. */
static void take_info(struct ipi_modfile *file, const char *entry)
{
	static const char name[] = "name=", vermagic[] = "vermagic=", abi[] = "ipi_bench_abi=";

	if (!strncmp(entry, name, sizeof(name) - 1))
		snprintf(file->name, sizeof(file->name), "%s", entry + sizeof(name) - 1);
	else if (!strncmp(entry, vermagic, sizeof(vermagic) - 1))
		snprintf(file->vermagic, sizeof(file->vermagic), "%s",
			 entry + sizeof(vermagic) - 1);
	else if (!strncmp(entry, abi, sizeof(abi) - 1))
		snprintf(file->abi, sizeof(file->abi), "%s", entry + sizeof(abi) - 1);
}

/* Strings one after the other, with zeros between; the last may lack its own. */
static void take_modinfo(struct ipi_modfile *file, const Elf_Data *data)
{
	const char *at = data->d_buf;
	size_t left = at ? data->d_size : 0;

	while (left) {
		size_t len = strnlen(at, left);

		if (len == left)
			return;
		if (len)
			take_info(file, at);
		at += len + 1;
		left -= len + 1;
	}
}

static int read_elf(struct ipi_modfile *file, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	size_t names;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr) || ehdr.e_type != ET_REL ||
	    elf_getshdrstrndx(elf, &names))
		return -ENOEXEC;
	file->machine = ehdr.e_machine;
	file->bits = gelf_getclass(elf) == ELFCLASS64 ? 64 : 32;
	while ((section = elf_nextscn(elf, section))) {
		const char *name;
		Elf_Data *data;

		if (!gelf_getshdr(section, &shdr))
			return -ENOEXEC;
		name = elf_strptr(elf, names, shdr.sh_name);
		if (!name || strcmp(name, ".modinfo"))
			continue;
		data = elf_getdata(section, NULL);
		if (data)
			take_modinfo(file, data);
	}
	return 0;
}

int ipi_modfile__read(struct ipi_modfile *file, const char *path, struct ipi_why *why)
{
	Elf *elf;
	int err;
	int fd;

	memset(file, 0, sizeof(*file));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return ipi_why__set(why, errno, NULL, "can't open module %s", path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	err = elf ? read_elf(file, elf) : -ENOEXEC;
	elf_end(elf);
	close(fd);
	if (err)
		ipi_why__set(why, -err, "it takes an ipi_bench.ko: make module",
			     "%s is no module file", path);
	return err;
}

static const struct {
	const char *machine;	/* a prefix of uname's */
	int elf;
	int bits;
} machines[] = {
	{ "x86_64", EM_X86_64, 64 },
	{ "aarch64", EM_AARCH64, 64 },
	{ "riscv64", EM_RISCV, 64 },
	{ "ppc64", EM_PPC64, 64 },
	{ "s390x", EM_S390, 64 },
	{ "loongarch64", 258, 64 },
	{ "arm", EM_ARM, 32 },
};

static const char *machine_of(const struct ipi_modfile *file)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		if (machines[i].elf == file->machine && machines[i].bits == file->bits)
			return machines[i].machine;
	}
	return "another architecture";
}

static bool machine_fits(const struct ipi_modfile *file, const char *machine)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		if (!strncmp(machine, machines[i].machine, strlen(machines[i].machine)))
			return machines[i].elf == file->machine && machines[i].bits == file->bits;
	}
	/* One we don't know: the kernel will say. */
	return true;
}
#else
int ipi_modfile__read(struct ipi_modfile *file, const char *path, struct ipi_why *why)
{
	memset(file, 0, sizeof(*file));
	return ipi_why__set(why, EOPNOTSUPP, "build it with libelf-dev",
			    "can't look into module %s", path);
}

static const char *machine_of(const struct ipi_modfile *file)
{
	(void)file;
	return "another architecture";
}

static bool machine_fits(const struct ipi_modfile *file, const char *machine)
{
	(void)file;
	(void)machine;
	return true;
}
#endif

/* "major.minor" as two numbers. */
static int parse_abi(const char *abi, u64 *major, u64 *minor)
{
	char buf[16];
	char *dot;

	snprintf(buf, sizeof(buf), "%s", abi);
	dot = strchr(buf, '.');
	if (!dot)
		return -EINVAL;
	*dot = '\0';
	if (ipi_parse__u64(buf, 0, UINT32_MAX, major) ||
	    ipi_parse__u64(dot + 1, 0, UINT32_MAX, minor))
		return -EINVAL;
	return 0;
}

static int check_abi(const struct ipi_modfile *file, const char *path, struct ipi_why *why)
{
	const u64 oldest = IPI_BENCH_ABI_MINOR;
	u64 major, minor;

	if (parse_abi(file->abi, &major, &minor)) {
		ipi_why__set(why, 0, "build the one of this version: make module",
			     "module %s doesn't say its ABI", path);
		return -EPROTO;
	}
	if (major == IPI_BENCH_ABI_MAJOR && minor >= oldest)
		return 0;
	ipi_why__set(why, 0, "build the one of this version: make module",
		     "module %s has ABI %s, which is too %s for ABI %d.%d", path, file->abi,
		     major > IPI_BENCH_ABI_MAJOR ? "new" : "old", IPI_BENCH_ABI_MAJOR,
		     IPI_BENCH_ABI_MINOR);
	return -EPROTO;
}

int ipi_modfile__check(const struct ipi_modfile *file, const char *path, const char *machine,
		       const char *release, struct ipi_why *why)
{
	size_t len = strcspn(file->vermagic, " ");

	if (!machine_fits(file, machine)) {
		ipi_why__set(why, 0, "build it on, or for, this machine: make module",
			     "module %s is for %s, this is %s", path, machine_of(file), machine);
		return -ENOEXEC;
	}
	if (strcmp(file->name, "ipi_bench")) {
		ipi_why__set(why, 0, "it takes an ipi_bench.ko: make module",
			     "module %s is '%s', not ipi_bench", path, file->name);
		return -ENOEXEC;
	}
	if (strlen(release) != len || strncmp(file->vermagic, release, len)) {
		ipi_why__set(why, 0, "build it for the running kernel: make module",
			     "module %s is for Linux %.*s, this is %s", path, (int)len,
			     file->vermagic, release);
		return -ENOEXEC;
	}
	return check_abi(file, path, why);
}
