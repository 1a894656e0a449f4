// rocescope.hpp is the table of contents: a public header that it does not list is found by nobody.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "support/source_dir.hpp"

namespace rocescope {
namespace {

const std::filesystem::path kInclude = rocescope::testing::source_dir() + "/include";

/// `rocescope/psn.hpp` and the like, that the header `name` includes itself.
std::set<std::string> included_by(const std::string& name) {
  std::set<std::string> names;
  std::ifstream file(kInclude / name);
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view kBefore = "#include \"";
    if (!line.starts_with(kBefore)) continue;
    const std::size_t end = line.find('"', kBefore.size());
    names.insert(line.substr(kBefore.size(), end - kBefore.size()));
  }
  return names;
}

/// The public headers directly in `folder`.
std::set<std::string> headers_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kInclude / folder)) {
    if (entry.path().extension() == ".hpp") names.insert(folder + "/" + entry.path().filename().string());
  }
  return names;
}

TEST(PublicHeaders, are_all_listed_by_rocescope_hpp) {
  const std::set<std::string> listed = included_by("rocescope/rocescope.hpp");
  for (const std::string& name : headers_in("rocescope")) {
    if (name == "rocescope/rocescope.hpp") continue;
    EXPECT_TRUE(listed.contains(name)) << name;
  }
}

TEST(PublicHeaders, of_protocol_headers_are_all_included_by_headers_hpp) {
  std::set<std::string> reached = {"rocescope/headers.hpp"};
  for (std::set<std::string> ahead = reached; !ahead.empty();) {
    std::set<std::string> found;
    for (const std::string& name : ahead) {
      for (const std::string& included : included_by(name)) {
        if (reached.insert(included).second) found.insert(included);
      }
    }
    ahead = std::move(found);
  }
  const std::set<std::string> all = headers_in("rocescope/headers");
  EXPECT_FALSE(all.empty());
  for (const std::string& name : all) EXPECT_TRUE(reached.contains(name)) << name;
}

}  // namespace
}  // namespace rocescope
