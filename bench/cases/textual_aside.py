"""Problems of bench/texts that were kept aside: the reducer was improved without them."""

from textual import KINDS as KNOWN

KINDS = {}


def kind(name, needs, ends, test, needed, filler, copies, **more):
    words = dict(name=name, needs=needs, ends=ends, test=test, needed=needed, filler=filler, copies=copies)
    KINDS[name] = {**words, **more}
    assert name not in KNOWN


kind(
    "gnuplot", "gnuplot", "gp",
    """gnuplot "$1" 2>&1 </dev/null | grep -q 'all points y value undefined'""",
    [
        "f(x) = (x > limit) ? sqrt(limit - x) : NaN\n", "limit = 5\n", "array data[4] = [1, 2, 3, 4]\n",
        "do for [i = 1:2] {\n    limit = data[i]\n    if (i == 2) {\n        plot [0:10] f(x) with lines title sprintf(\"f %d\", i)\n    }\n}\n",
    ],
    [
        "set label 1@n \"@w @w\" at @d,@D font \"Sans,@d\"\n",
        "g@n(x, y) = x * @d + sin(y / @D.0)\nprint g@n(@d, @D)\n",
        "set style line @d lt @d lw @d\nset xrange [0:@D]; unset key\n",
        "if (exists(\"v@p\")) { v@n = @D } else { v@n = strlen(\"@w\") }\n",
    ],
    80, head="set terminal unknown\nset samples 20\n",
)

kind(
    "mathprog", "glpsol", "mod",
    """glpsol -m "$1" 2>&1 </dev/null | grep -q 'PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION'""",
    [
        "param demand{PLACES}, default 3;\n", "var ship{f in FACTORIES, p in PLACES} >= 0, <= limit[f];\n", "var extra{PLACES} >= 0;\n",
        "s.t. meet{p in PLACES: demand[p] > 0}: sum{f in FACTORIES} ship[f, p] + extra[p] >= demand[p];\n",
        "s.t. balance{f in FACTORIES}: sum{p in PLACES} ship[f, p] <= limit[f];\n", "s.t. none{p in PLACES}: extra[p] <= 0;\n",
    ],
    [
        "/* @w @w */\nset S@n := 1..@d;\nparam p@n{i in S@n} := i * @D + @d;\nvar x@n{i in S@n}, >= 0, <= @D, integer;\ns.t. c@n{i in S@n: i > @d}: x@n[i] + @d * p@n[i] <= 100000;\n\n",
        "var y@n binary;\ns.t. d@n: @d * y@n >= 0;\n", "# @w\nparam q@n, symbolic, := \"@w\";\ncheck q@n != \"none\";\n",
    ],
    40, head="set FACTORIES;\nset PLACES;\nparam limit{FACTORIES}, >= 0;\n\n",
    end="\nminimize cost: sum{f in FACTORIES, p in PLACES} ship[f, p] + 10 * sum{p in PLACES} extra[p];\n\nsolve;\n\nprintf \"%g\\n\", cost;\n\ndata;\n\nset FACTORIES := north south;\nset PLACES := river stone cloud;\nparam limit := north 5 south 3;\nparam demand := river 4 stone 2 cloud 7;\n\nend;\n",
)

kind(
    "zone", "named-checkzone", "zone",
    """named-checkzone -i local example.org "$1" 2>&1 | grep -q 'is below a DNAME\\|is below a delegation\\|MX .* is a CNAME'""",
    ["mail IN CNAME host.example.org.\n", "host IN A 192.0.2.7\n     IN TXT \"v=1\"\n", "@ 300 IN MX 10 mail\n"],
    [
        "@w@n IN A 192.0.2.@d ; @w\n", "@w@n 3600 IN TXT \"@w @w\" \"@D\"\n", "_@w._tcp.s@n IN SRV @d @d @D host\n",
        "ptr@n (\n    300 ; ttl\n    IN AAAA 2001:db8::@d )\n", "$TTL @D\nalias@n CNAME target@n\n",
    ],
    120, head="$TTL 86400\n@ IN SOA ns.example.org. admin.example.org. (\n    2020010101 ; serial\n    3600 ; refresh\n    900 ; retry\n    604800 ; expire\n    300 ) ; minimum\n  IN NS ns\nns IN A 192.0.2.1\n",
)

