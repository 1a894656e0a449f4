// A ClickHouse server, by its HTTP interface.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rocescope/result.hpp"

namespace rocescope::clickhouse {

/// With which user, and how, to ask.
struct Access {
  std::optional<std::string>
      user;  ///< nothing: the user that .netrc names for the host, else none, whom the server calls `default`
  std::string password;
  std::string ca_file;                ///< of the authorities that sign certificates; empty: those of the system
  std::function<bool()> interrupted;  ///< called from other threads, too; true: requests under way end
};

/// Year and month.
using Version = std::pair<unsigned, unsigned>;

/// One request at a time. Errors begin with the URL and contain the whole answer of the server.
class Server {
 public:
  virtual ~Server() = default;
  [[nodiscard]] virtual const std::string& url() const = 0;
  [[nodiscard]] virtual Version version() const = 0;
  /// What the server answers to `statement`.
  [[nodiscard]] virtual Result<std::string> ask(std::string_view statement) = 0;
  /// Runs `statement`, an INSERT with a format, on `rows`. After an error nobody knows whether they are there.
  [[nodiscard]] virtual std::optional<Error> insert(std::string_view statement, std::string_view rows) = 0;

 protected:
  Server() = default;
  Server(const Server&) = default;
  Server& operator=(const Server&) = default;
};

/// Fails if the URL has a user or a password, if no server or another one than ClickHouse answers, and in a build
/// without libcurl.
[[nodiscard]] Result<std::unique_ptr<Server>> connect(const std::string& url, const Access& access);

}  // namespace rocescope::clickhouse
