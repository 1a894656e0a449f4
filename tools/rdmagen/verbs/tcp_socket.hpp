// A TCP connection with time-outs.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/greeting.hpp"
#include "core/options.hpp"

namespace rocescope::rdmagen {

class TcpSocket {
 public:
  explicit TcpSocket(int fd) noexcept : fd_(fd) {}
  TcpSocket(TcpSocket&& other) noexcept : fd_(other.fd_), rest_(std::move(other.rest_)) { other.fd_ = -1; }
  TcpSocket& operator=(TcpSocket&&) = delete;
  ~TcpSocket();

  [[nodiscard]] int fd() const noexcept { return fd_; }
  [[nodiscard]] sockaddr_storage local_address() const;

  /// Throw Error when the other side has gone, or keeps silent for `wait_s`.
  void send(std::span<const std::uint8_t> bytes, std::uint32_t wait_s);
  void send(const Greeting& greeting, std::uint32_t wait_s);
  std::size_t receive(std::span<std::uint8_t> bytes, std::uint32_t wait_s);
  Greeting receive_greeting(std::uint32_t wait_s);

  /// A line that has already come, if any; does not wait. Sets `closed` if none will come.
  std::optional<Greeting> peek_greeting(bool& closed);

 private:
  void await(short events, std::uint32_t wait_s);
  std::optional<Greeting> take_line();

  int fd_;
  std::string rest_;
};

/// Connects to the server of the options. Throws Error; sets `refused` if nobody listens.
[[nodiscard]] TcpSocket connect_tcp(const Options& options, bool& refused);

/// A listening socket. Throws Error.
[[nodiscard]] TcpSocket listen_tcp(const Options& options);

}  // namespace rocescope::rdmagen
