// The packets of the captures that the user named, or of any source, narrowed as the user asked, with what is to be said of them.
#pragma once

#include <cstdint>
#include <memory>

#include "analysis/packet_reader.hpp"
#include "cli/heap.hpp"
#include "cli/input_options.hpp"
#include "cli/messages.hpp"
#include "cli/output.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// What was read, of all that the captures have and whether or not it was narrowed away.
struct ReadCounts {
  std::uint64_t packets = 0;
  std::uint64_t roce = 0;
  std::uint64_t cut = 0;  ///< by the capture, in a header or in the payload of a RoCE packet
};

/// Reads packets until the captures end, -c is reached, or Ctrl-C is pressed.
class PacketInput {
 public:
  /// Opens the captures. `messages` must outlive the input, as below.
  [[nodiscard]] static Result<std::unique_ptr<PacketInput>> open(InputOptions options, Messages& messages);

  /// Reads `source` instead of the captures that `options` name.
  PacketInput(InputOptions options, std::unique_ptr<FrameSource> source, Messages& messages);

  /// The next packet that the narrowing options admit, or null. It lasts until the next call.
  [[nodiscard]] const PacketRecord* next();

  /// Warns of damage and cut packets; with `verbose`, also describes each capture and counts what was read.
  void finish(bool verbose);

  /// Whether the next packet may be long in coming, so that a reader of the output should have all before it now: the
  /// input is a pipe or the like with nothing in it.
  [[nodiscard]] bool may_wait() const;
  /// Whether some packets that are read may not be given.
  [[nodiscard]] bool is_narrowed() const noexcept { return options_.filter.has_value() || !options_.narrowing.empty(); }
  /// Whether connections may be evicted.
  [[nodiscard]] bool evicts() const noexcept { return options_.track.idle_timeout > 0; }
  [[nodiscard]] const ReadCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] const FrameSource& source() const noexcept { return *source_; }
  [[nodiscard]] PacketReader& reader() noexcept { return reader_; }

 private:
  void count(const Packet& packet);
  /// How much was read of all that will be: of the files, or of what -c says. 0 where neither is known.
  [[nodiscard]] double part_done() const;

  InputOptions options_;
  std::unique_ptr<FrameSource> source_;
  bool live_;  ///< some input is no file on a disk
  PacketReader reader_;
  Messages& messages_;
  Heap heap_;
  ReadCounts counts_;
  bool only_stdin_;  ///< that is standard input, which can be asked
};

}  // namespace rocescope::cli
