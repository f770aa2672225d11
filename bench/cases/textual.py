"""Problems of bench/texts that the reducer was improved with."""

KINDS = {}


def kind(name, needs, ends, test, needed, filler, copies, **more):
    words = dict(name=name, needs=needs, ends=ends, test=test, needed=needed, filler=filler, copies=copies)
    KINDS[name] = {**words, **more}


kind(
    "awk", "gawk", "awk",
    """gawk -f "$1" </dev/null 2>&1 | grep -q 'attempt to use scalar parameter .* as an array'""",
    [
        "function store(table, key, value)\n{\n\tif (key in table)\n\t\ttable[key]++\n\telse\n\t\ttable[key] = value\n}\n\n",
        "function each(list, n, what,   i) {\n\tfor (i = 1; i <= n; i++) {\n\t\tif (what == \"sum\")\n\t\t\tstore(list[i], what, i)\n\t}\n}\n\n",
        "BEGIN {\n\tn = split(\"a b c\", list, / /)\n\tmode = (n > 2) ? \"sum\" : \"none\"\n\teach(list, n, mode)\n}\n",
    ],
    [
        "# Returns @w of the given @w.\nfunction @w@n(a, b,    i, out)\n{\n\tout = \"\"\n\tfor (i = 1; i <= @d; i++) {\n\t\tif (a ~ /^[a-z]+@d$/)\n\t\t\tcontinue\n\t\tout = out substr(a, i, @d) sprintf(\"%d-%s\", i, b)\n\t}\n\treturn out\n}\n\n",
        "/@w/ && NF > @d { seen@n[$1]++; total += $@d * @D; next }\n",
        "END {\n\twhile ((\"echo @w\" | getline line) > 0)\n\t\tprint line, @D > \"/dev/null\"\n\tclose(\"echo @w\")\n}\n\n",
        "BEGIN {\n\tdo {\n\t\tx@n += @d\n\t} while (x@n < @D)\n\tgsub(/[@w]/, \"&&\", text@n); delete list@n\n}\n",
    ],
    40,
)

kind(
    "tcl", "tclsh", "tcl",
    """out=$(tclsh "$1" 2>&1 </dev/null)
echo "$out" | grep -q 'variable is array' && echo "$out" | grep -q '(procedure'""",
    [
        "namespace eval store {\n    variable items\n    array set items {one 1 two 2}\n}\n\n",
        "# Sums up what is stored.\nproc store::sum {names} {\n    variable items\n    set total 0\n    foreach name $names {\n        if {[info exists items($name)]} {\n            incr total $items($name)\n        } else {\n            set items $total\n        }\n    }\n    return $total\n}\n\n",
        "if {[catch {store::sum {one two three}} message options]} {\n    puts stderr [dict get $options -errorinfo]\n    exit 1\n}\n",
    ],
    [
        "proc @w@n {a {b @d} args} {\n    set result [list]\n    for {set i 0} {$i < $b} {incr i} {\n        lappend result [string range $a $i end] \"@w-$i\"\n    }\n    return [join $result \"@w\"]\n}\n\n",
        "namespace eval @w@n {\n    variable count @D\n    proc next {} {\n        variable count\n        incr count @d\n        return [expr {$count * @d + [string length \"@w\"]}]\n    }\n}\n\n",
        "set table@n(@w) [clock format @D -gmt 1]\nset table@n(@w) [lsort -integer {@D @D @D}]\n",
        "switch -glob -- [lindex {@w @w @w} @d] {\n    @w* {\n        set state@n \"@w\"\n    }\n    default { set state@n {} }\n}\n",
    ],
    40,
)

kind(
    "prolog", "swipl", "pl",
    """swipl -q -g main -t halt "$1" 2>&1 </dev/null | grep -A1 'maplist_/2: Unknown procedure' |
grep -q 'However, there are definitions for'""",
    [
        "% owner(?Thing, ?Person)\nowner(Thing, Person) :-\n    has(Person, List),\n    member(Thing, List).\n\n",
        "has(peter, [book, lamp]).\nhas(mary, [cup]).\n\n",
        "report(Things) :-\n    forall(member(Thing, Things),\n           ( owner(Thing, Person),\n             format(\"~w ~w~n\", [Thing, Person])\n           )),\n    maplist(owner(lamp, mary), [peter, X]),\n    X \\== peter.\n\n",
        "main :-\n    catch(setup, _, true),\n    report([book, lamp]),\n    !.\nmain :- halt(1).\n\nsetup :- nb_setval(count, 0).\n\n",
    ],
    [
        "@w@n([], Acc, Acc).\n@w@n([H|T], Acc0, Acc) :-\n    (   H > @D\n    ->  Acc1 is Acc0 + H * @d\n    ;   Acc1 = Acc0\n    ),\n    @w@n(T, Acc1, Acc).\n\n",
        "item@n(@w, @D, \"@w @w\").\nitem@n(@w, @D, 'A@w').\n",
        "%!  @w@n(+Codes)// is det.\nrule@n(X) --> [C], { code_type(C, digit(W)) }, rest@n(W, X).\nrest@n(W, X) --> \"@w\", !, { X is W + @d }.\nrest@n(W, W) --> [].\n\n",
        ":- dynamic fact@n/@d.\n",
    ],
    40,
)

