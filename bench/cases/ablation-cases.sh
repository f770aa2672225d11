# Sourced after tests/engine/cases.sh: three more small cases in $PWD/cases, for what only trees and binaries have.
# shellcheck shell=sh

new_case tree proj <<'TEST'
set -- proj/src/main.c
	for name in $(sed -n 's/^#include "\(.*\)"$/\1/p' "$1"); do
		[ -e "proj/include/$name" ] || exit 1
	done
	[ -e proj/run.sh ] && [ -L proj/link ] && [ -e proj/link ] && cat "$1" proj/include/first.h 2>/dev/null |
		grep -q needle && grep -q KEEP "$1"
TEST
mkdir -p cases/tree/proj/src cases/tree/proj/include
for i in 1 2 3 4 5 6 7 8 9; do
	mkdir -p cases/tree/proj/doc/part$i/more
	for name in one two more/three more/four; do
		seq $i 9 >cases/tree/proj/doc/part$i/$name
	done
done
for i in 1 2 3 4 5 6; do
	{ echo "#include \"part$i.h\""; seq 9; } >cases/tree/proj/src/file$i.c
	seq 5 >cases/tree/proj/include/part$i.h
done
printf '#include "first.h"\n#include "third.h"\nint main(void) { return KEEP; }\n' >cases/tree/proj/src/main.c
echo '#define KEEP needle' >cases/tree/proj/include/first.h
echo 'int third;' >cases/tree/proj/include/third.h
ln -s src/main.c cases/tree/proj/link
echo exit >cases/tree/proj/run.sh
chmod 755 cases/tree/proj/run.sh

# A header of eight bytes, the third no smaller than 7, the last zero; behind it records, each a length and so many bytes. One
# with a "Z" is wanted.
new_case binary records.bin <<'TEST'
od -An -v -tu1 "$1" | tr -s ' ' '\n' | awk '
	/./ { byte[n++] = $1 }
	END {
		for (at = 8; at < n; at += byte[at] + 1)
			for (i = 1; i <= byte[at]; i++)
				found += byte[at + i] == 90
		exit 1 - (n > 8 && byte[2] > 6 && !byte[7] && found && at == n)
	}'
TEST
awk 'BEGIN {
	printf "RECS\001\002%c%c", 255, 0
	for (i = 1; i < 40; i++) {
		printf "%c", i % 9 + 1
		for (j = 0; j <= i % 9; j++)
			printf "%c", i == 23 && j == 3 ? 90 : 100 + (i * 7 + j * 11) % 100
	}
}' >cases/binary/records.bin

# A container: behind its head twelve parts, and behind them a table that the head points at, of each part its offset and its
# size, words of four bytes. A part with a "Z" is wanted.
new_case container parts.bin <<'TEST'
od -An -v -tu4 "$1" | tr -s ' ' '\n' | awk '
	/./ { word[n++] = $1 }
	END {
		table = word[1] / 4
		fine = word[0] == 1414418243 && word[1] % 4 == 0 && table > 1 && table + 24 <= n
		for (i = 0; fine && i < 12; i++) {
			at = word[table + 2 * i]
			end = at + word[table + 2 * i + 1]
			fine = at >= 8 && end >= at && end <= word[1]
			for (k = int(at / 4); fine && k < end / 4; k++)
				found += word[k] == 1515870810
		}
		exit !(fine && found)
	}'
TEST
awk 'function number(n) { printf "%c%c%c%c", n % 256, int(n / 256), 0, 0 }
BEGIN {
	printf "CONT"
	at = 12
	for (i = 0; i < 12; i++) {
		offset[i] = at
		size[i] = 40 + i * 52 % 144
		at += size[i]
	}
	number(at)
	printf "rest"
	for (i = 0; i < 12; i++)
		for (k = 0; k < size[i]; k++)
			printf "%c", (i == 7 && k >= 16 && k < 20 ? 90 : 33 + (i * 7 + k * 11) % 50)
	for (i = 0; i < 12; i++) {
		number(offset[i])
		number(size[i])
	}
}' >cases/container/parts.bin
