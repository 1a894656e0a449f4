// Readers of capture files.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "capture/pcapng_writer.hpp"
#include "workload.hpp"

namespace rocescope::bench {
namespace {

using benchmark::State;

constexpr int kCopies = 100;  // of the workload in a file

void write_pcap(const std::string& path) {
  // In one piece: how fast the kernel gives a file's pages depends on how they came.
  std::string text;
  const auto word = [&](std::uint64_t value) {
    const auto number = static_cast<std::uint32_t>(value);
    text.append(reinterpret_cast<const char*>(&number), sizeof(number));
  };
  for (const std::uint32_t value : {0xA1B23C4DU, 0x00040002U, 0U, 0U, 65'535U, 1U}) word(value);
  for (int i = 0; i < kCopies; ++i) {
    for (const Frame& frame : mixed().frames()) {
      constexpr std::int64_t kSecond = 1'000'000'000;
      word(static_cast<std::uint64_t>(frame.timestamp / kSecond));
      word(static_cast<std::uint64_t>(frame.timestamp % kSecond));
      word(frame.data.size());
      word(frame.original_length);
      text.append(reinterpret_cast<const char*>(frame.data.data()), frame.data.size());
    }
  }
  std::ofstream(path, std::ios::binary) << text;
}

void write_pcapng(const std::string& path) {
  auto writer = PcapngWriter::create(path, {.application = "bench", .comment = {}});
  if (!writer) std::exit(EXIT_FAILURE);
  (*writer)->add_interface({.name = "bench0", .ticks_per_second = 1'000'000'000});
  for (int i = 0; i < kCopies; ++i) {
    for (const Frame& frame : mixed().frames()) (*writer)->write(frame, 0);
  }
  (*writer)->finish();
}

void read_file(State& state, void (*write)(const std::string&)) {
  const Folder folder;
  const std::string path = folder.path("made");
  write(path);
  std::uint64_t packets = 0;
  for (auto _ : state) {
    auto source = open_capture(path);
    if (!source) return state.SkipWithError(source.error().message.c_str());
    for (Frame frame; (*source)->next(frame);) ++packets;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(packets));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(std::filesystem::file_size(path)));
}
BENCHMARK_CAPTURE(read_file, pcap, write_pcap)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_file, pcapng, write_pcapng)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rocescope::bench
