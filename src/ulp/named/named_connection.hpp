// A connection of a protocol that is only named: nothing follows its commands. This folder has all such protocols: each
// class counts messages until there are enough to believe the form, and some report what the connection is used for
// (use.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include "ulp/carried.hpp"

namespace rocescope {

/// Counts messages until there are enough to believe their form.
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
