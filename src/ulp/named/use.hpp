// What a connection is used for, of those whose name is nearly all that is known.
#pragma once

#include "rocescope/command.hpp"
#include "rocescope/connection.hpp"

namespace rocescope {

/// Adds what the counts of the connection say: `test`, and to `kinds`. Once, when it is followed no longer.
void describe_use(const Connection& connection, CarriedProtocol& carried);

}  // namespace rocescope
