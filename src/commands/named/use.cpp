#include "commands/named/use.hpp"

#include "commands/named/perftest.hpp"
#include "commands/named/ucx_connection.hpp"

namespace rocescope {

void describe_use(const Connection& connection, CarriedProtocol& carried) {
  if (carried.protocol == UpperProtocol::kPerftest) carried.test = perftest_of(connection);
  if (carried.protocol == UpperProtocol::kUcx) UcxConnection::describe_one_sided(connection, carried);
}

}  // namespace rocescope
