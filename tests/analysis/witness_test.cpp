// Reports of real captures against what tshark and capinfos say of them.
#include <gmock/gmock.h>

#include <array>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>

#include "rocescope/text.hpp"
#include "schema/names/protocol_names.hpp"
#include "support/captures.hpp"

namespace rocescope {
namespace {

using testing::all_captures;
using testing::has_program;
using testing::output_of;
using testing::report_of;

struct Count {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const Count&, const Count&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Count& count) {
    return out << count.packets << " packets, " << count.bytes << " bytes";
  }
};
using Counts = std::map<std::string, Count>;

/// tshark without what takes RoCE packets for its own, or reads further than rocescope.
std::string tshark(const std::string& arguments) {
  return output_of("tshark -n --disable-protocol tftp --disable-protocol rpcordma --disable-protocol nvme-rdma " +
                   arguments);
}

/// tshark's name of a protocol that rocescope names by number.
std::string tshark_name(ProtocolId protocol) {
  const std::string name = schema::protocol_name(protocol);
  return name == "ip protocol 2" ? "igmp" : name;
}

void collect(const std::vector<ProtocolNode>& nodes, const std::string& path, Counts& counts) {
  for (const ProtocolNode& node : nodes) {
    const std::string here = path + "/" + tshark_name(node.protocol);
    counts[here] = {node.traffic.packets, node.traffic.bytes};
    collect(node.children, here, counts);
  }
}

/// `  udp         frames:105 bytes:73562`, two spaces a level.
Counts hierarchy_of_tshark(const std::string& path) {
  Counts counts;
  std::vector<std::string> above;
  std::istringstream lines(tshark("-r '" + path + "' -q -z io,phs"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t frames = line.find(" frames:");
    if (frames == std::string::npos) continue;
    const std::size_t indent = line.find_first_not_of(' ');
    above.resize(indent / 2);
    const std::string parent = above.empty() ? "" : above.back();
    const std::string name = line.substr(indent, line.find(' ', indent) - indent);
    above.push_back(parent + "/" + name);
    const std::size_t bytes = line.find(" bytes:");
    counts[above.back()] = {std::stoull(line.substr(frames + 8)), std::stoull(line.substr(bytes + 7))};
  }
  return counts;
}

/// Only protocols that both programs name, all the way up; tshark guesses at what the payload of RoCE
/// packets is, and reads the packets that ICMP errors quote.
void keep_shared(Counts& counts) {
  static const std::set<std::string> kShared = {"eth", "vlan", "ip",   "ipv6", "udp",    "tcp",       "erf",
                                                "llc", "arp",  "igmp", "icmp", "icmpv6", "infiniband"};
  std::erase_if(counts, [&](const auto& entry) {
    std::istringstream parts(entry.first.substr(1));
    bool inside = false;
    for (std::string part; std::getline(parts, part, '/');) {
      if (inside || !kShared.contains(part)) return true;
      inside = part == "infiniband" || part == "icmp";
    }
    return false;
  });
}

struct Witness : ::testing::Test {
  void SetUp() override {
#ifdef ROCESCOPE_SANITIZED
    GTEST_SKIP() << "once is enough: the release asks them";
#endif
    if (!has_program("tshark") || !has_program("capinfos")) GTEST_SKIP() << "tshark or capinfos is not installed";
  }
};

TEST_F(Witness, TsharkCountsTheSameProtocols) {
  for (const std::string& path : all_captures()) {
    SCOPED_TRACE(path);
    Counts ours;
    collect(report_of({path}).protocols, "", ours);
    Counts theirs = hierarchy_of_tshark(path);
    keep_shared(ours);
    keep_shared(theirs);
    EXPECT_FALSE(ours.empty());
    EXPECT_EQ(ours, theirs);
  }
}

/// What tshark's list of RoCE packets adds up to.
struct PacketList {
  Counts opcodes;
  Counts flows;                          ///< over IPv4
  std::vector<std::string> cm_messages;  ///< number, message, transaction ID
};

PacketList packets_of_tshark(const std::string& path) {
  PacketList list;
  std::istringstream lines(tshark("-r '" + path +
                                  "' -Y infiniband.bth -T fields -e frame.number -e frame.len -e infiniband.bth.opcode "
                                  "-e infiniband.bth.destqp -e udp.dstport -e ip.src -e ip.dst "
                                  "-e infiniband.mad.mgmtclass -e infiniband.mad.attributeid "
                                  "-e infiniband.mad.transactionid"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::array<std::string, 10> cell;
    for (std::string& text : cell) std::getline(cells, text, '\t');
    const auto& [number, length, opcode, queue_pair, port, source, destination, mad_class, attribute, transaction] =
        cell;
    const std::uint64_t bytes = std::stoull(length);
    const auto count = [&](Count& into) {
      ++into.packets;
      into.bytes += bytes;
    };
    count(list.opcodes[opcode]);
    if (port == "4791" && !source.empty()) count(list.flows[source + " " + destination + " " + queue_pair]);
    if (mad_class == "0x07") list.cm_messages.push_back(number + " " + attribute + " " + transaction);
  }
  return list;
}

std::string key_of(const Flow& flow) {
  std::ostringstream key;
  key << to_text(flow.source) << ' ' << to_text(flow.destination) << " 0x" << std::hex << std::setw(6)
      << std::setfill('0') << flow.dest_qp.value();
  return key.str();
}

PacketList packets_of(const Report& report) {
  PacketList list;
  for (const OperationCount& count : report.operations) {
    list.opcodes[std::to_string(count.opcode->code)] = {count.traffic.packets, count.traffic.bytes};
  }
  for (const Flow& flow : report.flows) {
    if (flow.encapsulation != Encapsulation::kRoceV2Ipv4) continue;
    list.flows[key_of(flow)] = {flow.traffic.packets, flow.traffic.bytes};
  }
  for (const CmEvent& event : report.cm_events) {
    std::ostringstream line;
    line << event.packet << std::hex << std::setfill('0') << " 0x" << std::setw(4)
         << static_cast<unsigned>(event.message) << " 0x" << std::setw(16) << event.transaction_id;
    list.cm_messages.push_back(line.str());
  }
  return list;
}

TEST_F(Witness, TsharkSeesTheSameOpcodesFlowsAndCmMessages) {
  for (const std::string& path : all_captures()) {
    SCOPED_TRACE(path);
    const PacketList ours = packets_of(report_of({path}));
    const PacketList theirs = packets_of_tshark(path);
    EXPECT_EQ(ours.opcodes, theirs.opcodes);
    EXPECT_EQ(ours.flows, theirs.flows);
    EXPECT_EQ(ours.cm_messages, theirs.cm_messages);
  }
}

TEST_F(Witness, CapinfosCountsTheSamePacketsBytesAndTimes) {
  for (const std::string& path : all_captures()) {
    SCOPED_TRACE(path);
    std::istringstream line(output_of("capinfos -T -r -c -d -a -e -S '" + path + "'"));
    std::string name;
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    std::string first;
    std::string last;
    std::getline(line, name, '\t');
    line >> packets >> bytes >> first >> last;
    const CaptureTotals totals = report_of({path}).totals;
    EXPECT_EQ(totals.traffic.packets, packets);
    EXPECT_EQ(totals.traffic.bytes, bytes);
    // Seconds with as many decimals as the file has.
    const auto nanoseconds = [](std::string text) {
      const std::size_t point = text.find('.');
      text.resize(point + 10, '0');
      return std::stoll(text.erase(point, 1));
    };
    EXPECT_EQ(totals.first_time, nanoseconds(first));
    EXPECT_EQ(totals.last_time, nanoseconds(last));
  }
}

}  // namespace
}  // namespace rocescope
