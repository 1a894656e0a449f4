// From a source of frames to packets, with all that a packet shows by itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/points/capture_points.hpp"
#include "analysis/shard_watch.hpp"
#include "dissectors/icrc_sum.hpp"
#include "model/shard_sieve.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/dissect.hpp"
#include "rocescope/icrc_verifier.hpp"
#include "rocescope/record.hpp"
#include "tracking/express/express_packet.hpp"

namespace rocescope {

/// A packet that was dissected, and whose ICRC was verified where that was asked for.
struct PreparedPacket {
  const CaptureInterface* interface = nullptr;  ///< as PacketRecord has it
  IcrcVerifier::Verdict icrc;
  CapturePoints::Sight sight;
  Packet packet;  ///< last: of its layers only the first are there
};

/// What a source has beside a packet.
struct PacketNote {
  std::size_t packet = 0;  ///< index into the batch
  std::vector<std::string> comments;
  struct NewInterface {
    std::size_t capture = 0;
    CaptureInterface interface;
  };
  std::vector<NewInterface> interfaces;  ///< that the source had not shown before the packet, by capture
};

/// What the full way needs of a packet that the express lane does not take after all.
struct ExpressCandidate {
  const CaptureInterface* interface = nullptr;
  IcrcCheck icrc;
  std::uint32_t prepared = kNone;  ///< index into PacketBatch::packets; kNone: it was read for the lane alone
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
};

/// Packets that follow each other, and their bytes. Takes no memory any more once it is as large as it was before.
struct PacketBatch {
  std::vector<PreparedPacket> packets;
  std::size_t size = 0;           ///< of packets; those behind are left from before
  std::vector<Frame> frames;      ///< the same
  bool is_of_one_capture = true;  ///< all frames, so that nobody has to look at them for that
  // Of all of them, where the express lane is open: then `packets` has only those that were prepared.
  std::vector<ExpressReason>
      reasons;  ///< why it goes the full way; kNone: it takes the lane, if its connection lets it
  std::vector<ExpressPacket> express;
  std::vector<ExpressCandidate> candidates;
  std::size_t taken = 0;            ///< bytes of the frames
  std::vector<std::uint8_t> bytes;  ///< of frames whose bytes the source does not keep, and some between them
  std::vector<std::shared_ptr<const void>> held;  ///< FrameSource::hold(), of the others
  std::vector<PacketNote> notes;                  ///< where they were asked for, and there is something
  // For a shard. All of these leave out packets that only other shards follow, and from which nothing is learned.
  std::vector<std::uint8_t> of_others;  ///< where the express lane is open: those that are here after all
  std::size_t left_out = 0;             ///< how many are not
  bool is_unshared = false;             ///< ShardWatch::whole_for() says something

  static constexpr std::size_t kMostPackets = 256;
  static constexpr std::size_t kMostLeftOut = 16'384;  ///< so that a batch takes no long time
  static constexpr std::size_t kEnoughBytes = std::size_t{128} << 10;
  [[nodiscard]] bool has_room() const noexcept {
    return size < kMostPackets && taken < kEnoughBytes && left_out < kMostLeftOut;
  }
  static constexpr std::size_t kMostKept = std::size_t{1} << 20;  ///< bytes that the next packets may use again
  [[nodiscard]] bool is_large() const noexcept { return bytes.size() > kMostKept; }
  /// The memory of a large frame is not kept.
  void shrink() {
    if (bytes.capacity() > kMostKept) std::vector<std::uint8_t>().swap(bytes);  // `bytes = {}` would keep it
  }
};

class PacketPreparer {
 public:
  /// `source` must outlive it. At most `most_packets` are read; 0: all that there are.
  PacketPreparer(FrameSource& source, const DissectOptions& dissect, bool verify_icrc, std::uint64_t most_packets)
      : source_(source), dissect_(dissect), verify_icrc_(verify_icrc), most_packets_(most_packets) {}

