EXTRA_DIST += \
	examples/README.md \
	examples/clang-14-aligned/filter.c examples/clang-14-aligned/test.sh \
	examples/gcc-12-asm-goto/pool.c examples/gcc-12-asm-goto/test.sh \
	examples/gxx-12-member-table/machine.cc examples/gxx-12-member-table/test.sh \
	examples/crash/README.md examples/crash/shop.c examples/crash/stock.conf \
	examples/hang/README.md examples/hang/longest.awk examples/hang/hosts \
	examples/miscompilation/README.md examples/miscompilation/calc.c examples/miscompilation/sums \
	examples/sanitizer/README.md examples/sanitizer/words.c examples/sanitizer/text \
	examples/wrong-output/README.md examples/wrong-output/total.awk examples/wrong-output/till.csv \
	examples/flaky/README.md examples/flaky/server examples/flaky/requests \
	examples/ci/github.yml examples/ci/gitlab.yml examples/ci/pre-commit-config.yaml \
	examples/ci/reduce/action.yml examples/ci/reduce/gitlab.yml examples/ci/reduce/reduce.sh \
	examples/embed/README.md examples/embed/embed.c examples/embed/json.c examples/embed/json.h \
	examples/embed/crash.json \
	examples/passes/sentences \
	examples/slurm/README.md examples/slurm/overnight.sbatch \
	examples/makefile/Makefile examples/makefile/test.sh
