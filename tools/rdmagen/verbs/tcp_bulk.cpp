#include "verbs/tcp_bulk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/payload.hpp"

namespace rocescope::rdmagen {
namespace {

Tally send_all(const Options& options, std::uint8_t number) {
  Job job = options.job;
  job.connection = number;
  bool refused = false;
  TcpSocket tcp = connect_tcp(options, refused);
  Greeting hello;
  hello.word = "tcp";
  hello.job = job;
  tcp.send(hello, options.wait_s);
  if (const Greeting answer = tcp.receive_greeting(options.wait_s); answer.word != "ok") {
    throw Error(fmt::format("the server says: {}", answer.why));
  }
  std::vector<std::uint8_t> bytes(job.size);
  PayloadStream(job, Side::kClient).fill(bytes, 0);
  Tally tally;
  tally.start_ns = now_ns();
  for (std::uint32_t round = 0; round < job.count; ++round) {
    for (std::size_t at = 0; at < bytes.size(); at += job.chunk) {
      tcp.send(std::span(bytes).subspan(at, std::min<std::size_t>(job.chunk, bytes.size() - at)), options.wait_s);
      ++tally.operations;
    }
    tally.payload_bytes += bytes.size();
  }
  const Greeting done = tcp.receive_greeting(options.wait_s);
  if (done.word != "done") tally.errors.push_back(fmt::format("the server says: {}", done.why));
  tally.end_ns = now_ns();
  return tally;
}

}  // namespace

Tally run_tcp_bulk(const Options& options) {
  std::vector<Tally> tallies(options.job.connections);
  std::vector<std::thread> threads;
  for (std::uint8_t number = 0; number < options.job.connections; ++number) {
    threads.emplace_back([&, number] {
      try {
        tallies[number] = send_all(options, number);
      } catch (const Error& error) {
        tallies[number].errors.push_back(error.hint().empty() ? error.what()
                                                              : fmt::format("{} ({})", error.what(), error.hint()));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Tally all;
  for (const Tally& tally : tallies) all.add(tally);
  return all;
}

Tally serve_tcp_bulk(TcpSocket& tcp, const Job& job, std::uint32_t wait_s) {
  tcp.send(Greeting{.word = "ok"}, wait_s);
  const PayloadStream stream(job, Side::kClient);
  std::vector<std::uint8_t> bytes(std::clamp<std::size_t>(job.chunk, 1, std::size_t{1} << 20U));
  Tally tally;
  tally.start_ns = now_ns();
  for (std::uint32_t round = 0; round < job.count; ++round) {
    for (std::uint64_t at = 0; at < job.size;) {
      const auto room = std::span(bytes).first(std::min<std::uint64_t>(bytes.size(), job.size - at));
      const std::size_t count = tcp.receive(room, wait_s);
      ++tally.operations;
      if (const auto difference = stream.first_difference(room.first(count), at)) {
        throw Error(fmt::format("the bytes are not those sent, from byte {} on", at + *difference));
      }
      at += count;
      tally.verified_bytes += count;
      tally.payload_bytes += count;
    }
  }
  tally.end_ns = now_ns();
  return tally;
}

}  // namespace rocescope::rdmagen
