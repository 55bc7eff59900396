#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Can bench/ipi/ go into a perf tree as it is, and does every room keep to itself? As TAP: global
# names have a prefix, what is taken from outside is in tools/outside.allow, no room includes one
# that it must not know.
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh
shopt -s globstar

make=("${MAKE:-make}" -f Makefile.perf --no-print-directory "O=${O:-}")

"${make[@]}" -j"${JOBS:-$(nproc)}" all || exit 1
read -ra objects <<< "$("${make[@]}" -s show-objects)"
compiler=$("${make[@]}" -s show-cc)
sources=(bench/ipi/**/*.[ch])

# Two of one name are an error where perf links whole archives.
prefixed() {
	nm --defined-only --extern-only "${objects[@]}" |
		awk 'NF == 3 && $3 !~ /^(bench_)?ipi_/ { print "global without prefix: " $3; bad = 1 }
		     END { exit bad }'
}

# Lines of "FILE WHAT": every <header> included, every symbol that none of our objects defines. Those
# of the C library come first, as "libc WHAT".
taken() {
	nm --dynamic --defined-only "$($compiler -print-file-name=libc.so.6)" \
		"$($compiler -print-file-name=libm.so.6)" |
		sed -n 's/^[0-9a-f]* [A-Za-z] \([^@]*\).*/libc \1/p'
	sed -n 's/^#[ \t]*include[ \t]*\(<.*>\).*/\1/; T; F; p' "${sources[@]}" |
		paste - - | sed 's,^bench/ipi/\(.*\)\.[ch]\t,\1 ,'
	{
		nm --defined-only --extern-only "${objects[@]}" | awk 'NF == 3 { print "own", $3 }'
		nm --print-file-name --undefined-only "${objects[@]}" |
			sed 's,^.*bench/ipi/\([^:]*\)\.o:.* ,\1 ,'
	} | awk '$1 == "own" { own[$2] = 1; next } !($2 in own)'
}

allowed() {
	taken | awk '
		function fits(text, pattern) {
			gsub(/\./, "[.]", pattern)
			gsub(/\*/, ".*", pattern)
			return text ~ "^" pattern "$"
		}

		FILENAME == "tools/outside.allow" {
			if (NF && !/^#/) {
				pattern[++lines] = $1
				user[lines] = $2
			}
			next
		}
		$1 == "libc" { libc[$2] = 1; next }

		{
			for (i = 1; i <= lines; i++)
				if (fits($2, pattern[i]) && fits($1, user[i]) || "!" $2 == pattern[i])
					break
			if (i <= lines && pattern[i] !~ /^!/ || i > lines && $2 in libc)
				next
			print "bench/ipi/" $1 " must not use " $2
			bad = 1
		}
		END { exit bad }' tools/outside.allow -
}

# Lines of "FILE HEADER", of every "header" of our own, both from the top of the tree.
own_includes() {
	local file

	for file in "${sources[@]}"; do
		sed -n "s,^#[ \t]*include[ \t]*\"\(.*\)\".*,$(dirname "$file")/\1,p" "$file" |
			xargs -r realpath -m --relative-to=. | sed "s,^,$file ,"
	done
}

# Which room must not know which: data flows one way.
rooms() {
	own_includes | awk '
		BEGIN {
			never["run"] = "report|cmd"
			never["trace"] = "run|stats|report|cmd"
			never["stats"] = "run|trace|report|cmd"
			never["report"] = "run|cmd"
			never[""] = "run|trace|stats|report|cmd"
			never["cmd"] = "none"
		}

		# Sub-commands, cmd-*, stand at the top and know everybody.
		function room(path) {
			sub(/^bench\/ipi\//, "", path)
			if (path ~ /^cmd-/)
				return "cmd"
			return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : ""
		}

		$2 !~ /^bench\/(ipi\/|bench\.h$)/ || room($2) ~ "^(" never[room($1)] ")$" {
			print $1 " must not include " $2
			bad = 1
		}
		END { exit bad }'
}

tap_run "every global symbol has a prefix" prefixed
tap_run "nothing from outside but what is allowed" allowed
tap_run "rooms include what they may know" rooms
tap_end
