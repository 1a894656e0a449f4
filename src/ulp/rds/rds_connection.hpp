// A connection of RDS between two machines: the datagrams of all their sockets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "dissectors/ulp/rds/rds_message.hpp"
#include "ulp/carried.hpp"
#include "ulp/command_books.hpp"

namespace rocescope {

/// Puts the fragments of datagrams together. The R_Key ties a request for RDMA to the datagram that reports its end,
/// and to the READs and WRITEs between them.
class RdsConnection final : public Carried {
 public:
  explicit RdsConnection(std::uint32_t connection) : connection_(connection), books_(UpperProtocol::kRds, connection) {}

  using Carried::observe;
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  void observe_end(std::size_t side, const Message& message, CommandSink& log) override;
  [[nodiscard]] const Fit& fit() const override { return books_.counts().fit; }
  void finish(CommandSink& log) override;
  void join(Carried& other) override;
  void describe(CarriedProtocol& carried) override;
  [[nodiscard]] std::span<const CommandBook> books() const override { return books_.all(); }

 private:
  friend struct StateMembers;
  static constexpr std::size_t kMostWaiting = 256;  // datagrams of a side whose last fragment is not acknowledged
  static constexpr std::size_t kMapSize = 8'192;    // a bit for each port

  struct Datagram {
    Command command;
    Psn first;              // of its first fragment
    Psn last;               // of the last one that was seen
    bool counts = true;     // as SendPayload has it
    bool is_whole = false;  // no fragment is missing
  };
  struct Side {
    std::optional<Datagram> open;       // fragments of it are missing
    std::uint32_t length = 0;           // of it
    std::uint32_t left = 0;             // bytes that are to come
    std::vector<std::uint8_t> map;      // of its bytes, if it is a congestion map
    std::deque<Datagram> waiting;       // for the ACK of their last fragment
    std::uint64_t sequence = 0;         // of its last datagram; 0: none was seen
    std::optional<std::uint32_t> hash;  // of the last message's start
  };

  void observe_fragment(const SendPayload& payload, const RdsMessage& message, CommandSink& log);
  void begin(const SendPayload& payload, const RdsMessage& message, CommandSink& log);
  void observe_rdma(const SendPayload& payload, const RdsMessage& message, CommandSink& log);
  /// No further fragment of it comes.
  void close(Side& side, CommandSink& log);
  void report(Datagram&& datagram, CommandSink& log) const;

  std::uint32_t connection_;
  CommandBooks books_;  // of RDMA, by the R_Key
  std::array<Side, 2> sides_;
};

}  // namespace rocescope
