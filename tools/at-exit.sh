# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
#
# What a script does when it ends, whatever ends it; to be sourced, by bash or by sh.

at_exit_begun=

# COMMAND is evaluated once: at the script's end, or at the first of the signals that end it, after
# which the status is 128 and the signal's number. Terminals, timeout(1) and make send several of them
# to all the processes of a group: no further one cuts COMMAND short, nor what it runs.
at_exit() {	# COMMAND
	at_exit_command=$1
	trap at_exit_run EXIT
	# Ignored at once, or the traps of a hail of them nest without end.
	trap 'trap "" HUP INT TERM; at_exit_by 129' HUP
	trap 'trap "" HUP INT TERM; at_exit_by 130' INT
	trap 'trap "" HUP INT TERM; at_exit_by 143' TERM
}

at_exit_run() {
	[ -z "$at_exit_begun" ] || return 0
	at_exit_begun=y
	trap '' HUP INT TERM
	eval "$at_exit_command"
}

# Comes between any two commands of at_exit_run, too: whoever begins goes through with it.
at_exit_by() {	# STATUS
	[ -z "$at_exit_begun" ] || return 0
	at_exit_run || true
	trap - EXIT
	exit "$1"
}
