# whittle.so, which GNU make loads: a shared object and no library, so it is linked as a program, without libtool. It runs in
# make's process, where no sanitizer is.
if HAVE_GNUMAKE_H
makeobjectdir = $(pkglibdir)
makeobject_PROGRAMS = src/make/whittle.so
src_make_whittle_so_SOURCES = src/make/whittle.c
src_make_whittle_so_CFLAGS = $(WARN_CFLAGS) -fPIC
src_make_whittle_so_LDFLAGS = -shared
src_make_whittle_so_LDADD =
endif
