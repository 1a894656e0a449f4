// A connection of UCX, of which the name is all that is found out.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "commands/carried.hpp"

namespace rocescope {

/// Believes it by messages that name what an earlier one named: by itself each is little more than a byte. Whether
/// datagrams set it up, others know.
class UcxConnection final : public Carried {
 public:
  using Carried::observe;
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  [[nodiscard]] bool is_name_only() const override { return true; }
  [[nodiscard]] const Fit& fit() const override { return fit_; }
  void finish(CommandSink& /*log*/) override {}
  void join(Carried& other) override;
  void describe(CarriedProtocol& /*carried*/) override {}

 private:
  friend struct StateMembers;
  static constexpr std::size_t kMostWaiting = 256;
  struct Waiting {
    std::unordered_map<std::uint64_t, std::uint64_t> offsets;  ///< of messages, by ID: how far their fragments came
    std::unordered_map<std::uint64_t, std::uint8_t>
        requests;  ///< of rendezvous, by ID; with the UCX ID of their message
  };

  Fit fit_;
  std::array<Waiting, 2> waiting_;  // by sender
};

}  // namespace rocescope
