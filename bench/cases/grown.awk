# Input of a kind and about a size: awk -v kind=KIND -v size=SIZE -f grown.awk, for bench/growth and bench/memory. Pieces
# with numbers until it is large enough, NEEDLE after three quarters.
function piece(i,  a, b) {
	a = i * 7919 % 1000; b = int(i * 104729 % 1000003 % (i + 1))
	if (kind == "c")
		return sprintf("static int f%d(int a, int b)\n{\n\tint c%d = a + %d;\n\tif (a > b)\n\t\treturn f%d(c%d, { 1, b });\n\treturn c%d;\n}\n", i, a, a, b, a, a)
	if (kind == "js")
		return sprintf("function f%d(a,b){var c=a+%d;if(a>b)return f%d(c,[1,{x:b}]);return c}", i, a, b)
	if (kind == "py")
		return sprintf("def f%d(a, b):\n    c = a + %d\n    if a > b:\n        return f%d(c, [1, b])\n    return c\n\n", i, a, b)
	if (kind == "sh")
		return sprintf("f%d() {\n\tlocal a=\"$1\"\n\tif [ \"$a\" = %d ]; then\n\t\tf%d \"$a\" | grep -q x\n\tfi\n}\n", i, a, b)
	if (kind == "json")
		return sprintf("%s{\"id\":%d,\"name\":\"n%d\",\"tags\":[%d,{\"deep\":%d}]}", i ? "," : "[", i, a, b, a)
	if (kind == "xml")
		return sprintf("%s <item id=\"%d\">\n  <name>n%d</name><value unit=\"m\">%d</value>\n </item>\n", i ? "" : "<root>\n", i, a, b)
	if (kind == "csv")
		return sprintf("%d,name%d,%d.%d,\"text %d\",yes\n", i, a, a, b, i)
	if (kind == "log")
		return sprintf("2026-11-28 03:%02d:%02d host%d daemon[%d]: request %d took %d ms\n", i / 60 % 60, i % 60, a % 9, a, i, b)
	if (kind == "bin")
		return sprintf("%c%c%c%c%d%c", 200 + a % 50, a % 250 + 1, b % 250 + 1, 7, i, 255)
	return sprintf("%s%d", i ? "," : "[", a)
}
BEGIN {
	for (i = n = 0; n < size; i++) {
		s = piece(i)
		if (!done && n > size * 3 / 4) { printf "%s", kind == "list" ? ",\"NEEDLE\"" : "NEEDLE\n"; done = 1 }
		printf "%s", s
		n += length(s)
	}
	if (kind == "json" || kind == "list") print "]"
	if (kind == "xml") print "</root>"
}