  /// Is shown each packet that was prepared.
  using Visitor = std::function<void(const PacketRecord& record)>;
  void on_prepared(Visitor visitor) { visitor_ = std::move(visitor); }

  /// From now on fill() does not prepare packets that may take the express lane.
  void open_express_lane() { express_ = true; }
  /// One that does not take it after all.
  void prepare(const PacketBatch& batch, std::size_t packet, PreparedPacket& prepared) const;

  /// From now on packets count for a shard: those that only others follow are not verified, and are left out where
  /// nothing is learned from them. Not together with keep_notes().
  void follow_shard(const Shard& shard, bool selects) { sieve_.emplace(shard_.emplace(shard, selects).parts()); }
  /// Null: they do not. While nothing is filled.
  [[nodiscard]] const ShardWatch* shard() const noexcept { return shard_ ? &*shard_ : nullptr; }
  [[nodiscard]] std::size_t icrc_flows() const { return shard_ ? verifier_.flows(shard_->shard()) : 0; }

  /// From now on fill() leaves notes.
  void keep_notes() { keeps_notes_ = true; }

  /// The next packet alone, whose bytes are the source's and last until the next call. False at the end.
  [[nodiscard]] bool fill_one(PacketBatch& batch);
  /// How long the bytes of a batch last: until the next fill(), or as long as the batch.
  enum class Lasting : std::uint8_t { kUntilNextFill, kAsBatch };
  /// As many of the next packets as fit in the caches. False when there are none: each time the source has none, after
  /// the packets before that.
  [[nodiscard]] bool fill(PacketBatch& batch, Lasting lasting);

  /// From now on fill() says that there are no packets where it takes those behind the end of the source to know where the next ones are
  /// seen. They wait then, until go_on().
  void hold_back() noexcept { holds_back_ = true; }
  /// The source may have some after all, and none come behind those.
  void go_on() noexcept { holds_back_ = at_end_ = false; }
  /// That were read from the source.
  [[nodiscard]] std::uint64_t frames() const noexcept { return packets_; }
  /// The latest time of a frame; the earliest that there is where there was none.
  [[nodiscard]] std::int64_t latest() const noexcept { return latest_; }

  /// Reads no more from the source; what was read is still to be filled in.
  void stop() noexcept { stopped_ = true; }
  /// Where the packets so far were seen; while nothing is filled.
  [[nodiscard]] UnsureHosts unsure_hosts() const { return points_.unsure_hosts(); }
  void forget_packets() { points_.forget_packets(); }
  [[nodiscard]] std::vector<CapturePoint> capture_points() const { return points_.points(source_.info()); }

 private:
  friend struct StateMembers;
  /// A frame that was read ahead, with a copy of its bytes.
  struct Kept {
    Frame frame;
    std::vector<std::uint8_t> bytes;
    std::optional<PacketNote> note;
  };
  [[nodiscard]] bool next(Frame& frame);
  [[nodiscard]] bool read(Frame& frame);
  [[nodiscard]] bool take_buffered(PacketBatch& batch);
  static void keep_bytes(PacketBatch& batch, std::size_t first);
  void hold_bytes(PacketBatch& batch, std::size_t first);
  [[nodiscard]] bool learn();
  [[nodiscard]] bool look_ahead();
  void prepare(const Frame& frame, PreparedPacket& prepared);
  void verify(PreparedPacket& prepared);
  // Of the express lane.
  void prepare_candidates(PacketBatch& batch);
  void read_candidates(PacketBatch& batch);
  void check_candidates(PacketBatch& batch);
  void check_icrcs(PacketBatch& batch, std::span<std::uint16_t> packets);
  [[nodiscard]] bool is_placed(const Frame& frame, ExpressReason reason, ExpressPacket& express) const;
  /// Whether packets are left out that only others follow.
  [[nodiscard]] bool looks_at_others() const noexcept { return express_ && shard_; }
  [[nodiscard]] unsigned placed_shapes(std::uint32_t capture, std::uint32_t interface) const;
  [[nodiscard]] bool is_left_out(const Frame& frame, PacketBatch& batch);
  void place(PacketBatch& batch, std::size_t packet);
  [[nodiscard]] bool is_settled(const ExpressPacket& express, std::uint16_t source_port, const IcrcCheck& check);
  [[nodiscard]] ExpressReason look_at(const Frame& frame, const RocePacket& roce, ExpressPacket& express,
                                      ExpressCandidate& candidate);
  PreparedPacket& prepare(PacketBatch& batch, std::size_t packet);
  void show(const PreparedPacket& prepared);
  void keep(const Frame& frame);
  [[nodiscard]] std::optional<PacketNote> note();
  /// One is asked for many times in a row.
  [[nodiscard]] const CaptureInterface* interface_of(const Frame& frame) {
    if (!last_interface_.is_of(frame)) {
      last_interface_ = {frame.capture_id, frame.interface_id, find_interface(frame)};
    }
    return last_interface_.interface;
  }
  [[nodiscard]] const CaptureInterface* find_interface(const Frame& frame) const;

