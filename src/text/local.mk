src_libwhittle_a_SOURCES += \
	src/text/chain_loose.c src/text/chain_search.c \
	src/text/chains.c src/text/chains.h \
	src/text/checks.c \
	src/text/checks_digits.c \
	src/text/coded.c src/text/coded.h src/text/coded_impl.h \
	src/text/coded_find.c \
	src/text/codes.c src/text/codes.h \
	src/text/counts.c src/text/counts.h \
	src/text/digits.c src/text/digits.h \
	src/text/directory.c src/text/directory.h \
	src/text/diff.c src/text/diff.h \
	src/text/edit.c src/text/edit_apply.c src/text/edit.h \
	src/text/forest.c src/text/forest.h \
	src/text/inflate.c src/text/inflate.h \
	src/text/layers.c src/text/layers.h src/text/layers_impl.h \
	src/text/lengths.c src/text/lengths.h \
	src/text/layers_fields.c \
	src/text/layers_open.c \
	src/text/layers_rows.c \
	src/text/layers_xz.c \
	src/text/lexer.c src/text/lexer.h \
	src/text/matcher.c src/text/matcher.h \
	src/text/mend.c src/text/mend.h src/text/mend_def.h src/text/mend_work.h \
	src/text/mend_find.c src/text/mend_finder.h \
	src/text/mend_mentions.c src/text/mend_names.c src/text/mend_sections.c \
	src/text/pattern.c src/text/pattern.h \
	src/text/records.c src/text/records.h src/text/records_def.h \
	src/text/records_reach.c src/text/records_reach.h \
	src/text/repair.c src/text/repair.h src/text/repair_impl.h \
	src/text/repair_drop.c src/text/repair_map.c \
	src/text/repair_places.c \
	src/text/rewrite.c src/text/rewrite.h src/text/rewrite_def.h \
	src/text/rewrite_ground.c \
	src/text/rewrite_parse.c \
	src/text/rewrite_sets.c \
	src/text/sections.c src/text/sections.h src/text/sections_impl.h \
	src/text/sections_below.c \
	src/text/sections_keyed.c \
	src/text/sections_places.c \
	src/text/shape.c src/text/shape.h \
	src/text/tagged.c src/text/tagged.h \
	src/text/schema.h src/text/schema_def.h src/text/schema_expr.c src/text/schema_match.c \
	src/text/schema_found.c src/text/schema_found.h src/text/schema_parse.c src/text/schema_words.c src/text/schema_words.h \
	src/text/testcase.c src/text/testcase.h \
	src/text/token.c src/text/token.h \
	src/text/tokenizer.c src/text/tokenizer.h src/text/tokenizer_def.h \
	src/text/tokenizer_about.c src/text/tokenizer_about.h \
	src/text/tokenizer_check.c src/text/tokenizer_check.h \
	src/text/tokenizer_compile.c \
	src/text/tokenizer_choose.c src/text/tokenizer_shelf.h \
	src/text/tokenizer_find.c \
	src/text/tokenizer_join.c src/text/tokenizer_join.h \
	src/text/tokenizer_line.c src/text/tokenizer_line.h \
	src/text/tokenizer_parse.c src/text/tokenizer_parse.h src/text/tokenizer_read.c \
	src/text/tokenizer_span.c src/text/tokenizer_span.h \
	src/text/tokenizers.h \
	src/text/spans.c src/text/spans.h \
	src/text/sums.c src/text/sums.h \
	src/text/tree.c src/text/tree.h
