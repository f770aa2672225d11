src_libwhittle_a_SOURCES += \
	src/edits/forms.c src/edits/forms.h src/edits/marks.c src/edits/marks.h src/edits/names.c src/edits/names.h \
	src/edits/significant.c src/edits/significant.h src/edits/strat_coded.c src/edits/strat_coupled.c \
	src/edits/strat_cuts.c src/edits/strat_expand.c src/edits/strat_families.c src/edits/strat_files.c src/edits/strat_indent.c \
	src/edits/strat_literals.c src/edits/strat_marked.c src/edits/strat_mentions.c src/edits/strat_names.c src/edits/strat_offsets.c \
	src/edits/strat_peel.c src/edits/strat_records.c src/edits/strat_rewrites.c src/edits/strat_runs.c src/edits/strat_sink.c \
	src/edits/strat_text.c src/edits/strat_tree.c src/edits/strat_values.c \
	src/edits/strategies.h src/edits/ties.c src/edits/ties.h src/edits/words.c src/edits/words.h
