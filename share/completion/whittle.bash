# Completion of whittle and git whittle for bash; all that it offers comes from `whittle completion -- WORD...`.

# Words up to the cursor as the shell would see them, but not divided at "=" and ":". A backslash quotes, as in what is inserted.
_whittle_words() {
	local line=${COMP_LINE:0:COMP_POINT}
	# shellcheck disable=SC2162 # the backslashes
	read -a REPLY_WORDS <<<"$line"
	case $line in *\\[[:space:]]) ;; *[[:space:]]) REPLY_WORDS+=('') ;; esac
}

# Offers one of what the program prints. bash inserts it as it is, so a name that the shell would read otherwise is quoted.
_whittle_offer() { # WORD CANDIDATE
	local last=$1 candidate=$2 head=
	# bash replaces only what stands behind the last character that divides words.
	case $COMP_WORDBREAKS in *=*) case $last in --*=*) head=${last%%=*}= ;; esac ;; esac
	case $COMP_WORDBREAKS in *:*) case $last in *:*) head=${last%:*}: ;; esac ;; esac
	candidate=${candidate#"$head"}
	case $candidate in *[!A-Za-z0-9_./:=@%+,-]*) printf -v candidate %q "$candidate" ;; esac
	case $candidate in *=) ;; *) candidate="$candidate " ;; esac
	COMPREPLY+=("$candidate")
}

_whittle_complete() { # PROGRAM WORD...
	local program=$1 last candidate kind=
	local -a words=()
	shift
	last=${!#}
	COMPREPLY=()
	while IFS=$'\t' read -r candidate _; do
		case $candidate in
		:file) kind=-f ;;
		:directory) kind=-d ;;
		*) words+=("$candidate") ;;
		esac
	done < <("$program" completion -- "$@" 2>/dev/null)
	if [ -n "$kind" ]; then
		# Beside names of files bash quotes everything, and ends it with a blank.
		compopt -o filenames 2>/dev/null
		COMPREPLY=("${words[@]}")
		while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen "$kind" -- "${last#*=}")
	else
		compopt -o nospace 2>/dev/null
		for candidate in "${words[@]}"; do _whittle_offer "$last" "$candidate"; done
	fi
}

_whittle() {
	local REPLY_WORDS
	_whittle_words
	_whittle_complete "${REPLY_WORDS[@]}"
}

# git's own completion calls this for "git whittle".
_git_whittle() {
	local REPLY_WORDS i
	_whittle_words
	for ((i = 0; i < ${#REPLY_WORDS[@]}; i++)); do
		if [ "${REPLY_WORDS[i]}" = whittle ]; then
			_whittle_complete whittle "${REPLY_WORDS[@]:i+1}"
			return
		fi
	done
}

complete -F _whittle whittle git-whittle
