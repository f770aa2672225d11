tokenizersdir = $(pkgdatadir)/tokenizers
dist_tokenizers_DATA = \
	tokenizers/ada.tok \
	tokenizers/bytes.tok \
	tokenizers/c.tok \
	tokenizers/csharp.tok \
	tokenizers/dimacs.tok \
	tokenizers/elixir.tok \
	tokenizers/emacs-lisp.tok \
	tokenizers/erlang.tok \
	tokenizers/fortran.tok \
	tokenizers/generic.tok \
	tokenizers/go.tok \
	tokenizers/haskell.tok \
	tokenizers/java.tok \
	tokenizers/javascript.tok \
	tokenizers/json.tok \
	tokenizers/julia.tok \
	tokenizers/kotlin.tok \
	tokenizers/lisp.tok \
	tokenizers/lua.tok \
	tokenizers/make.tok \
	tokenizers/ocaml.tok \
	tokenizers/pascal.tok \
	tokenizers/perl.tok \
	tokenizers/php.tok \
	tokenizers/python.tok \
	tokenizers/r.tok \
	tokenizers/ruby.tok \
	tokenizers/rust.tok \
	tokenizers/scala.tok \
	tokenizers/shell.tok \
	tokenizers/sql.tok \
	tokenizers/swift.tok \
	tokenizers/text.tok \
	tokenizers/typescript.tok \
	tokenizers/xml.tok
