// A connection of rsockets: streams in both directions.
#pragma once

#include <cstdint>
#include <optional>

#include "ulp/carried.hpp"

namespace rocescope {

/// Each WRITE is a row: data, credits, or the end of the stream.
class RsocketsConnection final : public Carried {
 public:
  /// `credits`: messages at once that the server allows in its private data.
  RsocketsConnection(std::uint32_t connection, std::optional<std::uint32_t> credits)
      : connection_(connection), credits_(credits) {}

  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  MessageProtocol observe(const DataPayload& payload, CommandSink& log) override;
  [[nodiscard]] Bytes message_in(const DataPayload& payload) const override { return payload.bytes.first(0); }
  void observe_end(std::size_t side, const Message& message, CommandSink& log) override;
  /// Packets with immediate data have layers of their own.
  [[nodiscard]] bool wants_data() const override { return true; }
  [[nodiscard]] const Fit& fit() const override { return counts_.fit; }
  /// Other protocols also put the length of their data into the immediate data.
  [[nodiscard]] std::uint64_t enough() const override { return 8; }
  void finish(CommandSink& /*log*/) override {}
  void join(Carried& other) override;
  void describe(CarriedProtocol& carried) override;

 private:
  friend struct StateMembers;
  /// The buffer that a side offers last, or the part of it that follows.
  struct Buffer {
    std::uint64_t address = 0;
    std::uint32_t r_key = 0;
    std::uint32_t length = 0;  ///< 0: it offered none
  };
  void judge(std::size_t side, const Message& message);

  std::uint32_t connection_;
  std::optional<std::uint32_t> credits_;
  Counts counts_;
  std::array<Buffer, 2> buffers_;  // by side
};

}  // namespace rocescope
