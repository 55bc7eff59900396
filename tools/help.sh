#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Prints what "make help" says.

cat <<'HELP'
Two commands set up a fresh Debian machine:

  sudo make run		install packages, build, run everything: the default "all" run
  sudo make check	install packages, build, run every test

Build
  all			./perf-bench-ipi (the default goal)
  tests			the unit tests, build/tests/unit/test-*
  bench-decode		how fast events are decoded and correlated
  bench-report		how fast report is; SIZE=100M for a larger recording
  module		module/ipi_bench.ko, for KDIR= or the running kernel; module-install,
			module-clean
  bench-module		what a call of the module costs beside that of 2017, in a guest;
			REF=FILE runs that one there too
  perf			the real perf with "perf bench ipi" in it, build/perf-6.1/perf, of KVER= or KSRC=
  series		what adds it to a perf tree, as mails: build/series-7.3/
  doc			the man page, and as HTML, where asciidoctor or asciidoc is installed
  DIR/FILE.o .i .s	one object, its preprocessed source, its assembly
  install		into $(DESTDIR)$(prefix); then stock perf runs it: perf bench-ipi list
  uninstall		takes it away again
  clean			removes all that was built

Run and test. As root, run and check install what is missing of tools/packages; else they name the
command that does. The others skip what needs a missing tool, and say so.
  run			build and run; ARGS="normal -l 4000" are the program's arguments
  check			all of these; the last line is "N passed, M failed, K skipped"
  check-unit		unit tests
  check-asan		unit tests and tests of the program with sanitizers (address, leak, UB)
  check-valgrind	unit tests under valgrind
  check-shell		tests of the program, tests/shell/
  check-style		checkpatch, cppcheck, clang-tidy, shellcheck
  check-module		the module builds without warnings, sparse, kernel-doc; KVER=7.3 for another
			kernel than 6.1; fetches headers
  check-symbols		global names, what is taken from outside, who includes whom
  check-clang		a build with clang
  check-install		install, uninstall, stock perf
  check-libs		without the libraries that can be left out
  check-perf		make perf, and what it builds; KVER=6.12 and 7.3 are not part of check
  fuzz			the reader of recordings, by libFuzzer; TIME=60 seconds
  check-series		make series: checkpatch, git am, a perf after each patch; not part of check
  check-vm		program and module in guests of QEMU, x86-64 and arm64, Linux 6.1; fetches
			kernels into a cache; takes some minutes
  check-big		the program in a guest of 112 CPUs; takes some minutes; not part of check

Variables
  KSRC=PATH		kernel source of libperf, libsubcmd and libapi: a tree, or a tarball, which
			is unpacked once into ~/.cache/perf-bench-ipi ($XDG_CACHE_HOME/...);
			default /usr/src/linux-source-6.1.tar.xz
  KVER=VERSION		of make perf: 6.1 (default), 6.12, 7.3: Debian's linux-source of that
			version, installed, or fetched into the cache; KSRC= goes before it
  O=DIR			build there, the program too; default build/ and ./perf-bench-ipi
  CC=clang		compiler; CROSS_COMPILE=PREFIX- a cross compiler's
  CFLAGS=, EXTRA_CFLAGS=, LDFLAGS=
			instead of -O2 -g; in addition; for the linker
  DEBUG=1		-O0 -g3
  SANITIZE=1		AddressSanitizer, UndefinedBehaviorSanitizer; default O= is build/sanitize
  WERROR=0		warnings are not errors
  NO_JANSSON=1		without jansson, and so without --json; NO_LIBKMOD=1, NO_LIBELF=1 likewise
  NO_ZSTD=1		without libzstd: compressed recordings can't be read
  V=1			show commands; of checks, all output
  JOBS=N		parallel jobs, default the number of CPUs
  DESTDIR=, prefix=	for install; default prefix /usr/local
HELP
