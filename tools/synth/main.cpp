// Makes the capture: each connection in turn gives some packets.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <vector>

#include "core/error.hpp"
#include "synth/capture_writer.hpp"
#include "synth/options.hpp"
#include "synth/packets.hpp"
#include "synth/round.hpp"
#include "synth/truth.hpp"

namespace rocescope::synth {
namespace {

enum ExitCode { kGood = 0, kBad = 1, kUsage = 2 };

/// A clock that runs as fast as a link carries frames.
class LinkClock {
 public:
  explicit LinkClock(double gigabits) : picoseconds_per_byte_(static_cast<std::uint64_t>(8000 / gigabits)) {}

  [[nodiscard]] std::uint64_t now() const noexcept { return kStart + picoseconds_ / 1000; }
  void carry(std::size_t bytes) noexcept {
    constexpr std::uint64_t kPreambleGapAndCheck = 24;
    picoseconds_ += (bytes + kPreambleGapAndCheck) * picoseconds_per_byte_;
  }
  /// Until a packet's receiver has answered it: as long as some frames take, and the way.
  void wait_for_answer(std::uint32_t path_mtu) noexcept {
    constexpr std::uint64_t kFrames = 8;
    constexpr std::uint64_t kWay = 2'000'000;  // picoseconds
    picoseconds_ += kWay + kFrames * path_mtu * picoseconds_per_byte_;
  }

 private:
  static constexpr std::uint64_t kStart = 1'700'000'000'000'000'000;  // nanoseconds since 1970
  std::uint64_t picoseconds_per_byte_;
  std::uint64_t picoseconds_ = 0;
};

class Maker {
 public:
  explicit Maker(const Options& options)
      : options_(options),
        writer_(options.output, options.format, options.snap_length),
        truth_(options),
        rounds_(options),
        packets_(options),
        clock_(options.gigabits),
        connections_(options.queue_pairs),
        places_(std::min(options.active, options.queue_pairs)) {}

  void make() {
    if (truth_.enabled()) truth_.hosts(clock_.now());
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      places_[i].connection = i;
      begin_round(places_[i]);
    }
    while (!places_.empty()) {
      for (Place& place : places_) take_turn(place);
      std::erase_if(places_, [](const Place& place) { return place.done; });
    }
    writer_.close();
    if (truth_.enabled()) tell_sums();
  }

 private:
  /// Where one connection after the other has its rounds.
  struct Place {
    std::uint32_t connection = 0;
    Identity identity;
    Round round;
    std::size_t step = 0;
    std::uint32_t packet = 0;  // of the step
    bool done = false;
  };

  void begin_round(Place& place) {
    Connection& connection = connections_[place.connection];
    place.identity = identity_of(place.connection, options_);
    const bool first = connection.rounds == 0;
    if (first) connection.next_psn = place.identity.client.first_psn;
    rounds_.make(place.identity, connection, place.round);
    place.step = 0;
    place.packet = 0;
    if (!truth_.enabled()) return;
    if (first) truth_.connected(place.identity, clock_.now());
    if (options_.tell_posts) truth_.posted(place.identity, place.round, clock_.now());
  }

  void end_round(Place& place) {
    if (truth_.enabled() && options_.tell_posts) truth_.completed(place.identity, place.round, clock_.now());
    if (frames_ >= options_.packets) {
      place.done = true;
      return;
    }
    // Each place has connections of its own, so that none is in two places.
    const auto stride = static_cast<std::uint32_t>(std::min(options_.active, options_.queue_pairs));
    place.connection += stride;
    if (place.connection >= options_.queue_pairs) place.connection %= stride;
    begin_round(place);
  }

  void take_turn(Place& place) {
    for (std::uint32_t sent = 0;;) {
      const Step& step = place.round.steps[place.step];
      // A copy so soon after a hole may as well be late: only time distinguishes loss from packets out of order.
      if (step.kind == Step::Kind::kNak) clock_.wait_for_answer(options_.path_mtu);
      const std::size_t size =
          packets_.make(writer_.frame(), place.identity, place.round, step, step.first + place.packet);
      writer_.end_frame(size, clock_.now());
      clock_.carry(size);
      ++frames_;
      ++sent;
      const bool glued = step.glued;
      if (++place.packet == step.count) {
        place.packet = 0;
        if (++place.step == place.round.steps.size()) return end_round(place);
      }
      if (sent >= options_.burst && !glued) return;
    }
  }

  void tell_sums() {
    std::uint64_t naks = 0;
    for (std::uint32_t i = 0; i < options_.queue_pairs; ++i) {
      if (connections_[i].rounds == 0) continue;
      truth_.sums(identity_of(i, options_), connections_[i].tally, clock_.now());
      naks += connections_[i].tally.naks;
    }
    truth_.end(frames_, naks, clock_.now());
  }

  const Options& options_;
  CaptureWriter writer_;
  Truth truth_;
  RoundMaker rounds_;
  PacketMaker packets_;
  LinkClock clock_;
  std::vector<Connection> connections_;
  std::vector<Place> places_;
  std::uint64_t frames_ = 0;
};

int main_of(int argc, const char* const* argv) {
  try {
    const Options options = parse_options(argc, argv);
    if (options.help) {
      fmt::print("{}", usage());
      return kGood;
    }
    Maker(options).make();
    return kGood;
  } catch (const rdmagen::UsageError& error) {
    fmt::print(stderr, "synth: {}\nSee synth --help.\n", error.what());
    return kUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "synth: {}\n", error.what());
  }
  return kBad;
}

}  // namespace
}  // namespace rocescope::synth

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  return rocescope::synth::main_of(argc, argv);
}
