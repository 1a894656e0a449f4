// Counts messages that end on the express lane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/connection.hpp"
#include "tracking/express/express_connection.hpp"
#include "tracking/express/express_packet.hpp"
#include "tracking/express/express_stream.hpp"
#include "tracking/watchers/region_table.hpp"

namespace rocescope {

/// Counts messages of one side that end with packets counted together. Such messages are usually alike: equal ones are
/// added up first.
class EndedMessages {
 public:
  /// All of them outlive it.
  EndedMessages(ExpressSide& side, Connection& connection, RegionTable& regions, std::size_t requester) noexcept
      : side_(side), connection_(connection), regions_(regions), requester_(requester) {}
  EndedMessages(const EndedMessages&) = delete;
  EndedMessages& operator=(const EndedMessages&) = delete;

  /// Adds a message that this packet answered.
  void add(const ExpressMessage& message, const ExpressFacts& by);
  /// Call after the last message.
  void flush() {
    for (Alike& alike : alike_) add_messages(alike);
    if (accesses_.count > 0) regions_.count(accesses_, connection_, requester_);
  }

 private:
  [[nodiscard]] ConnectionSide& facts() noexcept { return connection_.sides[requester_]; }
  /// Messages of one operation, all of so many bytes.
  struct Alike {
    Operation operation{};
    std::uint64_t bytes = 0;
    std::uint64_t messages = 0;
  };
  void add_messages(Alike& alike);
  void add_access(const ExpressMessage& message, std::uint64_t moment);
  void keep_read(const ExpressMessage& message, const ExpressFacts& by);

  ExpressSide& side_;
  Connection& connection_;
  RegionTable& regions_;
  std::size_t requester_;
  std::array<Alike, ExpressSide::kOperations> alike_{};
  MemoryAccesses accesses_;
};

}  // namespace rocescope
