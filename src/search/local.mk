src_libwhittle_a_SOURCES += \
	src/search/blocks.c \
	src/search/calls_tags.c src/search/calls_tags.h \
	src/search/chooser.c src/search/chooser.h \
	src/search/find_change_point.c src/search/find_change_point.h \
	src/search/first.c src/search/first.h \
	src/search/forms.c src/search/forms.h src/search/hunt.c src/search/hunt.h src/search/hunt_impl.h src/search/hunt_options.h \
	src/search/hunt_merge.c \
	src/search/integers.c src/search/integers.h \
	src/search/marks.c src/search/marks.h \
	src/search/mentions.c src/search/mentions.h \
	src/search/names.c src/search/names.h \
	src/search/proposer.h \
	src/search/phrases.c src/search/phrases.h \
	src/search/proof.c src/search/proof.h \
	src/search/reach_items.c src/search/reach_language.c src/search/reach.h \
	src/search/reach_declare.c src/search/reach_word.c src/search/reach_mention.c src/search/reach_space.c src/search/reach_within.c src/search/reach_impl.h \
	src/search/reach_live.c src/search/reach_live.h \
	src/search/reach_ask.c src/search/reach_ask.h \
	src/search/reach_search.c src/search/reach_search.h \
	src/search/reach_shed.c src/search/reach_shed.h \
	src/search/reach_end.c src/search/reach_end.h \
	src/search/reach_own.c src/search/reach_own.h \
	src/search/reach_gone.c src/search/reach_gone.h \
	src/search/reach_prune.c src/search/reach_prune.h \
	src/search/search.c src/search/search.h \
	src/search/seen.c src/search/seen.h \
	src/search/integer_list.c src/search/integer_list.h \
	src/search/simplify.c src/search/simplify.h \
	src/search/simplify_search.c src/search/simplify_search.h \
	src/search/sink.c src/search/sink.h \
	src/search/solid.c src/search/solid.h \
	src/search/strat_calls.c \
	src/search/strat_coded.c \
	src/search/strat_coupled.c \
	src/search/strat_cuts.c \
	src/search/strat_expand.c \
	src/search/strat_files.c \
	src/search/strat_join.c src/search/strat_layers.c src/search/strat_literals.c \
	src/search/strat_marked.c \
	src/search/strat_names.c \
	src/search/strat_offsets.c \
	src/search/strat_pairs.c \
	src/search/strat_peel.c \
	src/search/strat_reach.c \
	src/search/strat_records.c \
	src/search/strat_rewrites.c \
	src/search/strat_runs.c \
	src/search/strat_stand_ins.c \
	src/search/strat_text.c \
	src/search/strat_tree.c \
	src/search/tree_stand_in.c src/search/tree_stand_in.h \
	src/search/strat_values.c \
	src/search/strat_words.c \
	src/search/strategies.h \
	src/search/stretch.c src/search/stretch.h \
	src/search/strategy.c src/search/strategy.h \
	src/search/stub_find.c src/search/stub_front.c src/search/stub_text.c \
	src/search/stub.h src/search/stub_impl.h \
	src/search/stub_search.c src/search/stub_search.h \
	src/search/stub_names.c src/search/stub_names.h \
	src/search/sweep.c \
	src/search/tails.c src/search/tails.h \
	src/search/imports.c src/search/imports.h src/search/tallies.c src/search/tallies.h src/search/ties.c src/search/ties.h \
	src/search/view.c src/search/view.h \
	src/search/within.c src/search/within.h \
	src/search/words.c src/search/words.h
