src_libwhittle_a_SOURCES += \
	src/binary/about.c src/binary/anew.c src/binary/anew.h src/binary/chain_loose.c src/binary/chain_search.c src/binary/chains.c src/binary/chains.h src/binary/codes.c \
	src/binary/codes.h src/binary/counts.c src/binary/database.c src/binary/database.h src/binary/digits.c src/binary/directory.c src/binary/extfs.c src/binary/extfs.h src/binary/finders.h \
	src/binary/hdf5.h src/binary/hdf5_chunks.c src/binary/hdf5_def.h src/binary/hdf5_make.c src/binary/hdf5_read.c \
	src/binary/forest.c src/binary/forest.h src/binary/forest_pool.c src/binary/forest_strides.c src/binary/forest_tables.c src/binary/forest_tables_bodies.c src/binary/forest_tables_def.h src/binary/forest_tables_take.c src/binary/found.c src/binary/found.h \
	src/binary/inflate.c src/binary/inflate.h src/binary/layers.c src/binary/layers.h src/binary/layers_fields.c \
	src/binary/lengths.c src/binary/linked.h src/binary/linked_def.h src/binary/linked_lines.c src/binary/linked_make.c src/binary/linked_read.c src/binary/macho.c src/binary/macho.h src/binary/pdf.c src/binary/pdf.h src/binary/pe.c src/binary/pe.h src/binary/record.h src/binary/records.c src/binary/records.h \
	src/binary/records_reach.c src/binary/records_reach.h \
	src/binary/repair.c src/binary/repeated.c src/binary/repair.h src/binary/repair_reach.c src/binary/repair_links.c src/binary/repair_made.c src/binary/repair_without.c \
	src/binary/schema.h src/binary/schema_def.h src/binary/schema_expr.c \
	src/binary/schema_match.c src/binary/sections.c src/binary/sections_def.h src/binary/sections_places.c src/binary/sfnt.c src/binary/sfnt.h src/binary/sfnt_maps.c src/binary/sums.c src/binary/sums.h src/binary/woff.c src/binary/woff.h src/binary/woff2.c src/binary/woff2.h src/binary/woff2_glyphs.c src/binary/tagged.c src/binary/tar.c src/binary/tar.h
