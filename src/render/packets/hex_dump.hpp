// A frame's bytes in hex and ASCII.
#pragma once

#include <string>

#include "rocescope/bytes.hpp"

namespace rocescope::render {

/// Sixteen bytes a line, as `tshark -x` prints them; an empty line follows.
///
///     0000  02 00 00 00 00 01 02 00 00 00 00 02 08 00 45 00   ..............E.
void append_hex_dump(Bytes bytes, std::string& out);

}  // namespace rocescope::render
