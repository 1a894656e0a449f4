// Executes a plan of both sides in plain memory, as a perfect network would, and complains about what does not fit.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/plan.hpp"

namespace rocescope::rdmagen::testing {

class PlanSimulator {
 public:
  explicit PlanSimulator(const Job& job);

  /// Empty when both sides come to their end and every verification holds.
  std::string run();

  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
  [[nodiscard]] std::uint64_t verified_bytes() const noexcept { return verified_bytes_; }
  /// Work requests posted, by operation.
  [[nodiscard]] const std::map<Operation, unsigned>& posted() const noexcept { return posted_; }

 private:
  struct State {
    std::vector<std::uint8_t> memory;
    std::size_t next = 0;       ///< step
    std::uint32_t arrived = 0;  ///< messages
    std::vector<bool> window_open;
  };

  State& state_of(Side side) { return states_[static_cast<std::size_t>(side)]; }
  bool advance(Side side);
  void execute(Side side, const Step& step);
  void post(Side side, const Step& step);
  void change_number(State& here, State& there, const Step& step);
  void verify(Side side, const Step& step);
  std::uint8_t* at(State& state, std::uint64_t offset, std::uint64_t length, const char* what);
  void complain(const std::string& what);

  Job job_;
  Plan plan_;
  std::array<State, 2> states_;
  std::array<std::map<std::uint8_t, std::vector<Arrival>>, 2> seen_;
  std::map<Operation, unsigned> posted_;
  std::uint64_t verified_bytes_ = 0;
  std::string complaint_;
};

}  // namespace rocescope::rdmagen::testing
