tokenizersdir = $(pkgdatadir)/tokenizers
dist_tokenizers_DATA = \
	tokenizers/bytes.tok \
	tokenizers/c.tok \
	tokenizers/generic.tok \
	tokenizers/json.tok \
	tokenizers/python.tok \
	tokenizers/text.tok
