src_libwhittle_a_SOURCES += \
	src/lang/coded.c src/lang/coded.h src/lang/coded_find.c src/lang/coded_impl.h \
	src/lang/lexer.c src/lang/lexer.h src/lang/matcher.c src/lang/matcher.h src/lang/mend.c src/lang/mend.h \
	src/lang/mend_def.h src/lang/mend_find.c src/lang/mend_finder.h src/lang/mend_mentions.c src/lang/mend_names.c \
	src/lang/mend_sections.c src/lang/mend_work.h src/lang/pattern.c src/lang/pattern.h \
	src/lang/rewrite.c src/lang/rewrite.h src/lang/rewrite_def.h src/lang/rewrite_ground.c \
	src/lang/rewrite_parse.c src/lang/rewrite_sets.c src/lang/schema_parse.c src/lang/shape.c src/lang/shape.h \
	src/lang/token.c src/lang/token.h src/lang/tokenizer.c src/lang/tokenizer.h \
	src/lang/tokenizer_about.c src/lang/tokenizer_about.h src/lang/tokenizer_check.c src/lang/tokenizer_check.h \
	src/lang/tokenizer_choose.c src/lang/tokenizer_compile.c src/lang/tokenizer_def.h src/lang/tokenizer_find.c \
	src/lang/tokenizer_join.c src/lang/tokenizer_join.h src/lang/tokenizer_line.c src/lang/tokenizer_line.h \
	src/lang/tokenizer_parse.c src/lang/tokenizer_parse.h src/lang/tokenizer_read.c src/lang/tokenizer_shelf.h \
	src/lang/tokenizer_span.c src/lang/tokenizer_span.h src/lang/tokenizers.h src/lang/tree.c src/lang/tree.h
