// tshark as the witness: the same filters over the same captures let the same frames pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <span>

#include "rare_packets.hpp"
#include "rocescope/capture.hpp"
#include "support/all_captures.hpp"
#include "support/hex.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"
#include "tshark_filters.hpp"
#include "tshark_invalid_filters.hpp"
#include "tshark_witness.hpp"

namespace rocescope::filter {
namespace {

std::string first_difference(const Verdict& ours, const Verdict& theirs) {
  std::vector<std::uint64_t> only_one;
  std::set_symmetric_difference(ours.frames.begin(), ours.frames.end(), theirs.frames.begin(), theirs.frames.end(),
                                std::back_inserter(only_one));
  if (only_one.empty()) return "no frame";
  const bool is_ours = std::binary_search(ours.frames.begin(), ours.frames.end(), only_one.front());
  return std::to_string(only_one.size()) + " frames, the first of them " + std::to_string(only_one.front()) +
         (is_ours ? ", which passes ours" : ", which passes tshark's");
}

bool mentions(std::string_view filter, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](auto word) { return filter.find(word) != filter.npos; });
}

/// What makes tshark see other things in a capture.
struct Rarities {
  bool dc = false;
  bool atomic_write = false;
  bool erf = false;
  bool unnamed = false;  // interfaces
  friend auto operator<=>(const Rarities&, const Rarities&) = default;
};

/// Where tshark is known to see other things: not what this test is about.
bool tshark_differs(std::string_view filter, const Rarities& rare) {
  // It reads the opcodes of the Dynamically Connected transport as the Reliable Datagram that nobody ever built.
  if (rare.dc && mentions(filter, {"infiniband.deth", "infiniband.aeth"})) return true;
  // It calls FLUSH and ATOMIC WRITE unknown opcodes and does not look behind their BTH.
  if (rare.atomic_write && mentions(filter, {"infiniband.reth"})) return true;
  // It calls interfaces without a name "unknown" where the file describes them.
  if (rare.unnamed && mentions(filter, {"frame.interface_name"})) return true;
  // It makes interfaces of the ports of a capture card, and dissects IP over InfiniBand.
  return rare.erf && mentions(filter, {"frame.interface_name", "ip", "udp"});
}

Rarities rarities_of(const std::filesystem::path& capture) {
  const auto has = [&](std::string_view filter) {
    const auto verdicts = ask_rocescope(capture, {filter});
    return verdicts && !verdicts->front().frames.empty();
  };
  auto source = open_capture(capture.string());
  Frame frame;
  const bool is_erf = source && (*source)->next(frame) && frame.link_type == link_type::kErf;
  return {has("rocescope.transport == \"DC\""), has("infiniband.bth.opcode in {28, 29}"), is_erf,
          has("!frame.interface_name")};
}

void expect_agreement(const std::filesystem::path& capture, std::span<const std::string_view> list = kValidFilters) {
  const std::vector<std::string_view> filters(list.begin(), list.end());
  const auto ours = ask_rocescope(capture, filters);
  ASSERT_TRUE(ours) << capture;
  const auto theirs = ask_tshark(capture, filters);
  ASSERT_TRUE(theirs) << capture;
  const Rarities rare = rarities_of(capture);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (tshark_differs(filters[i], rare)) continue;
    EXPECT_TRUE((*ours)[i].valid) << filters[i];
    EXPECT_TRUE((*theirs)[i].valid) << filters[i];
    if ((*ours)[i].valid) {
      EXPECT_TRUE((*ours)[i] == (*theirs)[i])
          << filters[i] << " in " << capture << ": " << first_difference((*ours)[i], (*theirs)[i]);
    }
  }
}

/// Those that tshark sees alike are asked about at once, but for those of capture cards: in a merged file tshark rounds their times.
void expect_agreement_on(const std::vector<std::filesystem::path>& captures) {
  std::map<Rarities, std::vector<std::filesystem::path>> alike;
  for (const auto& capture : captures) alike[rarities_of(capture)].push_back(capture);
  const testing::TemporaryFolder folder;
  const std::filesystem::path merged = folder.path("merged.pcapng");
  for (const auto& [rare, group] : alike) {
    if (group.size() > 1 && !rare.erf && merge_captures(group, merged)) {
      expect_agreement(merged);
    } else {
      for (const auto& capture : group) expect_agreement(capture);
    }
  }
}

/// Appends `number` in this machine's byte order, by which pcap files go.
void append(std::string& file, std::uint32_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  file.append(bytes, sizeof bytes);
}

std::string rare_capture() {
  std::string file;
  for (const std::uint32_t number : {0xA1B2C3D4U, 0x00040002U, 0U, 0U, 65535U, link_type::kEthernet}) {
    append(file, number);
  }
  std::uint32_t second = 1'700'000'000;
  for (const std::string_view packet : kRarePackets) {
    const auto bytes = testing::hex(packet);
    const auto size = static_cast<std::uint32_t>(bytes.size());
    for (const std::uint32_t number : {second++, 0U, size, size}) append(file, number);
    file.append(bytes.begin(), bytes.end());
  }
  return file;
}

class Tshark : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!tshark_is_there()) GTEST_SKIP() << "no tshark with Lua";
    setenv("TZ", "UTC", 1);
  }
};

TEST_F(Tshark, AgreesOnTheFramesThatPass) {
  const std::vector<std::string> captures = testing::captures_to_repeat(1, 6);
  ASSERT_FALSE(captures.empty());
  expect_agreement_on({captures.begin(), captures.end()});
}

TEST_F(Tshark, AgreesOnTagsOptionsAndTunnels) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder.path("rare.pcap");
  std::ofstream(path, std::ios::binary) << rare_capture();
  expect_agreement(path);
  expect_agreement(path, kRareFilters);
}

TEST_F(Tshark, AgreesOnWhatIsNoFilter) {
  const std::filesystem::path capture = rocescope::testing::source_dir() + "/captures/vlan.pcapng";
  const std::vector<std::string_view> filters(std::begin(kInvalidFilters), std::end(kInvalidFilters));
  const auto ours = ask_rocescope(capture, filters);
  const auto theirs = ask_tshark(capture, filters);
  ASSERT_TRUE(ours && theirs);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    EXPECT_FALSE((*ours)[i].valid) << filters[i];
    EXPECT_FALSE((*theirs)[i].valid) << filters[i];
  }
}

}  // namespace
}  // namespace rocescope::filter
