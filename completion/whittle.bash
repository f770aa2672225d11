# Completion of whittle and git whittle for bash; all that it offers comes from `whittle completion -- WORD...`.

# Words up to the cursor as the shell would see them, but not divided at "=" and ":".
_whittle_words() {
	local line=${COMP_LINE:0:COMP_POINT}
	read -ra REPLY_WORDS <<<"$line"
	case $line in *[[:space:]]) REPLY_WORDS+=('') ;; esac
}

_whittle_complete() { # PROGRAM WORD...
	local program=$1 last candidate head
	shift
	last=${!#}
	COMPREPLY=()
	while IFS=$'\t' read -r candidate _; do
		case $candidate in
		:file) compopt -o filenames 2>/dev/null; while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "${last#*=}") ;;
		:directory) compopt -o filenames 2>/dev/null; while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -d -- "${last#*=}") ;;
		*)
			# bash replaces only what stands behind the last character that divides words.
			head=
			case $COMP_WORDBREAKS in *=*) case $last in --*=*) head=${last%%=*}= ;; esac ;; esac
			case $COMP_WORDBREAKS in *:*) case $last in *:*) head=${last%:*}: ;; esac ;; esac
			candidate=${candidate#"$head"}
			case $candidate in *=) compopt -o nospace 2>/dev/null ;; *) candidate="$candidate " ;; esac
			compopt -o nospace 2>/dev/null
			COMPREPLY+=("$candidate")
			;;
		esac
	done < <("$program" completion -- "$@" 2>/dev/null)
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
