#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Options: what is refused, with which words and which exit status; help, version, list.
. "$(dirname "$0")/lib.sh"

ipi --help
check "--help exits with libsubcmd's 129" status_is 129
check "--help shows the usage" grep -qi "usage: perf bench ipi" "$work/out" "$work/err"

ipi --version
check "--version exits 0" status_is 0
check "--version prints one" out_has "^perf-bench-ipi version [^ ]+"

bad() {		# WHAT STDERR ARGUMENT...
	local what=$1 words=$2
	shift 2
	ipi "$@"
	check "$what: 129" status_is 129
	check "$what: said" err_has "$words"
	check "$what: nothing on stdout" test ! -s "$work/out"
}

bad "no such scenario" "perf bench ipi: no scenario 'norma'" norma
bad "one of two scenarios wrong" "no scenario 'x'" normal,x
bad "empty scenario" "no scenario ''" normal,
bad "no such option" "unknown option .bogus'" --bogus
bad "no such backend" "no backend 'carrier-pigeon'" --backend carrier-pigeon
bad "no such target" "--target: no state 'asleep'" --target asleep
bad "no such format" "--format: 'xml'" -f xml
for value in 0 -1 1x "" " 5" 05 1e3 99999999999999999999; do
	bad "-l '$value'" "--loop: '$value' is" -l "$value"
done
bad "-l over 32 bits" "--loop: '4294967297' is out of range" -l 4294967297
bad "-r 0" "--repeat: '0' is out of range" -r 0
bad "--gap without unit" "--gap: '50' is not understood" --gap 50
bad "--gap too long" "--gap: '2s' is out of range" --gap 2s
bad "-m no power of two" "--mmap-pages: '3'" -m 3

ipi list
check "list exits 0" status_is 0
for scenario in dry-run self-call self-ipi normal broadcast broadcast-lock wake; do
	check "list names $scenario" out_has "^ *$scenario "
done
check "list says which system call" out_has "membarrier\(RSEQ, cpu\)"
check "list says what it needs" out_has "needs: "
check "list names the events" out_has "ipi:ipi_|^  none: "

plan
