// Which test of perftest a connection shows.
#pragma once

#include <string_view>

#include "rocescope/connection.hpp"

namespace rocescope {

/// "ib_write_bw" and the like, as the messages say: a test of bandwidth has requests of one side, or several READs or
/// ATOMICs outstanding at once; one of latency has a READ or ATOMIC at a time. "ib_write" and the like if the kind of
/// test is not known: both sides send or write, as in a test of latency and in one of bandwidth in both directions;
/// only one message was seen; or only packets of one side. Empty: no message of a test was seen.
[[nodiscard]] std::string_view perftest_of(const Connection& connection);

}  // namespace rocescope
