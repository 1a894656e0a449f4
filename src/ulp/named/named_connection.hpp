// A connection of a protocol: only the name of the protocol is found out.
#pragma once

#include <cstdint>
#include <optional>

#include "ulp/carried.hpp"

namespace rocescope {

/// Counts messages, until there are enough to believe what they look like.
class NamedConnection final : public Carried {
 public:
  explicit NamedConnection(MessageProtocol layers = MessageProtocol::kUnknown) : layers_(layers) {}

  using Carried::observe;
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  [[nodiscard]] bool is_name_only() const override { return layers_ == MessageProtocol::kUnknown; }
  [[nodiscard]] const Fit& fit() const override { return fit_; }
  void finish(CommandSink& /*log*/) override {}
  void join(Carried& other) override;
  void describe(CarriedProtocol& /*carried*/) override {}

 private:
  friend struct StateMembers;
  Fit fit_;
  std::optional<std::uint32_t> last_;  // a hash of the last message
  MessageProtocol layers_;             // of each message
};

}  // namespace rocescope
