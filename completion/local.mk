# Completion for shells, where they look for it, and for `whittle completion SHELL`.
completiondir = $(pkgdatadir)/completion
dist_completion_DATA = completion/whittle.bash completion/whittle.fish completion/whittle.zsh

bash_completion = $(DESTDIR)$(datadir)/bash-completion/completions
zsh_completion = $(DESTDIR)$(datadir)/zsh/site-functions
fish_completion = $(DESTDIR)$(datadir)/fish/vendor_completions.d
install-data-local: install-completion
uninstall-local: uninstall-completion
.PHONY: install-completion uninstall-completion
install-completion:
	$(MKDIR_P) '$(bash_completion)' '$(zsh_completion)' '$(fish_completion)'
	$(INSTALL_DATA) $(srcdir)/completion/whittle.bash '$(bash_completion)/whittle'
	$(INSTALL_DATA) $(srcdir)/completion/whittle.bash '$(bash_completion)/git-whittle'
	$(INSTALL_DATA) $(srcdir)/completion/whittle.zsh '$(zsh_completion)/_whittle'
	$(INSTALL_DATA) $(srcdir)/completion/whittle.fish '$(fish_completion)/whittle.fish'
uninstall-completion:
	rm -f '$(bash_completion)/whittle' '$(bash_completion)/git-whittle' '$(zsh_completion)/_whittle' '$(fish_completion)/whittle.fish'

# `git whittle`, and its manual for `git help whittle` and `git whittle --help`.
dist_man_MANS += man/git-whittle.1 man/whittle-test-driver.1
install-exec-hook:
	cd '$(DESTDIR)$(bindir)' && rm -f git-whittle$(EXEEXT) && $(LN_S) whittle$(EXEEXT) git-whittle$(EXEEXT)
uninstall-hook:
	rm -f '$(DESTDIR)$(bindir)/git-whittle$(EXEEXT)'
