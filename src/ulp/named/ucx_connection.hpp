// A connection of UCX: the kinds of its messages, and the library that sends them.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "dissectors/ulp/ucx/ucx_message.hpp"
#include "rocescope/connection.hpp"
#include "ulp/carried.hpp"
#include "ulp/named/ucx_tags.hpp"

namespace rocescope {

/// Believes it by messages that name what an earlier one named: a message alone shows little more than a byte.
/// UcxWireUps knows whether datagrams set it up. Its first messages show their kinds and, by their tags, the library.
class UcxConnection final : public Carried {
 public:
  using Carried::observe;
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  [[nodiscard]] bool has_seen_enough() const override { return seen_ >= kMostSeen; }
  [[nodiscard]] const Fit& fit() const override { return fit_; }
  void finish(CommandSink& /*log*/) override {}
  void join(Carried& other) override;
  void describe(CarriedProtocol& carried) override;
  /// Adds the kinds of WRITEs and READs, if all SENDs were looked at: else they may belong to a rendezvous.
  static void describe_one_sided(const Connection& connection, CarriedProtocol& carried);

 private:
  friend struct StateMembers;
  static constexpr std::uint64_t kMostSeen = 256;
  static constexpr std::size_t kMostWaiting = 256;
  struct Waiting {
    std::unordered_map<std::uint64_t, std::uint64_t> offsets;  ///< of messages, by ID: how far their fragments came
    std::unordered_map<std::uint64_t, std::uint8_t>
        requests;  ///< of rendezvous, by ID; with the UCX ID of their message
  };

  Fit fit_;
  std::array<Waiting, 2> waiting_;  // by sender
  std::uint64_t seen_ = 0;          // SENDs
  std::uint32_t kinds_ = 0;         // a bit for each UcxKind
  UcxTags tags_;
};

}  // namespace rocescope
