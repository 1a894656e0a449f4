#include "core/counters.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace rocescope::rdmagen {

Counters read_counters(const std::string& directory) {
  Counters counters;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    std::ifstream file(entry.path());
    std::uint64_t value = 0;
    std::string rest;
    // "lifespan" is how long the kernel may answer from its cache, and no counter.
    if (file >> value && !(file >> rest) && entry.path().filename() != "lifespan") {
      counters[entry.path().filename()] = value;
    }
  }
  return counters;
}

std::string hw_counters_directory(const std::string& device, unsigned port) {
  return fmt::format("/sys/class/infiniband/{}/ports/{}/hw_counters", device, port);
}

}  // namespace rocescope::rdmagen
