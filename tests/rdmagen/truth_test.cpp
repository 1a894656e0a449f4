#include "core/truth.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace rocescope::rdmagen {
namespace {

/// A file that is gone with the test.
class TruthFile {
 public:
  TruthFile() {
    const int fd = mkstemp(name_.data());
    EXPECT_GE(fd, 0);
    close(fd);
  }
  ~TruthFile() { std::filesystem::remove(name_); }
  TruthFile(const TruthFile&) = delete;
  TruthFile& operator=(const TruthFile&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::vector<std::string> lines() const {
    std::ifstream file(name_);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

 private:
  std::string name_ = std::filesystem::temp_directory_path() / "rdmagen_truth_XXXXXX";
};

TEST(Truth, FactBeginsWithTimeSideAndEvent) {
  const TruthFile file;
  {
    Truth truth(Side::kServer, file.name());
    truth.fact("pd", {{"pd", 3}, {"duration_ns", 250}}, 1700000000123456789);
  }
  EXPECT_EQ(file.lines(),
            std::vector<std::string>{
                R"({"time_ns":1700000000123456789,"side":"server","event":"pd","pd":3,"duration_ns":250})"});
}

TEST(Truth, FactWithoutTimeHappensNow) {
  const TruthFile file;
  const auto seconds = static_cast<std::uint64_t>(std::time(nullptr));
  { Truth(Side::kClient, file.name()).fact("start", nlohmann::ordered_json::object()); }
  const auto line = nlohmann::json::parse(file.lines().at(0));
  const std::uint64_t time = line.at("time_ns");
  EXPECT_GE(time, seconds * 1'000'000'000);
  EXPECT_LE(time, (seconds + 60) * 1'000'000'000);
}

TEST(Truth, PostTellsTheWorkRequest) {
  const TruthFile file;
  {
    Truth truth(Side::kClient, file.name());
    PostFact post;
    post.time_ns = 5;
    post.qpn = 17;
    post.wr_id = 2;
    post.opcode = "RDMA_WRITE_WITH_IMM";
    post.bytes = 4096;
    post.local_address = 0x1000;
    post.lkey = 7;
    post.signaled = true;
    post.remote_address = 0xfedcba9876543210;
    post.rkey = 0xffffffff;
    post.immediate = 9;
    truth.post(post);
  }
  EXPECT_EQ(file.lines(),
            std::vector<std::string>{R"({"time_ns":5,"side":"client","event":"post","qpn":17,"wr_id":2,)"
                                     R"("opcode":"RDMA_WRITE_WITH_IMM","bytes":4096,"local_address":4096,"lkey":7,)"
                                     R"("signaled":true,"inline":false,"remote_address":18364758544493064720,)"
                                     R"("rkey":4294967295,"immediate":9})"});
  EXPECT_EQ(nlohmann::json::parse(file.lines()[0]).at("remote_address"), 0xfedcba9876543210);
}

TEST(Truth, PostOfAnAtomicTellsItsOperands) {
  const TruthFile file;
  {
    Truth truth(Side::kClient, file.name());
    PostFact post;
    post.opcode = "ATOMIC_CMP_AND_SWP";
    post.compare = 0xffffffffffffffff;
    post.swap = 1;
    truth.post(post);
  }
  const auto line = nlohmann::json::parse(file.lines().at(0));
  EXPECT_EQ(line.at("compare"), 0xffffffffffffffff);
  EXPECT_EQ(line.at("swap"), 1);
  EXPECT_FALSE(line.contains("add"));
  EXPECT_FALSE(line.contains("immediate"));
}

TEST(Truth, CompletionTellsStatusOpcodeAndBytes) {
  const TruthFile file;
  {
    Truth truth(Side::kServer, file.name());
    CompletionFact completion;
    completion.time_ns = 6;
    completion.qpn = 18;
    completion.wr_id = 1099511627777;
    completion.status = "SUCCESS";
    completion.opcode = "RECV";
    completion.bytes = 64;
    completion.immediate = 1;
    completion.src_qp = 17;
    truth.completion(completion);
  }
  EXPECT_EQ(file.lines(), std::vector<std::string>{
                              R"({"time_ns":6,"side":"server","event":"completion","qpn":18,"wr_id":1099511627777,)"
                              R"("status":"SUCCESS","vendor_err":0,"opcode":"RECV","bytes":64,"immediate":1,)"
                              R"("src_qp":17})"});
}

TEST(Truth, LinesOfManyThreadsStayWhole) {
  const TruthFile file;
  {
    Truth truth(Side::kClient, file.name());
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        PostFact post;
        post.opcode = "SEND";
        for (int i = 0; i < 2000; ++i) truth.post(post);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  const auto lines = file.lines();
  EXPECT_EQ(lines.size(), 8000U);
  for (const std::string& line : lines) EXPECT_TRUE(nlohmann::json::accept(line)) << line;
}

TEST(Truth, FlushedFactsOutliveAKilledProgram) {
  const TruthFile file;
  const pid_t child = fork();
  if (child == 0) {
    Truth truth(Side::kServer, file.name());
    truth.fact("kill", {{"signal", "SIGKILL"}});
    truth.flush();
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(file.lines().size(), 1U);
}

TEST(Truth, WithoutFileIsSilent) {
  Truth truth(Side::kClient);
  EXPECT_FALSE(truth.enabled());
  truth.fact("start", nlohmann::ordered_json::object());
}

TEST(Truth, FileThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(Truth(Side::kClient, "/nowhere/truth.ndjson"), std::system_error);
}

}  // namespace
}  // namespace rocescope::rdmagen
