hooksdir = $(pkgdatadir)/hooks
dist_hooks_SCRIPTS = hooks/pre-push
EXTRA_DIST += .pre-commit-hooks.yaml
