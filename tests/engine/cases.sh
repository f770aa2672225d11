# shellcheck shell=sh
# Sourced: small cases, one directory each in $PWD/cases, in the form of bench/same-answer: INPUT (the name of the input),
# the input, test.sh.

# new_case NAME INPUT <<TEST: the input is written by the caller, to cases/NAME/INPUT
new_case() {
	mkdir -p "cases/$1"
	echo "$2" >"cases/$1/INPUT"
	{
		echo '#!/bin/sh'
		cat
	} >"cases/$1/test.sh"
	chmod +x "cases/$1/test.sh"
}

new_case json lock.json <<'END2'
awk '
	{ text = text $0 }
	END {
		braces = gsub(/{/, "{", text) - gsub(/}/, "}", text)
		lists = gsub(/\[/, "[", text) - gsub(/\]/, "]", text)
		exit !(!braces && !lists && text ~ /"p7"[ ]*:/ && text ~ /true/ && text !~ /,[ ]*[}\]]/)
	}' "$1"
END2
awk 'BEGIN {
	printf "{\n  \"packages\": {"
	for (i = 0; i < 12; i++)
		printf "%s\n    \"p%d\": { \"version\": \"%d.%d\", \"needs\": [\"p%d\", \"p%d\"], \"link\": %s }", i ? "," : "", i,
			i % 4, i % 9, (i * 3) % 12, (i * 5) % 12, i % 4 ? "false" : "true"
	printf "\n  },\n  \"lock\": 3\n}\n"
}' >cases/json/lock.json

new_case c calls.c <<'END2'
grep -q 'f5(' "$1" && awk '
	{ text = text $0 "\n" }
	END {
		exit !(gsub(/{/, "{", text) == gsub(/}/, "}", text) && gsub(/\(/, "(", text) == gsub(/\)/, ")", text) &&
			text ~ /if [^;]*{/ && text ~ /return/)
	}' "$1"
END2
awk 'BEGIN {
	for (i = 0; i < 8; i++) {
		printf "static int f%d(int a, int b)\n{\n", i
		for (j = 0; j < i % 3; j++)
			printf "\tif (a > %d) {\n\t\tb = f%d(b, a * %d); /* step %d */\n\t}\n", j, (i * 7 + j) % 8, i + j, j
		printf "\treturn a + b; // %d\n}\n\n", i
	}
}' >cases/c/calls.c

new_case lines list.txt <<'END2'
[ "$(grep -cx -e 'line 17' -e 'line 42' -e 'line 99' "$1")" = 3 ]
END2
awk 'BEGIN { for (i = 1; i <= 120; i++) print "line", i }' >cases/lines/list.txt

new_case lisp terms.lisp <<'END2'
awk '
	{ text = text $0 " " }
	END {
		for (i = 1; i <= length(text); i++) {
			c = substr(text, i, 1)
			depth += (c == "(") - (c == ")")
			if (depth < 0)
				exit 1
			deepest = depth > deepest ? depth : deepest
		}
		exit !(!depth && deepest >= 3 && text ~ /lambda/ && text ~ /[(]g4 /)
	}' "$1"
END2
awk 'BEGIN {
	for (i = 0; i < 10; i++)
		printf "(define (g%d x y)\n  (if (< x %d) (g%d y (+ x %d)) (lambda (z) (* z y)))) ; term %d\n", i, i * 3, (i + 4) % 10, i, i
}' >cases/lisp/terms.lisp
