/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a module file says of itself, read before the kernel is asked to load it: the kernel's
 * refusal is one errno for a dozen reasons.
 */
#ifndef IPI_RUN_MODFILE_H
#define IPI_RUN_MODFILE_H

struct ipi_why;

/**
 * struct ipi_modfile - a module file
 * @machine:	e_machine of its ELF header
 * @bits:	32 or 64
 * @name:	module name, "" if it names none
 * @vermagic:	the kernel it was built for, "" if it doesn't say
 * @abi:	the ABI of /dev/ipi_bench it offers, "major.minor", "" if it doesn't say
 */
struct ipi_modfile {
	int machine;
	int bits;
	char name[64];
	char vermagic[128];
	char abi[16];
};

/**
 * ipi_modfile__read - read a module file
 * @file:	filled
 * @path:	the file, not compressed
 * @why:	filled on failure
 *
 * Return: 0, -errno, or -ENOEXEC (no module file).
 */
int ipi_modfile__read(struct ipi_modfile *file, const char *path, struct ipi_why *why);

/**
 * ipi_modfile__check - would this kernel take it, and would we?
 * @file:	what it says
 * @path:	for the message
 * @machine:	uname's machine, "x86_64"
 * @release:	uname's release
 * @why:	filled on failure, in words
 *
 * Return: 0, -ENOEXEC (another architecture, another kernel, not our module), -EPROTO (an ABI that
 * doesn't fit).
 */
int ipi_modfile__check(const struct ipi_modfile *file, const char *path, const char *machine,
		       const char *release, struct ipi_why *why);

#endif
