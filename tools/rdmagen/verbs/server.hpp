// `rdmagen server`.
#pragma once

#include "core/options.hpp"
#include "core/truth.hpp"

namespace rocescope::rdmagen {

/// Serves until interrupted, or one client long with --once. Whether all went as it should. Throws Error.
[[nodiscard]] bool run_server(const Options& options, Truth& truth);

}  // namespace rocescope::rdmagen
