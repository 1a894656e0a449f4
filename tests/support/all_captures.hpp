// Which captures there are to test on.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/source_dir.hpp"

namespace rocescope::testing {

/// The captures of the project, and those in the folder that ROCESCOPE_EXTRA_CAPTURES names.
inline std::vector<std::string> all_captures() {
  std::vector<std::filesystem::path> folders = {std::filesystem::path(rocescope::testing::source_dir()) / "captures"};
  if (const char* extra = std::getenv("ROCESCOPE_EXTRA_CAPTURES")) folders.emplace_back(extra);
  std::vector<std::string> paths;
  for (const auto& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".pcap" || extension == ".pcapng" || extension == ".dump") paths.push_back(entry.path());
    }
  }
  return paths;
}

/// The same, for tests that read each of them many times: without the largest under sanitizers, where that takes minutes. A release reads all
/// of them (tools/test --all).
inline std::vector<std::string> captures_to_repeat() {
  std::vector<std::string> paths = all_captures();
#ifdef ROCESCOPE_SANITIZED
  constexpr std::uintmax_t kMost = 150'000;  // bytes
  std::erase_if(paths, [](const std::string& path) { return std::filesystem::file_size(path) > kMost; });
#endif
  return paths;
}

}  // namespace rocescope::testing
