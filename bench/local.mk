include bench/overhead.mk
include bench/tokenize.mk
