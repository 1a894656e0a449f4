// Captures, their reports, and other programs' words about them.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "rocescope/analyze.hpp"
#include "rocescope/capture.hpp"
#include "support/all_captures.hpp"
#include "support/source_dir.hpp"

namespace rocescope::testing {

inline Report report_of(const std::vector<std::string>& paths) {
  Result<std::unique_ptr<FrameSource>> source = open_captures(paths);
  if (!source) {
    ADD_FAILURE() << source.error().message;
    return {};
  }
  return analyze(**source);
}

/// A capture that the project ships.
inline std::string shipped(const std::string& name) { return rocescope::testing::source_dir() + "/captures/" + name; }

/// The folder of captures that are not ours to ship, or an empty string.
inline std::string extra_folder() {
  const char* folder = std::getenv("ROCESCOPE_EXTRA_CAPTURES");
  return folder == nullptr ? std::string() : std::string(folder);
}

inline bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

/// What a command prints on its standard output.
inline std::string output_of(const std::string& command) {
  std::string out;
  std::FILE* pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[65536];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, got);
  ::pclose(pipe);
  return out;
}

}  // namespace rocescope::testing
