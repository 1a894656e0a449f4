// The tracker's verdict on a packet, in words.
#pragma once

#include "notes.hpp"
#include "rocescope/verdict.hpp"

namespace rocescope::render {

/// Nothing for a packet that is just the next one.
void add_verdict_notes(const Verdict& verdict, Notes& notes);

}  // namespace rocescope::render
