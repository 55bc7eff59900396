#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Judges the console log of a guest: prints the lines that a healthy kernel does not print. The status
# is 0 if there is none, 1 if there are some.
#
# usage: vm-console.sh LOG
set -eu

bad='WARNING:|BUG|Oops|[Ss]tall|[Ll]ockup|lockdep|possible recursive|possible circular|!!!|Call [Tt]race|'
bad+='general protection|segfault at|Kernel panic|refcount_t|KASAN|KCSAN|UBSAN|[Ll]eak|'
bad+='inconsistent lock state|suspicious RCU|scheduling while atomic|hung_task|blocked for more than'

# What loading a module built out of tree says, what the runner says, and words from the command line.
harmless='out-of-tree module|module verification failed|@@|[Cc]ommand line:|stall warnings suppressed'

if tr -d '\r' < "$1" | grep --text -E "$bad" | grep --text -vE "$harmless"; then
	exit 1
fi
