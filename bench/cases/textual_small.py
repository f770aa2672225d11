"""Small problems of bench/texts, one a language: each ends at its fixpoint in a minute."""

KINDS = {}


def kind(name, needs, ends, test, needed, filler, copies, **more):
    words = dict(name=name, needs=needs, ends=ends, test=test, needed=needed, filler=filler, copies=copies)
    KINDS[name] = {**words, **more}


kind(
    "ruby", "ruby", "rb",
    "ruby \"$1\" 2>&1 </dev/null | grep -q \"undefined method .fetch_item' for nil\"",
    [
        "class Store\n  attr_reader :items\n  def initialize(items)\n    @items = items\n  end\n  def pick(key)\n    @items.find { |i| i[:key] == key }\n  end\nend\n\n",
        "module Loader\n  DEFAULT = [{ key: :a, value: 1 }, { key: :b, value: 2 }].freeze\n  def self.load(kind)\n    case kind\n    when :default then Store.new(DEFAULT)\n    else Store.new([])\n    end\n  end\nend\n\n",
        "begin\n  store = Loader.load(:default)\n  %i[a b c].each do |key|\n    found = store.pick(key)\n    puts found.fetch_item if found.nil?\n  end\nrescue ArgumentError => e\n  warn e.message\nend\n",
    ],
    [
        "# Computes @w.\ndef @w_@n(a, b = @d)\n  return a if b > @D\n  a.to_s + \"@w #{b}\"\nend\n\n",
        "class C@n < Struct.new(:@w, :@w@n); end\n",
        "C_@n = { @w: @d, @w@n: [@d, @D, '@w'] }.freeze\n",
        "if ENV['@w@n']\n  puts \"@w\"\nelsif ENV['X@n']\n  exit @d\nend\n",
    ],
    14,
)

kind(
    "php", "php", "php",
    "php -n \"$1\" 2>&1 </dev/null | grep -q \"Uncaught TypeError: .*must be of type array, int given\"",
    [
        "interface Shape {\n    public function area(): float;\n}\n",
        "abstract class Base implements Shape {\n    protected array $points = [];\n    public function __construct(private string $name) {}\n    public function add(array $p): static { $this->points[] = $p; return $this; }\n}\n\n",
        "class Circle extends Base {\n    public function area(): float { return M_PI * count($this->points); }\n    public function feed(iterable $it): void {\n        foreach ($it as $k => $v) {\n            if ($k % 2 === 0) {\n                $this->add($v);\n            }\n        }\n    }\n}\n",
        "function gen(int $n): \\Generator {\n    for ($i = 0; $i < $n; $i++) {\n        yield $i => $i > 3 ? $i : [$i];\n    }\n}\n",
        "(new Circle('c'))->feed(gen(6));\n",
    ],
    [
        "function @w@n($a, $b = @d) {\n    // @w\n    return $a + $b * @D;\n}\n",
        "const C@n = ['@w' => @d, 'b' => [@d, @D]];\n",
        "$v@n = array_map(fn($x) => $x * @d, [@d, @d, @D]);\n",
        "if (PHP_VERSION_ID < @D) {\n    echo '@w';\n}\n",
    ],
    14,
    head="<?php\ndeclare(strict_types=1);\nnamespace App;\n",
)

