// What is in the capture, in the form of rdmagen's truth (tools/rdmagen/README.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "synth/connection.hpp"
#include "synth/options.hpp"
#include "synth/round.hpp"

namespace rocescope::synth {

/// Writes nothing without a file. Errors are thrown, as std::system_error.
class Truth {
 public:
  explicit Truth(const Options& options);
  ~Truth();
  Truth(const Truth&) = delete;
  Truth& operator=(const Truth&) = delete;

  [[nodiscard]] bool enabled() const noexcept { return descriptor_ >= 0; }

  /// Both sides' addresses.
  void hosts(std::uint64_t time_ns);
  /// Queue pairs and memory of a connection, ready for its first message.
  void connected(const Identity& identity, std::uint64_t time_ns);
  /// The work requests of a round.
  void posted(const Identity& identity, const Round& round, std::uint64_t time_ns);
  /// They ended well.
  void completed(const Identity& identity, const Round& round, std::uint64_t time_ns);
  /// What there was of one connection.
  void sums(const Identity& identity, const Tally& tally, std::uint64_t time_ns);
  /// What there was of all.
  void end(std::uint64_t frames, std::uint64_t naks, std::uint64_t time_ns);

 private:
  void addresses(std::string_view side, std::uint32_t (*address_of)(std::uint32_t), std::uint64_t time_ns);
  void queue_pair(std::string_view side, const End& own, const End& peer, std::uint64_t time_ns);
  void cm_event(std::string_view side, std::string_view type, const Identity& identity, std::uint64_t time_ns);
  void begin_line(std::string_view side, std::string_view event, std::uint64_t time_ns);
  void end_line();
  void write_out();

  const Options& options_;
  int descriptor_ = -1;
  std::string text_;
};

}  // namespace rocescope::synth
