// A program that gets no more memory.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::testing {
namespace {

TEST(OutOfMemory, IsSaidByAnalyze) {
  constexpr std::uint32_t kLength = 120U << 20;
  const TemporaryFolder folder;
  const std::string file = folder.path("large.pcap");
  constexpr std::uint32_t kDBus = 231;  // its frames may be so long
  std::string bytes;
  for (const std::uint32_t word : {0xA1B2C3D4U, 0x00040002U, 0U, 0U, kLength, kDBus, 0U, 0U, kLength, kLength}) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift);
  }
  std::ofstream(file, std::ios::binary) << bytes;
  std::filesystem::resize_file(file, bytes.size() + kLength);  // zeros that take no place
  const std::string command =
      "ulimit -v 200000; '" + program() + "' analyze - <'" + file + "' 2>'" + folder.path("errors") + "'";
  const int status = std::system(command.c_str());
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  std::stringstream errors;
  errors << std::ifstream(folder.path("errors")).rdbuf();
  EXPECT_EQ(errors.str(), "rocescope: out of memory\n");
}

}  // namespace
}  // namespace rocescope::testing