kind(
    "lua", "lua5.4", "lua",
    "lua5.4 \"$1\" 2>&1 </dev/null | grep -q \"attempt to compare nil with number\"",
    [
        "local Heap = {}\nHeap.__index = Heap\nfunction Heap.new(cmp)\n  return setmetatable({ n = 0, cmp = cmp or function(a, b) return a < b end }, Heap)\nend\n",
        "function Heap:push(v)\n  self.n = self.n + 1\n  self[self.n] = v\n  local i = self.n\n  while i > 1 and self.cmp(self[i], self[i // 2]) do\n    self[i], self[i // 2] = self[i // 2], self[i]\n    i = i // 2\n  end\nend\n",
        "local h = Heap.new(function(a, b)\n  return a.key < b.key\nend)\nfor _, k in ipairs { 5, 2, 9 } do\n  h:push { key = k }\nend\nh:push { name = 'x' }\n",
    ],
    [
        "local function @w@n(a, b)\n  if a == nil then\n    return b or @d\n  end\n  return a .. '@w'\nend\n",
        "local t@n = { @w = @d, [@D] = '@w', { @d, @d } }\n",
        "-- @w @w\nfor i = 1, @d do\n  local x = i * @D\nend\n",
        "repeat\n  local y@n = @d\nuntil y@n\n",
    ],
    14,
)

kind(
    "ocaml", "ocaml", "ml",
    "ocaml \"$1\" 2>&1 </dev/null | grep -q \"Match_failure\\|Not_found\" && ocaml \"$1\" 2>&1 </dev/null | grep -q 'this pattern-matching is not exhaustive'",
    [
        "type shape = Circle of float | Rect of { w : float; h : float } | Group of shape list\n\n",
        "let rec area = function\n  | Circle r -> r *. r\n  | Group l -> List.fold_left (fun a s -> a +. area s) 0. l\n\n",
        "let table = Hashtbl.create 7\nlet () = Hashtbl.add table \"a\" (Group [ Circle 1.; Rect { w = 1.; h = 2. } ])\n",
        "let main () =\n  match Hashtbl.find_opt table \"a\" with\n  | Some s when area s > 0. -> print_float (area s)\n  | Some _ -> ()\n  | None -> print_endline \"none\"\nlet () = main ()\n",
    ],
    [
        "let @w@n a b = if a > @d then b + @D else a * b\n",
        "let rec r@n n = match n with 0 -> [] | k -> k :: r@n (k - 1)\n",
        "module M@n = struct\n  let @w = \"@w\"\n  let v = @D\nend\n",
        "(* @w *)\nlet @w@n = try int_of_string \"@D\" with _ -> @d\n",
    ],
    12,
)

kind(
    "fortran", "gfortran-12", "f90",
    "gfortran-12 -fsyntax-only \"$1\" 2>&1 | grep -q \"Rank mismatch in argument\"",
    [
        "module shapes\n  implicit none\n  type :: grid\n    integer :: n\n    real, allocatable :: cells(:,:)\n  end type grid\ncontains\n  subroutine smooth(g, weights)\n    type(grid), intent(inout) :: g\n    real, intent(in) :: weights(:,:)\n    integer :: i, j\n    do i = 1, g%n\n      do j = 1, g%n\n        if (i /= j) g%cells(i,j) = g%cells(i,j) * weights(i,j)\n      end do\n    end do\n  end subroutine smooth\nend module shapes\n\n",
        "program main\n  use shapes, only: grid, smooth\n  implicit none\n  type(grid) :: g\n  real :: w(4)\n  g%n = 4\n  allocate(g%cells(4,4))\n  w = 0.5\n  call smooth(g, w)\n  print *, g%cells\nend program main\n",
    ],
    [
        "module @w@n\n  integer, parameter :: k@n = @D\ncontains\n  function f@n(a) result(b)\n    real, intent(in) :: a\n    real :: b\n    b = a * @d.0\n  end function\nend module\n",
        "! @w\nsubroutine @w@n(a, n)\n  integer :: n, i\n  real :: a(n)\n  do i = 1, n\n    a(i) = a(i) + @d\n  enddo\nend subroutine\n",
    ],
    10,
)

