// The registry of findings: complete, and in words that its users' terminals and scripts can take.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "rocescope/finding.hpp"

namespace rocescope {
namespace {

bool is_name_character(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

TEST(FindingRegistry, HasAllTextsOfEachFinding) {
  std::set<std::string_view> names;
  for (const FindingInfo& info : finding_infos()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(std::all_of(info.name.begin(), info.name.end(), is_name_character)) << info.name;
    EXPECT_FALSE(info.title.empty()) << info.name;
    EXPECT_NE(info.title.back(), '.') << info.name;
    for (const std::string_view text : {info.meaning, info.sureness, info.why, info.what_to_do}) {
      ASSERT_FALSE(text.empty()) << info.name;
      EXPECT_EQ(text.back(), '.') << info.name;
      EXPECT_EQ(text.find("  "), std::string_view::npos) << info.name;
    }
    EXPECT_EQ(find_finding_info(info.name), &info);
    EXPECT_EQ(&finding_info(info.id), &info);
  }
  EXPECT_EQ(find_finding_info("nothing"), nullptr);
}

/// The findings that every release must have.
TEST(FindingRegistry, KnowsThoseThatPeopleLookFor) {
  for (const std::string_view name : {"icrc_bad",
                                      "icrc_bad_all_tx",
                                      "truncated_capture",
                                      "capture_loss",
                                      "capture_duplicates",
                                      "one_sided",
                                      "packet_loss_before",
                                      "packet_loss_after",
                                      "packet_loss_between",
                                      "read_response_loss_before",
                                      "read_response_loss_after",
                                      "ack_loss_before",
                                      "ack_loss_after",
                                      "reordering",
                                      "retransmissions",
                                      "go_back_n_waste",
                                      "timeout_recovery",
                                      "spurious_retransmission",
                                      "retry_exhausted",
                                      "nak_sequence",
                                      "nak_invalid_request",
                                      "nak_remote_access",
                                      "nak_remote_operational",
                                      "rnr",
                                      "rnr_timer_not_honoured",
                                      "credit_stall",
                                      "ecn_marked",
                                      "ce_without_cnp",
                                      "cnp_storm",
                                      "cnp_without_reaction",
                                      "not_ect",
                                      "pfc_pause",
                                      "pfc_storm",
                                      "cnp_class",
                                      "cm_reject",
                                      "cm_probe",
                                      "cm_timeout",
                                      "cm_retries",
                                      "cm_incomplete",
                                      "stale_connection",
                                      "torn_down_outstanding",
                                      "opcode_order",
                                      "length_mtu",
                                      "pad",
                                      "transport_operation",
                                      "tver",
                                      "reserved_bits",
                                      "pkey_mismatch",
                                      "used_psn",
                                      "read_depth_exceeded",
                                      "small_messages",
                                      "small_mtu",
                                      "ack_every_packet",
                                      "one_port_entropy",
                                      "rkey_predictable",
                                      "rkey_reused",
                                      "qpn_sequential",
                                      "psn_start_predictable",
                                      "rkey_in_clear",
                                      "rkey_scan",
                                      "foreign_requester",
                                      "payload_conflict"}) {
    EXPECT_NE(find_finding_info(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace rocescope
