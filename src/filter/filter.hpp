// Display filters: Wireshark's language (wireshark-filter(4), as of 4.0) over all fields of fields/catalog.hpp.
//
//   filter   = conjunctions of tests by `or`, `xor`, `and`, `not`, in falling order of looseness, with parentheses
//   test     = operand                           there is such a field, header or protocol; a bitwise `and` is not zero
//            | operand relation operand ...      == != === ~= < <= > >= contains matches; `any` or `all` before it
//            | operand [not] in { set }          values, `from .. to`, fields; separated by commas or spaces
//   operand  = field | header | value | function(operands), each with [slices], joined by `&`
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "rocescope/record.hpp"
#include "rocescope/result.hpp"

namespace rocescope::filter {

class Predicate;

/// An error of a filter, and its place in the text.
struct FilterError {
  std::string message;     ///< one sentence for a person, no trailing full stop
  std::size_t offset = 0;  ///< of the offending place, in bytes; the text's size when the filter ends too early
  std::size_t length = 0;  ///< of the offending place; may be 0
};

/// The message, below it the line of the filter, and below that a caret under the place:
///
///     unknown field infiniband.bth.pns; did you mean infiniband.bth.psn?
///         infiniband.bth.pns == 4
///         ^~~~~~~~~~~~~~~~~~
///
/// Of a very long filter only the neighbourhood of the place is shown. No trailing newline.
[[nodiscard]] std::string describe(const FilterError& error, std::string_view text);

/// A compiled filter. Moves; holds nothing of the text it was made from. matches() reuses buffers inside, so one Filter
/// serves one thread at a time.
class Filter {
 public:
  Filter(std::unique_ptr<const Predicate> predicate, RecordParts parts) noexcept;
  Filter(Filter&&) noexcept;
  Filter& operator=(Filter&&) noexcept;
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  ~Filter();

  /// Whether the packet passes. Allocates nothing per packet, except to grow the buffer of a long slice once.
  [[nodiscard]] bool matches(const PacketRecord& record) const;
  /// False only where no packet passes that takes the express lane: one that is just what comes next of its connection.
  [[nodiscard]] bool may_pass_expected() const;
  /// The parts of a record that it reads beyond dissection.
  [[nodiscard]] RecordParts parts() const noexcept { return parts_; }

 private:
  std::unique_ptr<const Predicate> predicate_;
  RecordParts parts_;
};

/// Compiles a filter. An empty one (nothing but white space) passes every packet. The error's message is what describe()
/// makes of it: several lines.
[[nodiscard]] Result<Filter> compile(std::string_view text);

}  // namespace rocescope::filter