kind(
    "verilog", "iverilog", "v",
    "iverilog -g2012 -o /dev/zero \"$1\" 2>&1 | grep -q \"error: Unable to bind wire/reg/memory .* in .*\"",
    [
        "module counter #(parameter WIDTH = 8, parameter STEP = 1) (\n  input wire clk, rst,\n  output reg [WIDTH-1:0] q\n);\n  localparam LAST = (1 << DEPTH) - 1;\n  always @(posedge clk or posedge rst)\n    if (rst) q <= 0;\n    else if (q == LAST) q <= 0;\n    else q <= q + STEP;\nendmodule\n\n",
        "module top;\n  reg clk = 0, rst = 1;\n  wire [3:0] q;\n  counter #(.WIDTH(4)) u0 (.clk(clk), .rst(rst), .q(q));\n  always #5 clk = ~clk;\n  initial begin\n    #12 rst = 0;\n    #100 $finish;\n  end\nendmodule\n",
    ],
    [
        "module @w@n(input a, input [@d:0] b, output c);\n  wire t;\n  assign t = a & b[0];\n  assign c = t ^ b[@d];\nendmodule\n",
        "// @w\nmodule m@n;\n  integer i;\n  initial for (i = 0; i < @D; i = i + 1) begin\n    $display(\"@w %d\", i);\n  end\nendmodule\n",
    ],
    10,
)

kind(
    "proto", "protoc", "proto",
    "protoc -I\"${1%/*}\" --descriptor_set_out=o.pb \"$1\" 2>&1 | grep -q \"is already defined in\" && protoc -I\"${1%/*}\" --descriptor_set_out=o.pb \"$1\" 2>&1 | grep -q 'Note that enum values use C++ scoping'",
    [
        "message Order {\n  enum State {\n    UNKNOWN = 0;\n    OPEN = 1;\n    CLOSED = 2;\n  }\n  State state = 1;\n  repeated Line lines = 2;\n  oneof payment {\n    string card = 3;\n    bytes token = 4;\n  }\n}\n\n",
        "message Line {\n  string sku = 1;\n  int32 count = 2 [deprecated = true];\n  map<string, Order.State> history = 3;\n}\n",
        "message Ticket {\n  Order order = 1;\n  enum Level { LOW = 0; HIGH = 1; }\n  enum Rank { FIRST = 0; HIGH = 2; }\n  Level level = 2;\n  Rank rank = 3;\n}\n\n",
    ],
    [
        "message M@n {\n  string @w = 1;\n  repeated int64 b@n = @D;\n  // @w\n  reserved 5, 9 to 11;\n}\n",
        "service S@n {\n  rpc Get(Order) returns (Line);\n  rpc List(stream Order) returns (stream Ticket) {}\n}\n",
        "enum E@n {\n  @w_@n = 0;\n  X_@n = @d;\n}\n",
    ],
    12,
    head="syntax = \"proto3\";\npackage shop.v1;\noption java_package = \"com.shop\";\n\n",
)

kind(
    "nasm", "nasm", "asm",
    "nasm -f elf64 -o o.o \"$1\" 2>&1 | grep -q \"error: invalid combination of opcode and operands\"",
    [
        "%macro save 1-*\n  %rep %0\n    push %1\n    %rotate 1\n  %endrep\n%endmacro\n\n",
        "%define SLOT(n) [rbp - 8*(n)]\n",
        "section .text\nglobal start\nstart:\n  save rbx, r12\n  mov rax, SLOT(2)\n  mov SLOT(3), SLOT(1)\n  ret\n",
    ],
    [
        "f@n:\n  mov eax, @D\n  add eax, ebx ; @w\n  ret\n",
        "section .data\nv@n: dd @D, @d\ns@n: db '@w', 0\nsection .text\n",
        "%ifdef X@n\n  nop\n%else\n  xor eax, eax\n%endif\n",
    ],
    14,
)

