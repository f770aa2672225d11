# What makes packages of the sources. debian/ is in the tarball: the packages can be made from it alone, and who packages
# whittle in another way replaces it, as Debian's own tools do.
EXTRA_DIST += INSTALL.md
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/rules debian/source/format debian/source/lintian-overrides debian/whittle.lintian-overrides debian/libwhittle0.symbols \
	debian/libwhittle0.install debian/libwhittle-dev.install debian/python3-whittle.install debian/whittle.install \
	debian/whittle.docs debian/whittle.examples debian/missing-sources/uPlot.iife.js \
	debian/tests/control debian/tests/library debian/tests/python debian/tests/readme

# Debian packages, in deb/: whittle, libwhittle0, libwhittle-dev, python3-whittle.
.PHONY: deb
deb: distdir
	@command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null || \
		{ echo 'make deb: packages are missing: dpkg-dev debhelper dh-python' >&2; exit 1; }
	rm -rf deb && mkdir deb && mv $(distdir) deb/
	cd deb/$(distdir) && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc
	rm -rf deb/$(distdir)
	@ls deb/*.deb
