// What tshark says of filters: the frames that pass, for many filters in one run of tshark.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocescope::filter {

/// What one filter made of a capture.
struct Verdict {
  bool valid = false;                 ///< the filter compiled
  std::vector<std::uint64_t> frames;  ///< numbers of the frames that passed
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// Whether there is a tshark, with Lua, which is how many filters fit into one run.
[[nodiscard]] bool tshark_is_there();

/// Writes the packets of all captures into one file, one capture after the other: tshark takes longer to start than to read most of
/// them. False when mergecap fails.
[[nodiscard]] bool merge_captures(const std::vector<std::filesystem::path>& captures,
                                  const std::filesystem::path& into);

/// tshark's verdicts on `filters`, in their order; nothing when it fails. Protocols above RDMA are off: where they claim a
/// payload, the ICRC is missing in tshark's tree.
[[nodiscard]] std::optional<std::vector<Verdict>> ask_tshark(const std::filesystem::path& capture,
                                                             const std::vector<std::string_view>& filters);

/// Ours.
[[nodiscard]] std::optional<std::vector<Verdict>> ask_rocescope(const std::filesystem::path& capture,
                                                                const std::vector<std::string_view>& filters);

}  // namespace rocescope::filter
