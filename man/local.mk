dist_man_MANS += man/whittle.1