kind(
    "dot", "dot", "dot",
    "dot -Tcanon \"$1\" 2>&1 >/dev/null | grep -q \"syntax error in line\" && sed 's/->/--/' \"$1\" | grep -q 'subgraph cluster' && grep -q '^digraph\\|^strict' \"$1\" && grep -q '\\[.*label' \"$1\"",
    [
        "subgraph cluster_a {\n  label = \"first group\";\n  node [shape=box, style=filled];\n  a1 -> a2 [label=\"x\", weight=3];\n  a2 -> { a3 a4 };\n}\n",
        "a3 -- b1 [color=\"red\"];\n",
    ],
    [
        "n@n -> n@p [label=\"@w\", weight=@d];\n",
        "// @w\nn@n [shape=box, label=\"@w\\n@w\"];\n",
        "subgraph s@n { rank = same; @w; x@n; }\n",
        "edge [color=\"#0@d0@d0@d\"];\n",
    ],
    16,
    head="digraph g {\n  rankdir = LR;\n  graph [fontsize=10];\n",
    end="}\n",
)

kind(
    "scheme", "guile", "scm",
    "guile --no-auto-compile -q \"$1\" 2>&1 </dev/null | grep -q \"Wrong type argument in position 1 (expecting \\|Wrong type (expecting pair\"",
    [
        "(use-modules (srfi srfi-9))\n(define-record-type <node>\n  (make-node key left right)\n  node?\n  (key node-key)\n  (left node-left)\n  (right node-right set-node-right!))\n\n",
        "(define (insert tree key)\n  (cond ((not tree) (make-node key #f #f))\n        ((< key (node-key tree)) (make-node (node-key tree) (insert (node-left tree) key) (node-right tree)))\n        (else (set-node-right! tree (insert (node-right tree) key)) tree)))\n",
        "(let loop ((keys '(3 1 2)) (tree #f))\n  (if (null? keys)\n      (begin (display (cdr (node-left tree))) (newline))\n      (loop (cdr keys) (insert tree (car keys)))))\n",
    ],
    [
        "(define (@w@n a b)\n  (if (> a @d) (+ b @D) (list a 'x \"@w\")))\n",
        "(define-syntax s@n\n  (syntax-rules () ((_ a b ...) (begin a b ...))))\n",
        ";; @w\n(define v@n (map (lambda (x) (* x @d)) (list @d @D)))\n",
    ],
    12,
)

kind(
    "scss", "sassc", "scss",
    "sassc \"$1\" 2>&1 >/dev/null | grep -q \"Error: Incompatible units\"",
    [
        "@function rem($px, $base: 16px) {\n  @if type-of($px) != number {\n    @error \"not a number\";\n  }\n  @return ($px / $base) * 1rem;\n}\n\n",
        "$sizes: (small: 12px, large: 2em);\n",
        "@mixin sized($name) {\n  font-size: map-get($sizes, $name) + rem(4px);\n  @content;\n}\n",
        ".card {\n  &__title {\n    @include sized(small) {\n      color: red;\n    }\n  }\n}\n",
    ],
    [
        "$@w-@n: #@d0@d !default;\n",
        ".@w-@n {\n  color: red;\n  &:hover { margin: @Dpx; }\n  .x & { top: 0; }\n}\n",
        "@mixin m@n($a, $b: @d) {\n  width: $a * $b;\n}\n",
        "@each $i in a, b@n {\n  .x-#{$i} { left: @dpx; }\n}\n",
    ],
    14,
)

kind(
    "perl", "perl", "pl",
    "perl \"$1\" 2>&1 </dev/null | grep -q \"Can't use an undefined value as an ARRAY ref\"",
    [
        "package Graph;\nuse strict;\nuse warnings;\nsub new {\n    my ($class, %opt) = @_;\n    return bless { nodes => {}, %opt }, $class;\n}\nsub edge {\n    my ($self, $from, $to) = @_;\n    push @{ $self->{nodes}{$from} }, $to;\n    return $self;\n}\n",
        "sub walk {\n    my ($self, $at, $visit) = @_;\n    for my $next (@{ $self->{nodes}{$at} || [] }) {\n        $visit->($next);\n        $self->walk($next, $visit);\n    }\n}\n",
        "package main;\nmy $g = Graph->new(name => 'x');\n$g->edge('a', 'b')->edge('b', 'c');\nmy @seen;\n$g->walk('a', sub { my $n = shift; my @out = map { uc } sort { $a cmp $b } @{ $g->{nodes}{$n} }; push @seen, @out; });\nprint join(',', @seen), \"\\n\";\n",
    ],
    [
        "sub @w@n {\n    my ($a, $b) = @_;\n    return $a =~ /@w(\\d+)/ ? $1 : $b // @d;\n}\n",
        "our %h@n = (@w => @d, list => [qw(@w @w)]);\n",
        "# @w\nfor my $i (0 .. @d) { next if $i % 2; my $x = $i * @D; }\n",
    ],
    12,
)

