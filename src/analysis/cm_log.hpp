// The CM messages of a capture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocescope/handshake.hpp"
#include "rocescope/packet.hpp"
#include "rocescope/record.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// Lists CM messages in the order in which they were seen. Takes about 600 bytes a message.
class CmLog {
 public:
  static constexpr std::size_t kDefaultMaxEvents = 65'536;

  explicit CmLog(std::size_t max_events = kDefaultMaxEvents) : max_events_(max_events) {}

  /// The message that a packet carries, without retry_of. Nothing: it carries none.
  [[nodiscard]] static std::optional<CmEvent> event_of(const Packet& packet);

  void add(CmEvent event);
  void add(const PacketRecord& record) {
    if (std::optional<CmEvent> event = event_of(*record.packet)) add(std::move(*event));
  }

  [[nodiscard]] const std::vector<CmEvent>& events() const noexcept { return events_; }
  /// Messages that came when the list was full.
  [[nodiscard]] std::uint64_t unlisted() const noexcept { return unlisted_; }

 private:
  friend struct StateMembers;
  /// What the repetitions of a message share.
  struct Key {
    IpAddress source;
    IpAddress destination;
    std::uint64_t transaction_id = 0;
    std::uint32_t id = 0;  ///< the sender's communication ID, or the SIDR request
    CmMessage message = CmMessage::kReq;
    friend bool operator==(const Key&, const Key&) noexcept = default;
  };
  struct KeyHash {
    [[nodiscard]] std::size_t operator()(const Key& key) const noexcept {
      const std::uint64_t addresses = mix(mix(hash_seed(), key.source), key.destination);
      const std::uint64_t message = (std::uint64_t{key.id} << 8) | static_cast<std::uint64_t>(key.message);
      return mix(mix(addresses, key.transaction_id), message);
    }
  };

  std::vector<CmEvent> events_;
  std::unordered_map<Key, std::uint64_t, KeyHash> first_packets_;
  std::size_t max_events_;
  std::uint64_t unlisted_ = 0;
};

}  // namespace rocescope
