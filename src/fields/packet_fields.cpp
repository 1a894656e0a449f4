// Fields of a packet as a whole.
#include "packet_fields.hpp"

namespace rocescope::fields {
namespace {

constexpr PacketField kPacketFields[] = {
    {field::number("frame.number", "Frame number", 0, 64),
     [](const PacketRecord& record, FieldValue& value) {
       value.number = record.packet->frame.number;
       return true;
     }},
};

}  // namespace

std::span<const PacketField> packet_fields() noexcept { return kPacketFields; }

}  // namespace rocescope::fields
