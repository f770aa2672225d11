include bench/overhead.mk
