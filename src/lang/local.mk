src_libwhittle_a_SOURCES += \
	src/lang/coded.c src/lang/coded.h src/lang/lexer.c src/lang/lexer.h src/lang/references.c src/lang/references.h \
	src/lang/references_def.h src/lang/references_find.c src/lang/pattern.c src/lang/pattern.h src/lang/rewrite.c \
	src/lang/rewrite.h src/lang/rewrite_parse.c src/lang/rewrite_pattern.h src/lang/schema_parse.c src/lang/shape.c \
	src/lang/shape.h src/lang/token.c src/lang/token.h src/lang/tokenizer.c src/lang/tokenizer.h \
	src/lang/tokenizer_check.c src/lang/tokenizer_check.h src/lang/tokenizer_compile.c src/lang/tokenizer_def.h \
	src/lang/tokenizer_find.c src/lang/tokenizer_line.c src/lang/tokenizer_line.h src/lang/tokenizer_parse.c \
	src/lang/tokenizers.h src/lang/tree.c src/lang/tree.h
