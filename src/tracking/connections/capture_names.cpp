#include "tracking/connections/capture_names.hpp"

#include <algorithm>

namespace rocescope {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

}  // namespace

std::vector<std::string> capture_names(std::string path) {
  for (const char* const packed : {".gz", ".zst", ".lz4"}) {
    if (path.ends_with(packed)) path.resize(path.rfind('.'));
  }
  const std::size_t file = path.rfind('/') + 1;  // 0 where there is none
  std::string bare = path;
  bare.erase(std::remove_if(bare.begin() + static_cast<std::ptrdiff_t>(file), bare.end(), is_digit), bare.end());
  std::vector<std::string> names{bare};
  for (std::size_t i = file; i < path.size(); ++i) {
    const bool ends_number = is_digit(path[i]) && (i + 1 == path.size() || !is_digit(path[i + 1]));
    if (ends_number) names.push_back(path.substr(0, i + 1) + '\0' + bare);
  }
  return names;
}

std::size_t names_in_common(const std::vector<std::string>& a, const std::vector<std::string>& b) noexcept {
  const auto differ = std::ranges::mismatch(a, b);
  return static_cast<std::size_t>(differ.in1 - a.begin());
}

}  // namespace rocescope
