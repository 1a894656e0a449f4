// From a source of frames to packets with all that is known of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/packet_preparer.hpp"
#include "analysis/read_options.hpp"
#include "capture/work_ahead.hpp"
#include "model/express_reason.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/record.hpp"
#include "rocescope/tracker.hpp"
#include "tracking/express/express_packet.hpp"
#include "ulp/command_watch.hpp"

namespace rocescope {

class ExpressLane;

/// Is shown the packets that take the express lane, some of one capture at a time.
using ExpressCounter = std::function<void(std::span<const ExpressPacket> packets, std::uint32_t capture)>;

/// Reads a capture packet by packet: dissects, verifies the ICRC, selects, tracks, fills a PacketRecord. The records are the same
/// however far ahead it reads, and whatever is selected.
class PacketReader {
 public:
  /// `source` must outlive the reader.
  explicit PacketReader(FrameSource& source, const ReadOptions& options = {});
  PacketReader(const PacketReader&) = delete;
  PacketReader& operator=(const PacketReader&) = delete;

  /// Shows `visitor` each packet before next() gives it, in the thread that prepares it: a record without a verdict and times of
  /// other packets, but for the first. To be called before the first next().
  void on_prepared(PacketPreparer::Visitor visitor) { preparer_.on_prepared(std::move(visitor)); }

  /// From now on next() does not give packets that are just what comes next of their connection. `counter` is shown them, and
  /// counts what the tracker does not; `on_batch` is called before every hundred packets or so. Not with a selection that admits
  /// such packets. Does nothing without verdicts, or where nothing is read ahead. To be called before the first next().
  void open_express_lane(ExpressCounter counter, std::function<void()> on_batch);
  [[nodiscard]] bool is_express_lane_open() const noexcept { return express_ != nullptr; }
  /// How many packets next() did not give, and others.
  [[nodiscard]] const ExpressTotals& express() const noexcept { return express_totals_; }

  /// The next packet, selected or not, or null at the end of the capture; of a live capture where there is none now, after which another call may
  /// give one. The record and all that it points to last until the next call.
  [[nodiscard]] const PacketRecord* next();
  /// With ReadOptions::notes: the comments of the packet that next() gave last, and the captures as they were known
  /// then. Only the interfaces of these captures are right.
  [[nodiscard]] std::span<const std::string> comments() const {
    return reads_ahead() ? std::span<const std::string>(comments_) : source_.comments();
  }
  [[nodiscard]] std::span<const CaptureInfo> captures() const {
    return reads_ahead() ? std::span<const CaptureInfo>(captures_) : source_.info();
  }
  /// Where the packet that next() gave last was seen.
  [[nodiscard]] const CapturePoints::Sight& sight() const noexcept { return sight_; }
  /// Whether the packet that next() gave last is selected.
  [[nodiscard]] bool is_selected() const noexcept { return selected_; }
  /// With TrackOptions::shard: the packet that next() gave last counts in another shard. Packets that only others follow it leaves out.
  [[nodiscard]] bool is_foreign() const noexcept { return foreign_; }
  /// Of one that is none: null. Else it may be asked after stop().
  [[nodiscard]] const ShardWatch* shard() const noexcept { return preparer_.shard(); }
  /// Whether packets may be left out.
  [[nodiscard]] bool selects() const noexcept { return static_cast<bool>(selection_.admits); }
  /// Whether a packet that is just what comes next of its connection may be selected.
  [[nodiscard]] bool selects_expected() const noexcept { return !selects() || selection_.admits_expected; }
  /// Where the packets so far were seen; after stop().
  /// As CapturePoints has them; while no other thread reads.
  [[nodiscard]] UnsureHosts unsure_hosts() const { return preparer_.unsure_hosts(); }
  /// No packet comes any more, and the last one is not needed.
  void forget_packets() {
    preparer_.forget_packets();
    own_ = {};
    batch_ = nullptr;
  }
  [[nodiscard]] std::vector<CapturePoint> capture_points() const { return preparer_.capture_points(); }
  /// Of a shard: IcrcVerifier::flows().
  [[nodiscard]] std::size_t icrc_flows() const { return preparer_.icrc_flows(); }
  /// From now on next() says that there is no packet where it takes those behind the end to know where the next ones were seen. To be
  /// called before the first next().
  void hold_back() noexcept { preparer_.hold_back(); }
  /// next() gave null: it gives such packets now, and what else the source has by now.
  void go_on();
  /// All packets that were read, those too.
  [[nodiscard]] std::uint64_t frames() const noexcept { return preparer_.frames(); }
  /// The time of the latest of them.
  [[nodiscard]] std::int64_t latest() const noexcept { return preparer_.latest(); }

