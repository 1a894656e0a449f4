// Findings: security.
#pragma once

#include "rocescope/finding.hpp"

namespace rocescope::findings {

inline constexpr FindingInfo kSecurityInfos[] = {
    {FindingId::kRkeyPredictable, "rkey_predictable", Severity::kNote, FindingRole::kOther, "", "R_Keys can be guessed",
     R"(Of eight or more R_Keys of a host, half or more lie within 16 of the one before. The low 8 bits do not count:
        drivers and memory windows choose them.)",
     R"(The keys are exact. They are compared in the order of their first use here, which need not be the order in which
        they were given. Random ones lie so close once in half a million times.)",
     "Anyone who can send packets to the host can guess the key of a region.",
     R"(Most NICs do this. Keep untrusted hosts out of the RDMA network; prefer memory windows of type 2 and short-lived
        keys.)"},
    {FindingId::kRkeyReused, "rkey_reused", Severity::kNote, FindingRole::kOther, "",
     "an R_Key came back for another region",
     "In two set-up exchanges a host gave one R_Key for ranges of memory that do not touch.",
     R"(Exact: only the set-up exchange names whole regions, so only these are compared; keys that come by the CM or by
        TCP may come back unnoticed. Wrong where one region consists of several ranges.)",
     "A late or hostile request with the old key reaches the new region.",
     "Change the key part of the R_Key with each registration."},
    {FindingId::kQpnSequential, "qpn_sequential", Severity::kNote, FindingRole::kOther, "",
     "queue pair numbers can be guessed",
     "Of eight or more queue pair numbers of a host, half or more lie within 16 of the one before.",
     R"(The numbers are exact. They are compared in the order in which connections were first seen, and those that were
        not captured are missing in between. Random numbers lie so close once in half a million times.)",
     "An attacker who can send packets and knows the number needs only the PSN to inject some.",
     "Most NICs do this. Keep untrusted hosts out of the RDMA network."},
    {FindingId::kPsnStartPredictable, "psn_start_predictable", Severity::kNote, FindingRole::kOther, "",
     "starting PSNs can be guessed",
     R"(Of eight or more starting PSNs that a host sent, half or more are equal to the one before or lie within 16 of
        it.)",
     R"(Exact for the REQs and REPs that were captured; PSNs that are agreed on over TCP are not compared. Random
        numbers lie so close once in half a million times.)",
     "The PSN is all that protects a queue pair from injected packets.",
     "Choose random starting PSNs; the CM of Linux does."},
    {FindingId::kRkeyInClear, "rkey_in_clear", Severity::kNote, FindingRole::kOther, "", "an R_Key was sent in clear",
     "A key that later packets use was sent in clear before: in private data of the CM, in a message or over TCP.",
     R"(Sure for the keys that are counted: requests used the same 32 bits later. Keys in a form that is not known, or
        that no request used, are not counted. Wrong only where other data had the same value by chance.)",
     "Everyone who can read the network can read the key. RoCE has no encryption of its own; this is the usual case.",
     "Where that matters, use IPsec or a network that nobody else can read."},
    {FindingId::kRkeyScan, "rkey_scan", Severity::kError, FindingRole::kOther, "", "a host tries many R_Keys",
     "One host sent requests with many R_Keys of another (8 or more); each was refused and never used otherwise.",
     R"(That each key was refused is exact; at least so many where the capture missed packets. Whether it is an attack
        or a program with stale keys, no packet shows. Keys that were valid before the capture began look like guesses
        as well.)",
     "Anyone who finds a valid key can read or write the memory behind it.",
     R"(Find the program on the requesting host that sends them: an attack, or a program with stale keys that tries
        again.)"},
    {FindingId::kForeignRequester, "foreign_requester", Severity::kError, FindingRole::kOther, "packets",
     "requests from a foreign address",
     R"(Requests for a queue pair of a connection came from another address than its peer's, nothing answered them, and
        the connection went on afterwards.)",
     R"(The packets were seen; that they do not belong there is concluded. Wrong where the peer has several addresses,
        or the answers to this one were not captured.)",
     "Somebody injects packets, or an address moved.",
     "Find the owner of the address; look at the PSNs and keys that the packets try."},
    {FindingId::kPayloadConflict, "payload_conflict", Severity::kError, FindingRole::kOther, "packets",
     "the same PSN with another payload",
     R"(A SEND or WRITE packet was sent again with another payload than its first copy. Headers may differ. READ
        responses do not count: the responder reads the memory anew.)",
     R"(Exact; at least so many where the capture missed packets. The ICRCs of both are good, so both were sent as they
        are. Compared with the first copy only as long as that is remembered (65,536 packets). Wrong where a queue pair
        was connected anew with the same PSNs, and nothing shows that.)",
     R"(The receiver keeps one of the two. A retransmission never changes the payload: memory was changed while it was
        being sent, or somebody injects packets.)",
     R"(Check whether the application writes into buffers of outstanding work requests; compare the addresses and the
        TTL of both copies.)"},
};

}  // namespace rocescope::findings
