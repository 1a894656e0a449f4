// How two sides find each other without the communication manager: one line of text each way over TCP.
//
//   client  rdmagen 1 exchange gid=fd00::25 qpn=17 job=0100...   the UD queue pair that it exchanges messages on
//   server  rdmagen 1 ok gid=fd00::24 qpn=18                     the server's
//   client  rdmagen 1 tcp job=0106...                            for tcp-bulk; the bytes follow at once
//   server  rdmagen 1 ok
//   either  rdmagen 1 done                                       my part is over
//   server  rdmagen 1 error WHY
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/job.hpp"

namespace rocescope::rdmagen {

struct Greeting {
  std::string word;  ///< exchange, tcp, ok, done or error
  std::string gid;   ///< as an IPv6 address; may be empty
  std::uint32_t qpn = 0;
  std::optional<Job> job;
  std::string why;  ///< of an error
  friend bool operator==(const Greeting&, const Greeting&) = default;
};

/// The line, with its newline.
[[nodiscard]] std::string to_line(const Greeting& greeting);

/// Nothing when the line (without newline) is none of the above.
[[nodiscard]] std::optional<Greeting> parse_greeting(const std::string& line);

}  // namespace rocescope::rdmagen
