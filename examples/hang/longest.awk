# The longest chain of aliases: "alias NAME NAME" lines.
$1 == "alias" { to[$2] = $3 }
END {
	for (name in to) {
		steps = 0
		for (at = name; at in to; at = to[at])
			steps++
		if (steps > most)
			most = steps
	}
	print most + 0
}
