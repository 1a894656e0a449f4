#include "verbs/server.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <atomic>
#include <cstdio>
#include <list>
#include <memory>
#include <thread>

#include "core/error.hpp"
#include "verbs/cm_server.hpp"
#include "verbs/exchange_server.hpp"
#include "verbs/peer.hpp"
#include "verbs/tcp_socket.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr int kStopSliceMs = 100;

/// Clients that came over TCP, each in its thread.
class TcpServer {
 public:
  TcpServer(const Options& options, Truth& truth, RunBook& book)
      : options_(options), truth_(truth), book_(book), listening_(listen_tcp(options)) {}
  ~TcpServer() {
    for (const auto& client : clients_) client->thread.join();
  }
  TcpServer(const TcpServer&) = delete;
  TcpServer& operator=(const TcpServer&) = delete;

  [[nodiscard]] int fd() const noexcept { return listening_.fd(); }
  [[nodiscard]] bool idle() const noexcept { return clients_.empty(); }

  void serve() {
    const int fd = accept4(listening_.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      clients_.push_back(std::make_unique<Client>());
      Client& client = *clients_.back();
      client.thread = std::thread([this, &client, fd] {
        try {
          serve_tcp_client(TcpSocket(fd), options_, truth_, book_);
        } catch (const std::exception& error) {
          fmt::print(stderr, "rdmagen: a client over TCP: {}\n", error.what());
          book_.never_began();
        }
        client.over = true;
      });
    }
    clients_.remove_if([](const auto& client) {
      if (!client->over) return false;
      client->thread.join();
      return true;
    });
  }

 private:
  struct Client {
    std::thread thread;
    std::atomic<bool> over = false;
  };
  const Options& options_;
  Truth& truth_;
  RunBook& book_;
  TcpSocket listening_;
  std::list<std::unique_ptr<Client>> clients_;
};

}  // namespace

bool run_server(const Options& options, Truth& truth) {
  RunBook book(truth);
  std::unique_ptr<CmServer> cm;
  if (!options.tcp_only) cm = std::make_unique<CmServer>(options, truth, book);
  TcpServer tcp(options, truth, book);
  fmt::print("listening on port {}{}\n", options.port, options.tcp_only ? " (TCP only)" : "");
  std::fflush(stdout);
  const auto finished = [&] { return options.once && book.runs() > 0 && tcp.idle() && (!cm || cm->idle()); };
  while (!interrupted && !finished()) {
    pollfd waiting[] = {{tcp.fd(), POLLIN, 0}, {cm ? cm->fd() : -1, POLLIN, 0}};
    poll(waiting, 2, kStopSliceMs);
    tcp.serve();
    if (cm) cm->serve();
  }
  return book.all_good() && (!options.once || book.runs() > 0);
}

}  // namespace rocescope::rdmagen
