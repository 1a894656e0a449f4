#include "workload.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace rocescope::bench {

Workload::Workload(const std::string& name) {
  const std::string path = std::string(ROCESCOPE_SOURCE_DIR) + "/captures/" + name;
  auto opened = open_capture(path);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    std::exit(EXIT_FAILURE);
  }
  for (Frame frame; (*opened)->next(frame);) {
    memory_.push_back(std::make_unique<std::uint8_t[]>(frame.data.size()));
    std::copy(frame.data.begin(), frame.data.end(), memory_.back().get());
    frame.data = {memory_.back().get(), frame.data.size()};
    frames_.push_back(frame);
    bytes_ += frame.data.size();
  }
}

const Workload& mixed() {
  static const Workload workload("lab_rping_write_ud_atomic.pcap");
  return workload;
}

bool MemorySource::next(Frame& frame) {
  if (next_ == workload_.frames().size()) return false;
  frame = workload_.frames()[next_++];
  return true;
}

const Recorded& recorded() {
  static const Recorded all = [] {
    Recorded made;
    MemorySource source(mixed());
    PacketReader reader(source);
    while (const PacketRecord* record = reader.next()) {
      made.packets.push_back(std::make_unique<Packet>(*record->packet));
      made.records.push_back(*record);
      made.records.back().packet = made.packets.back().get();
      made.records.back().interface = nullptr;
    }
    return made;
  }();
  return all;
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "rocescope_bench_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make the folder " + name);
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace rocescope::bench
