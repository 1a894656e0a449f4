#include "rocescope/opcode.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rocescope/header.hpp"

namespace rocescope {
namespace {

/// What IBTA 9.2.1 (and A19 for FLUSH and ATOMIC WRITE) says of the low five bits of an opcode, typed from there. `rd`
/// and `xrc` are the header lists of those transports; "no" where they do not have the operation.
struct Row {
  unsigned low;
  const char* name;
  const char* headers;  ///< RC and UC
  const char* xrc;
  const char* rd;
  bool uc;
  bool request;
  bool payload;
};

constexpr Row kRows[] = {
    {0x00, "SEND First", "", "XRCETH", "RDETH DETH", true, true, true},
    {0x01, "SEND Middle", "", "XRCETH", "RDETH DETH", true, true, true},
    {0x02, "SEND Last", "", "XRCETH", "RDETH DETH", true, true, true},
    {0x03, "SEND Last with Immediate", "ImmDt", "XRCETH ImmDt", "RDETH DETH ImmDt", true, true, true},
    {0x04, "SEND Only", "", "XRCETH", "RDETH DETH", true, true, true},
    {0x05, "SEND Only with Immediate", "ImmDt", "XRCETH ImmDt", "RDETH DETH ImmDt", true, true, true},
    {0x06, "RDMA WRITE First", "RETH", "XRCETH RETH", "RDETH DETH RETH", true, true, true},
    {0x07, "RDMA WRITE Middle", "", "XRCETH", "RDETH DETH", true, true, true},
    {0x08, "RDMA WRITE Last", "", "XRCETH", "RDETH DETH", true, true, true},
    {0x09, "RDMA WRITE Last with Immediate", "ImmDt", "XRCETH ImmDt", "RDETH DETH ImmDt", true, true, true},
    {0x0A, "RDMA WRITE Only", "RETH", "XRCETH RETH", "RDETH DETH RETH", true, true, true},
    {0x0B, "RDMA WRITE Only with Immediate", "RETH ImmDt", "XRCETH RETH ImmDt", "RDETH DETH RETH ImmDt", true, true,
     true},
    {0x0C, "RDMA READ Request", "RETH", "XRCETH RETH", "RDETH DETH RETH", false, true, false},
    {0x0D, "RDMA READ Response First", "AETH", "AETH", "RDETH AETH", false, false, true},
    {0x0E, "RDMA READ Response Middle", "", "", "RDETH", false, false, true},
    {0x0F, "RDMA READ Response Last", "AETH", "AETH", "RDETH AETH", false, false, true},
    {0x10, "RDMA READ Response Only", "AETH", "AETH", "RDETH AETH", false, false, true},
    {0x11, "Acknowledge", "AETH", "AETH", "RDETH AETH", false, false, false},
    {0x12, "ATOMIC Acknowledge", "AETH AtomicAckETH", "AETH AtomicAckETH", "RDETH AETH AtomicAckETH", false, false,
     false},
    {0x13, "CmpSwap", "AtomicETH", "XRCETH AtomicETH", "RDETH DETH AtomicETH", false, true, false},
    {0x14, "FetchAdd", "AtomicETH", "XRCETH AtomicETH", "RDETH DETH AtomicETH", false, true, false},
    {0x16, "SEND Last with Invalidate", "IETH", "XRCETH IETH", "no", false, true, true},
    {0x17, "SEND Only with Invalidate", "IETH", "XRCETH IETH", "no", false, true, true},
    {0x1C, "FLUSH", "FETH RETH", "XRCETH FETH RETH", "no", false, true, false},
    {0x1D, "ATOMIC WRITE", "RETH", "XRCETH RETH", "no", false, true, true},
};

std::string headers_of(const OpcodeInfo& info) {
  std::string text;
  for (const HeaderKind kind : info.headers) {
    if (kind == HeaderKind::kNone) break;
    if (!text.empty()) text += ' ';
    switch (kind) {
      case HeaderKind::kRdeth:
        text += "RDETH";
        break;
      case HeaderKind::kDeth:
        text += "DETH";
        break;
      case HeaderKind::kXrceth:
        text += "XRCETH";
        break;
      case HeaderKind::kReth:
        text += "RETH";
        break;
      case HeaderKind::kAtomicEth:
        text += "AtomicETH";
        break;
      case HeaderKind::kAeth:
        text += "AETH";
        break;
      case HeaderKind::kAtomicAckEth:
        text += "AtomicAckETH";
        break;
      case HeaderKind::kImmDt:
        text += "ImmDt";
        break;
      case HeaderKind::kIeth:
        text += "IETH";
        break;
      case HeaderKind::kFeth:
        text += "FETH";
        break;
      case HeaderKind::kDceth:
        text += "DCETH";
        break;
      case HeaderKind::kDcConnect:
        text += "DCConnect";
        break;
      case HeaderKind::kCnpReserved:
        text += "CNP";
        break;
      default:
        text += "?";
    }
  }
  return text;
}

const Row* row_of(unsigned low) {
  const auto* found = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& row) { return row.low == low; });
  return found == std::end(kRows) ? nullptr : found;
}

std::string reserved_name(const std::string& transport, unsigned code) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return transport + " reserved 0x" + kDigits[code >> 4] + kDigits[code & 15U];
}

void expect_reserved(const OpcodeInfo& info, const std::string& transport) {
  EXPECT_EQ(info.name(), reserved_name(transport, info.code));
  EXPECT_EQ(info.operation, Operation::kReserved);
  EXPECT_EQ(headers_of(info), "");
  EXPECT_FALSE(info.request);
  EXPECT_FALSE(info.acknowledged);
}

