/* What the static program holds: the archive that place.c unpacks. The assembler reads it. */
__asm__(".section .rodata\n"
        ".global place_held\n"
        ".balign 16\n"
        "place_held:\n"
        ".incbin \"src/held.tar\"\n"
        ".global place_held_end\n"
        "place_held_end:\n"
        ".byte 0\n"
        ".section .note.GNU-stack,\"\",%progbits\n"
        ".text\n");
