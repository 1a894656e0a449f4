// What `rocescope fields` prints.
#pragma once

#include <cstdint>
#include <string>

namespace rocescope::render {

enum class FieldOrder : std::uint8_t {
  kPacket,  ///< as packets have them: the packet as a whole, then header by header, bottom up, in wire order
  kName,    ///< by name
};

/// Appends one line for each field that -e and -Y know, its parts separated by tabs:
///
///   name      `infiniband.bth.psn`
///   type      `number`, `boolean`, `ipv4`, `ipv6`, `mac`, `bytes`, `text`, `time`, `duration`
///   width     in bits; `*` if it varies
///   display   `dec` or `hex` of numbers, `-` of all others
///   meaning   `Packet sequence number`
///   header    the name of its header, `infiniband.bth`; `-` of a field of the packet as a whole
///   reference where its header is specified, `IBTA 9.2`; `-` as before
///   alias     another name that stands for it and for others, `ip.addr`; `-` where there is none
///   values    what its values are called, `0 ACK, 1 RNR NAK`; `256 values` where they are many; `-` for none
///
/// A name may have several lines: fields of several headers share it.
void append_field_list(FieldOrder order, std::string& out);

}  // namespace rocescope::render
