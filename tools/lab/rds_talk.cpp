// Two programs that talk over RDS, as Debian has no rds-tools: the lab runs it in its machines.
//
//    rds_talk serve ADDRESS             answers until a client ends it
//    rds_talk call ADDRESS SERVER       datagrams of several sizes, memory that the server READs and WRITEs, a port that nobody reads
//
// Says on its output what it sent, one line each.
#include <arpa/inet.h>
#include <linux/rds.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

constexpr std::uint16_t kAnswersAt = 4'000;
constexpr std::uint16_t kIsSlow = 4'001;  // of the server: what comes there waits for kDrain
constexpr std::uint16_t kClient = 5'000;
constexpr std::size_t kMost = 200'000;

/// The first bytes of a datagram to the server.
struct Order {
  enum Kind : std::uint32_t { kEcho, kRead, kWrite, kDrain, kEnd };
  std::uint32_t kind = kEcho;
  std::uint32_t length = 0;  // of the memory
};

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

sockaddr_in address_of(const char* text, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (inet_pton(AF_INET, text, &address.sin_addr) != 1) fail("address");
  return address;
}

int socket_at(const char* text, std::uint16_t port, int buffer) {
  const int socket = ::socket(AF_RDS, SOCK_SEQPACKET, 0);
  if (socket < 0) fail("socket");
  const sockaddr_in address = address_of(text, port);
  if (bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("bind");
  if (buffer != 0 && setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer) != 0) fail("SO_RCVBUF");
  const timeval timeout{.tv_sec = 20, .tv_usec = 0};
  if (setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) != 0) fail("SO_RCVTIMEO");
  return socket;
}

/// With a control message, if `control` has one.
void send_to(int socket, sockaddr_in to, const void* bytes, std::size_t size, int type, const void* control,
             std::size_t control_size) {
  iovec vector{.iov_base = const_cast<void*>(bytes), .iov_len = size};
  std::array<char, 256> space{};
  msghdr message{};
  message.msg_name = &to;
  message.msg_namelen = sizeof to;
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  if (control_size > 0) {
    message.msg_control = space.data();
    message.msg_controllen = CMSG_SPACE(control_size);
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_RDS;
    head->cmsg_type = type;
    head->cmsg_len = CMSG_LEN(control_size);
    std::memcpy(CMSG_DATA(head), control, control_size);
  }
  if (sendmsg(socket, &message, 0) != static_cast<ssize_t>(size)) fail("sendmsg");
  std::printf("sent %zu to %u\n", size, ntohs(to.sin_port));
}

/// What came, and the key of memory that came with it.
struct Received {
  std::vector<std::uint8_t> bytes;
  sockaddr_in from{};
  std::uint64_t cookie = 0;
};
Received receive(int socket) {
  Received received;
  received.bytes.resize(kMost);
  iovec vector{.iov_base = received.bytes.data(), .iov_len = received.bytes.size()};
  std::array<char, 256> space{};
  msghdr message{};
  message.msg_name = &received.from;
  message.msg_namelen = sizeof received.from;
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  const ssize_t size = recvmsg(socket, &message, 0);
  if (size < 0) fail("recvmsg");
  received.bytes.resize(static_cast<std::size_t>(size));
  for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level == SOL_RDS && head->cmsg_type == RDS_CMSG_RDMA_DEST)
      std::memcpy(&received.cookie, CMSG_DATA(head), sizeof received.cookie);
  }
  return received;
}

