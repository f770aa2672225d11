# What stands for make, ninja and cargo in the PATH of tests (run/testenv.h). Each has a directory of its own, so that a test does
# not find a program that is not installed.
shimmakedir = $(pkglibexecdir)/shims/make
shimgmakedir = $(pkglibexecdir)/shims/gmake
shimninjadir = $(pkglibexecdir)/shims/ninja
shimcargodir = $(pkglibexecdir)/shims/cargo
shimmake_PROGRAMS = src/shims/make/make
shimgmake_PROGRAMS = src/shims/gmake/gmake
shimninja_PROGRAMS = src/shims/ninja/ninja
shimcargo_PROGRAMS = src/shims/cargo/cargo
src_shims_make_make_SOURCES = src/make/shim.c
src_shims_make_make_LDADD =
src_shims_gmake_gmake_SOURCES = src/make/shim.c
src_shims_gmake_gmake_LDADD =
src_shims_ninja_ninja_SOURCES = src/make/shim.c
src_shims_ninja_ninja_LDADD =
src_shims_cargo_cargo_SOURCES = src/make/shim.c
src_shims_cargo_cargo_LDADD =
