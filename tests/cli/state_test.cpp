// States that say of commands what cannot be are refused.
#include "partial/state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "partial/block.hpp"
#include "partial/carry.hpp"
#include "partial/state/containers.hpp"
#include "partial/state/ulp.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope {
namespace {

struct StateParts {};

}  // namespace

/// Sees what these classes keep to themselves.
template <>
struct StateMembers::Of<StateParts> {
  static std::unique_ptr<Carried> rtrs(std::uint8_t client) {
    auto made = std::make_unique<RtrsConnection>(1, RtrsConnection::Known{});
    made->asked_.push_back({.value = 1, .place = 0, .known = 0, .open = std::make_unique<OpenCommand>()});
    made->asked_.back().open->command.initiator = client;
    return made;
  }
  static std::unique_ptr<Carried> nccl(std::size_t places) {
    auto made = std::make_unique<NcclConnection>();
    made->places_[1].resize(places);
    return made;
  }
  static std::unique_ptr<Carried> nfs(std::size_t caller) {
    auto made = std::make_unique<NfsConnection>(1, std::nullopt);
    made->late_.push_back({.caller = caller, .xid = 7, .response = {}, .chunk = {}});
    return made;
  }
  /// A book with commands of these IDs.
  static CommandBook book(const std::vector<std::uint64_t>& ids, std::uint8_t initiator) {
    CommandBook book;
    for (const std::uint64_t id : ids) {
      book.outstanding_.emplace_back(id, std::make_unique<OpenCommand>());
      book.outstanding_.back().second->command.initiator = initiator;
    }
    return book;
  }
  static std::unique_ptr<CommandLog> log(std::uint8_t responder, std::uint32_t place) {
    auto made = std::make_unique<CommandLog>();
    made->report_.totals.emplace_back();
    made->report_.commands.push_back(Command());
    made->late_.push_back({.connection = 1, .place = place, .row = 0, .responder = responder});
    return made;
  }
  static constexpr std::uint32_t kUnlisted = CommandLog::kUnlisted;
};

namespace {

using MakeState = StateMembers::Of<StateParts>;

/// The error of reading a state with this value; empty: it is accepted.
template <class T>
std::string error_of_state(const T& value) {
  constexpr std::string_view kName = "tested";
  std::string bytes;
  const partial::Sink sink = [&](std::string_view piece) { bytes += piece; };
  partial::write_start(sink);
  partial::SectionWriter section(kName, sink);
  partial::StateWritingArchive writing(section);
  partial::carry(writing, value);
  section.finish();
  partial::SectionWriter(partial::kEnd, sink).finish();
  const testing::TemporaryFolder folder;
  std::ofstream(folder.path("tested.state"), std::ios::binary) << bytes;
  Result<partial::BlockReader> blocks = partial::BlockReader::open(folder.path("tested.state"));
  if (!blocks) return blocks.error().message;
  partial::StateReadingArchive reading(*blocks, kName);
  T read{};
  partial::carry(reading, read);
  const auto error = reading.finish();
  return error ? error->message : "";
}

const auto kStateRefused = ::testing::HasSubstr("a value that cannot be");
const auto kStateTaken = ::testing::IsEmpty();

TEST(State, NamesOneOfTwoSides) {
  EXPECT_THAT(error_of_state(MakeState::rtrs(1)), kStateTaken);
  EXPECT_THAT(error_of_state(MakeState::rtrs(2)), kStateRefused);
  EXPECT_THAT(error_of_state(MakeState::nfs(1)), kStateTaken);
  EXPECT_THAT(error_of_state(MakeState::nfs(2)), kStateRefused);
  EXPECT_THAT(error_of_state(MakeState::book({1}, 1)), kStateTaken);
  EXPECT_THAT(error_of_state(MakeState::book({1}, 2)), kStateRefused);
  EXPECT_THAT(error_of_state(MakeState::log(1, 0)), kStateTaken);
  EXPECT_THAT(error_of_state(MakeState::log(2, 0)), kStateRefused);
}

TEST(State, NamesOnlyListedCommands) {
  EXPECT_THAT(error_of_state(MakeState::log(1, MakeState::kUnlisted)), kStateTaken);
  EXPECT_THAT(error_of_state(MakeState::log(1, 1)), kStateRefused);
}

TEST(State, HasOneCommandOfAnId) {
  EXPECT_THAT(error_of_state(MakeState::book({1, 2, 4}, 0)), kStateTaken);
  EXPECT_THAT(error_of_state(MakeState::book({1, 4, 2}, 0)), kStateRefused);
  EXPECT_THAT(error_of_state(MakeState::book({1, 2, 2}, 0)), kStateRefused);
}

TEST(State, KeepsToLimitsThatNothingElseEnforces) {
  EXPECT_THAT(error_of_state(MakeState::nccl(64)), kStateTaken);
  EXPECT_THAT(error_of_state(MakeState::nccl(65)), kStateRefused);
}

}  // namespace
}  // namespace rocescope
