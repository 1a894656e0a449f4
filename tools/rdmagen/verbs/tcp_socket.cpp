#include "verbs/tcp_socket.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "verbs/addresses.hpp"
#include "verbs/device.hpp"
#include "verbs/peer.hpp"

namespace rocescope::rdmagen {
namespace {

constexpr int kSocketSliceMs = 100;
constexpr std::size_t kLongestLine = 1024;
constexpr int kTcpBacklog = 64;

[[noreturn]] void throw_gone() { throw Error("the other side ended the TCP connection", "see what it says"); }

}  // namespace

TcpSocket::~TcpSocket() {
  if (fd_ >= 0) close(fd_);
}

sockaddr_storage TcpSocket::local_address() const {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  getsockname(fd_, generic(address), &length);
  return address;
}

void TcpSocket::await(short events, std::uint32_t wait_s) {
  const std::uint64_t until = now_ns() + wait_s * std::uint64_t{1'000'000'000};
  pollfd waiting{fd_, events, 0};
  while (poll(&waiting, 1, kSocketSliceMs) == 0 || waiting.revents == 0) {
    if (interrupted) throw Error("interrupted");
    if (now_ns() > until) throw Error(fmt::format("no answer over TCP for {} s", wait_s), "wait longer with --wait");
  }
}

void TcpSocket::send(std::span<const std::uint8_t> bytes, std::uint32_t wait_s) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      await(POLLOUT, wait_s);
    } else if (errno != EINTR) {
      throw_gone();
    }
  }
}

void TcpSocket::send(const Greeting& greeting, std::uint32_t wait_s) {
  const std::string line = to_line(greeting);
  send(std::span(reinterpret_cast<const std::uint8_t*>(line.data()), line.size()), wait_s);
}

std::size_t TcpSocket::receive(std::span<std::uint8_t> bytes, std::uint32_t wait_s) {
  if (!rest_.empty()) {
    const std::size_t count = std::min(rest_.size(), bytes.size());
    std::memcpy(bytes.data(), rest_.data(), count);
    rest_.erase(0, count);
    return count;
  }
  for (;;) {
    const ssize_t count = recv(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count > 0) return static_cast<std::size_t>(count);
    if (count == 0) throw_gone();
    if (errno == EAGAIN) {
      await(POLLIN, wait_s);
    } else if (errno != EINTR) {
      throw_gone();
    }
  }
}

std::optional<Greeting> TcpSocket::take_line() {
  const std::size_t end = rest_.find('\n');
  if (end == std::string::npos) {
    if (rest_.size() > kLongestLine) throw Error("what answers over TCP is no rdmagen", "is --port right?");
    return std::nullopt;
  }
  const auto greeting = parse_greeting(rest_.substr(0, end));
  rest_.erase(0, end + 1);
  if (!greeting) throw Error("what answers over TCP is no rdmagen, or of another version", "is --port right?");
  return greeting;
}

Greeting TcpSocket::receive_greeting(std::uint32_t wait_s) {
  for (;;) {
    if (const auto greeting = take_line()) return *greeting;
    bool closed = false;
    await(POLLIN, wait_s);
    if (const auto greeting = peek_greeting(closed)) return *greeting;
    if (closed) throw_gone();
  }
}

std::optional<Greeting> TcpSocket::peek_greeting(bool& closed) {
  std::array<char, kLongestLine> bytes{};
  const ssize_t count = recv(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (count > 0) rest_.append(bytes.data(), static_cast<std::size_t>(count));
  closed = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
  return take_line();
}

TcpSocket connect_tcp(const Options& options, bool& refused) {
  refused = false;
  sockaddr_storage server = resolve_host(options.host, options.port, false);
  TcpSocket tcp(socket(server.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (tcp.fd() < 0) throw_errno("cannot open a socket", errno);
  const int yes = 1;
  setsockopt(tcp.fd(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  int error = connect(tcp.fd(), generic(server), length_of(server)) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    pollfd waiting{tcp.fd(), POLLOUT, 0};
    error = ETIMEDOUT;
    if (poll(&waiting, 1, static_cast<int>(options.wait_s) * 1000) > 0) {
      socklen_t length = sizeof error;
      getsockopt(tcp.fd(), SOL_SOCKET, SO_ERROR, &error, &length);
    }
  }
  if (error == 0) return tcp;
  refused = error == ECONNREFUSED;
  throw Error(fmt::format("{} port {}: {}", options.host, options.port, std::strerror(error)),
              refused ? "start it there: rdmagen server" : fmt::format("is there a way? ping {}", options.host));
}

TcpSocket listen_tcp(const Options& options) {
  sockaddr_storage address = resolve_host(options.host, options.port, true);
  TcpSocket tcp(socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  setsockopt(tcp.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(tcp.fd(), generic(address), length_of(address)) != 0 || listen(tcp.fd(), kTcpBacklog) != 0) {
    throw Error(fmt::format("cannot listen on TCP port {}: {}", options.port, std::strerror(errno)),
                "another server may run already: ss -ltnp; or use --port on both sides");
  }
  return tcp;
}

}  // namespace rocescope::rdmagen