kind(
    "node", "node", "js",
    "node \"$1\" 2>&1 </dev/null | grep -q \"TypeError: .* is not iterable\"",
    [
        "class Registry {\n  #items = new Map();\n  register(name, deps = []) {\n    this.#items.set(name, { name, deps });\n    return this;\n  }\n  resolve(name, seen = new Set()) {\n    const { deps } = this.#items.get(name) ?? {};\n    if (seen.has(name)) return [];\n    seen.add(name);\n    return [name, ...deps.flatMap((d) => this.resolve(d, seen))];\n  }\n}\n",
        "const build = (list) => list.reduce((r, [n, ...d]) => r.register(n, d), new Registry());\n",
        "const r = build([['a', 'b'], ['b', 'c'], ['c']]);\ntry {\n  const [x, y] = r.resolve('c').length;\n  console.log(x, y);\n} catch (e) {\n  if (e instanceof RangeError) process.exit(1);\n  throw e;\n}\n",
    ],
    [
        "function @w@n(a, b = @d) {\n  if (!a) { return `${b} @w`; }\n  return a * @D;\n}\n",
        "const t@n = { @w: @d, 'x-y': [@d, @D], f() { return this.@w; } };\n",
        "// @w\nfor (let i = 0; i < @d; i++) {\n  void (i % 2);\n}\n",
    ],
    12,
)

kind(
    "python", "python3", "py",
    "python3 -S -E \"$1\" 2>&1 </dev/null | grep -q \"RuntimeError: dictionary changed size during iteration\"",
    [
        "import contextlib\nimport collections\n\n\n",
        "class Cache:\n    \"\"\"Keeps things.\"\"\"\n\n    def __init__(self, limit=10):\n        self.limit = limit\n        self.data = collections.OrderedDict()\n\n    def put(self, key, value):\n        self.data[key] = value\n        while len(self.data) > self.limit:\n            self.data.popitem(last=False)\n\n    def sweep(self, keep):\n        with contextlib.suppress(KeyError):\n            for k, v in self.data.items():\n                if not keep(v):\n                    del self.data[k]\n\n\n",
        "def main():\n    c = Cache(limit=5)\n    for i in range(4):\n        c.put(f'k{i}', i)\n    with contextlib.ExitStack() as stack, contextlib.suppress(ValueError):\n        stack.callback(print, 'done')\n        try:\n            c.data = dict(c.data)\n            c.sweep(lambda v: v % 2)\n        finally:\n            print('end')\n\n\nif __name__ == '__main__':\n    main()\n",
    ],
    [
        "def @w_@n(a, *, b=@d):\n    \"\"\"@w.\"\"\"\n    if a is None:\n        return b\n    return [x for x in range(a) if x % @d]\n\n\n",
        "C@n = {'@w': @d, 'b': (@d, @D)}\n",
        "# @w\nfor _i in range(@d):\n    pass\n",
    ],
    12,
)

