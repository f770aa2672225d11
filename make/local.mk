# What makes whittle part of a user's build: the makefile fragment, and the driver for automake's test harness.
makefiledir = $(includedir)
makefile_DATA = make/whittle.mk
dist_bin_SCRIPTS = make/whittle-test-driver make/whittle-as
EXTRA_DIST += make/whittle.mk.in
CLEANFILES += make/whittle.mk

make/whittle.mk: make/whittle.mk.in Makefile
	$(AM_V_GEN)$(MKDIR_P) make && sed -e 's|@bindir[@]|$(bindir)|' -e 's|@pkglibdir[@]|$(pkglibdir)|' \
		$(srcdir)/make/whittle.mk.in >$@.new && mv -f $@.new $@
