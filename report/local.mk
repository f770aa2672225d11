# What a report's page is made of: ours, and uPlot (MIT licence), which draws its curve.
reportdir = $(pkgdatadir)/report
dist_report_DATA = report/page.html report/uPlot.LICENSE report/uPlot.iife.min.js \
	report/uPlot.min.css
