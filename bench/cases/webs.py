"""Problems of bench/texts in which definitions need one another, in languages whose compilers are rarely there.

    webs.py LANGUAGE FILE   the test: all that is mentioned is defined, brackets match, and what needs f3 has it

A judge by names and brackets alone is the same on every machine, and takes no time.
"""

import os
import re
import sys

KINDS = {}
JUDGES = {}


def web(language, ends, definitions, mentions, head, filler, needed, end=""):
    JUDGES[language] = re.compile(definitions, re.M), re.compile(mentions)
    name, test = "web-" + language, 'python3 "%s" %s "$1"' % (os.path.abspath(__file__), language)
    KINDS[name] = dict(name=name, needs="python3", ends=ends, test=test, needed=[needed], filler=[filler], copies=60, head=head, end=end)


web("haskell", "hs", r"^(f\d+) ::|^type (C\d+)|^data (T\d+)|[=|] ([AB]\d+)\b", r"\b[fTABC]\d+\b", "module M where\nimport Data.Char (ord)\n",
    "type C@n = Int\ndata T@n = A@n Int | B@n { b@n :: C@p, n@n :: Int } deriving (Show)\n\nf@n :: C@n -> T@p -> Int\nf@n x (A@p y)\n"
    "  | x > @d = f@p x (A@p y)\n  | otherwise = sum [q * x | q <- [1 .. @d]]\nf@n x _ = w + x\n  where\n    w = @D\n\n",
    "needle = f3 1\n")
web("r", "R", r"^([fC]\d+) <-", r"\b[fC]\d+\b", "library(stats)\n",
    "C@n <- @D\nf@n <- function(x, y = @d) {\n  z <- f@p(x, y + C@p)\n  if (z > @d) {\n    return(f@p(z, y))\n  }\n"
    "  sum(sapply(1:@d, function(q) q + z))\n}\n\n", "needle(f3(1))\n")
web("jq", "jq", r"^def ([fc]\d+)\b", r"\b[fc]\d+\b", "",
    "def c@n: @D;\ndef f@n($x; y):\n  (f@p($x; y + @d)) as $z\n  | if $z > @d then f@p($z; y) else c@p end\n  | [., $z] | add;\n\n",
    "def needle: f3(1; 2);\n", "needle\n")
web("pascal", "pas", r"^function (f\d+)|^const (C\d+)", r"\b[fC]\d+\b", "program p;\n",
    "const C@n = @D;\nfunction f@n(x, y: integer): integer;\nvar\n  z: integer;\nbegin\n  z := f@p(x, y + C@p);\n  if z > @d then\n"
    "  begin\n    z := f@p(z, y);\n  end\n  else\n    z := z * @d;\n  f@n := z + y;\nend;\n\n",
    "const needle = f3;\n", "begin\nend.\n")
web("vim", "vim", r"^function! (F\d+)|^let (C\d+) =", r"\b[FC]\d+\b", "",
    "let C@n = @D\nfunction! F@n(x, y)\n  let z = F@p(a:x, a:y + C@p)\n  if z > @d\n    let z = F@p(z, a:y)\n  else\n"
    "    let z = z * @d\n  endif\n  return z\nendfunction\n\n", "call Needle(F3(1))\n")
web("graphql", "graphql", r"^(?:type|enum|interface) ([FCN]\d+)", r"\b[FCN]\d+\b", "schema { query: Needle }\n",
    "enum C@n { Z@n Y@n }\ninterface N@n { x: Int! }\ntype F@n implements N@p {\n  x: Int!\n  a(first: Int = @d): F@p\n  b: [F@p!]!\n  c: C@p\n}\n\n",
    "type Needle { needle: F3 }\n")
web("erlang", "erl", r"^(f\d+)\(|^-define\((C\d+)", r"\b[fC]\d+\b", "-module(m).\n",
    "-define(C@n, @D).\nf@n(X, Y) when X > @d ->\n    Z = f@p(X, Y + @d),\n    case f@p([Z, ?C@p | Y], Z) of\n        {ok, V} -> V + @d;\n"
    "        _ -> Z\n    end;\nf@n(X, Y) ->\n    X + Y * @d.\n\n", "needle() ->\n    f3(1, 2).\n")


def holds(language, text):
    definitions, mentions = JUDGES[language]
    defined = {next(filter(None, m.groups())) for m in definitions.finditer(text)}
    return ("f3" in map(str.lower, defined) and set(mentions.findall(text)) <= defined and re.search(r"needle.{0,12}f3", text, re.I | re.S)
            and all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}")))


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8", errors="replace") as f:
        sys.exit(0 if holds(sys.argv[1], f.read()) else 1)
