// Names of captures that one program wrote one after the other, as tcpdump and dumpcap do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rocescope {

/// The path without the numbers of the file's name, and with more and more of them from the beginning on: `ring_.pcap` and `ring_2 ring_.pcap`
/// of `ring_2.pcap.gz`. The first ones are equal of names that only numbers tell apart, in one folder.
[[nodiscard]] std::vector<std::string> capture_names(std::string path);

/// Whether these paths are of one ring for sure: they differ only in what tcpdump and dumpcap change when they rotate files. That is a number
/// behind the suffix (`x.pcap`, `x.pcap1`), a date, a time (`x_20260101.pcap`, `x_2026-01-01_12:00:00.pcap`) or a number
/// beside these (`x_00001_20260101120000.pcapng`). `node1.pcap` and `node2.pcap` are of two hosts.
[[nodiscard]] bool are_rotated(std::string_view a, std::string_view b);

}  // namespace rocescope
