dist_man_MANS += man/whittle.1
dist_man_MANS += man/whittle-tokenizer.5
dist_man_MANS += man/whittle-snapshots.7
dist_man_MANS += man/whittle-git.7
dist_man_MANS += man/whittle-passes.7
dist_man_MANS += man/whittle-make.7