kind(
    "m4", "m4", "m4",
    """m4 -L500 "$1" 2>&1 >/dev/null </dev/null | grep -q 'recursion limit of 500 exceeded'""",
    [
        "define(`_rest', `shift($@)')dnl\n",
        "define(`_walk', `ifelse(`$#', `1', `_item(`$1')', `_item(`$1')`'_walk(_rest($@))')')dnl\n",
        "define(`_item', `ifelse(len(`$1'), `0', `_empty(_walk(`', `$1'))', `[$1]')')dnl\n",
        "pushdef(`_empty', `<$1>')dnl\n",
        "The list: _walk(`a', `b', `c', `')\n",
    ],
    [
        "# @w @w\ndefine(`@w_@n', `ifelse(eval($1 > @D), `1', `incr($1)', `$2-@w')')dnl\n",
        "ifdef(`@w_@p', `Text @w of @D', `Other: translit(`@w', `a-z', `A-Z')')\n",
        "pushdef(`tmp@n', substr(`@w@w', `@d'))tmp@n popdef(`tmp@n')dnl\n",
        "divert(@d)dnl\nsection @D: index(`@w', `e') format(`%05d', `@D')\ndivert(0)dnl\n",
    ],
    80, head="changecom(`/*', `*/')dnl\n",
)

kind(
    "bison", "bison", "y",
    """bison -o grammar.c "$1" 2>&1 | grep -q 'type clash on default action: <[a-z]*> != <[a-z]*>'""",
    [
        "entry\n    : word\n    | pair\n    | '(' list ')' { $$ = $2; }\n    ;\n\n",
        "pair\n    : WORD '=' number { $$ = couple($1, $3); }\n    ;\n\nword: WORD { $$ = $1; } | word '.' WORD { $$ = join($1, $3); };\n\n",
        "number\n    : NUMBER\n    | '-' number %prec UMINUS { $$ = -$2; }\n    ;\n\n",
    ],
    [
        "rule@n\n    : %empty { count = 0; }\n    | rule@n WORD ';' {\n        if ($2 == 0)\n            YYERROR;\n        count = @D; /* @w */\n    }\n    | '[' NUMBER ']' word { count += @d; }\n    | error ';' { yyerrok; }\n    ;\n\n",
        "// @w @w\nthing@n: word '@d' | thing@n '+' thing@n ;\n\n",
    ],
    30,
    head="%{\n#include <stdio.h>\nint yylex(void), count;\nvoid yyerror(const char *s);\n%}\n\n%define parse.error verbose\n%expect 99\n%union {\n    int number;\n    char *text;\n    struct node *node;\n}\n\n"
    "%token <text> WORD \"word\"\n%token <number> NUMBER\n%left '+' '-'\n%precedence UMINUS\n%type <node> list pair entry\n%type <text> word\n%type <number> number\n%start list\n\n%%\n\nlist\n    : entry { $$ = $1; }\n    | list ',' entry { $$ = append($1, $3); }\n    ;\n\n",
    end="%%\n\nvoid yyerror(const char *s)\n{\n    fprintf(stderr, \"%s\\n\", s);\n}\n",
)

