src_whittle_SOURCES += \
	src/first/ask.c src/first/ask.h src/first/ask_first.c src/first/ask_here.c src/first/ask_numbers.c \
	src/first/ask_observe.c src/first/ask_script.c src/first/ask_words.c src/first/attributes.c \
	src/first/attributes.h src/first/teach.c src/first/teach.h src/first/teach_hand.c
