# shellcheck shell=sh
# Sourced first by tests that make daemons and networks, with the programs that these need: the test begins anew in namespaces
# of its own (mounts, network, processes), which end with all that it started. Skips it where that is not possible.
PATH=$PATH:/usr/sbin:/sbin
: "${needs:?}"
if [ -z "${in_namespaces-}" ]; then
	for needed in unshare ip $needs; do
		command -v "$needed" >/dev/null || { echo "no $needed"; exit 77; }
	done
	unshare -mnpf --mount-proc --kill-child true 2>/dev/null || { echo "not allowed to make namespaces"; exit 77; }
	in_namespaces=yes
	export in_namespaces PATH
	exec unshare -mnpf --mount-proc --kill-child "$0"
fi
