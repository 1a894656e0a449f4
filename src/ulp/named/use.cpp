#include "ulp/named/use.hpp"

#include "ulp/named/perftest.hpp"
#include "ulp/named/ucx_connection.hpp"

namespace rocescope {

void describe_use(const Connection& connection, CarriedProtocol& carried) {
  if (carried.protocol == UpperProtocol::kPerftest) carried.test = perftest_of(connection);
  if (carried.protocol == UpperProtocol::kUcx) UcxConnection::describe_one_sided(connection, carried);
}

}  // namespace rocescope
