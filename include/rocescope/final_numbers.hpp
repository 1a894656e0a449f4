// The numbers that connections have at last.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "rocescope/connection.hpp"

namespace rocescope {

/// Where one direction of a connection is seen long before the other, the two directions are two connections, until
/// packets prove that they are one. That one goes on with one of the two numbers, and the report has no connection with
/// the other number. This class knows which number became which.
class FinalNumbers {
 public:
  void add(const Connection& connection) {
    if (connection.joined != 0) after_[connection.joined] = connection.number;
  }
  void add(const FinalNumbers& others) { after_.insert(others.after_.begin(), others.after_.end()); }

  /// The number of a connection in the report. `number`: Verdict::connection of one of its packets.
  [[nodiscard]] std::uint32_t of(std::uint32_t number) const {
    if (after_.empty()) return number;
    const auto joined = after_.find(number);
    return joined == after_.end() ? number : joined->second;
  }

 private:
  friend struct StateMembers;
  std::unordered_map<std::uint32_t, std::uint32_t> after_;
};

}  // namespace rocescope
