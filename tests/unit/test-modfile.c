// SPDX-License-Identifier: GPL-2.0
/*
 * What a module file says of itself, on files made here byte by byte: for us, for another
 * architecture, another kernel, another ABI, and torn ones.
 */
#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <linux/ipi_bench.h>
#include <linux/kernel.h>

#include "bench/ipi/run/modfile.h"
#include "bench/ipi/why.h"

#define RELEASE	"6.1.0-57-amd64"
#define STR_(x)	#x
#define STR(x)	STR_(x)
#define OUR_ABI	STR(IPI_BENCH_ABI_MAJOR) "." STR(IPI_BENCH_ABI_MINOR)

/* An ELF64 relocatable with a null section, .modinfo and .shstrtab. */
struct image {
	Elf64_Ehdr ehdr;
	Elf64_Shdr shdr[3];
	char names[24];
	char modinfo[256];
};

static const char names[] = "\0.modinfo\0.shstrtab";

static void make_image(struct image *image, int machine, const char *name, const char *release,
		       const char *abi)
{
	size_t len;

	memset(image, 0, sizeof(*image));
	memcpy(image->ehdr.e_ident, ELFMAG, SELFMAG);
	image->ehdr.e_ident[EI_CLASS] = ELFCLASS64;
	image->ehdr.e_ident[EI_DATA] = ELFDATA2LSB;
	image->ehdr.e_ident[EI_VERSION] = EV_CURRENT;
	image->ehdr.e_type = ET_REL;
	image->ehdr.e_machine = (Elf64_Half)machine;
	image->ehdr.e_version = EV_CURRENT;
	image->ehdr.e_ehsize = sizeof(image->ehdr);
	image->ehdr.e_shoff = offsetof(struct image, shdr);
	image->ehdr.e_shentsize = sizeof(image->shdr[0]);
	image->ehdr.e_shnum = 3;
	image->ehdr.e_shstrndx = 2;
	memcpy(image->names, names, sizeof(names));
	len = (size_t)snprintf(image->modinfo, sizeof(image->modinfo),
			       "license=GPL%cname=%s%cvermagic=%s SMP mod_unload %cipi_bench_abi=%s",
			       0, name, 0, release, 0, abi) + 1;
	image->shdr[1].sh_name = 1;
	image->shdr[1].sh_type = SHT_PROGBITS;
	image->shdr[1].sh_offset = offsetof(struct image, modinfo);
	image->shdr[1].sh_size = len;
	image->shdr[2].sh_name = 10;
	image->shdr[2].sh_type = SHT_STRTAB;
	image->shdr[2].sh_offset = offsetof(struct image, names);
	image->shdr[2].sh_size = sizeof(names);
}

static int read_image(const void *image, size_t size, struct ipi_modfile *file)
{
	char path[] = "/tmp/test-modfile-XXXXXX";
	int fd = mkstemp(path);
	struct ipi_why why;
	int err;

	assert_true(fd >= 0);
	assert_true(write(fd, image, size) == (ssize_t)size);
	close(fd);
	err = ipi_modfile__read(file, path, &why);
	unlink(path);
	return err;
}

static void test_read(void **state)
{
	struct ipi_modfile file;
	struct image image;
	struct ipi_why why;

	(void)state;
	make_image(&image, EM_X86_64, "ipi_bench", RELEASE, OUR_ABI);
	assert_int_equal(read_image(&image, sizeof(image), &file), 0);
	assert_int_equal(file.machine, EM_X86_64);
	assert_int_equal(file.bits, 64);
	assert_string_equal(file.name, "ipi_bench");
	assert_string_equal(file.vermagic, RELEASE " SMP mod_unload ");
	assert_string_equal(file.abi, OUR_ABI);
	assert_int_equal(ipi_modfile__check(&file, "x.ko", "x86_64", RELEASE, &why), 0);
}

