// Addresses as people read them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "rocescope/address.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

/// `10.0.0.1`
void append_ipv4(std::span<const std::uint8_t, 4> address, std::string& out);

/// RFC 5952: `fe80::1`; the longest run of two or more zero groups is left out, the first of several equally long ones.
/// IPv4-mapped and IPv4-compatible addresses end in dotted decimal (`::ffff:10.0.0.1`), as inet_ntop writes them.
void append_ipv6(std::span<const std::uint8_t, 16> address, std::string& out);

/// `52:54:00:12:34:56`
void append_mac(std::span<const std::uint8_t, 6> address, std::string& out);

/// Two lower-case digits a byte, nothing between them.
void append_hex(Bytes bytes, std::string& out);

/// An IPv4-mapped address as IPv4 (`10.0.0.1`), a LID as `LID 5`, any other as IPv6. No address (all zero) is `::`.
void append_address(const IpAddress& address, std::string& out);
[[nodiscard]] std::string to_text(const IpAddress& address);

/// One side of a connection: `10.0.0.1 0x000011`, without the number where the queue pair is unknown.
[[nodiscard]] std::string to_text(const IpAddress& address, std::optional<Qpn> qpn);

}  // namespace rocescope
