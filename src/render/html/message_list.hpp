// The messages of a connection, thinned to what a plot can show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/html/packet_points.hpp"
#include "render/json_writer.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/message.hpp"

namespace rocescope::render {

struct ListedMessage {
  Message message;
  std::uint8_t side = 0;       ///< that requested it
  std::int64_t first_psn = 0;  ///< on the PsnLine of its requester
};

/// Keeps every message until there are too many. Then it keeps those that were refused, lost, sent again or not answered, up to as many
/// as the limit, and of the others in each of some equal columns of time the first, the last, the quickest and the slowest.
class MessageList {
 public:
  /// From `first` to `last`, nanoseconds since 1970.
  MessageList(std::int64_t first, std::int64_t last, std::size_t limit);

  void add(const ListedMessage& message);
  /// The members `messages`, `operations`, `outcomes`, `messages_left_out` and `regions`; times since `start`.
  void write(std::int64_t start, JsonWriter& json);

 private:
  /// Memory that one key opens, as far as the messages that are kept touch it.
  struct Region {
    std::uint8_t side = 0;  ///< whose memory it is
    std::uint32_t r_key = 0;
    std::uint64_t base = 0;
    std::uint64_t end = 0;
    std::uint64_t messages = 0;
  };

  void thin();
  [[nodiscard]] std::vector<Region> regions() const;
  void write_columns(std::int64_t start, const std::vector<Region>& regions, JsonWriter& json) const;

  std::int64_t first_;
  std::int64_t width_;
  std::size_t limit_;
  std::uint64_t added_ = 0;
  std::vector<ListedMessage> messages_;
};

}  // namespace rocescope::render
