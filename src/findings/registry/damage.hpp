// Findings: invariant CRCs.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kDamageInfos[] = {
    {FindingId::kIcrcBad, "icrc_bad", Severity::kError, FindingRole::kDamage, "packets", "packets were damaged",
     R"(The ICRC of packets does not match their bytes, while other packets of the same sender have a right ICRC: a
        device between the sender and the capture point changed them. Or the checksum of the IPv4 header is wrong in
        packets whose addresses no other packet has.)",
     R"(At least: others may have been damaged beyond recognition, and in packets that were cut only damage of the
        addresses shows. The sender of such a packet is the most probable one, since its addresses may be what is damaged.
        So it makes no host, flow or connection, and does not count as a loss. Wrong where something behind the wire
        changed it, such as the capturing host. If the network delivers several copies, as to a mirror port, the
        receiver may have got an undamaged one.)",
     R"(The receiver drops such a packet silently; the sender learns of it from a NAK or a timeout. A fabric that alters
        packets behind the Ethernet CRC contains a broken device.)",
     R"(Find the path of these packets. The cause is a switch, a NIC or a cable with bit errors behind its CRC check, a
        device that rewrites headers which must not change, or a tool that edited or anonymized the capture.)"},
    {FindingId::kIcrcBadAllTx, "icrc_bad_all_tx", Severity::kNote, FindingRole::kCapture, "packets",
     "every invariant CRC of one sender is wrong",
     R"(No packet of this sender has a right ICRC. In a capture made on the sender itself, this means that its NIC
        writes the ICRC after the capture point.)",
     R"(That the ICRCs are wrong is exact, why is concluded. Where the sender sent few packets, or the capture was not
        made on it, they may as well be damaged, or a device on the way rewrites the headers of all.)",
     "The packets are most likely right on the wire, but this capture cannot show a corrupted one.",
     R"(Nothing, if the capture was made on the sending host. Otherwise capture at the receiver or on a switch, and
        compare.)"},
};

}  // namespace rocescope::findings
