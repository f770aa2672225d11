src_libwhittle_a_SOURCES += \
	src/reduce/ahead.c src/reduce/ahead.h src/reduce/driver.c src/reduce/driver.h src/reduce/engine.c \
	src/reduce/engine.h src/reduce/follow.c src/reduce/follow.h \
	src/reduce/format.c src/reduce/language.c src/reduce/language.h src/reduce/opening.c src/reduce/opening.h \
	src/reduce/passes.c src/reduce/passes.h src/reduce/plan.c src/reduce/plan.h src/reduce/probe.c \
	src/reduce/probe.h src/reduce/recipe.c src/reduce/recipe.h src/reduce/reducer.c src/reduce/reducer.h \
	src/reduce/reducer_again.c src/reduce/reducer_impl.h src/reduce/reducer_pump.c \
	src/reduce/reducer_records.c src/reduce/reducer_run.c \
	src/reduce/session.c src/reduce/session.h src/reduce/session_also.c \
	src/reduce/session_also.h src/reduce/session_begin.c src/reduce/session_def.h src/reduce/session_doubt.c \
	src/reduce/session_doubt.h src/reduce/session_facts.c src/reduce/session_options.h \
	src/reduce/session_sample.c src/reduce/session_store.c src/reduce/session_store.h src/reduce/settings.c \
	src/reduce/settings.h src/reduce/stage_external.c src/reduce/stages.h
