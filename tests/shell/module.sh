#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module's options where there is no module: what is said, and which backend is taken instead. With
# the module: tests/vm/module.sh.
. "$(dirname "$0")/lib.sh"

if [ -e /dev/ipi_bench ] || [ -e /sys/module/ipi_bench ]; then
	skip_all "the module is loaded here"
fi
json=$work/r.json

ipi -l 10 --json "$json" dry-run
check "auto: exit 0 without a module" status_is 0
check "auto: system calls instead" json_is "$json" '$r->{environment}{backend} eq "user"'
check "auto: and why" json_is "$json" '$r->{environment}{backend_why} =~ /module|CONFIG_MODULES|root/i'
check "auto: said in the header" out_has "user backend \("

ipi --backend module -l 10 dry-run
check "--backend module: does not run" test "$status" = 3 -o "$status" = 1
check "--backend module: why" err_has "^perf bench ipi: .*(module|CONFIG_MODULES)"
check "--backend module: nothing on stdout" test ! -s "$work/out"
ipi --module /bin/true -l 10 dry-run
check "--module: a file that was named is meant" test "$status" = 3 -o "$status" = 1
ipi --inject handler=20us -l 10 dry-run
check "--inject: needs the module" test "$status" = 3 -o "$status" = 1
ipi --no-wait -l 10 normal
check "--no-wait: needs the module" test "$status" = 3 -o "$status" = 1

bad() {		# WHAT STDERR ARGUMENT...
	local what=$1 words=$2
	shift 2
	ipi "$@"
	check "$what: 129" status_is 129
	check "$what: said" err_has "$words"
}
bad "--inject without what" "--inject: '20us'" --inject 20us
bad "--inject without unit" "--inject: 'handler=20'" --inject handler=20
bad "--inject too long" "--inject: 'irqoff=2ms' is out of range" --inject irqoff=2ms
bad "--inject for system calls" "--inject is the module's" --inject handler=20us --backend user
bad "--no-wait for system calls" "--no-wait is the module's" --no-wait --backend user
bad "--module for system calls" "--module is the module's" --module x.ko --backend user

ipi list
check "list names the module's triggers" out_has "smp_call_function_many\(\)"
check "list says why not" out_has "/dev/ipi_bench"

plan
