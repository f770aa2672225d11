# Our side of external passes that are used where their program is installed.
passesdir = $(pkgdatadir)/passes
dist_passes_SCRIPTS = passes/clang-delta