kind(
    "postscript", "gs", "ps",
    """gs -q -dNODISPLAY -dBATCH -dNOPAUSE "$1" 2>&1 </dev/null | grep -q 'Error: /rangecheck in --putinterval--'""",
    [
        "/buffer 8 string def\n", "/append { % position string -> position\n    2 copy length add 3 1 roll\n    buffer 3 1 roll putinterval\n} bind def\n\n",
        "/texts [ (one) (three) (seven) (eleven) ] def\n\n",
        "/main {\n    0\n    texts {\n        dup length 3 gt {\n            append\n        } {\n            pop\n        } ifelse\n    } forall\n    pop\n} def\n\n", "/Setup 12 dict dup begin\n    /level 2 def\n    /run { level 1 gt { main } if } def\nend def\n\nSetup /run get Setup begin exec end\n",
    ],
    [
        "/@w@n {\n    gsave\n    @D @D moveto\n    0 @d @D { dup @d mul exch @d sub lineto } for\n    closepath\n    0.@d setgray fill\n    grestore\n} bind def\n\n",
        "% @w @w\n/Table@n <<\n    /@w @D\n    /@w (@w \\(@d\\))\n    /@w [ @d @d @D ]\n>> def\n\n",
        "/proc@n { dup null eq { pop @D } { cvi @d mod } ifelse } def\n@D proc@n pop\n",
    ],
    50, head="%!PS-Adobe-3.0\n%%Title: made\n%%EndComments\n",
)

kind(
    "groff", "groff", "1",
    """groff -t -man -ww -Tascii "$1" 2>&1 >/dev/null | grep -q 'table wider than line'""",
    [
        ".de EX2\n.nf\n.ft CW\n..\n", ".SH TABLES\nThe values are in this table:\n.PP\n.RS 4n\n.TS\ntab(;) box;\nlb lb lb\nl l l.\nName;Value;Meaning\n_\nalpha;1;the first letter of the alphabet, which has twenty-four letters in all\nbeta;2;T{\nthe second one\nT}\ngamma;3;and this one is the third of them, as everybody knows who has learnt it\n.TE\n.RE\n",
    ],
    [
        ".TP\n\\fB\\-\\-@w@n\\fR=\\fI@w\\fR\nUse the @w of the @w, at most @D bytes.\nThis is the same as\n.B \\-@d\nand\n.BR @w (@d).\n",
        ".SH @w @n\n.PP\nSome \\fI@w\\fP is \"@w\" and \\(lq@w\\(rq; see\n.UR https://example.org/@w/@D\nthe page\n.UE .\n",
        ".nf\n.RS\n$ @w \\-\\-@w @D | @w\n.RE\n.fi\n.\\\" @w @w\n",
        ".IP \\(bu @d\n@w @w @w @w @D @w @w.\n.if n .sp\n",
    ],
    80, head=".TH MADE 1 \"2020-01-01\" \"made\"\n.SH NAME\nmade \\- a page\n",
)

kind(
    "po", "msgfmt", "po",
    """msgfmt -c -o /dev/null "$1" 2>&1 | grep -q "number of format specifications in 'msgid_plural' and 'msgstr\\[1\\]' does not match\"""",
    ["#: src/count.c:17\n#, c-format\nmsgid \"%d file of %s\"\nmsgid_plural \"%d files of %s\"\nmsgstr[0] \"%d Datei von %s\"\nmsgstr[1] \"%d Dateien\"\n\n"],
    [
        "#. @w @w\n#: src/@w.c:@D src/@w.c:@D\nmsgid \"The @w of @w@n\"\nmsgstr \"Der @w von @w\"\n\n",
        "#: src/@w.c:@D\n#, c-format\nmsgid \"\"\n\"@n: cannot open '%s':\\n\"\n\"error %d\"\nmsgstr \"\"\n\"@n: kann '%s' nicht öffnen:\\n\"\n\"Fehler %d\"\n\n",
        "msgctxt \"@w@n\"\nmsgid \"@w\"\nmsgstr \"@w\"\n\n",
    ],
    80, head="msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: made 1.0\\n\"\n\"PO-Revision-Date: 2020-01-01 00:00+0000\\n\"\n\"Last-Translator: A <a@example.org>\\n\"\n\"Language-Team: de <de@example.org>\\n\"\n\"Language: de\\n\"\n\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n",
)

kind(
    "bc", "bc", "bc",
    """bc -l "$1" 2>&1 </dev/null | grep -q 'Runtime error (func=[a-z]*, adr=[0-9]*): Divide by zero'""",
    [
        "define f(x) {\n    auto i, s\n    s = 0\n    for (i = 0; i < 4; i++) {\n        if (x % 2 == 1) s += g(i, x)\n        x = x + 1\n    }\n    return (s)\n}\n\n",
        "define g(a, b) {\n    if (a > b) return (0);\n    h[a] = b - 3\n    return (k(h[]) / h[a])\n}\n\n",
        "define k(z[]) {\n    auto j\n    j = 0\n    while (j < 3) j += 1\n    return (j)\n}\n\n",
        "scale = 0\nf(1)\n",
    ],
    [
        "/* @w @w */\ndefine l(x) {\n    auto a, b\n    a = @D\n    b = x ^ @d\n    if (a < b) {\n        return (a * @d)\n    } else {\n        return (b - @d)\n    }\n}\n\n",
        "m = @D * (@d + n)\nprint \"@w\", m, \"\\n\"\n",
        "for (i = 0; i < @d; i++) {\n    t[i] = i * @D # @w\n}\n",
        "scale = @d\nsqrt(@D) / @d\n",
    ],
    80,
)

