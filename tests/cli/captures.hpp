// Captures that the tests of the program read.
#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "support/source_dir.hpp"

namespace rocescope::testing {

/// 1,272 packets of SoftRoCE, 1,241 of them RoCE, all captured whole.
inline const std::string kLab = source_dir() + "/captures/lab_rping_write_ud_atomic.pcap";
inline constexpr int kLabPackets = 1272;
/// 1,288 packets from half an hour later.
inline const std::string kOtherLab = source_dir() + "/captures/lab_pingpong_atomic_udaddy.pcap";
inline constexpr int kOtherLabPackets = 1288;

/// A capture that comes with the project.
inline std::string capture(const std::string& name) { return source_dir() + "/captures/" + name; }

inline std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace rocescope::testing
