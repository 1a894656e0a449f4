// Which files of a result folder of the lab are what (tools/lab/README.md, "What a run leaves").
#include "truth/result_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"
#include "truth/truth_file.hpp"

namespace rocescope::truth {
namespace {

using ::testing::ElementsAre;

class ResultFolder : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& text = {}) const { std::ofstream(path(name)) << text; }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }
  [[nodiscard]] std::string folder() const { return folder_.path(); }

 private:
  testing::TemporaryFolder folder_;
};

TEST_F(ResultFolder, has_the_truth_of_the_lab_and_of_both_sides) {
  for (const char* name : {"2.client.rdmagen.ndjson", "2.client.rdmagen.log", "1.server.rdmagen.ndjson", "truth.ndjson",
                           "1.client.rocescope.ndjson", "client.wire.pcapng"}) {
    add(name);
  }
  const Result<std::vector<std::string>> files = truths_in(folder());
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(*files,
              ElementsAre(path("1.server.rdmagen.ndjson"), path("2.client.rdmagen.ndjson"), path("truth.ndjson")));
}

TEST_F(ResultFolder, has_captures_of_both_ends_of_the_wire) {
  add("client.inside.pcapng");
  const Result<std::vector<std::string>> inside = captures_in(folder());
  ASSERT_TRUE(inside) << inside.error().message;
  EXPECT_THAT(*inside, ElementsAre(path("client.inside.pcapng"))) << "machines of the user's have no wire capture";
  add("server.wire.pcapng");
  add("client.wire.pcapng");
  const Result<std::vector<std::string>> wire = captures_in(folder());
  ASSERT_TRUE(wire) << wire.error().message;
  EXPECT_THAT(*wire, ElementsAre(path("client.wire.pcapng"), path("server.wire.pcapng")));
}

TEST_F(ResultFolder, that_is_none_is_reported) {
  add("lab.pcapng");
  add("lab.ndjson");
  EXPECT_EQ(truths_in(folder()).error().message,
            "no truth in " + folder() +
                ": neither truth.ndjson nor *.rdmagen.ndjson, which a run of the lab leaves. Name the files in it");
  EXPECT_EQ(
      captures_in(folder()).error().message,
      "no captures of the lab in " + folder() + ": neither *.wire.pcapng nor *.inside.pcapng. Name the files in it");
  EXPECT_EQ(truths_in("/nowhere").error().message, "cannot read /nowhere: No such file or directory");
}

TEST_F(ResultFolder, is_read_as_one_truth) {
  add("truth.ndjson", R"({"time_ns":3,"side":"lab","event":"host","name":"server","address":"10.0.0.1"})"
                      "\n");
  add("1.server.rdmagen.ndjson", R"({"time_ns":2,"side":"server","event":"kill","signal":"KILL"})"
                                 "\n");
  const Result<Truth> truth = read_truth(std::vector{folder()});
  ASSERT_TRUE(truth) << truth.error().message;
  EXPECT_THAT(truth->files, ElementsAre(path("1.server.rdmagen.ndjson"), path("truth.ndjson")));
  EXPECT_EQ(truth->hosts.size(), 1U);
  EXPECT_EQ(truth->kills.size(), 1U);
}

}  // namespace
}  // namespace rocescope::truth
