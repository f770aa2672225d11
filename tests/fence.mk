# What tests are kept from.
check_PROGRAMS += tests/fence/attack
tests_fence_attack_SOURCES = tests/fence/attack.c
dist_check_SCRIPTS += tests/fence/table tests/fence/allowing tests/fence/mounted
TESTS += tests/fence/table tests/fence/allowing tests/fence/mounted
EXTRA_DIST += SECURITY.md