kind(
    "devicetree", "dtc", "dts",
    """dtc -I dts -O dtb -o /dev/null "$1" 2>&1 | grep -q 'interrupts_property.*expected multiple'""",
    [
        "\tgic: interrupt-controller@2c001000 {\n\t\tcompatible = \"arm,gic-400\";\n\t\t#interrupt-cells = <3>;\n\t\t#address-cells = <0>;\n\t\tinterrupt-controller;\n\t\treg = <0x2c001000 0x1000>, <0x2c002000 0x2000>;\n\t};\n\n",
        "\tsoc {\n\t\tcompatible = \"simple-bus\";\n\t\tinterrupt-parent = <&gic>;\n\t\t#address-cells = <1>;\n\t\t#size-cells = <1>;\n\t\tranges;\n\n\t\ttimer0: timer@1000 {\n\t\t\tcompatible = \"arm,sp804\";\n\t\t\treg = <0x1000 0x100>;\n\t\t\tinterrupts = <0 8 4 1>;\n\t\t\tstatus = \"okay\";\n\t\t};\n\t};\n\n",
    ],
    [
        "\t@w@n: @w@@D {\n\t\tcompatible = \"made,@w\", \"made,@w-@d\";\n\t\treg = <0x@D 0x@D>;\n\t\tclocks = <&clock 0x@d>;\n\t\tstatus = \"disabled\"; /* @w */\n\n\t\t@w-map {\n\t\t\tlabel = \"@w\";\n\t\t\tvalue = [0@d 1@d 2@d];\n\t\t};\n\t};\n\n",
        "\t@w-@n {\n\t\t// @w\n\t\tgpios = <&clock @d>;\n\t\tlinux,@w = <@D>;\n\t\t@w-enabled;\n\t};\n\n",
    ],
    40, head="/dts-v1/;\n\n/ {\n\tmodel = \"made\";\n\t#address-cells = <1>;\n\t#size-cells = <1>;\n\n\tclock: clock {\n\t\tcompatible = \"fixed-clock\";\n\t\t#clock-cells = <1>;\n\t};\n\n", end="};\n\n&timer0 {\n\tlabel = \"tick\";\n};\n",
)

kind(
    "cmake", "cmake", "cmake",
    """out=$(cmake -P "$1" 2>&1)
echo "$out" | grep -q 'divide by zero' && echo "$out" | grep -q 'Call Stack'""",
    [
        "function(share total parts out)\n  if(NOT DEFINED parts)\n    set(parts 0)\n  endif()\n  math(EXPR value \"${total} / ${parts}\")\n  set(${out} ${value} PARENT_SCOPE)\nendfunction()\n\n",
        "macro(count_all list out)\n  list(LENGTH ${list} ${out})\nendmacro()\n\n",
        "set(names a b c)\ncount_all(names many)\nforeach(step RANGE 3)\n  math(EXPR left \"${many} - ${step}\")\n  share(100 ${left} result)\n  list(APPEND results ${result})\nendforeach()\n",
    ],
    [
        "# @w\nfunction(@w_@n name)\n  cmake_parse_arguments(ARG \"QUIET\" \"@w\" \"@w\" ${ARGN})\n  if(name STREQUAL \"@w\" OR ARG_QUIET)\n    message(STATUS \"${name}: @D\")\n  elseif(name MATCHES \"^@w\")\n    return()\n  endif()\n  string(TOUPPER \"${name}\" upper_@n)\nendfunction()\n\n",
        "set(@w_@n \"@w\" @D \"${CMAKE_VERSION}/@w\")\nlist(SORT @w_@n)\n",
        "foreach(x IN ITEMS @w @w @w)\n  string(REPLACE \"e\" \"@d\" y \"${x}\")\nendforeach()\n",
    ],
    50, head="cmake_minimum_required(VERSION 3.10)\n",
)

