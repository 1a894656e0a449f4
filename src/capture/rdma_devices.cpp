#include "capture/rdma_devices.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
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

std::vector<std::string> interfaces_of(const fs::path& device) {
  std::set<std::string> names;
  for (const fs::path& port : entries(device / "ports")) {
    for (const fs::path& gid : entries(port / "gid_attrs" / "ndevs")) names.insert(word_in(gid));
  }
  for (const fs::path& interface : entries(device / "device" / "net")) names.insert(interface.filename());
  names.insert(word_in(device / "parent"));
  names.erase("");
  return {names.begin(), names.end()};
}

/// The driver of the hardware, which a link leads to.
std::string driver_of(const fs::path& device) {
  std::error_code error;
  return fs::read_symlink(device / "device" / "driver", error).filename();
}

/// The counters of a port that count its packets, each once; a driver has some of them.
constexpr std::string_view kPacketCounters[] = {
    "counters/port_xmit_packets", "counters/port_rcv_packets",  // mlx4, mlx5: those of queue pairs
    "hw_counters/sent_pkts",      "hw_counters/rcvd_pkts",      // rxe
    "hw_counters/tx_pkts",        "hw_counters/rx_pkts",        // bnxt_re
    "hw_counters/ip4OutPkts",     "hw_counters/ip4InPkts",      // irdma
    "hw_counters/ip6OutPkts",     "hw_counters/ip6InPkts",
};

}  // namespace

std::vector<RdmaDevice> rdma_devices(const std::string& sys) {
  std::vector<RdmaDevice> devices;
  for (const fs::path& device : entries(fs::path(sys) / "class" / "infiniband")) {
    devices.push_back({.name = device.filename(),
                       .interfaces = interfaces_of(device),
                       .driver = driver_of(device),
                       .software = !word_in(device / "parent").empty()});
  }
  return devices;
}

std::optional<std::uint64_t> rdma_packets(const std::string& device, const std::string& sys) {
  std::optional<std::uint64_t> packets;
  for (const fs::path& port : entries(fs::path(sys) / "class" / "infiniband" / device / "ports")) {
    for (const std::string_view counter : kPacketCounters) {
      std::uint64_t number = 0;
      if (std::ifstream(port / counter) >> number) packets = packets.value_or(0) + number;
    }
  }
  return packets;
}

}  // namespace rocescope
