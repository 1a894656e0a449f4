#include "ulp/named/perftest.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "rocescope/opcode.hpp"

namespace rocescope {
namespace {

enum class Test : std::uint8_t { kSend, kWrite, kRead, kAtomic };
constexpr std::size_t kTests = 4;

struct TestNames {
  std::string_view any;
  std::string_view bandwidth;
  std::string_view latency;
};
constexpr TestNames kTestNames[kTests] = {{"ib_send", "ib_send_bw", "ib_send_lat"},
                                          {"ib_write", "ib_write_bw", "ib_write_lat"},
                                          {"ib_read", "ib_read_bw", "ib_read_lat"},
                                          {"ib_atomic", "ib_atomic_bw", "ib_atomic_lat"}};

std::optional<Test> test_of(Operation operation) {
  switch (operation) {
    case Operation::kSend:
      return Test::kSend;
    case Operation::kWrite:
      return Test::kWrite;
    case Operation::kReadRequest:
      return Test::kRead;
    case Operation::kCompareSwap:
    case Operation::kFetchAdd:
      return Test::kAtomic;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string_view perftest_of(const Connection& connection) {
  std::array<std::array<std::uint64_t, 2>, kTests> messages{};  // by side
  for (std::size_t side = 0; side < 2; ++side) {
    for (const OperationTotals& totals : connection.sides[side].operations.all()) {
      if (const auto test = test_of(totals.operation))
        messages[static_cast<std::size_t>(*test)][side] += totals.messages;
    }
  }
  const auto all_of = [](const std::array<std::uint64_t, 2>& of_sides) { return of_sides[0] + of_sides[1]; };
  const auto most = std::ranges::max_element(messages, {}, all_of);
  if (all_of(*most) == 0) return {};
  const TestNames& names = kTestNames[most - messages.begin()];
  const auto seen = [](const ConnectionSide& side) { return side.first_packet != 0; };
  if (!std::ranges::all_of(connection.sides, seen)) return names.any;
  const bool is_one_way = std::ranges::count(*most, std::uint64_t{0}) == 1;
  const auto test = static_cast<Test>(most - messages.begin());
  const bool is_repeated = all_of(*most) > 1;  // a test of latency begins with one as well
  if (test == Test::kSend || test == Test::kWrite) return is_one_way && is_repeated ? names.bandwidth : names.any;
  const auto outstanding = [&](std::size_t side) { return connection.sides[side].reads_outstanding->most; };
  if (std::max(outstanding(0), outstanding(1)) > 1) return names.bandwidth;
  return is_one_way && is_repeated ? names.latency : names.any;
}

}  // namespace rocescope
