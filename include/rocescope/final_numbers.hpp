// The numbers that connections have at last.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "rocescope/connection.hpp"

namespace rocescope {

/// A connection of which one direction is seen long before the other is two, until packets prove that they are one. Then it goes
/// on with one of the numbers, and the report has no connection with the other. This knows which packets of the other are its.
class FinalNumbers {
 public:
  void add(const Connection& connection) {
    if (connection.joined != 0) after_[connection.joined] = connection.number;
  }
  void add(const FinalNumbers& others) { after_.insert(others.after_.begin(), others.after_.end()); }

  /// The number that a report has for the connection of a packet with this Verdict::connection.
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
