#include <gtest/gtest.h>

#include "render/packets/packet_printer.hpp"

namespace rocescope::render {
namespace {

TEST(FieldsOptions, TakeWhatTsharkTakes) {
  FieldsOptions options;
  EXPECT_FALSE(set_fields_option(options, "separator=="));
  EXPECT_EQ(options.separator, '=');
  EXPECT_FALSE(set_fields_option(options, "separator=/t"));
  EXPECT_EQ(options.separator, '\t');
  EXPECT_FALSE(set_fields_option(options, "bom=Y"));
  EXPECT_TRUE(options.byte_order_mark);
  EXPECT_FALSE(set_fields_option(options, "quote=n"));
  EXPECT_EQ(options.quote, '\0');
}

std::string error_of(std::string_view assignment) {
  FieldsOptions options;
  const auto error = set_fields_option(options, assignment);
  return error ? error->message : "";
}

TEST(FieldsOptions, SayWhatTheyTake) {
  EXPECT_EQ(error_of("separator=ab"), "-E separator cannot be 'ab': it takes /t, /s or one character");
  EXPECT_EQ(error_of("quote"), "-E quote cannot be '': it takes d (double), s (single) or n (none)");
  EXPECT_EQ(error_of("header=yes"), "-E header cannot be 'yes': it takes y or n");
  EXPECT_EQ(error_of("sep=/t"),
            "-E knows no option 'sep': it takes bom, header, separator, occurrence, aggregator, quote");
}

TEST(TimeFormats, AreThoseOfTshark) {
  EXPECT_EQ(parse_time_format("dd"), TimeFormat::kDeltaDisplayed);
  EXPECT_EQ(parse_time_format("x"), std::nullopt);
}

}  // namespace
}  // namespace rocescope::render
