// Messages that did not end well, which a ladder shows one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocescope/connection.hpp"
#include "rocescope/message.hpp"

namespace rocescope {

/// Takes 8 bytes for a message that was refused, lost or sent more than once, and 16 for one without an answer. Keeps
/// the first kMost of the capture.
class FailedMessages {
 public:
  static constexpr std::size_t kMost = 1'048'576;

  explicit FailedMessages(std::size_t most = kMost) : most_(most) {}

  /// A message of the capture that ended, or that is open at its end.
  void add(const Connection& connection, std::size_t side, const Message& message);

  /// The numbers (Message::number) of those that were refused, lost or sent more than once, of all connections; and of those of
  /// `connection` that had no answer when it failed or was torn down. The lowest first. `connection`: as the report has it.
  [[nodiscard]] std::vector<std::uint64_t> of(const Connection& connection) const;
  /// Such messages of all connections that were left out, since there were too many.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  struct Unanswered {
    std::uint32_t connection = 0;
    std::uint64_t number = 0;
  };

  std::size_t most_;
  std::uint64_t left_out_ = 0;
  std::vector<std::uint64_t> failed_;
  std::vector<Unanswered> unanswered_;
};

}  // namespace rocescope
