// The same bytes as bulk's, over TCP, for comparison.
#pragma once

#include "core/options.hpp"
#include "core/tally.hpp"
#include "verbs/tcp_socket.hpp"

namespace rocescope::rdmagen {

/// Client: sends `count` times `size` bytes in writes of `chunk`, and waits until the server has them. Throws Error.
[[nodiscard]] Tally run_tcp_bulk(const Options& options);

/// Server: takes and verifies them.
[[nodiscard]] Tally serve_tcp_bulk(TcpSocket& tcp, const Job& job, std::uint32_t wait_s);

}  // namespace rocescope::rdmagen
