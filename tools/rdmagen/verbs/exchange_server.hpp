// The server's side of one connection that begins over TCP: the set-up exchange, or tcp-bulk.
#pragma once

#include "core/options.hpp"
#include "verbs/run_book.hpp"
#include "verbs/tcp_socket.hpp"

namespace rocescope::rdmagen {

/// Serves the client to its end. Throws Error when it cannot even begin; what goes wrong later is in the book.
void serve_tcp_client(TcpSocket tcp, const Options& options, Truth& truth, RunBook& book);

}  // namespace rocescope::rdmagen
