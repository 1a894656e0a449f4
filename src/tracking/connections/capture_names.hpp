// Names of captures that one program wrote one after the other, as tcpdump and dumpcap do: only numbers tell them apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rocescope {

/// The path without the numbers of the file's name, and with more and more of them from the beginning on: `ring_.pcap` and `ring_2 ring_.pcap`
/// of `ring_2.pcap.gz`. The first ones are equal of names that only numbers tell apart, in one folder.
[[nodiscard]] std::vector<std::string> capture_names(std::string path);

/// How many of these two captures have in common.
[[nodiscard]] std::size_t names_in_common(const std::vector<std::string>& a,
                                          const std::vector<std::string>& b) noexcept;

}  // namespace rocescope
