# Verilog and VHDL: iverilog, Verilator, yosys, GHDL, nvc.
about hardware tools: internal errors, assertions, the first error without its place
rank 35

pick (%Error: Internal Error: [^\n]+)
pick %(Error(?:-\w+)?): (?:[^\n:]+:\d+:(?:\d+:)? )?([^\n]+)
pick ^(ERROR: (?:Assert|ABC|Found|Internal)[^\n]*)
pick ((?:ivl|vvp|iverilog): [^\n]*assert[^\n]*)
pick ^[^\s:]+\.(?:vh|v|sv|svh): ?\d+: ((?:internal )?error: [^\n]+|syntax error|sorry: [^\n]+)
pick (\*+ GHDL Bug occurred \*+)
pick ^[^\s:]+\.vhdl?:\d+:\d+:(?:error:)? ?([^\n]+)
pick ^[^\s:]+\.s?v:\d+: (ERROR: [^\n]+)
pick ^(ERROR: [^ ][^\n]+)
