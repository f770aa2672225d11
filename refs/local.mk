# What a C++ file reaches over exact references, an external pass (whittle-passes(7)); where clang's libraries are installed.
refs_sources = \
	refs/all.cc \
	refs/detail.cc refs/detail.h \
	refs/judge.cc refs/judge.h \
	refs/main.cc \
	refs/needless.cc refs/needless.h \
	refs/parse.cc refs/parse.h \
	refs/reach.cc refs/reach.h \
	refs/repair.cc refs/repair.h \
	refs/scan.cc \
	refs/shrink.cc refs/shrink.h \
	refs/text.cc refs/text.h \
	refs/undefined.cc refs/undefined.h \
	refs/units.cc refs/units.h \
	refs/visit.cc
EXTRA_DIST += $(refs_sources)
if HAVE_CLANG_CPP
pkglibexec_PROGRAMS += src/whittle-refs
src_whittle_refs_SOURCES = refs/all.cc
src_whittle_refs_CPPFLAGS = $(CLANG_CPP_CPPFLAGS)
src_whittle_refs_CXXFLAGS = -std=c++17 -fno-rtti -Wall -Wextra
src_whittle_refs_LDFLAGS = $(CLANG_CPP_LDFLAGS)
src_whittle_refs_LDADD = $(CLANG_CPP_LIBS)
endif
