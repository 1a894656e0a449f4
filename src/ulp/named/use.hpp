// What a connection is used for, if little more than the name of its protocol is known.
#pragma once

#include "rocescope/command.hpp"
#include "rocescope/connection.hpp"

namespace rocescope {

/// Fills in `test` and adds to `kinds`, by the counts of the connection. Call once, when it is no longer followed.
void describe_use(const Connection& connection, CarriedProtocol& carried);

}  // namespace rocescope
