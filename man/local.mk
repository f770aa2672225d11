dist_man_MANS += man/whittle.1
dist_man_MANS += man/whittle-tokenizer.5