kind(
    "bash", "bash", "sh",
    "bash \"$1\" 2>&1 </dev/null | grep -q \"unbound variable\" && bash \"$1\" 2>&1 </dev/null | grep -q '^trapped:'",
    [
        "set -euo pipefail\n",
        "cleanup() {\n  local code=$?\n  if [ \"$code\" -ne 0 ]; then\n    echo \"trapped: $code\" >&2\n  fi\n}\ntrap cleanup EXIT\n",
        "declare -A opts=([name]=x [size]=3)\nparse() {\n  while [ $# -gt 0 ]; do\n    case \"$1\" in\n      --name) opts[name]=$2; shift 2 ;;\n      *) break ;;\n    esac\n  done\n  echo \"${opts[depth]}\"\n}\n",
        "main() {\n  local out\n  out=$(parse \"$@\")\n  printf '%s\\n' \"$out\"\n}\nmain --name y z\n",
    ],
    [
        "@w@n() {\n  local a=$1 b=${2:-@d}\n  [ \"$a\" = \"@w\" ] && return @d\n  echo \"$((a + b))\"\n}\n",
        "v@n=\"$(printf '%s' '@w')\"\n",
        "# @w\nfor i in @w @w; do\n  : \"$i\"\ndone\n",
        "cat >/dev/null <<E@n\n@w $HOME\nE@n\n",
    ],
    14,
)

kind(
    "gcc", "gcc-12", "c",
    "gcc-12 -O2 -Wall -S -o o.s \"$1\" 2>e; grep -q error: e && exit 1; grep -q 'array subscript .* is above array bounds' e",
    [
        "#include <stddef.h>\n#define COUNT(a) (sizeof (a) / sizeof *(a))\n#define EACH(i, a) for (size_t i = 0; i <= COUNT(a); i++)\n\n",
        "struct table {\n\tint rows[4], cols[8];\n\tconst char *name;\n};\n\nstatic struct table tables[2];\n\n",
        "static int sum(const struct table *t, int (*f)(int, int))\n{\n\tint s = 0;\n\tEACH(i, t->rows) {\n\t\tif (t->rows[i] < 0)\n\t\t\tcontinue;\n\t\ts = f(s, t->rows[i]);\n\t}\n\treturn s;\n}\n\n",
        "static int plus(int a, int b)\n{\n\treturn a + b;\n}\n\nint main(int argc, char **argv)\n{\n\tstruct table *t = &tables[argc > 1];\n\tswitch (argc) {\n\tcase 1:\n\t\treturn sum(t, plus);\n\tcase 2:\n\t\treturn t->cols[argc];\n\tdefault:\n\t\tbreak;\n\t}\n\treturn tables[3].rows[0];\n}\n",
    ],
    [
        "int @w@n(int a, int b)\n{\n\tint i, s = @d; /* @w */\n\tfor (i = a; i < b; i++)\n\t\ts += i * @D;\n\treturn s;\n}\n\n",
        "enum e@n { @w@n_a = @d, @w@n_b };\n",
        "#ifdef X@n\nint x@n = @D;\n#else\nextern int y@n;\n#endif\n",
        "struct s@n { int a; struct s@n *next; };\n",
    ],
    14,
)

kind(
    "cmake-if", "cmake", "cmake",
    "cmake -P \"$1\" 2>&1 | grep -q 'given arguments:' && cmake -P \"$1\" 2>&1 | grep -q 'Call Stack'",
    [
        "function(add_part name)\n  cmake_parse_arguments(P \"SHARED\" \"OUT\" \"SRCS;DEPS\" ${ARGN})\n  foreach(s IN LISTS P_SRCS)\n    if(s MATCHES \"\\\\.c$\" AND NOT P_SHARED)\n      list(APPEND out ${s})\n    endif()\n  endforeach()\n  if(${P_OUT} STREQUAL \"x\" AND)\n    set(${P_OUT} \"${out}\" PARENT_SCOPE)\n  endif()\nendfunction()\n\n",
        "macro(parts)\n  foreach(n ${ARGN})\n    add_part(${n} SHARED OUT x SRCS ${n}.c b.h)\n  endforeach()\nendmacro()\n",
        "parts(one two)\n",
    ],
    [
        "set(@w@n \"@w;@D\")\n",
        "# @w\nif(DEFINED X@n)\n  message(STATUS \"@w\")\nelse()\n  set(y@n @d)\nendif()\n",
        "function(@w@n a)\n  math(EXPR b \"${a} + @d\")\n  set(c ${b} PARENT_SCOPE)\nendfunction()\n",
    ],
    12,
)