kind(
    "promela", "spin", "pml",
    """spin -u2000 "$1" 2>&1 </dev/null | grep -q 'timeout'""",
    [
        "mtype = { request, grant, release };\nchan ask = [0] of { mtype, byte };\n", "chan answer[3] = [1] of { mtype };\n",
        "proctype client(byte id)\n{\n    mtype got;\n    do\n    :: ask!request(id) ->\n        answer[id]?got;\n        if\n        :: got == grant -> ask!release(id)\n        :: else -> break\n        fi\n    od\n}\n\n",
        "proctype server()\n{\n    byte who;\n    end: do\n    :: ask?request(who) -> answer[who]!grant\n    od\n}\n\n",
        "init {\n    atomic {\n        run server();\n        run client(0);\n        run client(1)\n    }\n}\n",
    ],
    [
        "/* @w @w */\nbyte v@n = @d;\nproctype P@n(byte a; byte b)\n{\n    int i;\n    for (i : 1 .. @d) {\n        v@n = (v@n + a * @d) % 50\n    }\n    if\n    :: b > @d -> printf(\"@w %d\\n\", b)\n    :: else -> skip\n    fi\n}\n\n",
        "inline f@n(x) {\n    d_step { x = x + @d; x = x % 7 }\n}\n\n", "#define K@n @D\nbool flag@n = false;\nint list@n[@d];\n",
    ],
    40,
)

kind(
    "llvm", "opt", "ll",
    """! grep -q select "$1" && opt -S -O2 "$1" 2>/dev/null </dev/null | grep -q ' = select i1 '""",
    [
        "@table = internal constant [4 x i32] [i32 7, i32 9, i32 2, i32 5]\n\n",
        "define internal i32 @least(i32 %a, i32 %b) {\nentry:\n  %less = icmp ult i32 %a, %b\n  br i1 %less, label %first, label %second\n\nfirst:\n  br label %done\n\nsecond:\n  br label %done\n\ndone:\n  %r = phi i32 [ %a, %first ], [ %b, %second ]\n  ret i32 %r\n}\n\n",
        "define i32 @fold(i32* %p, i32 %n) {\nentry:\n  br label %loop\n\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n  %m = phi i32 [ -1, %entry ], [ %low, %loop ]\n  %q = getelementptr i32, i32* %p, i32 %i\n  %v = load i32, i32* %q, align 4\n  %low = call i32 @least(i32 %v, i32 %m)\n  %next = add nuw i32 %i, 1\n  %more = icmp ult i32 %next, %n\n  br i1 %more, label %loop, label %out\n\nout:\n  ret i32 %low\n}\n\n",
    ],
    [
        "; @w\ndefine i32 @@w@n(i32 %x, i8* %s) {\n  %a = mul nsw i32 %x, @D\n  %b = xor i32 %a, @d\n  %c = load i8, i8* %s, align 1\n  %d = zext i8 %c to i32\n  %e = add i32 %b, %d\n  ret i32 %e\n}\n\n",
        "@g@n = global i64 @D, align 8\n", "declare void @ext@n(i32, i8*)\n\ndefine void @call@n(i8* %p) {\n  call void @ext@n(i32 @D, i8* %p)\n  ret void\n}\n\n",
    ],
    60,
)

kind(
    "rst", "rst2html", "rst",
    """rst2html "$1" 2>&1 >/dev/null | grep -q 'Duplicate explicit target name'""",
    ["See `the manual`_ and |version|_.\n\n.. _the manual: https://example.org/a\n\n", ".. note::\n\n   There is another one, too.\n\n   * first\n   * second `the manual <https://example.org/b>`_ of them\n\n"],
    [
        "@w @n\n==========\n\nSome *@w* and **@w** with ``@w`` of @D.\n\n", ".. code-block:: c\n\n   int @w@n = @D;\n\n",
        "* @w\n* @w @D\n\n  - @w `@w <https://example.org/@w@n>`__\n\n", "====  =====\nA     B\n====  =====\n@d     @d\n====  =====\n\n",
        ".. |s@n| replace:: @w @w\n\n", "term @n\n    The @w of the @w.\n\n",
    ],
    60, end=".. |version| replace:: 1.0\n.. _version: https://example.org/v\n",
)
