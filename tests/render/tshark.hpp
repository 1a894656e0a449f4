// tshark as a witness.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace rocescope::render {

inline bool has_tshark() { return std::system("tshark --version >/dev/null 2>&1") == 0; }

/// What `tshark ARGUMENTS` prints on its standard output. RPC over RDMA is off: it takes every SEND for its own, and the
/// bytes after the headers with it.
inline std::string tshark(const std::string& arguments) {
  std::string out;
  std::FILE* pipe = ::popen(("tshark -n --disable-protocol rpcordma " + arguments + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[65536];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, got);
  ::pclose(pipe);
  return out;
}

}  // namespace rocescope::render
