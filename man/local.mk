dist_man_MANS += man/whittle.1 man/whittle-reduce.1
dist_man_MANS += man/libwhittle.3
dist_man_MANS += man/whittle-tokenizer.5
dist_man_MANS += man/whittle-snapshots.7
dist_man_MANS += man/whittle-git.7
dist_man_MANS += man/whittle-passes.7
dist_man_MANS += man/whittle-make.7
dist_man_MANS += man/whittle-signature.5
dist_man_MANS += man/whittle-tutorial.7 man/whittle-cookbook.7 man/whittle-migration.7 man/whittle-as.1
dist_man_MANS += man/whittle-display.7 man/whittle-events.5 man/whittle-fence.7 man/whittle-live.7 man/whittle-workers.7

# The table of passes in the manual is what the program prints; tests/cli/docs compares them.
EXTRA_DIST += man/list-passes
.PHONY: manual
manual: src/whittle
	src/whittle --list-passes | $(srcdir)/man/list-passes $(srcdir)/man/whittle-passes.7 >whittle-passes.7.new
	cat whittle-passes.7.new >$(srcdir)/man/whittle-passes.7
	rm whittle-passes.7.new

# `make html`: the manual as pages that link to each other, in html/. Not a part of a build: mandoc makes them.
EXTRA_DIST += man/html
html-local:
	$(srcdir)/man/html $(srcdir)/man html
clean-local: clean-html
.PHONY: clean-html
clean-html:
	rm -rf html
