// Reports of real captures against what tshark and capinfos say of them.
#include <gmock/gmock.h>

#include <array>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rocescope/text.hpp"
#include "schema/names/protocol_names.hpp"
#include "support/captures.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope {
namespace {

using testing::all_captures;
using testing::has_program;
using testing::output_of;
using testing::report_of;

struct Count {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  Count& operator+=(std::uint64_t length) {
    ++packets;
    bytes += length;
    return *this;
  }
  friend bool operator==(const Count&, const Count&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Count& count) {
    return out << count.packets << " packets, " << count.bytes << " bytes";
  }
};
using Counts = std::map<std::string, Count>;

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

/// What tshark says of a frame.
enum Cell : std::size_t {
  kNumber,  // in the merged captures
  kLength,
  kProtocols,
  kOpcode,
  kQueuePair,
  kPort,
  kSource,
  kDestination,
  kMadClass,
  kMadAttribute,
  kMadTransaction,
  kCells
};
using SeenFrame = std::array<std::string, kCells>;

/// What `capinfos` says of a capture.
struct CaptureFacts {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::string first;  ///< seconds, with as many decimals as the file has
  std::string last;
};

/// All captures, each asked about by one run of each program: to start tshark takes longer than to read most captures.
struct Witness : ::testing::Test {
  void SetUp() override {
    for (const char* program : {"tshark", "capinfos", "mergecap"}) {
      if (!has_program(program)) GTEST_SKIP() << program << " is not installed";
    }
  }

  static std::string names_of(const std::vector<std::string>& paths) {
    std::string names;
    for (const std::string& path : paths) names += " '" + path + "'";
    return names;
  }
  static std::vector<CaptureFacts> facts_of(const std::vector<std::string>& paths) {
    std::istringstream lines(output_of("capinfos -T -r -c -d -a -e -S" + names_of(paths)));
    std::vector<CaptureFacts> all;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream cells(line.substr(line.find('\t')));
      CaptureFacts& facts = all.emplace_back();
      cells >> facts.packets >> facts.bytes >> facts.first >> facts.last;
    }
    return all;
  }
  /// The frames of each capture; without what takes RoCE packets for its own, or reads further than rocescope.
  static std::vector<std::vector<SeenFrame>> frames_of(const std::vector<std::string>& paths,
                                                       const std::vector<CaptureFacts>& facts) {
    const testing::TemporaryFolder folder;
    const std::string merged = folder.path("merged.pcapng");
    output_of("mergecap -a -F pcapng -w '" + merged + "'" + names_of(paths));
    std::istringstream lines(output_of(
        "tshark -n --disable-protocol tftp --disable-protocol rpcordma --disable-protocol nvme-rdma -r '" + merged +
        "' -T fields -e frame.number -e frame.len -e frame.protocols -e infiniband.bth.opcode "
        "-e infiniband.bth.destqp -e udp.dstport -e ip.src -e ip.dst -e infiniband.mad.mgmtclass "
        "-e infiniband.mad.attributeid -e infiniband.mad.transactionid"));
    std::vector<std::vector<SeenFrame>> all;
    for (const CaptureFacts& each : facts) {
      std::vector<SeenFrame>& frames = all.emplace_back(each.packets);
      for (SeenFrame& frame : frames) {
        std::string line;
        EXPECT_TRUE(std::getline(lines, line)) << "tshark ends early";
        std::istringstream cells(line);
        for (std::string& cell : frame) std::getline(cells, cell, '\t');
      }
    }
    std::string line;
    EXPECT_FALSE(std::getline(lines, line)) << "tshark has more frames: " << line;
    return all;
  }
};

/// `eth:ethertype:ip:udp:infiniband`, each with all before it. tshark names extension headers as well (`ipv6.hopopts`), and IGMP
/// by version below IGMP.
Counts protocols_of(const std::vector<SeenFrame>& frames) {
  Counts counts;
  for (const SeenFrame& frame : frames) {
    std::istringstream names(frame[kProtocols]);
    std::string path;
    for (std::string name; std::getline(names, name, ':');) {
      const bool is_again = name == "igmp" && path.ends_with("/igmp");
      if (name == "ethertype" || name.starts_with("ipv6.") || is_again) continue;
      path += "/" + name;
      counts[path] += std::stoull(frame[kLength]);
    }
  }
  return counts;
}

/// What tshark's list of RoCE packets adds up to.
struct PacketList {
  Counts opcodes;
  Counts flows;                          ///< over IPv4
  std::vector<std::string> cm_messages;  ///< number, message, transaction ID
};

PacketList packets_of(const std::vector<SeenFrame>& frames) {
  PacketList list;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const SeenFrame& frame = frames[i];
    if (frame[kOpcode].empty()) continue;
    const std::uint64_t bytes = std::stoull(frame[kLength]);
    list.opcodes[frame[kOpcode]] += bytes;
    if (frame[kPort] == "4791" && !frame[kSource].empty()) {
      list.flows[frame[kSource] + " " + frame[kDestination] + " " + frame[kQueuePair]] += bytes;
    }
    if (frame[kMadClass] == "0x07") {
      list.cm_messages.push_back(std::to_string(i + 1) + " " + frame[kMadAttribute] + " " + frame[kMadTransaction]);
    }
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

TEST_F(Witness, TsharkSeesTheSamePackets) {
  const std::vector<std::string> paths = all_captures();
  const std::vector<std::vector<SeenFrame>> seen = frames_of(paths, facts_of(paths));
  ASSERT_EQ(seen.size(), paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    SCOPED_TRACE(paths[i]);
    const Report report = report_of({paths[i]});
    const PacketList ours = packets_of(report);
    const PacketList theirs = packets_of(seen[i]);
    EXPECT_EQ(ours.opcodes, theirs.opcodes);
    EXPECT_EQ(ours.flows, theirs.flows);
    EXPECT_EQ(ours.cm_messages, theirs.cm_messages);
    Counts our_protocols;
    collect(report.protocols, "", our_protocols);
    Counts their_protocols = protocols_of(seen[i]);
    keep_shared(our_protocols);
    keep_shared(their_protocols);
    EXPECT_FALSE(our_protocols.empty());
    EXPECT_EQ(our_protocols, their_protocols);
  }
}

TEST_F(Witness, CapinfosCountsTheSamePacketsBytesAndTimes) {
  const std::vector<std::string> paths = all_captures();
  const std::vector<CaptureFacts> facts = facts_of(paths);
  ASSERT_EQ(facts.size(), paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    SCOPED_TRACE(paths[i]);
    const CaptureTotals totals = report_of({paths[i]}).totals;
    EXPECT_EQ(totals.traffic.packets, facts[i].packets);
    EXPECT_EQ(totals.traffic.bytes, facts[i].bytes);
    const auto nanoseconds = [](std::string text) {
      const std::size_t point = text.find('.');
      text.resize(point + 10, '0');
      return std::stoll(text.erase(point, 1));
    };
    EXPECT_EQ(totals.first_time, nanoseconds(facts[i].first));
    EXPECT_EQ(totals.last_time, nanoseconds(facts[i].last));
  }
}

}  // namespace
}  // namespace rocescope
