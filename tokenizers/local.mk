tokenizersdir = $(pkgdatadir)/tokenizers
dist_tokenizers_DATA = \
	tokenizers/ada.tok \
	tokenizers/bytes.tok \
	tokenizers/c.tok \
	tokenizers/dimacs.tok \
	tokenizers/fortran.tok \
	tokenizers/generic.tok \
	tokenizers/javascript.tok \
	tokenizers/json.tok \
	tokenizers/lisp.tok \
	tokenizers/make.tok \
	tokenizers/python.tok \
	tokenizers/rust.tok \
	tokenizers/shell.tok \
	tokenizers/sql.tok \
	tokenizers/text.tok \
	tokenizers/xml.tok
