# Which packages the tools install, and how. Sourced by tools/quickstart and tools/test.

build_packages=(
  g++ cmake ninja-build pkg-config ccache
  libibverbs-dev librdmacm-dev
  libpcap-dev libboost-program-options-dev libfmt-dev nlohmann-json3-dev libisal-dev libpcre2-dev libjemalloc-dev
  zlib1g-dev libzstd-dev liblz4-dev libncurses-dev prometheus-cpp-dev libcurl4-openssl-dev
)

# What the build of the Wireshark plugin needs, and that of packages.
plugin_packages=(libwireshark-dev libglib2.0-dev)
packaging_packages=(dpkg-dev file)

# What a release with tests is built from.
test_build_packages=(python3 libgtest-dev libgmock-dev libbenchmark-dev)

# What makes the page of `analyze --html`. An npm from elsewhere is as good. The build does without, and then the program has no
# --html: these are some hundred packages.
command -v npm >/dev/null || test_build_packages+=(nodejs npm)

# What tests run, and the build with sanitizers.
test_packages=(
  clang lld libclang-rt-dev llvm clang-format clang-tidy
  wireshark-common tshark tcpdump tcpreplay iproute2 procps prometheus python3-scapy python3-jsonschema protobuf-compiler python3-protobuf
  zstd lz4 gzip zsh fish bash-completion man-db tmux
)

# The browser that looks at reports of `analyze --html`. Ubuntu has none as a package.
if apt-cache show chromium >/dev/null 2>&1; then
  test_packages+=(chromium)
fi

# The servers that reports are exported to, which not every distribution has.
if apt-cache show clickhouse-server >/dev/null 2>&1; then
  test_packages+=(clickhouse-server openssl)
fi

# The cluster that rocescope-sbatch is tested on: two nodes on this machine.
slurm_packages=(slurmctld slurmd slurm-client munge)

# What only tools/test --all needs: roots of Debian, and Wireshark's window on a virtual screen.
long_packages=(mmdebstrap wireshark xvfb xdotool xclip imagemagick "${slurm_packages[@]}")

# What tools/lab runs: guests in QEMU, made of packages that apt fetches.
lab_packages=(
  python3 qemu-system-x86 kmod zstd
)

# Installs those of the packages named that are missing; says so first, and how it gets the right to.
install_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  command -v apt-get >/dev/null || {
    echo "$0: this needs apt-get (Debian 12, 13, Ubuntu 24.04). Elsewhere install the equivalents of: ${missing[*]}" >&2
    return 1
  }
  local as_root=()
  if [ "$(id -u)" -eq 0 ]; then
    echo "Installing as root: ${missing[*]}"
  elif command -v sudo >/dev/null; then
    echo "Installing with sudo: ${missing[*]}"
    as_root=(sudo)
  else
    echo "$0: packages are missing, and neither root nor sudo is here. Run as root: apt-get install ${missing[*]}" >&2
    return 1
  fi
  "${as_root[@]}" apt-get update -q
  # What packages bring as services is not started: tests start their own.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c '
    if [ ! -e /usr/sbin/policy-rc.d ]; then
      trap "rm -f /usr/sbin/policy-rc.d" EXIT
      printf "#!/bin/sh\nexit 101\n" >/usr/sbin/policy-rc.d
      chmod 755 /usr/sbin/policy-rc.d
    fi
    apt-get install -y -q --no-install-recommends "$@"' sh "${missing[@]}"
}
