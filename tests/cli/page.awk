# Makes a shell script of a manual page, which does what the page says. Marks in comments of the page say what a block is:
#
#   .\" file NAME      the next block (.nf to .fi) is the content of NAME; with "#!" first it can be executed
#   .\" hidden NAME    so are the lines .\"| that follow; not shown to the reader; bin/ is in PATH
#   .\" prepare CMD    runs CMD, unseen
#   .\" needs PROGRAM  the section is left out where PROGRAM is not installed
#   .\" run            the next block is typed: lines with "$ "; the others, a part of what is printed, in this order
#   .\" typed          each line of the next block is typed
#   .\" begin TITLE    what follows begins in an empty directory, as a section does
#   .\" WORD: NAME     the next block is run by a test of its own (tests/cli/displays)
#
# A section (.SS) begins in an empty directory. A block (.nf, .EX, .Bd) without a mark is a mistake of the page.
function plain(s) {
	sub(/^\\&/, "", s)
	gsub(/\\-/, "-", s)
	gsub(/\\\(aq/, "'", s)
	gsub(/\\e/, "\\", s)
	return s
}
function close_file() {
	if (open) {
		print "END_OF_FILE"
		if (executable)
			print "chmod +x '" name "'"
	}
	open = 0
}
function put(line) {
	if (!open) {
		print "put '" name "' <<'END_OF_FILE'"
		open = 1
		executable = line ~ /^#!/
	}
	print line
}
function say(line) { # a command may end in a backslash, or be a here-document of the lines up to END
	if (line ~ /^\$ /) {
		commands = commands substr(line, 3) "\n"
		goes_on = line ~ /\\$/
		n_commands++
	} else if (goes_on || line ~ /^> /) {
		sub(/^> /, "", line)
		commands = commands line "\n"
		goes_on = line ~ /\\$/
	} else
		expected = expected line "\n"
}
function play() {
	if (!n_commands) {
		print "page_is_wrong 'nothing is typed in a block of \"" title "\"'"
		return
	}
	printf "cat >\"$play\" <<'END_OF_FILE'\n%sEND_OF_FILE\n", commands
	printf "cat >\"$expected\" <<'END_OF_FILE'\n%sEND_OF_FILE\nplay\n", expected
	commands = expected = ""
	n_commands = goes_on = 0
}
/^\.\\"\| ?/ { sub(/^\.\\"\| ?/, ""); put($0); next }
{ if (mark == "hidden") { close_file(); mark = "" } }
/^\.\\" begin / { title = substr($0, 11); gsub(/'/, "", title); print "section '" title "'"; next }
/^\.SS / { title = substr($0, 5); gsub(/'/, "", title); print "section '" title "'" }
/^\.\\" [a-z]+: / { mark = "elsewhere"; next }
/^\.\\" (file|hidden|run|typed|needs|prepare)/ {
	mark = $2
	name = $3
	if (mark == "needs")
		print "needs " name
	if (mark == "prepare") {
		sub(/^\.\\" prepare /, "")
		print "prepare '" $0 "'"
	}
	if (mark == "needs" || mark == "prepare")
		mark = ""
	next
}
/^\.(fi|EE|Ed)/ {
	if (mark == "file")
		close_file()
	if (mark == "run" || mark == "typed")
		play()
	inside = 0
	mark = ""
	next
}
inside && /^\.R[SE]/ { next }
inside && mark == "file" { put(plain($0)) }
inside && mark == "typed" { sub(/^ +/, ""); say("$ " plain($0)) }
inside && mark == "run" { say(plain($0)) }
/^\.SH / { in_synopsis = /^\.SH SYNOPSIS/ }
/^\.(nf|EX|Bd)/ {
	inside = 1
	if (mark == "" && !in_synopsis)
		print "page_is_wrong 'a block of \"" title "\" has no mark'"
}