kind(
    "jq", "jq", "jq",
    """jq -n -f "$1" 2>&1 </dev/null | grep -q 'cannot be added'""",
    [
        "def pairs(f): [.[] | {key: .name, value: f}];\n\n",
        "def merge(g): reduce g as $x ({}; . + {($x.key): $x.value});\n\n",
        "def total: to_entries | map(.value) | add;\n\n",
        "def people: [\n  {name: \"ann\", age: 31, tags: [\"a\", \"b\"]},\n  {name: \"bob\", age: 44, tags: [\"c\"]},\n  {name: \"cid\", age: null, tags: []}\n];\n\n",
    ],
    [
        "# @w @w\ndef @w@n: if type == \"number\" then . * @d elif . == null then \"@w\" else tostring | length end;\n\n",
        "def @w@n($a; f):\n  [limit(@d; range($a; @D))]\n  | map(select(. % @d == 0) | f)\n  | {\"@w\": ., @w: (first // @D)};\n\n",
        "def @w@n: try (split(\"@w\") | .[@d:] | join(\",\")) catch \"@w\";\n\n",
    ],
    40, end="people\n| (pairs(.age) | merge(.[]) | total) as $sum\n| (pairs(.tags) | merge(.[]) | total) as $all\n| if $sum > 50 then {sum: $sum, all: ($all | . + {count: length})} else empty end\n",
)


# Programs that must do the same on a few inputs.

kind(
    "awk-does", "gawk", "awk",
    """for x in 'abc:cba' 'hello:olleh' 'no:on' 'x:x' 'kayak1:1kayak'; do
test "$(echo "${x%:*}" | gawk -f "$1" 2>&1)" = "${x#*:}" || exit 1
done""",
    [
        "function part(text, from, count)\n{\n\treturn substr(text, from, count)\n}\n\n",
        "function turn(text,    i, out, size)\n{\n\tout = \"\"\n\tsize = length(text)\n\tfor (i = size; i >= 1; i--) {\n\t\tout = out part(text, i, 1)\n\t}\n\treturn out\n}\n\n",
        "NF > 0 && !skip {\n\tlines[NR] = turn($0)\n\tif (lines[NR] != \"\") {\n\t\tprintf(\"%s\\n\", lines[NR])\n\t}\n}\n\n",
    ],
    [f for f in KINDS["awk"]["filler"] if "next" not in f and "do {" not in f],
    30,
)

kind(
    "tcl-does", "tclsh", "tcl",
    """for x in '12 18:6' '7 5:1' '100 75:25' '9 9:9' '8 4:4'; do
set -- "$1" ${x%:*} "${x#*:}"
test "$(tclsh "$1" "$2" "$3" 2>&1 </dev/null)" = "$4" || exit 1
done""",
    [
        "proc check {value} {\n    if {![string is integer -strict $value]} {\n        error \"not a number: $value\"\n    }\n    return $value\n}\n\n",
        "namespace eval numbers {\n    variable calls 0\n    proc gcd {a b} {\n        variable calls\n        incr calls\n        while {$b != 0} {\n            set rest [expr {$a % $b}]\n            set a $b\n            set b $rest\n        }\n        return $a\n    }\n    namespace export gcd\n}\n\n",
        "proc main {arguments} {\n    set first [check [lindex $arguments 0]]\n    set second [check [lindex $arguments 1]]\n    puts [numbers::gcd $first $second]\n}\n\nmain $argv\n",
    ],
    KINDS["tcl"]["filler"],
    30,
)

kind(
    "prolog-does", "swipl", "pl",
    """test "$(swipl -q -g "forall(member(X,[[],[a],[a,b],[c,a,b],[b,a,c,d]]),(turn(X,Y),print(Y),nl)),halt" "$1" 2>/dev/null </dev/null)" = '[]
[a]
[b,a]
[b,a,c]
[d,c,a,b]'""",
    [
        "%!  turn(+List, -Turned) is det.\nturn(List, Turned) :-\n    is_list(List),\n    valid(List),\n    !,\n    turn(List, [], Turned).\nturn(List, _) :-\n    throw(error(type_error(list, List), _)).\n\n",
        "turn(List, Done, Turned) :-\n    (   List = [Head|Tail]\n    ->  push(Head, Done, More),\n        turn(Tail, More, Turned)\n    ;   Turned = Done\n    ).\n\n",
        "push(Item, List, [Item|List]).\n\nvalid([]).\nvalid([Item|List]) :-\n    ground(Item),\n    valid(List).\n\n",
    ],
    KINDS["prolog"]["filler"],
    30,
)

