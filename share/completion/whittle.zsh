#compdef whittle git-whittle
# Completion of whittle and git whittle for zsh; all that it offers comes from `whittle completion -- WORD...`.

_whittle() {
	local program=$words[1] line candidate
	local -a texts shown_texts files
	[[ $program = whittle || $program = */* ]] && (( $+commands[$program] )) || program=whittle
	for line in "${(@f)$($program completion -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
		candidate=${line%%$'\t'*}
		case $candidate in
		:file) files=(-f) ;;
		:directory) files=(-/) ;;
		'') ;;
		*)
			texts+=("$candidate")
			shown_texts+=("${candidate}  ${line#*$'\t'}")
			;;
		esac
	done
	if (( $#texts )); then
		local -a ends
		[[ ${texts[1]} = *= ]] && ends=(-S '')
		compadd -l -d shown_texts $ends -a texts
	fi
	if (( $#files )); then
		[[ $PREFIX = --*=* ]] && compset -P '*='
		_files ${files:#-f}
	fi
}

# git's own completion, and autoloading.
_git-whittle() { words=(whittle "${(@)words[2,-1]}"); _whittle "$@" }
if [[ $funcstack[1] = _whittle ]]; then
	_whittle "$@"
else
	compdef _whittle whittle git-whittle
fi