int serve(const char* own) {
  const int answers = socket_at(own, kAnswersAt, 0);
  const int slow = socket_at(own, kIsSlow, 16'384);
  std::puts("ready");
  std::vector<std::uint8_t> memory(65'536, 0x5A);
  std::size_t waiting = 0;
  for (;;) {
    Received received = receive(answers);
    Order order;
    std::memcpy(&order, received.bytes.data(), std::min(sizeof order, received.bytes.size()));
    switch (order.kind) {
      case Order::kEcho:
        send_to(answers, received.from, received.bytes.data(), received.bytes.size(), 0, nullptr, 0);
        break;
      case Order::kRead:
      case Order::kWrite: {
        const rds_iovec local{.addr = reinterpret_cast<std::uint64_t>(memory.data()), .bytes = order.length};
        rds_rdma_args arguments{};
        arguments.cookie = received.cookie;
        arguments.remote_vec = {.addr = 0, .bytes = order.length};
        arguments.local_vec_addr = reinterpret_cast<std::uint64_t>(&local);
        arguments.nr_local = 1;
        arguments.flags = order.kind == Order::kWrite ? RDS_RDMA_READWRITE : 0;
        send_to(answers, received.from, &order, sizeof order, RDS_CMSG_RDMA_ARGS, &arguments, sizeof arguments);
        std::printf("%s %u\n", order.kind == Order::kWrite ? "wrote" : "read", order.length);
        break;
      }
      case Order::kDrain:
        for (waiting = order.length; waiting > 0; --waiting) (void)receive(slow);
        send_to(answers, received.from, &order, sizeof order, 0, nullptr, 0);
        break;
      case Order::kEnd:
        return 0;
      default:
        return 1;
    }
  }
}

int call(const char* own, const char* server) {
  const int socket = socket_at(own, kClient, 0);
  const sockaddr_in to = address_of(server, kAnswersAt);
  const auto ask = [&](Order order, std::size_t size) {
    std::vector<std::uint8_t> bytes(size, 'r');
    std::memcpy(bytes.data(), &order, sizeof order);
    send_to(socket, to, bytes.data(), bytes.size(), 0, nullptr, 0);
    const Received received = receive(socket);
    if (received.bytes.size() != bytes.size()) fail("echo");
  };
  for (const std::size_t size : {std::size_t{8}, std::size_t{100}, std::size_t{4'096}, std::size_t{4'097},
                                 std::size_t{5'000}, std::size_t{70'000}}) {
    ask({}, size);
  }
  std::vector<std::uint8_t> memory(65'536, 'm');
  for (const std::uint32_t kind : {Order::kRead, Order::kWrite, Order::kWrite, Order::kRead}) {
    const std::uint32_t length = kind == Order::kRead ? 20'000 : 9'000;
    std::uint64_t cookie = 0;
    rds_get_mr_args arguments{};
    arguments.vec = {.addr = reinterpret_cast<std::uint64_t>(memory.data()), .bytes = length};
    arguments.cookie_addr = reinterpret_cast<std::uint64_t>(&cookie);
    arguments.flags = RDS_RDMA_READWRITE | RDS_RDMA_USE_ONCE;
    const Order order{.kind = kind, .length = length};
    send_to(socket, to, &order, sizeof order, RDS_CMSG_RDMA_MAP, &arguments, sizeof arguments);
    (void)receive(socket);
  }
  // More than the slow port takes: its machine says that it is congested.
  const sockaddr_in slow = address_of(server, kIsSlow);
  const std::vector<std::uint8_t> bytes(5'000, 's');
  constexpr std::uint32_t kMany = 5;
  for (std::uint32_t i = 0; i < kMany; ++i) send_to(socket, slow, bytes.data(), bytes.size(), 0, nullptr, 0);
  sleep(1);
  ask({.kind = Order::kDrain, .length = kMany}, sizeof(Order));
  ask({}, 100);
  const Order end{.kind = Order::kEnd, .length = 0};
  send_to(socket, to, &end, sizeof end, 0, nullptr, 0);
  sleep(1);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  (void)std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::string_view what = count > 1 ? arguments[1] : "";
  if (what == "serve" && count == 3) return serve(arguments[2]);
  if (what == "call" && count == 4) return call(arguments[2], arguments[3]);
  std::fputs("usage: rds_talk serve ADDRESS | call ADDRESS SERVER\n", stderr);
  return 2;
}
