// `verify` and `flow --truth` of a result folder of the lab, as a run leaves it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "captures.hpp"
#include "process.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class LabResult : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"client.wire.pcapng", "server.wire.pcapng", "client.inside.pcapng"}) {
      std::filesystem::create_symlink(capture("rdmagen-cm-mixed.pcapng"), folder_.path(name));
    }
    std::ifstream truth(capture("rdmagen-cm-mixed.ndjson"));
    std::ofstream server(folder_.path("1.server.rdmagen.ndjson"));
    std::ofstream client(folder_.path("2.client.rdmagen.ndjson"));
    std::ofstream lab(folder_.path("truth.ndjson"));
    for (std::string line; std::getline(truth, line);) {
      const auto side = nlohmann::json::parse(line)["side"].get<std::string>();
      (side == "server" ? server : side == "client" ? client : lab) << line << '\n';
    }
  }

  const TemporaryFolder folder_;
};

TEST_F(LabResult, is_verified_with_each_capture_of_the_wire) {
  const Outcome outcome = rocescope({"verify", folder_.path()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith(folder_.path("client.wire.pcapng") + " agrees with the truth\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n\n" + folder_.path("server.wire.pcapng") + " agrees with the truth\n"));
  EXPECT_THAT(outcome.out, HasSubstr("counters of the devices: sent_pkts"));
}

TEST_F(LabResult, differs_where_one_capture_does) {
  std::filesystem::remove(folder_.path("server.wire.pcapng"));
  std::filesystem::create_symlink(capture("rdmagen-cm-mpi.pcapng"), folder_.path("server.wire.pcapng"));
  const Outcome outcome = rocescope({"verify", "--json", folder_.path()});
  EXPECT_EQ(outcome.exit_code, 1);
  std::istringstream text(outcome.out);
  nlohmann::json client;
  nlohmann::json server;
  text >> client >> server;
  EXPECT_EQ(client["capture"], folder_.path("client.wire.pcapng"));
  EXPECT_EQ(client["agrees"], true);
  EXPECT_EQ(client["truth_files"].size(), 3U);
  EXPECT_EQ(server["capture"], folder_.path("server.wire.pcapng"));
  EXPECT_EQ(server["agrees"], false);
}

TEST_F(LabResult, is_the_truth_of_a_capture_that_is_named) {
  const std::string named = capture("rdmagen-cm-mixed.pcapng");
  const Outcome outcome = rocescope({"verify", "--truth", folder_.path(), named});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("The capture agrees with the truth\n"));
  const Outcome of_files =
      rocescope({"flow", "--truth", folder_.path("1.server.rdmagen.ndjson"), "--truth",
                 folder_.path("2.client.rdmagen.ndjson"), "--truth", folder_.path("truth.ndjson"), named});
  const Outcome of_folder = rocescope({"flow", "--truth", folder_.path(), named});
  EXPECT_EQ(of_folder.exit_code, 0) << of_folder.err;
  EXPECT_EQ(of_folder.out, of_files.out);
}

TEST_F(LabResult, stands_alone) {
  const Outcome outcome = rocescope({"verify", folder_.path(), capture("rdmagen-cm-mixed.pcapng")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr(folder_.path() + ": it is a directory"));
}

}  // namespace
}  // namespace rocescope::testing
