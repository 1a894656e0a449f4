// A connection of 9P: only the name of the protocol is found out.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "ulp/carried.hpp"

namespace rocescope {

/// Believes it by requests and their responses: a message alone shows only a length and a type, which other protocols
/// have as well.
class NinePConnection final : public Carried {
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

  Fit fit_;
  std::array<std::unordered_map<std::uint16_t, std::uint8_t>, 2> waiting_;  // types of requests, by sender, then by tag
};

}  // namespace rocescope
