# Data that is installed and read, included or executed by users: one folder each.

# What a test includes that stays alive (whittle-live(7)).
livedir = $(pkgdatadir)/live
dist_live_DATA = share/live/WhittleLive.java share/live/whittle-live.h share/live/whittle-live.js share/live/whittle_live.py

# What a report's page is made of: ours, and uPlot (MIT licence), which draws its curve.
reportdir = $(pkgdatadir)/report
dist_report_DATA = share/report/page.html share/report/uPlot.LICENSE share/report/uPlot.iife.min.js \
	share/report/uPlot.min.css

hooksdir = $(pkgdatadir)/hooks
dist_hooks_SCRIPTS = share/hooks/pre-push
EXTRA_DIST += .pre-commit-hooks.yaml

# Our side of external passes that are used where their program is installed.
passesdir = $(pkgdatadir)/passes
dist_passes_SCRIPTS = share/passes/clang-delta

# Completion for shells, where they look for it, and for `whittle completion SHELL`.
completiondir = $(pkgdatadir)/completion
dist_completion_DATA = share/completion/whittle.bash share/completion/whittle.fish share/completion/whittle.zsh

bash_completion = $(DESTDIR)$(datadir)/bash-completion/completions
zsh_completion = $(DESTDIR)$(datadir)/zsh/site-functions
fish_completion = $(DESTDIR)$(datadir)/fish/vendor_completions.d
install-data-local: install-completion
uninstall-local: uninstall-completion
.PHONY: install-completion uninstall-completion
install-completion:
	$(MKDIR_P) '$(bash_completion)' '$(zsh_completion)' '$(fish_completion)'
	$(INSTALL_DATA) $(srcdir)/share/completion/whittle.bash '$(bash_completion)/whittle'
	$(INSTALL_DATA) $(srcdir)/share/completion/whittle.bash '$(bash_completion)/git-whittle'
	$(INSTALL_DATA) $(srcdir)/share/completion/whittle.zsh '$(zsh_completion)/_whittle'
	$(INSTALL_DATA) $(srcdir)/share/completion/whittle.fish '$(fish_completion)/whittle.fish'
uninstall-completion:
	rm -f '$(bash_completion)/whittle' '$(bash_completion)/git-whittle' '$(zsh_completion)/_whittle' '$(fish_completion)/whittle.fish'

# `git whittle`, and its manual for `git help whittle` and `git whittle --help`.
dist_man_MANS += man/git-whittle.1 man/whittle-test-driver.1
install-exec-hook:
	cd '$(DESTDIR)$(bindir)' && rm -f git-whittle$(EXEEXT) && $(LN_S) whittle$(EXEEXT) git-whittle$(EXEEXT)
uninstall-hook:
	rm -f '$(DESTDIR)$(bindir)/git-whittle$(EXEEXT)'

# What makes whittle part of a user's build: the makefile fragment, and the driver for automake's test harness.
makefiledir = $(includedir)
makefile_DATA = make/whittle.mk
dist_bin_SCRIPTS = share/make/whittle-test-driver share/make/whittle-as
EXTRA_DIST += share/make/whittle.mk.in
CLEANFILES += make/whittle.mk

make/whittle.mk: share/make/whittle.mk.in Makefile
	$(AM_V_GEN)$(MKDIR_P) make && sed -e 's|@bindir[@]|$(bindir)|' -e 's|@pkglibdir[@]|$(pkglibdir)|' \
		$(srcdir)/share/make/whittle.mk.in >$@.new && mv -f $@.new $@
