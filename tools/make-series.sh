#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Writes the series that adds "perf bench ipi" to a perf tree, as git format-patch does, ready for
# git send-email: from the sources as they are now and the steps in patches/VERSION/.
#
# usage: make-series.sh OUTPUT		writes OUTPUT/series-VERSION
#
# A step is a file: subject and message as in a patch, then "---" and
#
#  Sources: PATTERN	what of this repository comes with it; of several patterns that fit a file
#			the longest counts, "*" is any text
#  Without: FILE SCRIPT	a script of sed -E that takes out of FILE what comes with this step only
#
# then a diff, if perf's own files change. Of Build files what is not there yet is left out, so that
# each step builds. A step that changes nothing is left out. Author and Signed-off-by are git's.
#
# KVER= (default 7.3) and KSRC= are those of tools/graft-perf.sh.
set -eu -o pipefail

[ $# -eq 1 ] || { echo "usage: make-series.sh OUTPUT" >&2; exit 129; }
cd "$(dirname "$0")/.."
. tools/at-exit.sh
top=$PWD

die() {
	echo "make-series.sh: $*" >&2
	exit 1
}

export KVER=${KVER:-7.3}
found=$(tools/graft-perf.sh --source "$1")
source=${found%%$'\n'*}
patches=$top/${found#*$'\n'}
output=$(realpath -m "$1")/series-${patches##*/}
steps=("$patches"/000[1-9]-*.patch "$patches"/00[1-9]?-*.patch)
[ -e "$patches/0000-cover-letter.patch" ] || die "$patches has no cover letter: no series"

if ! author=$(git config user.name) || ! email=$(git config user.email); then
	die "git does not know who you are: git config user.name, user.email"
fi

scratch=$(mktemp -d)
at_exit "rm -rf '$scratch'"

in_scratch() {	# GIT_ARGUMENT...
	git -C "$scratch" -c user.name="$author" -c user.email="$email" -c core.autocrlf=false "$@"
}

# -- reading steps ---------------------------------------------------------------------------------

directive() {	# NAME STEP
	sed -n '1,/^diff --git/{ /^---$/,$s/^ '"$1"': //p }' "$2"
}

message() {	# STEP
	sed -n '1s/^Subject: \[PATCH[^]]*\] //p; 2,/^---$/{ /^---$/!p }' "$1"
}

diff_of() {	# STEP
	sed -n '/^diff --git/,$p' "$1"
}

# Lines of "STEP_NUMBER FROM TO", of every file.
assign() {
	local from to i pattern best length

	while read -r from to; do
		best=
		length=0
		for i in "${!steps[@]}"; do
			while read -r pattern; do
				# shellcheck disable=SC2053 # it is a pattern
				if [[ $from == $pattern ]] && [ ${#pattern} -gt "$length" ]; then
					best=$i
					length=${#pattern}
				fi
			done <<< "${patterns[i]}"
		done
		[ -n "$best" ] || die "no step of ${patches#"$top/"} has $from"
		echo "$best $from $to"
	done < <(tools/graft-copy.sh --list)
}

# -- making commits --------------------------------------------------------------------------------

# perf's own files that some step changes, as they are before.
base() {
	local file

	git init -q "$scratch"
	sed -n 's,^--- a/,,p' "${steps[@]}" | sort -u | while read -r file; do
		[ -e "$source/$file" ] || die "$source has no $file"
		mkdir -p "$scratch/$(dirname "$file")"
		cp "$source/$file" "$scratch/$file"
	done
	in_scratch add --all --force
	in_scratch commit --quiet --message base
	in_scratch tag base
}

# A file as it is before the steps behind this one.
put() {		# STEP_NUMBER FROM TO
	local i file script

	mkdir -p "$scratch/$(dirname "$3")"
	cp "$2" "$scratch/$3"
	for ((i = ${#steps[@]} - 1; i > $1; i--)); do
		while read -r file script; do
			[ "$file" != "$2" ] || sed -E -i "$script" "$scratch/$3"
		done < <(directive Without "${steps[i]}")
	done
}

# What a Build file says of objects and directories that are there; a comment goes with its lines.
reduce() {	# BUILD, FROM
	local dir
	dir=$(dirname "$1")

	awk -v there="$(cd "$dir" && find . -mindepth 1 -maxdepth 2 -name '*.c' |
			sed 's,^\./,,; s,\.c$,.o,; s,/.*,/,' | sort -u | tr '\n' ' ')" '
		BEGIN { RS = ""; ORS = ""; FS = "\n"; there = " " there }
		{
			text = ""
			kept = gone = 0
			for (i = 1; i <= NF; i++) {
				what = $i
				if (what ~ /^CFLAGS_/) {
					sub(/^CFLAGS_/, "", what)
					sub(/\.o.*/, ".o", what)
				} else {
					sub(/.*[ \t]/, "", what)
				}
				if ($i !~ /^#/ && !index(there, " " what " ")) {
					gone++
					continue
				}
				kept += $i !~ /^#/
				text = text $i "\n"
			}
			if (kept || !gone)
				print (NR > 1 ? "\n" : "") text
		}' "$2" > "$1"
}

reduce_all() {
	local step from to

	while read -r step from to; do
		if [[ $from == */Build ]] && compgen -G "$scratch/$(dirname "$to")/*.c" > /dev/null; then
			reduce "$scratch/$to" "$from"
		fi
	done <<< "$assigned"
}

commit() {	# STEP_NUMBER
	local number=$1 step from to file rest

	if grep -q '^diff --git' "${steps[number]}"; then
		diff_of "${steps[number]}" | in_scratch apply
	fi
	while read -r step from to; do
		if [ "$step" -eq "$number" ] && [[ $from != */Build ]]; then
			put "$number" "$from" "$to"
		fi
		while read -r file rest; do
			[ "$file" != "$from" ] || put "$number" "$from" "$to"
		done < <(directive Without "${steps[number]}")
	done <<< "$assigned"
	reduce_all
	in_scratch add --all --force
	if in_scratch diff --cached --quiet; then
		echo "left out, there is nothing in it: ${steps[number]##*/}" >&2
		return
	fi
	message "${steps[number]}" | in_scratch commit --quiet --signoff --file -
}

# -- the mails -------------------------------------------------------------------------------------

addresses() {
	sed -n 's/^M:[ \t]*/--to=/p; s/^[RL]:[ \t]*/--cc=/p' patches/MAINTAINERS
}

patterns=()
for step in "${steps[@]}"; do
	patterns+=("$(directive Sources "$step")")
done
assigned=$(assign)

base
for number in "${!steps[@]}"; do
	commit "$number"
done

in_scratch config branch."$(in_scratch symbolic-ref --short HEAD)".description \
	"$(message "$patches/0000-cover-letter.patch")"
mapfile -t recipients < <(addresses)
rm -rf "$output"
in_scratch format-patch --quiet --cover-letter --cover-from-description=subject --signature= \
	--output-directory="$output" "${recipients[@]}" base
# --empty=drop: for the cover letter.
echo "  SERIES   $output: git am --empty=drop $output/*.patch" >&2
echo "$output"
