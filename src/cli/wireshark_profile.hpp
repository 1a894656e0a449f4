// A profile for Wireshark: colors, columns, filter buttons, graphs.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/result.hpp"

namespace rocescope::cli {

inline constexpr std::string_view kProfileName = "RoCE";

/// A file of the profile, as Wireshark reads it.
struct ProfileFile {
  std::string_view name;
  std::string text;
};
[[nodiscard]] std::span<const ProfileFile> profile_files();
/// What Wireshark remembers of its windows, and writes whenever it ends: as it is before the first time.
[[nodiscard]] ProfileFile first_recent_file();

/// The folder in which Wireshark keeps what is the user's; empty if there is no home.
[[nodiscard]] std::filesystem::path wireshark_folder();

/// Writes the profile into the profiles of `folder`, or a newer one over one that is as it was written; returns where. A profile of this
/// name that somebody made or changed stays, with an error.
[[nodiscard]] Result<std::filesystem::path> install_profile(const std::filesystem::path& folder);
/// Removes it, with what Wireshark remembers of its windows. The same errors.
[[nodiscard]] Result<std::filesystem::path> remove_profile(const std::filesystem::path& folder);

/// Where Wireshark looks for programs that capture for it; it differs between its versions. Empty if there is no home.
[[nodiscard]] std::vector<std::filesystem::path> extcap_folders();
/// Writes a script into each of the folders that starts this program as `rocescope extcap`; returns where. A file of its name that
/// rocescope did not write stays, with an error.
[[nodiscard]] Result<std::vector<std::filesystem::path>> install_extcap();
/// Removes them. The same error.
[[nodiscard]] Result<std::vector<std::filesystem::path>> remove_extcap();

}  // namespace rocescope::cli
