// What a block of findings says, in words.
#pragma once

#include <string>
#include <string_view>

#include "render/report/finding_blocks.hpp"

namespace rocescope::render {

/// `connection` or `handshake`: what the owners of the block are.
[[nodiscard]] std::string_view noun_of(const FindingBlock& block);
/// `connection 3, 10.0.0.1 > 10.0.0.2`, `930 connections of 4 hosts; the worst: 17, 210, 4`; nothing for the whole capture.
[[nodiscard]] std::string whose(const FindingBlock& block, bool has_points);
/// `41 packets lost before the capture point (0.8 %)`, `1,204 packets were sent again, on 37 connections`.
[[nodiscard]] std::string text_of(const FindingLine& line, const FindingBlock& block);

}  // namespace rocescope::render
