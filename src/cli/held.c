/* What the static program holds: the archive that installed.c unpacks. The assembler reads it. */
__asm__(".section .rodata\n"
        ".global installed_held\n"
        ".balign 16\n"
        "installed_held:\n"
        ".incbin \"src/held.tar\"\n"
        ".global installed_held_end\n"
        "installed_held_end:\n"
        ".byte 0\n"
        ".section .note.GNU-stack,\"\",%progbits\n"
        ".text\n");