void expect_row(const OpcodeInfo& info, const Row& row, const std::string& transport, const std::string& headers,
                bool reliable) {
  EXPECT_EQ(info.name(), transport + " " + row.name);
  EXPECT_EQ(headers_of(info), headers);
  EXPECT_EQ(info.request, row.request);
  EXPECT_EQ(info.acknowledged, row.request && reliable);
  EXPECT_EQ(info.has_payload, row.payload);
  const std::string name = row.name;
  EXPECT_EQ(info.immediate, name.ends_with("Immediate"));
  EXPECT_EQ(info.invalidate, name.ends_with("Invalidate"));
  Position position = Position::kOnly;
  if (name.find("First") != std::string::npos) position = Position::kFirst;
  if (name.find("Middle") != std::string::npos) position = Position::kMiddle;
  if (name.find("Last") != std::string::npos) position = Position::kLast;
  EXPECT_EQ(info.position, position);
}

class OpcodeTable : public ::testing::TestWithParam<unsigned> {};

TEST_P(OpcodeTable, SaysWhatTheSpecificationSays) {
  const unsigned low = GetParam();
  const Row* row = row_of(low);
  const auto at = [&](unsigned transport) -> const OpcodeInfo& {
    const OpcodeInfo& info = opcode_info(static_cast<std::uint8_t>(transport | low));
    EXPECT_EQ(info.code, transport | low);
    return info;
  };
  if (row == nullptr) {
    expect_reserved(at(0x00), "RC");
    expect_reserved(at(0xA0), "XRC");
    if (low != 0x15) expect_reserved(at(0x40), "DC");
  } else {
    expect_row(at(0x00), *row, "RC", row->headers, true);
    expect_row(at(0xA0), *row, "XRC", row->xrc, true);
    const std::string dc = std::string("DCETH") + (*row->headers != '\0' ? " " : "") + row->headers;
    expect_row(at(0x40), *row, "DC", dc, true);
  }
  if (row != nullptr && row->uc) {
    expect_row(at(0x20), *row, "UC", row->headers, false);
  } else {
    expect_reserved(at(0x20), "UC");
  }
  if (low == 0x04 || low == 0x05) {
    expect_row(at(0x60), *row, "UD", low == 0x04 ? "DETH" : "DETH ImmDt", false);
  } else {
    expect_reserved(at(0x60), "UD");
  }
  if (low > 0x01) expect_reserved(at(0x80), "CNP");
  const OpcodeInfo& rd = reliable_datagram_opcode(static_cast<std::uint8_t>(0x40 | low));
  if (row != nullptr && std::string_view(row->rd) != "no") {
    expect_row(rd, *row, "RD", row->rd, true);
  } else if (low != 0x15) {
    expect_reserved(rd, "RD");
  }
  for (const unsigned manufacturer : {0xC0U, 0xE0U}) {
    const OpcodeInfo& info = at(manufacturer);
    EXPECT_EQ(info.operation, Operation::kManufacturer);
    EXPECT_EQ(info.transport, Transport::kManufacturer);
    EXPECT_EQ(headers_of(info), "");
    EXPECT_TRUE(info.has_payload);
    EXPECT_FALSE(info.acknowledged);
  }
}

INSTANTIATE_TEST_SUITE_P(AllLowBits, OpcodeTable, ::testing::Range(0U, 32U));

TEST(Opcode, CongestionNotificationHasTwoForms) {
  for (const unsigned code : {0x80U, 0x81U}) {
    const OpcodeInfo& info = opcode_info(static_cast<std::uint8_t>(code));
    EXPECT_EQ(info.operation, Operation::kCnp);
    EXPECT_EQ(headers_of(info), "CNP");
    EXPECT_FALSE(info.request);
    EXPECT_FALSE(info.acknowledged);
    EXPECT_FALSE(info.has_payload);
  }
  EXPECT_EQ(opcode_info(0x81).name(), "CNP");
  EXPECT_EQ(opcode_info(0x80).name(), "CNP (InfiniBand)");
}

TEST(Opcode, ResyncIsReliableDatagramsOwn) {
  const OpcodeInfo& resync = reliable_datagram_opcode(0x55);
  EXPECT_EQ(resync.name(), "RD RESYNC");
  EXPECT_EQ(headers_of(resync), "RDETH DETH");
  EXPECT_TRUE(resync.request);
  EXPECT_TRUE(resync.acknowledged);
  EXPECT_FALSE(resync.has_payload);
}

TEST(Opcode, ConnectIsDynamicallyConnectedTransportsOwn) {
  const OpcodeInfo& connect = opcode_info(0x55);
  EXPECT_EQ(connect.name(), "DC Connect");
  EXPECT_EQ(headers_of(connect), "DCETH DCConnect");
  EXPECT_TRUE(connect.request);
  EXPECT_FALSE(connect.has_payload);
}

TEST(Opcode, ReliableDatagramChangesNoOtherTransport) {
  for (unsigned code = 0; code < 256; ++code) {
    if (code >> 5 == 2) continue;
    EXPECT_EQ(&reliable_datagram_opcode(static_cast<std::uint8_t>(code)),
              &opcode_info(static_cast<std::uint8_t>(code)));
  }
}

TEST(Opcode, ManufacturerSpaceIsNamedByCode) {
  EXPECT_EQ(opcode_info(0xC0).name(), "Manufacturer opcode 0xC0");
  EXPECT_EQ(opcode_info(0xFF).name(), "Manufacturer opcode 0xFF");
}

}  // namespace
}  // namespace rocescope
