#!/usr/bin/env bash
# Installs a build into an empty folder, and builds a small program and the examples against what is there, with CMake and with
# pkg-config.
# Usage: install_test.sh SOURCE_DIR BUILD_DIR CXX
set -euo pipefail
source_dir=$1 build_dir=$2 cxx=$3
work=$build_dir/tests/installed # the same place each time, so that ccache finds what was compiled before
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
launcher=()
if command -v ccache >/dev/null; then
  launcher=(ccache)
  export CCACHE_BASEDIR=$build_dir CCACHE_NOHASHDIR=1
fi
options=(-DCMAKE_PREFIX_PATH="$work/root" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_COMPILER_LAUNCHER="${launcher[*]}")
capture=$source_dir/captures/lab_rping_write_ud_atomic.pcap

cmake --install "$build_dir" --prefix "$work/root" >"$work/install.log"
for file in bin/rocescope include/rocescope/rocescope.hpp share/man/man1/rocescope.1 share/man/man1/rocescope-dissect.1 \
  share/man/man7/rocescope-capture.7 bin/rocescope-sbatch share/man/man1/rocescope-sbatch.1 \
  share/bash-completion/completions/rocescope share/zsh/site-functions/_rocescope \
  share/fish/vendor_completions.d/rocescope.fish; do
  [ -s "$work/root/$file" ] || { echo "not installed: $file"; cat "$work/install.log"; exit 1; }
done

plan=$("$work/root/bin/rocescope-sbatch" "$capture" --program "$work/root/bin/rocescope" --out "$work/results" --points)
[[ $plan = *"1 file"* ]] # not through grep -q, which ends before the other has written all

cmake -S "$source_dir/tests/install/consumer" -B "$work/consumer" "${options[@]}" >"$work/configure.log"
cmake --build "$work/consumer" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
with_cmake=$("$work/consumer/consumer" "$capture")

pc=$(dirname "$(find "$work/root" -name rocescope.pc)")
export PKG_CONFIG_PATH=$pc
# shellcheck disable=SC2046 # words of pkg-config are meant to split
"${launcher[@]}" "$cxx" -std=c++20 -c "$source_dir/tests/install/consumer/consumer.cpp" -o "$work/consumer.o" \
  $(pkg-config --cflags rocescope)
# shellcheck disable=SC2046
"$cxx" "$work/consumer.o" -o "$work/consumer-pc" $(pkg-config --libs rocescope)
unset PKG_CONFIG_PATH
with_pkg_config=$("$work/consumer-pc" "$capture")

expected=$("$work/root/bin/rocescope" analyze --json "$capture" | python3 -c '
import json, sys
print(json.load(sys.stdin)["icrc"]["good"])')
echo "good ICRCs: CMake consumer $with_cmake, pkg-config consumer $with_pkg_config, rocescope $expected"
[[ $with_cmake = "$expected" && $with_pkg_config = "$expected" && $expected -gt 0 ]]

# The examples say what the program says.
cmake -S "$source_dir/tools/examples" -B "$work/examples" "${options[@]}" >"$work/configure.log"
cmake --build "$work/examples" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/examples/report_json" "$capture" >"$work/example.json"
"$work/root/bin/rocescope" analyze --json "$capture" | cmp - "$work/example.json"
lossy=$source_dir/captures/impaired_out-loss_heavy.pcapng
naks=$("$work/examples/naks" "$lossy")
count=$("$work/root/bin/rocescope" dissect -Y 'infiniband.aeth.syndrome.opcode == 3' "$lossy" | wc -l)
echo "NAKs: example $(wc -l <<<"$naks"), rocescope $count"
[ "$(wc -l <<<"$naks")" = "$count" ]
grep -q 'PSN sequence error, lost: before$' <<<"$naks"
