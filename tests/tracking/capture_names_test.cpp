// Which names are of one ring of files.
#include "tracking/connections/capture_names.hpp"

#include <gtest/gtest.h>

namespace rocescope::capture_names_test {
namespace {

TEST(CaptureNames, OfARingDifferInWhatItsProgramChanges) {
  EXPECT_TRUE(are_rotated("a/x.pcap", "a/x.pcap1")) << "tcpdump -C";
  EXPECT_TRUE(are_rotated("x.pcap09", "x.pcap10.gz")) << "tcpdump -C -W -z gzip";
  EXPECT_TRUE(are_rotated("n1-20260101.pcap", "n1-20260102.pcap")) << "tcpdump -G";
  EXPECT_TRUE(are_rotated("n1-20260101-115900.pcap", "n1-20260101-120000.pcap"));
  EXPECT_TRUE(are_rotated("n1_2026-01-01_11:59:00.pcap", "n1_2026-01-02_12:00:30.pcap")) << "%Y-%m-%d_%H:%M:%S";
  EXPECT_TRUE(are_rotated("n1-2026-01-01T11-59.pcap", "n1-2026-01-01T12-00.pcap"));
  EXPECT_TRUE(are_rotated("2026_01_01_115900.pcap", "2026_01_01_120000.pcap"));
  EXPECT_TRUE(are_rotated("n1.2026-01-01.pcap", "n1.2026-01-02.pcap"));
  EXPECT_TRUE(are_rotated("x-1767225600.pcap", "x-1767225660.pcap"));
  EXPECT_TRUE(are_rotated("x_00001_20260101115900.pcapng", "x_00002_20260101120000.pcapng.zst")) << "dumpcap -b";
  EXPECT_TRUE(are_rotated("x_20260101115900_00001.pcapng", "x_20260101120000_00002.pcapng"))
      << "dumpcap -b nametimenum:1";
  EXPECT_TRUE(are_rotated("x_99999_20260101115900.pcapng", "x_100000_20260101120000.pcapng"));
}

TEST(CaptureNames, OfHostsAreOfNoRing) {
  EXPECT_FALSE(are_rotated("node1.pcap", "node2.pcap"));
  EXPECT_FALSE(are_rotated("node.pcap", "node1.pcap"));
  EXPECT_FALSE(are_rotated("near.pcap", "far.pcap1"));
  EXPECT_FALSE(are_rotated("1/x.pcap1", "2/x.pcap2")) << "folders are of hosts";
  EXPECT_FALSE(are_rotated("n1.pcap1", "n2.pcap1"));
  EXPECT_FALSE(are_rotated("n1.pcap1", "n2.pcap2"));
  EXPECT_FALSE(are_rotated("n1_00001_20260101115900.pcapng", "n2_00002_20260101120000.pcapng"));
  EXPECT_FALSE(are_rotated("n_00001.pcapng", "n_00002.pcapng")) << "nodes may have five digits";
  EXPECT_FALSE(are_rotated("n1-20260101-115900.pcap", "n2-20260101-120000.pcap"));
  EXPECT_FALSE(are_rotated("n1_2026-01-01_11:59:00.pcap", "n2_2026-01-01_12:00:00.pcap"));
  EXPECT_FALSE(are_rotated("2026-01-01_11:59:00_n1.pcap", "2026-01-01_12:00:00_n2.pcap"));
  EXPECT_FALSE(are_rotated("2026-01-01-11.pcap", "2026-01-01-12.pcap")) << "a node rather than an hour";
  EXPECT_FALSE(are_rotated("2026-01-01_11:59:00-1.pcap", "2026-01-01_12:00:00-2.pcap"));
  EXPECT_FALSE(are_rotated("2026-01-31/01-02.pcap", "2026-01-31/01-03.pcap")) << "a node, in the folder of a day";
  EXPECT_FALSE(are_rotated("2026-01-31/100001.pcap", "2026-01-31/100002.pcap"));
  EXPECT_FALSE(are_rotated("n-2001-00-01.pcap", "n-2001-00-02.pcap")) << "no month is 0";
  EXPECT_FALSE(are_rotated("r2001s01s02.pcap", "r2001s01s03.pcap"));
  EXPECT_FALSE(are_rotated("n-2001-11-12.pcap", "n-2001-31-12.pcap")) << "of a cabinet, a shelf and a slot";
  EXPECT_FALSE(are_rotated("525400123456.pcap", "525400123457.pcap")) << "Ethernet addresses";
  EXPECT_FALSE(are_rotated("x.pcap", "x.pcap")) << "it was named twice";
  EXPECT_FALSE(are_rotated("", "1"));
  EXPECT_FALSE(are_rotated("-", "-"));
}

}  // namespace
}  // namespace rocescope::capture_names_test
