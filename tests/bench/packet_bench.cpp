// What is done with each packet: dissection, ICRC, tracking, filters, output.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "filter/filter.hpp"
#include "render/packets/packet_printer.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/icrc.hpp"
#include "rocescope/tracker.hpp"
#include "workload.hpp"

namespace rocescope::bench {
namespace {

using benchmark::State;

void count_packets(State& state, std::size_t packets_each) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(packets_each));
}

void dissect_frames(State& state) {
  Packet packet;
  for (auto _ : state) {
    for (const Frame& frame : mixed().frames()) {
      dissect(frame, packet);
      benchmark::DoNotOptimize(packet);
    }
  }
  count_packets(state, mixed().frames().size());
}
BENCHMARK(dissect_frames);

/// A SEND Middle over IPv4 with a payload of `payload` bytes.
std::vector<std::uint8_t> send_middle(std::size_t payload) {
  constexpr std::size_t kHeaders = 54;
  std::vector<std::uint8_t> frame(kHeaders + payload + 4, 0x5A);
  const auto put = [&](std::size_t at, std::initializer_list<int> bytes) {
    for (const int byte : bytes) frame[at++] = static_cast<std::uint8_t>(byte);
  };
  const auto ip_length = static_cast<int>(frame.size() - 14);
  put(12,
      {0x08, 0x00, 0x45, 0, ip_length >> 8, ip_length & 0xFF, 0, 0, 0x40, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2});
  const int udp_length = ip_length - 20;
  put(34, {0xC0, 0x01, 0x12, 0xB7, udp_length >> 8, udp_length & 0xFF, 0, 0, 0x01, 0x40, 0xFF, 0xFF, 0, 0, 0, 17,
           0,    0,    0,    5});
  return frame;
}

/// The usual packet alone.
void dissect_send_middle(State& state) {
  const std::vector<std::uint8_t> bytes = send_middle(static_cast<std::size_t>(state.range(0)));
  const Frame frame{.data = bytes, .original_length = static_cast<std::uint32_t>(bytes.size())};
  Packet packet;
  for (auto _ : state) {
    dissect(frame, packet);
    benchmark::DoNotOptimize(packet);
  }
  count_packets(state, 1);
}
BENCHMARK(dissect_send_middle)->Arg(64)->Arg(1024);

void icrc_of_payload(State& state) {
  const std::vector<std::uint8_t> frame = send_middle(static_cast<std::size_t>(state.range(0)));
  Packet packet;
  dissect({.data = frame, .original_length = static_cast<std::uint32_t>(frame.size())}, packet);
  if (check_icrc(packet).status == IcrcStatus::kNone) return state.SkipWithError("no RoCE packet");
  for (auto _ : state) benchmark::DoNotOptimize(check_icrc(packet));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(icrc_of_payload)->RangeMultiplier(4)->Range(16, 4096);

void track_packets(State& state) {
  for (auto _ : state) {
    Tracker tracker;
    for (const PacketRecord& record : recorded().records) benchmark::DoNotOptimize(tracker.track(record));
  }
  count_packets(state, recorded().records.size());
}
BENCHMARK(track_packets);

void filter_packets(State& state, const char* text) {
  const auto filter = filter::compile(text);
  if (!filter) return state.SkipWithError(filter.error().message.c_str());
  std::uint64_t passed = 0;
  for (auto _ : state) {
    for (const PacketRecord& record : recorded().records) passed += filter->matches(record) ? 1U : 0U;
  }
  benchmark::DoNotOptimize(passed);
  count_packets(state, recorded().records.size());
}
BENCHMARK_CAPTURE(filter_packets, number, "infiniband.bth.psn == 77");
BENCHMARK_CAPTURE(filter_packets, all_of, "ip.src == 192.168.2.25 && infiniband.bth.destqp == 0x11 && frame.len > 100");
BENCHMARK_CAPTURE(filter_packets, set, "infiniband.bth.opcode in {4, 10, 12..16, 17}");
BENCHMARK_CAPTURE(filter_packets, contains, "infiniband.payload contains ab:cd:ef");

void print(State& state, render::PacketPrinter& printer) {
  std::string out;
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    for (const PacketRecord& record : recorded().records) {
      printer.packet(record, out);
      bytes += out.size();
      out.clear();
    }
  }
  count_packets(state, recorded().records.size());
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void print_lines(State& state) { print(state, *render::make_line_printer({})); }
BENCHMARK(print_lines);

void print_trees(State& state) { print(state, *render::make_tree_printer({})); }
BENCHMARK(print_trees);

void print_ndjson(State& state) {
  const auto printer = render::make_json_printer({}, render::JsonLayout::kLines);
  print(state, **printer);
}
BENCHMARK(print_ndjson);

void print_five_fields(State& state) {
  const std::string names[] = {"frame.number", "ip.src", "infiniband.bth.opcode", "infiniband.bth.destqp",
                               "infiniband.bth.psn"};
  const auto printer = render::make_fields_printer(names, {});
  print(state, **printer);
}
BENCHMARK(print_five_fields);

}  // namespace
}  // namespace rocescope::bench
