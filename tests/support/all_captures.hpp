// Which captures there are to test on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
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

/// For tests that read each capture many times. Under sanitizers, where that takes minutes, one in `step` of those that
/// are not large, from the `first` on: neighbours are much alike, and tests of one kind begin at different ones. The
/// name `always` is among them, for what a test needs and few captures have. A release reads all (tools/test --all).
inline std::vector<std::string> to_repeat(std::vector<std::string> paths, [[maybe_unused]] std::size_t first,
                                          [[maybe_unused]] std::size_t step,
                                          [[maybe_unused]] const std::string& always = {}) {
#ifdef ROCESCOPE_SANITIZED
  constexpr std::uintmax_t kMost = 150'000;  // bytes
  std::sort(paths.begin(), paths.end());
  std::erase_if(paths, [](const std::string& path) { return std::filesystem::file_size(path) > kMost; });
  std::vector<std::string> few;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (i % step == first || std::filesystem::path(paths[i]).filename() == always) few.push_back(std::move(paths[i]));
  }
  return few;
#else
  return paths;
#endif
}

inline std::vector<std::string> captures_to_repeat(std::size_t first = 0, std::size_t step = 3,
                                                   const std::string& always = {}) {
  return to_repeat(all_captures(), first, step, always);
}

}  // namespace rocescope::testing
