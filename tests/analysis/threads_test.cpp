// A report is the same however far ahead, and in whatever thread, packets are read.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.hpp"
#include "rocescope/analyze.hpp"
#include "rocescope/render.hpp"
#include "support/all_captures.hpp"
#include "support/without_threads.hpp"

namespace rocescope {
namespace {

std::string json_of(const Report& report) {
  std::string text;
  render::append_report_json(report, text);
  return text;
}

std::unique_ptr<FrameSource> open(const std::string& path) {
  Result<std::unique_ptr<FrameSource>> source = open_capture(path);
  return source ? std::move(*source) : nullptr;
}

std::string one_by_one(FrameSource& source) {
  Analysis analysis(source, {});
  while (analysis.next() != nullptr) {
  }
  return json_of(analysis.finish());
}

TEST(Threads, DoNotChangeTheReport) {
  const std::vector<std::string> paths = testing::captures_to_repeat(1, 6);
  std::size_t captures = 0;
  for (const std::string& path : paths) {
    const std::unique_ptr<FrameSource> source = open(path);
    if (!source) continue;
    ++captures;
    const std::string expected = one_by_one(*source);
    for (const unsigned threads : {1U, 2U, 3U}) {
      const std::unique_ptr<FrameSource> again = open(path);
      const bool same =
          json_of(analyze(*again, {.threads = threads})) == expected;  // the documents are too long to be shown
      EXPECT_TRUE(same) << path << " with " << threads << " threads";
    }
    // What a filter may leave out is counted behind the filter.
    const std::unique_ptr<FrameSource> filtered = open(path);
    const AnalyzeOptions all{.threads = 2, .accept = [](const PacketRecord&) { return true; }};
    const bool same = json_of(analyze(*filtered, all)) == expected;
    EXPECT_TRUE(same) << path << " with a filter";
  }
  EXPECT_GT(captures, paths.size() / 2);
}

TEST(Threads, DoNotChangeTheReportWhereThereAreNone) {
  const int code = testing::without_threads([] {
    const std::vector<std::string> paths = testing::captures_to_repeat(2, 6);
    std::size_t captures = 0;
    bool same = true;
    for (const std::string& path : paths) {
      const std::unique_ptr<FrameSource> source = open(path);
      const std::unique_ptr<FrameSource> again = open(path);
      if (!source || !again) continue;
      ++captures;
      same = same && json_of(analyze(*again, {.threads = 4})) == one_by_one(*source);
    }
    return same && captures > paths.size() / 2;
  });
  if (code == testing::kCannotForbidThreads) GTEST_SKIP() << "threads cannot be forbidden here";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace rocescope
