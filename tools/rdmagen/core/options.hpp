// The command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/job.hpp"
#include "core/payload.hpp"

namespace rocescope::rdmagen {

/// How queue pairs are connected.
enum class Setup : std::uint8_t {
  kCm,        ///< by the communication manager (librdmacm)
  kExchange,  ///< by the ten messages of exchange_messages.hpp, then ibv_modify_qp
};

/// TCP port of the greeting, and service of the CM.
inline constexpr std::uint16_t kDefaultPort = 18520;

struct Options {
  bool help = false;
  bool version = false;
  Side role = Side::kClient;
  std::string host;  ///< server: address to listen on, empty for all
  std::uint16_t port = kDefaultPort;
  std::string device;  ///< empty: the one whose address is used
  std::optional<std::uint8_t> gid_index;
  std::string truth;          ///< empty: none
  bool once = false;          ///< server: end after one client
  bool tcp_only = false;      ///< server: for tcp-bulk only, without a device
  std::uint32_t wait_s = 10;  ///< longest silence before giving up
  // Client, both set-ups:
  Setup setup = Setup::kCm;
  Job job;
  std::uint8_t retry_count = 7;
  std::uint8_t rnr_retry = 7;
  std::optional<std::uint8_t> ack_timeout;    ///< exponent of 4.096 us * 2^n; the CM's own choice, 18 with exchange
  std::optional<std::uint8_t> min_rnr_timer;  ///< code of IBTA 9.7.5.2.8; of the receiving side
  std::uint8_t traffic_class = 0;
  // Exchange only (the CM decides these itself):
  std::uint32_t path_mtu = 0;                 ///< bytes; 0: the port's
  std::optional<std::uint32_t> starting_psn;  ///< random without
  std::uint8_t service_level = 0;
};

/// Throws UsageError.
[[nodiscard]] Options parse_options(const std::vector<std::string>& words);

/// What --help prints.
[[nodiscard]] std::string usage();

/// "64", "64K", "4MiB", "1G" in bytes, powers of 1024; nothing when it is no size.
[[nodiscard]] std::optional<std::uint64_t> parse_size(const std::string& text);

}  // namespace rocescope::rdmagen
