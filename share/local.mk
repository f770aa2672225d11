# What a test includes that stays alive (whittle-live(7)).
livedir = $(pkgdatadir)/live
dist_live_DATA = share/WhittleLive.java share/whittle-live.h share/whittle-live.js share/whittle_live.py
