// Layers of messages: of the protocols above RoCE.
#pragma once

#include <cstdint>

#include "rocescope/bytes.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// What a message is.
enum class MessageProtocol : std::uint8_t {
  kUnknown,
  kExchange,
  kNvmeAdmin,                  ///< a command capsule of the admin queue
  kNvmeIo,                     ///< a command capsule of an I/O queue
  kNvmeCompletion,             ///< a response capsule
  kNvmeConnectCompletion,      ///< the same, to a Connect
  kNvmePropertyCompletion,     ///< the same, to a Property Get
  kNvmePropertySetCompletion,  ///< the same, to a Property Set
  kNvmeConnectData,            ///< the data of a Connect, which the controller READs
};

/// Adds the layers of a message, as far as they are known, to the packet that ends it. Where `message` is not a part of the packet's
/// frame, it must last as long as the packet is used. Allocates nothing.
void dissect_message(MessageProtocol protocol, Bytes message, Packet& packet) noexcept;

}  // namespace rocescope
