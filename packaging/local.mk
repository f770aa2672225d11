# What makes packages of the sources. `make deb` puts packaging/debian where Debian's tools look for it.
EXTRA_DIST += INSTALL.md
EXTRA_DIST += packaging/debian/changelog packaging/debian/control packaging/debian/copyright packaging/debian/rules packaging/debian/source/format packaging/debian/source/lintian-overrides packaging/debian/whittle.lintian-overrides packaging/debian/libwhittle0.symbols \
	packaging/debian/libwhittle0.install packaging/debian/libwhittle-dev.install packaging/debian/python3-whittle.install packaging/debian/whittle-refs.install packaging/debian/whittle.install \
	packaging/debian/whittle.docs packaging/debian/whittle.examples packaging/debian/missing-sources/uPlot.iife.js \
	packaging/debian/tests/control packaging/debian/tests/library packaging/debian/tests/python packaging/debian/tests/readme

# Debian packages, in deb/: whittle, libwhittle0, libwhittle-dev, python3-whittle.
.PHONY: deb
deb: distdir
	@command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null || \
		{ echo 'make deb: packages are missing: dpkg-dev debhelper dh-python' >&2; exit 1; }
	rm -rf deb && mkdir deb && mv $(distdir) deb/
	mv deb/$(distdir)/packaging/debian deb/$(distdir)/debian
	cd deb/$(distdir) && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc
	rm -rf deb/$(distdir)
	@ls deb/*.deb

EXTRA_DIST += packaging/README.md packaging/whittle.nix packaging/whittle.rb packaging/whittle.spec

# ./configure --enable-static-program: src/whittle is one file with all that it needs: libraries, data, and the programs that
# it starts. installed.c unpacks them where it runs.
EXTRA_DIST += src/cli/held.c src/cli/no_gssapi.c
if STATIC_PROGRAM
static_ldflags = $(AM_LDFLAGS) -static
src_whittle_SOURCES += src/cli/held.c src/cli/no_gssapi.c
src_whittle_LDFLAGS = $(static_ldflags)
src_whittle_judge_LDFLAGS = $(static_ldflags)
src_shims_make_make_LDFLAGS = $(static_ldflags)
src_shims_gmake_gmake_LDFLAGS = $(static_ldflags)
src_shims_ninja_ninja_LDFLAGS = $(static_ldflags)
src_shims_cargo_cargo_LDFLAGS = $(static_ldflags)
src_whittle_LDADD = src/libwhittle.a $(STATIC_LIBS)

held_programs = src/whittle-judge$(EXEEXT) src/shims/make/make$(EXEEXT)
src/cli/held.$(OBJEXT): src/held.tar
src/held.tar: $(held_programs) $(dist_completion_DATA) $(dist_hooks_SCRIPTS) $(dist_passes_SCRIPTS) $(dist_report_DATA)
	$(AM_V_GEN)rm -rf src/held && mkdir -p src/held/share src/held/libexec/shims/make
	$(AM_V_at)for dir in tokenizers signatures share/report share/hooks share/passes share/completion; do \
		to=src/held/share/$${dir#share/}; mkdir $$to && cp $(srcdir)/$$dir/* $$to/ || exit 1; rm -f $$to/*.mk; done
	$(AM_V_at)cp src/whittle-judge$(EXEEXT) src/held/libexec/
	$(AM_V_at)cp src/shims/make/make$(EXEEXT) src/held/libexec/shims/make/make
	$(AM_V_at)cd src/held/libexec && $(STRIP) whittle-judge shims/make/make && \
		for shim in gmake ninja cargo; do mkdir shims/$$shim && ln -s ../make/make shims/$$shim/$$shim || exit 1; done
	$(AM_V_at)tar --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		-C src/held -cf $@ libexec share && rm -rf src/held
CLEANFILES += src/held.tar
else
src_whittle_LDADD = src/libwhittle.a $(PCRE2_LIBS) $(XXHASH_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS) $(JANSSON_LIBS) $(LIBGIT2_LIBS) $(NCURSES_LIBS)
endif

# Whether this tree can be released.
EXTRA_DIST += packaging/release-check packaging/machines
.PHONY: release-check
release-check:
	MAKE='$(MAKE)' top_srcdir='$(top_srcdir)' $(SHELL) $(top_srcdir)/packaging/release-check
