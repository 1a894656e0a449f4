// Findings: limits of the capture.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kCaptureInfos[] = {
    {FindingId::kTruncatedCapture, "truncated_capture", Severity::kNote, FindingRole::kCapture, "packets",
     "the capture cut packets",
     R"(The capture holds fewer bytes of these packets than were on the wire (snap length). The report says how many
        lack CM messages, extended headers (RETH, AtomicETH and others), or only payload and the ICRC.)",
     R"(Exact: the capture has of each packet how long it was on the wire. Wrong where the tool that cut the packets
        changed that length as well.)",
     R"(Without CM messages, connections lack what was agreed when they were set up, and which two queue pairs belong
        together may stay unknown. Without a RETH, a READ has no size, so lost responses of it are not found.
        Without the ICRC, damage is not seen; a rule that only a few such packets break is not reported, for they
        may be damaged.)",
     R"(Capture whole packets (tcpdump -s 0). 128 bytes hold the headers of RoCEv2 over IPv4 and IPv6, but no CM
        message, which takes 322 bytes over IPv4 and 342 over IPv6; VLAN tags and tunnels take more. SNAP LENGTH in the
        manual page of `rocescope live` has the sizes.)"},
    {FindingId::kCaptureLoss, "capture_loss", Severity::kWarning, FindingRole::kCapture, "packets",
     "the capture missed packets",
     R"(The receiver acknowledged packets that this capture does not have: they arrived, and the capture lost them. Or
        the capturing program counted packets that it dropped; packets that a connection lacks may be among them, unless
        the connection lacks more.)",
     R"(Exact where the capturing program counted its drops. At least where ACKs, READ responses or a READ that goes on
        show it: what was missed together with its answer leaves no trace. About where a packet that was not seen may as
        well have been lost before the capture point, or an ACK that was not seen may never have been sent. Wrong where
        packets took another path that was not captured: then nothing was dropped.)",
     R"(Losses of the capture look like losses of the network. They are counted apart here, but every figure of these
        connections is a lower bound.)",
     R"(Give the capture a larger buffer (-B), a shorter snap length or a filter (udp port 4791); check the drop
        counters of tcpdump, of the mirror port and of the collector.)"},
    {FindingId::kCaptureDuplicates, "capture_duplicates", Severity::kNote, FindingRole::kCapture, "packets",
     "the capture has packets twice",
     R"(The same packet with the same ICRC comes again sooner than any transport sends again: a mirror copies both the
        way in and the way out, or two interfaces were captured at once. Where it says that copies cannot be distinguished from
        packets that were sent again, the sender gives its IP packets no numbers (IPv6, or IPv4 with identification 0), both ends
        came into one file, and many packets have no copy: then losses, recoveries and messages are unknown.)",
     R"(Exact; at least so many where the capture missed packets; about so many where copies cannot be distinguished from what was
        sent again. It rests on the ICRC and on a distance below 250 us, or on the IPv4 identification where the sender counts its packets in
        it. Where the capture has nothing of the receiver, the network may have duplicated them; and where the sender gives its
        IP packets no numbers either, it may have sent some again: then they are about so many, unless nearly all packets came
        twice. Wrong where a requester sends again, unasked, within 250 us.)",
     "The copies are left out of all transport figures; packet and byte counts of flows still have them.",
     "Mirror one direction of a port only, or capture on one interface."},
    {FindingId::kOneSided, "one_sided", Severity::kNote, FindingRole::kCapture, "packets",
     "only one direction was captured", "Packets of one direction of a connection are missing altogether.",
     R"(Exact for this capture, from 16 packets on; not reported for UC, where nothing needs to come back. Wrong where
        the other side sent nothing: its host is dead, or the capture ended before it answered. Wrong as well where its
        packets are here, and could not be paired with these.)",
     "Acknowledgements, latency and losses cannot be judged without the other direction.",
     "Mirror both directions, and both links where traffic comes back on another path (LAG, ECMP)."},
};

}  // namespace rocescope::findings
