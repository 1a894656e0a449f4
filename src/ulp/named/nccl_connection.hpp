// A connection of NCCL or RCCL: only the name of the protocol is found out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ulp/carried.hpp"

namespace rocescope {

/// Believes it by the messages that receivers write when they are ready: they are numbered, and data go to the places
/// that they name.
class NcclConnection final : public Carried {
 public:
  MessageProtocol observe(const SendPayload& payload, CommandSink& log) override;
  MessageProtocol observe(const DataPayload& payload, CommandSink& log) override;
  void observe_end(std::size_t side, const Message& message, CommandSink& log) override;
  [[nodiscard]] bool is_name_only() const override { return true; }
  [[nodiscard]] const Fit& fit() const override { return fit_; }
  void finish(CommandSink& /*log*/) override {}
  void join(Carried& other) override;
  void describe(CarriedProtocol& /*carried*/) override {}

 private:
  friend struct StateMembers;
  static constexpr std::size_t kMostPlaces = 64;
  struct Place {
    std::uint64_t address = 0;
    std::uint32_t r_key = 0;
    friend bool operator==(const Place&, const Place&) noexcept = default;
  };

  Fit fit_;
  std::array<std::optional<std::uint64_t>, 2> numbers_;  // the last one of each side
  std::array<std::vector<Place>, 2> places_;             // that each side named last and to which no data went yet
};

}  // namespace rocescope
