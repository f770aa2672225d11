src_libwhittle_a_SOURCES += \
	src/disk/aside.c src/disk/aside.h src/disk/claim.c src/disk/claim.h src/disk/input.c src/disk/input.h src/disk/leftovers.c src/disk/leftovers.h \
	src/disk/output.c src/disk/output.h \
	src/disk/permissions.c src/disk/permissions.h \
	src/disk/replace.c src/disk/replace.h src/disk/replace_item.c src/disk/replace_item.h \
	src/disk/replace_record.c src/disk/replace_record.h src/disk/stamp.c src/disk/stamp.h
