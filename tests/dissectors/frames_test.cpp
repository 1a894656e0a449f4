// The frames of frames/*.txt: their headers, their fields as tshark prints them, and each of them cut at every length.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/cut.hpp"
#include "support/hex.hpp"
#include "support/source_dir.hpp"
#include "support/specimen.hpp"

namespace rocescope {
namespace {

struct Example {
  std::string title;
  std::uint32_t link_type = 1;
  std::int64_t seconds = 0;
  std::uint32_t original_length = 0;
  std::string frame;
  std::string layers;
  std::string stop;
  std::string icrc;
  std::vector<std::pair<std::string, std::string>> fields;
};

/// What GoogleTest calls an example.
void PrintTo(const Example& example, std::ostream* out) { *out << example.title; }

void read_line(Example& example, const std::string& line) {
  std::istringstream words(line);
  std::string key;
  words >> key >> std::ws;
  std::string rest;
  std::getline(words, rest);
  if (line.starts_with(' ')) {
    example.frame += line;
  } else if (key == "link") {
    example.link_type = static_cast<std::uint32_t>(std::stoul(rest));
  } else if (key == "time") {
    example.seconds = std::stoll(rest);
  } else if (key == "original") {
    example.original_length = static_cast<std::uint32_t>(std::stoul(rest));
  } else if (key == "frame") {
    example.frame = rest;
  } else if (key == "layers") {
    example.layers = rest;
  } else if (key == "icrc") {
    example.icrc = rest;
  } else if (key == "stop") {
    example.stop = rest;
  } else {
    example.fields.emplace_back(key.starts_with('*') ? key.substr(1) : key, rest);
  }
}

std::vector<Example> read_examples() {
  std::vector<Example> examples;
  const std::filesystem::path folder =
      std::filesystem::path(rocescope::testing::source_dir()) / "tests/dissectors/frames";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with('#') || line.empty()) continue;
      if (line.starts_with("== ")) {
        examples.emplace_back().title = line.substr(3);
      } else {
        read_line(examples.back(), line);
      }
    }
  }
  return examples;
}

class Frames : public ::testing::TestWithParam<Example> {};

TEST_P(Frames, HaveTheseHeadersAndFields) {
  const Example& example = GetParam();
  const testing::Specimen specimen(testing::hex(example.frame), example.link_type, example.seconds,
                                   example.original_length);
  EXPECT_EQ(specimen.layers(), example.layers);
  EXPECT_EQ(specimen.stop(), example.stop);
  if (!example.icrc.empty()) {
    EXPECT_EQ(specimen.icrc(), example.icrc);
  }
  for (const auto& [name, values] : example.fields) EXPECT_EQ(specimen.values(name), values) << name;
}

TEST_P(Frames, MayBeCutAtEveryLength) {
  const testing::Specimen specimen(testing::hex(GetParam().frame), GetParam().link_type, GetParam().seconds,
                                   GetParam().original_length);
  testing::expect_cut_at_every_length(specimen->frame);
}

TEST_P(Frames, MayBeCorruptAtEveryByte) {
  const std::vector<std::uint8_t> good = testing::hex(GetParam().frame);
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const unsigned change : {0x01U, 0x80U, 0xFFU, unsigned{good[i]}}) {
      std::vector<std::uint8_t> bytes = good;
      bytes[i] = static_cast<std::uint8_t>(bytes[i] ^ change);
      const testing::Specimen specimen(std::move(bytes), GetParam().link_type, GetParam().seconds,
                                       GetParam().original_length);
      for (const Layer& layer : specimen->layers()) ASSERT_LE(layer.offset + layer.length, good.size()) << i;
      ASSERT_EQ(specimen.values("no.such.field"), "");  // reads every field
    }
  }
}

std::string name_of_example(const ::testing::TestParamInfo<Example>& example) {
  std::string name;
  bool upper = true;
  for (const char c : example.param.title) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      upper = true;
      continue;
    }
    name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, Frames, ::testing::ValuesIn(read_examples()), name_of_example);

}  // namespace
}  // namespace rocescope