static void expect(int machine, const char *name, const char *release, const char *abi, int err,
		   const char *words)
{
	struct ipi_modfile file;
	struct image image;
	struct ipi_why why;

	make_image(&image, machine, name, release, abi);
	assert_int_equal(read_image(&image, sizeof(image), &file), 0);
	assert_int_equal(ipi_modfile__check(&file, "x.ko", "x86_64", RELEASE, &why), err);
	if (!strstr(why.what, words))
		fail_msg("'%s' is not in '%s'", words, why.what);
	assert_true(why.remedy[0] != '\0');
}

static void test_check(void **state)
{
	(void)state;
	expect(EM_AARCH64, "ipi_bench", RELEASE, OUR_ABI, -ENOEXEC,
	       "x.ko is for aarch64, this is x86_64");
	expect(12345, "ipi_bench", RELEASE, OUR_ABI, -ENOEXEC, "is for another architecture");
	expect(EM_X86_64, "usbcore", RELEASE, OUR_ABI, -ENOEXEC, "is 'usbcore', not ipi_bench");
	expect(EM_X86_64, "ipi_bench", "6.12.95-amd64", OUR_ABI, -ENOEXEC,
	       "is for Linux 6.12.95-amd64, this is " RELEASE);
	/* A prefix is another kernel as well. */
	expect(EM_X86_64, "ipi_bench", "6.1.0-57", OUR_ABI, -ENOEXEC, "is for Linux 6.1.0-57,");
	expect(EM_X86_64, "ipi_bench", RELEASE "2", OUR_ABI, -ENOEXEC, "is for Linux " RELEASE "2");
	expect(EM_X86_64, "ipi_bench", RELEASE, "0.9", -EPROTO, "has ABI 0.9, which is too old");
	expect(EM_X86_64, "ipi_bench", RELEASE, "99.0", -EPROTO, "has ABI 99.0, which is too new");
	expect(EM_X86_64, "ipi_bench", RELEASE, "", -EPROTO, "doesn't say its ABI");
	expect(EM_X86_64, "ipi_bench", RELEASE, "1.x", -EPROTO, "doesn't say its ABI");
}

/* A newer minor only adds. */
static void test_minor(void **state)
{
	struct ipi_modfile file;
	struct image image;

	(void)state;
	make_image(&image, EM_X86_64, "ipi_bench", RELEASE, STR(IPI_BENCH_ABI_MAJOR) ".999");
	assert_int_equal(read_image(&image, sizeof(image), &file), 0);
	assert_int_equal(ipi_modfile__check(&file, "x.ko", "x86_64", RELEASE, NULL), 0);
}

/* Cut anywhere, or with a byte changed anywhere: an answer, never a crash. */
static void test_hostile(void **state)
{
	struct ipi_modfile file;
	struct image image, bad;
	size_t i;

	(void)state;
	make_image(&image, EM_X86_64, "ipi_bench", RELEASE, OUR_ABI);
	for (i = 0; i < sizeof(image); i++)
		read_image(&image, i, &file);
	for (i = 0; i < offsetof(struct image, modinfo); i++) {
		bad = image;
		((unsigned char *)&bad)[i] ^= 0xff;
		read_image(&bad, sizeof(bad), &file);
	}
	assert_int_equal(read_image("", 0, &file), -ENOEXEC);
	assert_int_equal(read_image("\177ELF", 4, &file), -ENOEXEC);
	assert_int_equal(read_image("#!/bin/sh\n", 10, &file), -ENOEXEC);
	/* The last string lacks its end: it is not taken. */
	image.shdr[1].sh_size -= 2;
	assert_int_equal(read_image(&image, sizeof(image), &file), 0);
	assert_string_equal(file.abi, "");
	assert_int_equal(ipi_modfile__read(&file, "/nonexistent", NULL), -ENOENT);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_minor),
		cmocka_unit_test(test_hostile),
	};

#ifndef HAVE_LIBELF_SUPPORT
	print_message("1..0 # SKIP built without libelf\n");
	return 0;
#endif
	return cmocka_run_group_tests(tests, NULL, NULL);
}
