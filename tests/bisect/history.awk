# Writes a history of SIZE commits (unset: 20 to 40) as a stream for `git fast-import`: awk -v seed=N -v shape=SHAPE [-v size=SIZE] -f this.
#
# prog says "boom" about a file with "crash" in it from the commit "culprit" on. Shapes:
#     linear
#     merges         side branches of one to four commits, the culprit anywhere
#     unbuildable    merges, and stretches with a file "broken" in the tree, which may hide the culprit
#     crashing       merges, and a stretch in which prog crashes on any file
#     masked         merges, and after the culprit a stretch in which prog does not get as far as the bug
#     noisy          merges, and a stretch in which it says "bang" about another line of the file
#     forked         merges, and a good end that is no ancestor of the bad one
#     contradictory  the same, and the fork is bad: the bug was mended on the good side
# Refs: tags good, bad, culprit.
function below(n) { return int(rand() * n) }

function commit(a, b) {
	n++
	parent[n] = a
	other[n] = b
	return n
}

# A branch of side commits from FROM; its tip.
function side(from, length_, tip, i) {
	tip = from
	for (i = 0; i < length_; i++)
		tip = commit(tip, 0)
	return tip
}

function shape_history(size, main, from) {
	main = commit(0, 0)
	line[lines++] = main
	while (n < size) {
		if (shape != "linear" && rand() < 0.3) {
			from = line[below(lines)]
			main = commit(main, side(from, 1 + below(4)))
		} else
			main = commit(main, 0)
		line[lines++] = main
	}
	return main
}

# Marks a stretch of commits, never an end.
function stretch(marks, i, from, to) {
	from = 2 + below(n - 6)
	to = from + 1 + below(n < 100 ? 5 : n / 10)
	for (i = from; i <= to && i < bad; i++)
		if (i != good)
			marks[i] = 1
}

function write_commit(i, prog) {
	prog = "# version " i "\n"
	if (dead[i])
		prog = prog "kill -SEGV $$\n"
	if (masked[i])
		prog = prog "exit 0\n"
	if (noise[i])
		prog = prog "grep -q other \"$1\" && echo bang\n"
	if (bug[i])
		prog = prog "grep -q crash \"$1\" && echo boom\n"
	prog = prog "exit 0\n"
	printf "commit refs/heads/main\nmark :%d\ncommitter t <t@localhost> %d +0000\ndata <<E\nchange %d\nE\n", i, 1700000000 + 60 * i, i
	if (parent[i])
		printf "from :%d\n", parent[i]
	if (other[i])
		printf "merge :%d\n", other[i]
	printf "deleteall\nM 100644 inline prog\ndata <<E\n%sE\n", prog
	if (broken[i])
		printf "M 100644 inline broken\ndata <<E\nyes\nE\n"
	print ""
}

BEGIN {
	srand(seed)
	bad = shape_history(size ? size : 20 + below(20))
	good = 1
	do
		culprit = 2 + below(n - 2)
	while (culprit == bad || !reaches(culprit))
	if (shape == "unbuildable") {
		stretch(broken)
		stretch(broken)
	}
	if (shape == "crashing")
		stretch(dead)
	if (shape == "masked")
		for (i = culprit; i <= culprit + n / 8 && i < bad; i++)
			masked[i] = 1
	if (shape == "noisy")
		stretch(noise)
	if (shape == "forked" || shape == "contradictory") {
		fork_ = shape == "forked" ? 1 : culprit
		for (i = 0; i < lines; i++)
			if (shape == "forked" && line[i] < culprit)
				fork_ = line[i]
		good = side(fork_, 3)
	}
	for (i = 1; i <= n; i++)
		bug[i] = i == culprit || bug[parent[i]] || other[i] && bug[other[i]]
	if (shape == "contradictory")
		bug[good] = 0
	for (i = 1; i <= n; i++)
		write_commit(i)
	printf "reset refs/heads/main\nfrom :%d\n\nreset refs/tags/bad\nfrom :%d\n\nreset refs/tags/good\nfrom :%d\n\nreset refs/tags/culprit\nfrom :%d\n\n", bad, bad, good, culprit
}

# Is commit I an ancestor of the bad end?
function reaches(i, j) {
	split("", seen)
	seen[bad] = 1
	for (j = n; j >= 1; j--)
		if (seen[j]) {
			seen[parent[j]] = 1
			if (other[j])
				seen[other[j]] = 1
		}
	return seen[i]
}
