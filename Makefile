# SPDX-License-Identifier: GPL-2.0
#
# A simple wrapper, as tools/perf/Makefile is one: counts the jobs, makes O= absolute and passes every
# goal on to Makefile.perf. "make help" tells what there is.

# No built-in rules, so that every goal is passed on.
.SUFFIXES:

# -j and variables are passed explicitly, variables also by the environment; -k and -s are kept.
unexport MAKEFLAGS
flags := $(foreach f,k s,$(if $(findstring $(f),$(filter-out --%,$(firstword -$(MAKEFLAGS)))),-$(f)))

# "make JOBS=1" overrides it.
ifeq ($(JOBS),)
  JOBS := $(or $(shell getconf _NPROCESSORS_ONLN 2>/dev/null),1)
endif

ifneq ($(O),)
  override O := $(abspath $(O))
endif

# What root builds in somebody's checkout ("sudo make") is that user's afterwards.
ifeq ($(shell id -u),0)
  ifneq ($(shell stat -c %u .),0)
    hand-back := tools/hand-back.sh
  endif
endif

forward = @$(hand-back) $(MAKE) -f Makefile.perf --no-print-directory $(flags) -j$(JOBS) O=$(O) $(1)

all:
	$(call forward,all)

clean:
	$(call forward,clean) -j1

run:
	@tools/setup.sh build run
	$(call forward,all)
	@tools/with-mounts.sh $(or $(O),.)/perf-bench-ipi $(ARGS)

# The real perf with "perf bench ipi" in it.
perf:
	@tools/setup.sh build perf
	$(call forward,perf)

SUITES := unit asan valgrind shell style module symbols clang install libs perf vm
.PHONY: check $(addprefix check-,$(SUITES))

# What the virtual machines need may be missing, or a browser: then their tests are skipped, and say so.
check:
	@tools/setup.sh build run check perf
	@tools/setup.sh vm cross || echo "check: without all that virtual machines need"
	@tools/setup.sh browser || echo "check: without a browser"
	@$(hand-back) tools/with-mounts.sh tools/check.sh $(SUITES)

$(addprefix check-,$(SUITES)): check-%:
	@$(hand-back) tools/with-mounts.sh tools/check.sh $*

check-big:
	@tools/setup.sh build run check vm cross
	@$(hand-back) tools/with-mounts.sh tools/check.sh big

# Of the series for a perf tree, every step, which takes long.
check-series:
	@tools/setup.sh build perf
	@IPI_TEST_TIMEOUT=7200 $(hand-back) tools/check.sh series

help:
	@tools/help.sh

Makefile: ;

%: FORCE
	$(call forward,$@)

.PHONY: all clean run perf help check-series check-big FORCE