kind(
    "jq-does", "jq", "jq",
    """for x in '[1,2,3]:6' '[]:0' '[5,[1,2]]:8' '[[[4]],1]:5' '7:7'; do
test "$(echo "${x%:*}" | jq -f "$1" 2>&1)" = "${x#*:}" || exit 1
done""",
    [
        "def plus(a; b): a as $a | b as $b | $a + $b;\n\n",
        "def flat:\n  if type == \"array\" then\n    reduce (.[] | flat) as $part ([]; plus(.; $part))\n  else\n    [.]\n  end;\n\n",
        "def sum: . as $list | {total: 0, at: 0} | until(.at >= ($list | length); .total += $list[.at] | .at += 1) | .total;\n\n",
    ],
    KINDS["jq"]["filler"],
    30, end="flat as $numbers\n| if ($numbers | type) == \"array\" then $numbers | sum else error(\"none\") end\n",
)

kind(
    "m4-does", "m4", "m4",
    """for x in 'a,b,c:c,b,a' 'x:x' 'a,b:b,a' 'd,a,c,b:b,c,a,d'; do
test "$({ cat "$1"; echo "turn(${x%:*})"; } | m4 2>/dev/null | tr -d ' \\n')" = "${x#*:}" || exit 1
done""",
    [
        "define(`first', `$1')dnl\n",
        "define(`others', `shift($@)')dnl\n",
        "define(`turn', `ifelse(eval(`$# > 1'), `1', `pushdef(`head', `first($@)')turn(others($@)), head`'popdef(`head')', `first($@)')')dnl\n",
    ],
    ["# @w @w\ndefine(`@w_@n', `ifelse(eval($1 > @D), `1', `incr($1)', `$2-@w')')dnl\n" .replace("# @w @w\n", "dnl @w @w\n"),
     "ifdef(`@w_@p', `define(`t@n', `@w of @D')', `define(`t@n', translit(`@w', `a-z', `A-Z'))')dnl\n",
     "divert(-1)\nsection @D: index(`@w', `e') format(`%05d', `@D')\ndivert(0)dnl\n"],
    60,
)

kind(
    "sed-does", "sed", "sed",
    """for x in 'abc:cba' 'hello:olleh' 'no:on' 'x:x' 'kayak1:1kayak'; do
test "$(echo "${x%:*}" | sed -f "$1" 2>&1)" = "${x#*:}" || exit 1
done""",
    [
        "# Puts a mark in front.\ns/^/\\n/\n",
        ":turn\n/\\n$/ {\n    b done\n}\n\n", "s/^\\(.*\\)\\n\\([a-z0-9]\\)\\(.*\\)$/\\2\\1\\n\\3/\nt turn\n", ":done\nh\ns/\\n$//\nx\ng\n",
    ],
    ["# @w @w\n/^@w @w@d/ {\n    s/@w/@w/g\n    y/ABC/DEF/\n    n\n}\n", "/@w=\\([0-9]*\\)@D/s//@w \\1 @d/\n",
     "/^#@n/b end@n\ns/@w@D$/& @w/\n:end@n\n", "@D{\n    i\\\n@w @w\n}\n", "/@w@w/,/@w@d/!s/@w@n//\n"],
    50,
)

kind(
    "postscript-does", "gs", "ps",
    """test "$(gs -q -dNODISPLAY -dBATCH -dNOPAUSE "$1" -c '12 18 gcd = 7 5 gcd = 100 75 gcd = 9 9 gcd = (a) show1 (bc) show1' 2>/dev/null </dev/null)" = '6
1
25
9
<a>
<bc>'""",
    [
        "/Tools 20 dict def\nTools begin\n    /calls 0 def\n    /count { /calls calls 1 add store } def\nend\n\n",
        "/rest { % a b -> b a%b\n    dup 3 1 roll mod\n} bind def\n\n",
        "/gcd {\n    Tools begin\n    count\n    {\n        dup 0 eq { pop exit } if\n        rest\n    } loop\n    end\n} def\n\n",
        "/wrap {\n    /text exch def\n    /out text length 2 add string def\n    out 0 (<) putinterval\n    out 1 text putinterval\n    out text length 1 add (>) putinterval\n    out\n} def\n\n/show1 { dup length 0 gt { wrap print (\\n) print } { pop } ifelse } def\n\n",
    ],
    KINDS["postscript"]["filler"],
    30, head="%!PS-Adobe-3.0\n",
)
