// What a connection carries, by the handshake that set it up.
#pragma once

#include <cstdint>
#include <optional>

#include "rocescope/command.hpp"
#include "rocescope/handshake.hpp"

namespace rocescope {

struct Guess {
  UpperProtocol protocol = UpperProtocol::kUnknown;
  KnownBy by = KnownBy::kNothing;
};

/// By service ID and private data of the CM. A service ID alone is a weak sign: anybody may listen there.
[[nodiscard]] Guess guess_by_handshake(const Handshake& handshake);

/// The port of the RDMA IP CM service that it connects to (IBTA A11); nothing: another service.
[[nodiscard]] std::optional<std::uint16_t> service_port(const Handshake& handshake);

/// The private data of a REQ of NVMe over RDMA.
struct NvmeConnectionRequest {
  std::uint16_t queue = 0;
  std::uint16_t receive_size = 0;  ///< entries that the host receives
  std::uint16_t send_size = 0;     ///< entries of the submission queue
};
/// Nothing: they are none (NVMe over RDMA 1.0, 3.3.1).
[[nodiscard]] std::optional<NvmeConnectionRequest> nvme_request_of(const Handshake& handshake);

}  // namespace rocescope
