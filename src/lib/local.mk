# libwhittle, for other programs: a shared and a static library with the one header whittle.h. The sources below are their
# interface; what stands behind it comes from src/libwhittle.a, which is all of the program and is not installed. All of it is
# compiled once, position independent and hidden, so no libtool is needed: the shared library is linked as one, the static one
# is a single object whose hidden names are made local.
libwhittle_current = 0
libwhittle_full = libwhittle.so.$(libwhittle_current).0.0

include_HEADERS = src/lib/whittle.h
noinst_LIBRARIES += src/lib/libinterface.a
src_lib_libinterface_a_CFLAGS = $(library_cflags)
src_lib_libinterface_a_SOURCES = src/lib/reduce.c src/lib/whittle.c
EXTRA_DIST += src/lib/whittle.map
libwhittle_parts = -Wl,--whole-archive src/lib/libinterface.a -Wl,--no-whole-archive src/libwhittle.a
# That nothing is missing; the run time of sanitizers is the program's.
if !SANITIZERS
libwhittle_closed = -Wl,-z,defs
endif
libwhittle_needs = $(PCRE2_LIBS) $(XXHASH_LIBS) $(NETTLE_LIBS) $(ZLIB_LIBS) $(JANSSON_LIBS)
libwhittle_built = src/lib/libwhittle.so src/lib/libwhittle.so.$(libwhittle_current) src/lib/$(libwhittle_full) src/lib/libwhittle.a
CLEANFILES += $(libwhittle_built) src/lib/whole.o

src/lib/$(libwhittle_full): src/lib/libinterface.a src/libwhittle.a src/lib/whittle.map
	$(AM_V_CCLD)$(CC) $(AM_CFLAGS) $(CFLAGS) $(LDFLAGS) -shared -o $@ -Wl,-soname,libwhittle.so.$(libwhittle_current) \
		-Wl,--version-script=$(srcdir)/src/lib/whittle.map $(libwhittle_closed) $(libwhittle_parts) $(libwhittle_needs)
src/lib/libwhittle.so.$(libwhittle_current): src/lib/$(libwhittle_full)
	$(AM_V_at)ln -sf $(libwhittle_full) $@
src/lib/libwhittle.so: src/lib/libwhittle.so.$(libwhittle_current)
	$(AM_V_at)ln -sf libwhittle.so.$(libwhittle_current) $@
src/lib/libwhittle.a: src/lib/libinterface.a src/libwhittle.a
	$(AM_V_AR)$(CC) -r -nostdlib $(GROUPS_LDFLAGS) -o src/lib/whole.o $(libwhittle_parts)
	$(AM_V_at)$(OBJCOPY) --localize-hidden src/lib/whole.o
	$(AM_V_at)rm -f $@ && $(AR) cr $@ src/lib/whole.o && $(RANLIB) $@

pkgconfigdir = $(libdir)/pkgconfig
EXTRA_DIST += src/lib/whittle.pc.in
# Made when it is installed, so that `make install prefix=...` is what it says.
install-exec-local: $(libwhittle_built)
	$(MKDIR_P) '$(DESTDIR)$(libdir)' '$(DESTDIR)$(pkgconfigdir)'
	$(INSTALL_PROGRAM) src/lib/$(libwhittle_full) '$(DESTDIR)$(libdir)/$(libwhittle_full)'
	$(INSTALL_DATA) src/lib/libwhittle.a '$(DESTDIR)$(libdir)/libwhittle.a'
	cd '$(DESTDIR)$(libdir)' && ln -sf $(libwhittle_full) libwhittle.so.$(libwhittle_current) && \
		ln -sf libwhittle.so.$(libwhittle_current) libwhittle.so
	sed -e 's|[@]prefix@|$(prefix)|' -e 's|[@]libdir@|$(libdir)|' -e 's|[@]includedir@|$(includedir)|' \
		-e 's|[@]PACKAGE_VERSION@|$(PACKAGE_VERSION)|' -e 's|[@]ZLIB_PC@|$(ZLIB_PC)|' -e 's|[@]BZIP2_LIBS@|$(BZIP2_LIBS)|' $(srcdir)/src/lib/whittle.pc.in >whittle.pc.new
	$(INSTALL_DATA) whittle.pc.new '$(DESTDIR)$(pkgconfigdir)/whittle.pc'
	rm -f whittle.pc.new
uninstall-local:
	rm -f '$(DESTDIR)$(pkgconfigdir)/whittle.pc'
	cd '$(DESTDIR)$(libdir)' && rm -f $(libwhittle_full) libwhittle.so.$(libwhittle_current) libwhittle.so libwhittle.a

# The library alone.
.PHONY: install-libwhittle
install-libwhittle: install-exec-local install-includeHEADERS
