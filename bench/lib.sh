# Sourced by scripts of this directory.
# shellcheck shell=sh

# usage SCRIPT: its head comment
usage() {
	sed -n '2,/^set/s/^# \{0,1\}//p' "$1" | sed '$d' >&2
	exit 2
}

# curve EVENTS: seconds, answers and bytes of the start and of each success
curve() {
	awk '
		function field(name) {
			if (!match($0, "\"" name "\": *[0-9.]+"))
				return ""
			value = substr($0, RSTART, RLENGTH)
			sub(/.*: */, "", value)
			return value
		}
		/"event": *"(start|accept)"/ { printf "%s\t%s\t%s\n", field("seconds"), field("answers"), field("bytes") }' "$1"
}
