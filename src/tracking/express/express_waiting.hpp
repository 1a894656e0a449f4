// Where packets wait that passed on the express lane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tracking/express/express_packet.hpp"

namespace rocescope {

struct ExpressConnection;

/// Blocks of packets that are counted together. With many connections all that counting needs is in no cache, so that it is best done
/// seldom. A connection has a block while packets of it wait; the one that was given back last, which is still in a cache, goes to the
/// next.
template <std::size_t kPacketsEach, std::size_t kMost>
class ExpressBlocks {
 public:
  static constexpr std::size_t kPackets = kPacketsEach;

  /// Whether take() has a block to give. If not, the packets of next_owner() may be counted first.
  [[nodiscard]] bool has_room() const noexcept { return !free_.empty() || owners_.size() < kMost; }
  /// The owners of all blocks, each in its turn. Call it only if all have one.
  [[nodiscard]] ExpressConnection& next_owner() noexcept {
    turn_ = (turn_ + 1) % owners_.size();
    return *owners_[turn_];
  }
  /// The number of a block for the packets of `owner`, which must outlive them.
  [[nodiscard]] std::uint32_t take(ExpressConnection& owner) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(owners_.size()));
      if (owners_.size() % kTogether == 0) blocks_.push_back(std::make_unique<Blocks>());
      owners_.push_back(nullptr);
    }
    const std::uint32_t block = free_.back();
    free_.pop_back();
    owners_[block] = &owner;
    return block;
  }
  void give_back(std::uint32_t block) { free_.push_back(block); }
  /// Its first packet.
  [[nodiscard]] ExpressFacts* at(std::uint32_t block) const noexcept {
    return (*blocks_[block / kTogether])[block % kTogether].data();
  }

 private:
  static constexpr std::size_t kTogether = 2'048 / kPackets;  // few pointers lead to all blocks, and stay in the cache
  using Blocks = std::array<std::array<ExpressFacts, kPackets>, kTogether>;

  std::vector<std::unique_ptr<Blocks>> blocks_;
  std::vector<ExpressConnection*> owners_;  // by block; the last one, if it is free
  std::vector<std::uint32_t> free_;         // blocks
  std::size_t turn_ = 0;
};

/// For connections of which few packets were seen, and for those that go on: 128 MiB and 64 MiB.
using ExpressSmallBlocks = ExpressBlocks<32, 65'536>;
using ExpressLargeBlocks = ExpressBlocks<128, 8'192>;

}  // namespace rocescope
