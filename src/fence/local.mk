src_libwhittle_a_SOURCES += \
	src/fence/cgroup.c src/fence/cgroup.h src/fence/fence.c src/fence/fence.h src/fence/landlock.c \
	src/fence/landlock.h src/fence/limits_usage.c src/fence/limits_usage.h src/fence/namespaces.c \
	src/fence/namespaces.h src/fence/workdir.c src/fence/workdir.h
