// The packets of the captures that the user named, or of any source, narrowed by the options, with warnings about them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "analysis/analysis.hpp"
#include "capture/continued_capture.hpp"
#include "cli/input_options.hpp"
#include "cli/messages.hpp"
#include "cli/output.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Counts of all packets read, whether or not they passed the narrowing options.
struct ReadCounts {
  std::uint64_t packets = 0;
  std::uint64_t roce = 0;
  std::uint64_t cut = 0;  ///< by the capture, in a header or in the payload of a RoCE packet
};

/// Of the packets that a report is of.
[[nodiscard]] inline ReadCounts counts_of(const CaptureTotals& totals) noexcept {
  return {totals.traffic.packets, totals.roce.packets, totals.cut_packets};
}

/// At the end: warns of packets that are cut. `of`: the beginning of the message.
void warn_of_cut(const ReadCounts& counts, Messages& messages, std::string_view of = {});
/// Says how many packets were `read`, which need not be those that are counted.
void note_counts(std::uint64_t read, const ReadCounts& counts, Messages& messages);

/// Reads packets until the captures end, -c is reached, or Ctrl-C is pressed.
class PacketInput {
 public:
  /// Opens the captures. `messages` must outlive the input, as below.
  [[nodiscard]] static Result<std::unique_ptr<PacketInput>> open(InputOptions options, Messages& messages);
  /// Goes on behind captures that another run read, if `before` is not null. `keeps_end`: another run shall go on behind these: see
  /// on_end().
  [[nodiscard]] static Result<std::unique_ptr<PacketInput>> open(InputOptions options, const CapturesBefore* before,
                                                                 bool keeps_end, Messages& messages);

  /// Reads `source` instead of the captures that `options` name.
  PacketInput(InputOptions options, std::unique_ptr<FrameSource> source, Messages& messages);

  /// The next packet that the narrowing options admit, or null. It lasts until the next call.
  [[nodiscard]] const PacketRecord* next();

  /// Only report() is wanted, or packets that the options admit: next() may leave out packets that are just what comes next of their
  /// connection, unless the user forbids it. To be called before the first next().
  void take_express_lane();
  /// `save` is called once all packets were given, but for those that depend on the captures that follow: where they were seen, or
  /// which packet comes next. It is shown the latter.
  using Save = std::function<void(const std::deque<KeptFrame>& rest)>;
  void on_end(Save save) {
    save_ = std::move(save);
    analysis_.hold_back();
  }
  /// Reads to the end, and reports on the packets that the options admit: once, after which nothing more can be read. `on_packet` is
  /// shown each of them that does not take the express lane.
  [[nodiscard]] Report report(const std::function<void(const PacketRecord&)>& on_packet = {});
  /// The same, before anything is concluded.
  [[nodiscard]] Observations observations(const std::function<void(const PacketRecord&)>& on_packet = {});
  /// No more packets are wanted. May be called while one is shown.
  void stop() noexcept { stopped_ = true; }
  /// At the end: warns if --decode-as names a connection that is not there. In live analysis it may be to come, or be forgotten.
  void check_decoded();
  /// At the end: the error that a connection or a capture point which the options name does not exist. Warns if a connection is
  /// incomplete, as may happen with input that can be read only once.
  [[nodiscard]] std::optional<Error> check_numbers();
  /// The same, after report().
  [[nodiscard]] const std::optional<Error>& numbers_error() const noexcept { return numbers_error_; }
  /// Of connections, after report().
  [[nodiscard]] const FinalNumbers& numbers() const noexcept { return numbers_; }

  /// Warns of damage and cut packets; with `verbose`, also describes each capture and counts what was read.
  void finish(bool verbose);
  /// The part of it that does not depend on which packets are wanted: warns of damage; with `verbose`, describes each capture.
  void finish_captures(bool verbose);

  /// Whether the next packet may be long in coming, so that a reader of the output should have all before it now: the
  /// input is a pipe or the like with nothing in it.
  [[nodiscard]] bool may_wait() const;
  [[nodiscard]] ReadCounts counts() const noexcept;
  [[nodiscard]] const FrameSource& source() const noexcept { return *source_; }
  [[nodiscard]] Analysis& analysis() noexcept { return analysis_; }
  [[nodiscard]] const Analysis& analysis() const noexcept { return analysis_; }

 private:
  void count(const PacketRecord& record);
  void show_progress();
  /// The share read so far: of the files, or of the packets that -c allows. 0 if neither is known.
  [[nodiscard]] double part_done() const;

  InputOptions options_;
  std::unique_ptr<FrameSource> source_;
  bool live_;                             ///< some input is no file on a disk
  std::set<std::uint32_t> unseen_;        ///< of the connections that the options name
  std::set<std::uint8_t> unseen_points_;  ///< of the capture points
  std::optional<Error> numbers_error_;
  FinalNumbers numbers_;
  Analysis analysis_;
  EndKeeper* keeper_ = nullptr;  ///< null: nothing is kept back
  Save save_;
  std::size_t captures_before_ = 0;  ///< that another run read, and warned of
  Messages& messages_;
  ReadCounts counts_;
  bool stopped_ = false;
  bool only_stdin_;  ///< the only live input is standard input, which poll() can check
};

}  // namespace rocescope::cli
