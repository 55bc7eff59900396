# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# What the shell tests share: TAP, a way to run the program and look at all it said, skips that say
# why. To be sourced. PERF_BENCH_IPI is the program.
set -u

. "$(dirname "$0")/../../tools/at-exit.sh"

: "${PERF_BENCH_IPI:=$(cd "$(dirname "$0")/../.." && pwd)/perf-bench-ipi}"

tests=0
work=$(mktemp -d)
undo=()

# Put back what a test changed, last change first, however it ends.
cleanup() {
	local i

	for ((i = ${#undo[@]} - 1; i >= 0; i--)); do
		eval "${undo[i]}"
	done
	rm -rf "$work"
}
at_exit cleanup

plan() {
	echo "1..$tests"
}

skip_all() {	# WHY
	echo "1..0 # SKIP $1"
	exit 0
}

pass() {	# WHAT
	tests=$((tests + 1))
	echo "ok $tests - $1"
}

# With what the program said last, or nobody could tell why.
fail() {	# WHAT [MORE]
	tests=$((tests + 1))
	echo "not ok $tests - $1"
	[ $# -lt 2 ] || echo "# $2"
	echo "# status $status, stdout:"
	sed 's/^/#   /' "$work/out"
	echo "# stderr:"
	sed 's/^/#   /' "$work/err"
}

skip() {	# WHAT WHY
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

check() {	# WHAT COMMAND...
	local what=$1
	shift

	if "$@"; then pass "$what"; else fail "$what" "failed: $*"; fi
}

# Run something: its status in $status, its output in $work/out and $work/err.
status=-
run() {
	timeout -k 5 60 "$@" > "$work/out" 2> "$work/err" < /dev/null
	status=$?
}

ipi() {
	run "$PERF_BENCH_IPI" "$@"
}

# In the background, its process in $pid; ended with the script, if not before.
start() {
	"$PERF_BENCH_IPI" "$@" > "$work/out" 2> "$work/err" < /dev/null &
	pid=$!
	undo+=("jobs -p | grep -qx $pid && kill -KILL $pid 2> /dev/null")
}

# As another user, with nothing of root's.
ipi_as_nobody() {
	run setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
		--bounding-set=-all "$work/perf-bench-ipi" "$@"
}

# nobody must be able to reach the program, wherever the checkout is.
publish_program() {
	chmod 755 "$work"
	cp "$PERF_BENCH_IPI" "$work/perf-bench-ipi"
	chmod 755 "$work/perf-bench-ipi"
}

status_is() {	# STATUS
	[ "$status" = "$1" ]
}

# Nothing went wrong but that others kept a target's CPU to themselves, which the rows say.
status_is_0_or_busy() {
	[ "$status" = 0 ] || { [ "$status" = 1 ] && grep -q "did not get to run" "$work/out"; }
}

out_has() {	# ERE
	grep -Eq -- "$1" "$work/out"
}

out_lacks() {	# ERE
	! grep -Eq -- "$1" "$work/out"
}

err_has() {	# ERE
	grep -Eq -- "$1" "$work/err"
}

err_empty() {
	[ ! -s "$work/err" ]
}

# A perl expression over the result in FILE, as $r; with `cell "normal", "busy"` to find a row.
json_is() {	# FILE EXPRESSION
	perl -MJSON::PP -0777 -e '
		our $r = decode_json(<STDIN>);
		sub cell {
			my ($s, $t) = @_;
			my ($c) = grep { $_->{scenario} eq $s &&
					 (!defined $t || $_->{target_state} eq $t) } @{$r->{cells}};
			return $c;
		}
		my $ok = eval $ARGV[0];
		print STDERR $@ if $@;
		exit !$ok;' "$2" < "$1" 2>> "$work/err"
}

is_root() {
	[ "$(id -u)" = 0 ]
}

two_cpus() {
	[ "$(nproc)" -ge 2 ]
}

# The first CPU we may use, and the second.
first_cpu() {
	taskset -cp $$ | sed 's/.*: //; s/[-,].*//'
}

second_cpu() {
	local list
	list=$(taskset -cp $$ | sed 's/.*: //')
	perl -e '($l) = @ARGV; @c = map { /(\d+)-(\d+)/ ? ($1 .. $2) : $_ } split /,/, $l;
		 print $c[1]' "$list"
}

# Set a file of /proc or /sys for the rest of the script.
set_knob() {	# FILE VALUE
	local old
	old=$(cat "$1") || return 1
	undo+=("echo '$old' > '$1'")
	echo "$2" > "$1" 2> /dev/null
}