  /// Reads no more. next() gives what was read before; then the source is the caller's alone.
  void stop();

  /// The packet that next() gave last passed the user's filter: times "since the previous displayed packet" count from
  /// it.
  void mark_displayed() noexcept { previous_displayed_ = record_.packet->frame.timestamp; }

  /// As Tracker::expire().
  void expire(std::int64_t quiet);
  [[nodiscard]] const Tracker& tracker() const noexcept { return tracker_; }
  [[nodiscard]] Tracker& tracker() noexcept { return tracker_; }
  /// What connections carry, where verdicts are wanted.
  [[nodiscard]] CommandWatch& commands() noexcept { return commands_; }
  [[nodiscard]] const CommandWatch& commands() const noexcept { return commands_; }

 private:
  friend struct StateMembers;
  /// The next packets, or null at the end.
  [[nodiscard]] const PacketBatch* next_batch();
  void look_ahead();
  [[nodiscard]] bool reads_ahead() const noexcept { return ahead_ != ReadingAhead::kNothing; }
  void read_notes(std::size_t packet);
  void select_and_track();
  [[nodiscard]] Verdict track(Tracker& tracker, bool counts = true);
  void add_layers(CommandWatch& commands);
  [[nodiscard]] const PacketRecord* give(const PreparedPacket& prepared);
  // Of a shard.
  [[nodiscard]] ShardWatch::Share share_of(std::size_t packet) const noexcept;
  [[nodiscard]] const PreparedPacket* next_own();
  // Of the express lane.
  [[nodiscard]] const PreparedPacket* next_unusual();
  void count_passed(std::size_t first);
  static constexpr std::ptrdiff_t kStep = 8;  // packets
  void look_ahead_from(std::ptrdiff_t packet);
  [[nodiscard]] bool is_repeated();

  const FrameSource& source_;
  RecordParts parts_;
  ReadingAhead ahead_;
  PacketPreparer preparer_;
  Selection selection_;
  Purpose purpose_;
  FinalNumbers numbers_;
  CommandWatch commands_;
  Tracker tracker_;
  /// Where verdicts select the packets of a report: gives the verdicts before the other tracker learns what counts.
  std::optional<Tracker> scout_;
  std::optional<CommandWatch> scout_commands_;
  Packet with_layers_;  // where the packet ends a message of a known protocol
  bool selected_ = true;
  const ShardWatch* shard_ = nullptr;  // null: it is none
  bool foreign_ = false;
  std::optional<std::int64_t> before_batch_;  // time of the last frame of the batch before, of a shard
  static constexpr std::size_t kMostHosts = 65'536;
  /// Which capture point shows packets of two hosts first, where packets are selected: of these packets.
  std::unordered_map<HostsAtPlace, std::uint8_t, HostsAtPlaceHash> first_points_;
  PacketBatch own_;                                // where no thread prepares
  std::optional<WorkAhead<PacketBatch>> batches_;  // where one does
  const PacketBatch* batch_ = nullptr;             // at hand
  std::size_t next_ = 0;                           // of it
  std::size_t shown_ = 0;                          // of it, to the tracker
  std::span<const std::string> comments_;          // of the packet, in the batch
  std::vector<CaptureInfo> captures_;              // up to the packet at hand
  std::size_t next_note_ = 0;                      // of the batch
  bool stopped_ = false;
  ExpressLane* express_ = nullptr;  // null: it is closed
  ExpressCounter express_counter_;
  std::function<void()> on_batch_;
  ExpressTotals express_totals_;
  struct Sought {
    std::uint32_t place = 0;   // in the table of flows
    std::uint32_t before = 0;  // packets of its connection directly before it
    bool counts = false;       // more memory will be needed for it
  };
  std::vector<Sought> sought_;  // of the packets of the batch
  PreparedPacket late_;
  PacketRecord record_;
  CapturePoints::Sight sight_;
  std::optional<std::int64_t> first_;
  std::optional<std::int64_t> previous_;
  std::optional<std::int64_t> previous_displayed_;
};

}  // namespace rocescope