  FrameSource& source_;
  DissectOptions dissect_;
  bool verify_icrc_;
  std::uint64_t most_packets_;
  std::uint64_t packets_ = 0;
  std::int64_t latest_ = std::numeric_limits<std::int64_t>::min();
  IcrcVerifier verifier_;
  static constexpr std::size_t kMostSettled = 4'096;
  /// Flows whose wrong ICRCs the verifier has settled, by their hashes; none before the first.
  std::vector<std::optional<FlowKey>> settled_;
  CapturePoints points_;
  /// Frames that are taken at once: so few that they and their first bytes are still in the nearest cache when these are copied.
  static constexpr std::size_t kMostBuffered = 64;
  std::deque<Kept> ahead_;  // frames that were read, and not given
  bool given_ = false;      // the first of them was, which lasts until the next
  bool holds_back_ = false;
  bool waits_ = false;  // the first of them, for those that come behind
  bool stopped_ = false;
  bool at_end_ = false;  // behind what is ahead: the source said that it has none
  Packet scratch_;
  Visitor visitor_;
  std::optional<std::int64_t> first_;          // timestamp
  std::vector<RocePacket> roce_;               // of the batch at hand, where its packets may take the express lane
  static constexpr std::size_t kChecked = 16;  // packets at once
  std::array<IcrcSum, kChecked> icrcs_;
  /// Which packets of the batch at hand have it, while they are checked.
  struct OfOpcode {
    std::size_t count = 0;
    std::array<std::uint16_t, PacketBatch::kMostPackets> packets{};
  };
  std::array<OfOpcode, ExpressRole::kCodes> of_opcode_;  // of RC
  bool keeps_notes_ = false;
  bool express_ = false;
  std::optional<ShardWatch> shard_;
  std::optional<ShardSieve> sieve_;  // of the shard
  /// That of the last frame, which is none that is new.
  struct KnownInterface {
    std::uint32_t capture = kNone;
    std::uint32_t number = kNone;
    const CaptureInterface* interface = nullptr;
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    [[nodiscard]] bool is_of(const Frame& frame) const noexcept {
      return frame.capture_id == capture && frame.interface_id == number;
    }
  };
  KnownInterface last_interface_;
  /// Where packets of a shape are seen that may take the express lane.
  struct Sight {
    std::uint32_t capture = 0;
    std::uint32_t interface = 0;
    std::uint8_t capture_point = 0;  ///< 0: not known
    [[nodiscard]] bool is_of(std::uint32_t its_capture, std::uint32_t its_interface) const noexcept {
      return capture_point != 0 && capture == its_capture && interface == its_interface;
    }
  };
  std::array<Sight, ExpressPacket::kShapes> sights_{};
  std::size_t interfaces_ = 0;      // when these were learned
  std::uint32_t prepared_ = 0;      // packets of the batch at hand
  std::vector<std::size_t> noted_;  // interfaces, by capture
  bool paused_ = false;             // the source has none, and fill() has not returned false for that yet
};

}  // namespace rocescope