kind(
    "tcl-class", "tclsh", "tcl",
    "tclsh \"$1\" 2>&1 </dev/null | grep -q \"can't use empty string as operand of\"",
    [
        "oo::class create Stack {\n    variable items\n    constructor {} { set items {} }\n    method push {x} { lappend items $x }\n    method pop {} {\n        set x [lindex $items end]\n        set items [lrange $items 0 end-1]\n        return $x\n    }\n}\n",
        "proc calc {expr} {\n    set s [Stack new]\n    foreach t $expr {\n        switch -regexp -- $t {\n            {^[0-9]+$} { $s push $t }\n            default {\n                set b [$s pop]; set a [$s pop]\n                $s push [expr {$a + $b}]\n            }\n        }\n    }\n    return [$s pop]\n}\n",
        "if {[catch {calc {1 2 + +}} msg opts]} {\n    puts stderr [dict get $opts -errorinfo]\n}\n",
    ],
    [
        "proc @w@n {a {b @d}} {\n    if {$a > $b} { return \"@w\" }\n    return [string repeat x @d]\n}\n",
        "set t@n [list @w @d {a b}]\n",
        "# @w\nfor {set i 0} {$i < @d} {incr i} { incr n@n $i }\n",
    ],
    12,
)

kind(
    "sqlite", "sqlite3", "sql",
    "sqlite3 -batch -init /dev/null :memory: \".read $1\" 2>&1 | grep -q 'misuse of aggregate'",
    [
        "CREATE TABLE orders (\n  id INTEGER PRIMARY KEY,\n  customer TEXT NOT NULL,\n  total REAL DEFAULT 0\n);\n",
        "INSERT INTO orders VALUES (1, 'a', 2.5), (2, 'b', 3);\n",
        "CREATE VIEW big AS SELECT customer, sum(total) AS s FROM orders GROUP BY customer HAVING s > 1;\n",
        "SELECT b.customer, CASE WHEN b.s > 2 THEN 'x' ELSE 'y' END AS k FROM big b JOIN orders o ON o.customer = b.customer WHERE sum(o.total) > 1 AND b.s IN (SELECT max(total) FROM orders) ORDER BY k LIMIT 3;\n",
    ],
    [
        "CREATE TABLE @w@n (id INTEGER, @w TEXT DEFAULT '@w', n@n INT);\n",
        "INSERT INTO orders VALUES (@n0@D, '@w', @d);\n",
        "-- @w\nSELECT count(*), '@w' FROM orders WHERE id > @D;\n",
        "CREATE INDEX i@n ON orders (customer, total);\n",
    ],
    14,
)

kind(
    "yaml-alias", "python3", "yaml",
    "python3 -c 'import yaml,sys;yaml.safe_load(open(sys.argv[1]))' \"$1\" 2>&1 | grep -q 'found undefined alias\\|found duplicate anchor'",
    [
        "defaults: &base\n  image: app\n  env:\n    - name: A\n      value: \"1\"\n  limits: {cpu: 1, mem: 64Mi}\n",
        "services:\n  web:\n    <<: *base\n    ports: [80, 443]\n    command: |\n      run --all\n      stop\n  db:\n    <<: [*base, *extra]\n    volumes:\n      - data:/var\n",
    ],
    [
        "@w@n:\n  kind: @w\n  list:\n    - @d\n    - '@w'\n",
        "k@n: \"@w @D\"\n",
        "# @w\nm@n: {a: @d, b: [@d, @D]}\n",
        "t@n: >\n  @w @w\n  @w\n",
    ],
    12,
)
