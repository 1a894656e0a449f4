#include "capture/rdma_devices.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

namespace rocescope {
namespace {

namespace fs = std::filesystem;

/// What is in a folder, sorted; nothing where there is none.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The word in a file. Those of GIDs that are not in use cannot be read.
std::string word_in(const fs::path& file) {
  std::ifstream stream(file);
  std::string word;
  stream >> word;
  return word;
}

std::set<std::string> interfaces_of(const fs::path& device) {
  std::set<std::string> names;
  for (const fs::path& port : entries(device / "ports")) {
    for (const fs::path& gid : entries(port / "gid_attrs" / "ndevs")) names.insert(word_in(gid));
  }
  for (const fs::path& interface : entries(device / "device" / "net")) names.insert(interface.filename());
  names.insert(word_in(device / "parent"));
  names.erase("");
  return names;
}

}  // namespace

std::vector<RdmaLink> rdma_links(const std::string& sys) {
  std::vector<RdmaLink> links;
  for (const fs::path& device : entries(fs::path(sys) / "class" / "infiniband")) {
    for (const std::string& interface : interfaces_of(device)) links.push_back({device.filename(), interface});
  }
  return links;
}

}  // namespace rocescope
