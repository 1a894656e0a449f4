// Findings: advice about performance.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kPerformanceInfos[] = {
    {FindingId::kReadDepthExceeded, "read_depth_exceeded", Severity::kError, FindingRole::kBreach, "",
     "too many READs and atomics outstanding",
     "More READs and atomics were outstanding at once than the responder has resources for, by its REQ or REP.",
     R"(Sure: a response that passes here is still on its way to the requester, so it had at least as many outstanding.
        Not reported where the capture lacks the responder's REQ or REP. Wrong where the capture missed responses, or
        has the two directions in another order.)",
     "The responder may refuse them (invalid request), which ends the queue pair.",
     "Set max_rd_atomic of the requester to the peer's max_dest_rd_atomic (initiator depth, responder resources)."},
    {FindingId::kSmallMessages, "small_messages", Severity::kNote, FindingRole::kOther, "messages",
     "very small messages",
     R"(A side sent 1,000 or more messages of less than 256 bytes, nine tenths of all its SENDs, WRITEs and READs, and
        10,000 or more a second: a slower side waits for something else.)",
     R"(The numbers are exact; at least so many where the capture missed packets. Whether the application could send
        fewer and larger messages, no packet shows.)",
     "The headers of a packet take about 100 bytes of wire. The message rate is then the limit, not the bandwidth.",
     "Batch work requests, send several small pieces as one message with a gather list, use inline data."},
    {FindingId::kSmallMtu, "small_mtu", Severity::kNote, FindingRole::kOther, "", "a small path MTU for bulk data",
     "A side moved 1 MiB or more in messages of 4,096 bytes or more on average, with a path MTU of 1,024 or less.",
     R"(The numbers are exact; at least so many where the capture missed packets. The path MTU comes from the handshake,
        else from full packets. Whether the path can take more, no packet shows.)",
     "The same bytes take more packets: more headers, more work for NICs and switches.",
     "Set the Ethernet MTU to 4,200 or more on the whole path, so that a path MTU of 4,096 can be chosen."},
    {FindingId::kAckEveryPacket, "ack_every_packet", Severity::kNote, FindingRole::kOther, "",
     "nearly every packet is acknowledged",
     R"(There is an ACK for nine of ten request packets or more, among 1,000 or more, although a message has four
        packets or more on average: one ACK for each message would be enough.)",
     R"(Exact; at least so many where the capture missed packets. Packets that the capture missed make the share of ACKs
        look larger, ACKs that it missed smaller. Not judged where packets were left out of the report.)",
     "Acknowledgements take packet rate in the other direction.",
     "Look at the NICs' settings: AckReq of the requester, ACK coalescing of the responder."},
    {FindingId::kOnePortEntropy, "one_port_entropy", Severity::kNote, FindingRole::kOther, "",
     "all queue pairs use one UDP source port",
     "Four or more busy queue pairs between two hosts get packets from the same UDP source port, and from no other.",
     R"(Exact for the flows of 16 packets or more that were captured; others between the hosts may have another port.
        Not reported where that port is 4791: some captures write it over the one that was sent. Wrong where a device on
        the way changes the ports.)",
     "Switches hash the port to choose a path: all of this traffic takes the same one.",
     "Let the NIC derive the port from the queue pairs (flow label, IPv6 flow label, rdma_set_option), or use more."},
};

}  // namespace rocescope::findings
