// Packets whose right ICRC others have published: SoftRoCE, ConnectX-4, FPGA implementations, with and without VXLAN.
#include "rocescope/icrc.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rocescope/dissect.hpp"
#include "support/hex.hpp"

namespace rocescope {
namespace {

std::vector<nlohmann::json> vectors_in(const std::filesystem::path& folder) {
  std::vector<nlohmann::json> vectors;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("icrc_vectors") || entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    for (const auto& vector : nlohmann::json::parse(file)) vectors.push_back(vector);
  }
  return vectors;
}

TEST(IcrcVectors, AreAllRight) {
  const char* folder = std::getenv("ROCESCOPE_EXTRA_CAPTURES");
  if (folder == nullptr) GTEST_SKIP() << "ROCESCOPE_EXTRA_CAPTURES is not set: no icrc_vectors*.json";
  const auto vectors = vectors_in(folder);
  if (vectors.empty()) GTEST_SKIP() << "no icrc_vectors*.json in " << folder;
  for (const auto& vector : vectors) {
    SCOPED_TRACE(vector.dump());
    const auto bytes = testing::hex(vector.at("hex").get<std::string>());
    // Those that start at the IP header say so.
    const bool raw = vector.contains("linktype") && vector.at("linktype") != 1;
    Packet packet;
    dissect({.data = bytes,
             .original_length = static_cast<std::uint32_t>(bytes.size()),
             .link_type = raw ? link_type::kRaw : link_type::kEthernet},
            packet);
    ASSERT_TRUE(packet.is_roce());
    const IcrcCheck check = check_icrc(packet);
    if (!vector.contains("icrc_recomputed_bytes")) {
      EXPECT_EQ(check.status, IcrcStatus::kGood);
      continue;
    }
    const auto right = testing::hex(vector.at("icrc_recomputed_bytes").get<std::string>());
    EXPECT_EQ(check.expected, load_bits(right.data(), 0, 32));
  }
}

}  // namespace
}  // namespace rocescope
