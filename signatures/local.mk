signaturesdir = $(pkgdatadir)/signatures
dist_signatures_DATA = \
	signatures/any.sig \
	signatures/asan.sig \
	signatures/clang.sig \
	signatures/compiler.sig \
	signatures/crash.sig \
	signatures/dotnet.sig \
	signatures/functional.sig \
	signatures/gcc.sig \
	signatures/git.sig \
	signatures/glibc.sig \
	signatures/go.sig \
	signatures/hardware.sig \
	signatures/java.sig \
	signatures/javascript.sig \
	signatures/linker.sig \
	signatures/make.sig \
	signatures/perl.sig \
	signatures/php.sig \
	signatures/python.sig \
	signatures/ruby.sig \
	signatures/rust.sig \
	signatures/scripts.sig \
	signatures/solver.sig \
	signatures/sql.sig \
	signatures/valgrind.sig
