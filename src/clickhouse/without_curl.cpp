// A build that speaks no HTTP.
#include "clickhouse/server.hpp"

namespace rocescope::clickhouse {

Result<std::unique_ptr<Server>> connect(const std::string&, const Access&) {
  return Error{
      "this build cannot reach servers. Install libcurl (Debian: libcurl4-openssl-dev) and build again; --ddl works "
      "without it"};
}

}  // namespace rocescope::clickhouse
