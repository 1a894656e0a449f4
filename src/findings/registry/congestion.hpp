// Findings: congestion and flow control.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kCongestionInfos[] = {
    {FindingId::kEcnMarked, "ecn_marked", Severity::kNote, FindingRole::kCongestion, "packets",
     "packets were marked by a switch", "Packets carry the ECN mark Congestion Experienced.",
     R"(Exact; at least so many where the capture missed packets. Marks that packets get behind the capture point are
        not seen. Reported from 0.1 % of a sender's data on. The ICRC does not cover the mark: any device may set it, or
        clear it before it comes here.)",
     R"(A switch queue on the way was above its marking threshold. DCQCN works that way; a large share of marked packets
        means lasting congestion.)",
     "Find the flows that share the marked path; look at incast, at ECN thresholds, at the load of the links."},
    {FindingId::kCeWithoutCnp, "ce_without_cnp", Severity::kWarning, FindingRole::kCongestion, "packets",
     "marked packets, and no congestion notification",
     "A switch marked packets of this sender (CE). Packets of their receiver were seen, but no CNP.",
     R"(The marks are exact; at least so many where the capture missed packets. The missing CNP is a conclusion: from
        10 marks on, and 1 ms after the first. Wrong where CNPs take another way than the acknowledgements, or the
        capture missed them.)",
     R"(Congestion control does not answer: nothing tells the sender to slow down, so the queue grows until PFC stops it
        or packets are dropped.)",
     R"(Check that DCQCN's notification point is enabled for this priority at the receiver (ecn/roce_np), and that no
        rule on the way drops CNPs or changes their class. Soft-RoCE never sends CNPs.)"},
    {FindingId::kCnpStorm, "cnp_storm", Severity::kWarning, FindingRole::kCongestion, "CNPs",
     "very many congestion notifications",
     "A sender got more than 100 CNPs for one connection in one window (1 ms, or that of --cnp-window).",
     R"(Exact; at least so many where the capture missed packets. Wrong where the capture has each CNP twice: both
        copies are counted.)",
     "The sender cuts its rate again and again, and the rate stays low.",
     R"(Find the congested queue (incast?), compare the marking thresholds with the bandwidth-delay product, check that
        the receivers limit CNPs (min_time_between_cnps).)"},
    {FindingId::kCnpWithoutReaction, "cnp_without_reaction", Severity::kWarning, FindingRole::kCongestion, "CNPs",
     "no reaction to congestion notifications", "A sender got CNPs and did not send more slowly after them.",
     R"(About: the bytes on the wire in the 1 ms before and after a CNP (--cnp-window) are compared, and less than a
        sixteenth less is no reaction; reported where that is so for more than half of 10 CNPs or more. Wrong where the
        CNPs were lost behind the capture point, or the sender was at its lowest rate, or had just begun to send.)",
     R"(Congestion control does not work for this sender: it fills queues until PFC stops it or packets are dropped, and
        all other senders pay for it.)",
     R"(Check that DCQCN's reaction point is enabled for this priority at the sender (ecn/roce_rp), and that CNPs reach
        it.)"},
    {FindingId::kNotEct, "not_ect", Severity::kNote, FindingRole::kOther, "packets", "RoCE traffic without ECN",
     "Packets with payload are sent as not ECN-capable (Not-ECT): switches cannot mark them.",
     R"(Exact; at least so many where the capture missed packets. Reported from 100 packets on. The ICRC does not cover
        these bits: a device before the capture point may have cleared them.)",
     "Without marks there is no DCQCN: only PFC, or loss, limits congestion.",
     R"(Set the traffic class of the queue pairs (rdma_set_option, ToS of the CM, cma_roce_tos) with the ECN bits that
        your NIC sets, and enable ECN for the NIC's priority.)"},
    {FindingId::kPfcPause, "pfc_pause", Severity::kNote, FindingRole::kCongestion, "",
     "priority flow control stopped traffic",
     "PFC frames with a time above 0 were seen: a receiver asked its neighbour to stop one or more priorities.",
     R"(Exact; at least so many where the capture missed packets. Pause frames stay on one link, and most NICs and
        mirror ports do not pass them on: that none was seen on other links says nothing.)",
     "A lossless class needs pauses, but every pause spreads backwards through the fabric.",
     "Find the senders of the pauses: a host means a slow receiver, a switch means congestion behind it."},
    {FindingId::kPfcStorm, "pfc_storm", Severity::kError, FindingRole::kCongestion, "", "a storm of pause frames",
     "One station kept a priority paused for 100 ms or longer.",
     R"(The frames were seen; that the pause went on between them is concluded. With --link-speed it goes on as long as
        each frame asks for; without, where the next comes within 5 ms. Wrong then if each asks for less: give
        --link-speed.)",
     "A whole priority stands still, and with it everything that shares its queues, back to the senders.",
     "Find the station that sends the pauses (a dead or slow host?) and turn on the PFC watchdog of the switches."},
    {FindingId::kCnpClass, "cnp_class", Severity::kNote, FindingRole::kOther, "CNPs",
     "CNPs share the class of the data",
     "CNPs have the same DSCP and VLAN priority as the data that they are to slow down.",
     R"(Exact; at least so many where the capture missed packets. DSCP and priority are compared with those of the last
        data packet, as they are here. Wrong where a device behind the capture point changes them, or the switches
        classify by something else.)",
     "They wait in the congested queues, and congestion control reacts late.",
     "Give CNPs a strict-priority class of their own (cnp_dscp; DSCP 48 is usual)."},
};

}  // namespace rocescope::findings
