// Where the profile and the scripts for extcap are, and whether they are still ours.
#include "cli/wireshark_profile.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "cli/capture_program.hpp"

namespace rocescope::cli {
namespace {

namespace fs = std::filesystem;

/// The file that says what was written, with a line `hash name` for each.
constexpr std::string_view kManifest = "written_by_rocescope";

/// Of a text that nobody forges: FNV-1a.
std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3;
  return hash;
}

std::optional<std::string> read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

bool write_text(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  return static_cast<bool>(file.flush());
}

/// The error that the profile is somebody else's; nothing: it is as it was written, or there is none.
std::optional<Error> check_own(const fs::path& profile) {
  std::error_code failure;
  if (!fs::exists(profile, failure) || fs::is_empty(profile, failure)) return std::nullopt;
  const std::optional<std::string> manifest = read_text(profile / kManifest);
  if (!manifest) {
    return Error{
        fmt::format("{} is a profile that rocescope did not write. Rename it in Wireshark (Edit > "
                    "Configuration Profiles), then try again",
                    profile.string())};
  }
  for (const ProfileFile& file : profile_files()) {
    const std::optional<std::string> text = read_text(profile / file.name);
    if (!text || manifest->find(fmt::format("{:016x} {}\n", hash_of(*text), file.name)) != std::string::npos) continue;
    return Error{
        fmt::format("{} was changed since rocescope wrote it. Rename the profile in Wireshark (Edit > "
                    "Configuration Profiles) to keep it, or remove it there, then try again",
                    (profile / file.name).string())};
  }
  return std::nullopt;
}

constexpr std::string_view kScriptMark = "# Written by rocescope";

/// Starts this program where it is now.
std::string script_text() {
  return fmt::format("#!/bin/sh\n{}: interfaces for Wireshark, see rocescope-wireshark(1)\nexec {} extcap \"$@\"\n",
                     kScriptMark, shell_word(fs::read_symlink("/proc/self/exe").string()));
}

/// The scripts of all folders; an error if one is somebody else's.
Result<std::vector<fs::path>> scripts() {
  std::vector<fs::path> found;
  for (const fs::path& folder : extcap_folders()) {
    const fs::path script = folder / "rocescope";
    const std::optional<std::string> text = read_text(script);
    if (text && text->find(kScriptMark) == std::string::npos) {
      return Error{
          fmt::format("{} is a file that rocescope did not write. Move it away, then try again", script.string())};
    }
    found.push_back(script);
  }
  if (found.empty()) return Error{"HOME is not set: it is not known where Wireshark looks for extcap programs"};
  return found;
}

fs::path profile_in(const fs::path& folder) { return folder / "profiles" / kProfileName; }

}  // namespace

/// As Wireshark finds it.
fs::path wireshark_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  if (const fs::path given = variable("WIRESHARK_CONFIG_DIR"); !given.empty()) return given;
  const fs::path home = variable("HOME");
  fs::path settings = variable("XDG_CONFIG_HOME");
  if (settings.empty() && !home.empty()) settings = home / ".config";
  if (settings.empty()) return {};
  std::error_code failure;
  const fs::path usual = settings / "wireshark";
  const fs::path old = home / ".wireshark";
  return !home.empty() && !fs::is_directory(usual, failure) && fs::is_directory(old, failure) ? old : usual;
}

Result<fs::path> install_profile(const fs::path& folder) {
  const fs::path profile = profile_in(folder);
  if (std::optional<Error> error = check_own(profile)) return *std::move(error);
  std::error_code failure;
  fs::create_directories(profile, failure);
  if (failure) return Error{fmt::format("cannot make {}: {}", profile.string(), failure.message())};
  std::string manifest;
  for (const ProfileFile& file : profile_files()) {
    manifest += fmt::format("{:016x} {}\n", hash_of(file.text), file.name);
  }
  bool written = write_text(profile / kManifest, manifest);
  for (const ProfileFile& file : profile_files()) written = written && write_text(profile / file.name, file.text);
  const ProfileFile recent = first_recent_file();
  if (!fs::exists(profile / recent.name, failure)) written = written && write_text(profile / recent.name, recent.text);
  if (!written) return Error{fmt::format("cannot write to {}", profile.string())};
  return profile;
}

/// Up to Wireshark 4.2 its settings have it, later the user's libraries.
std::vector<fs::path> extcap_folders() {
  const char* const home = std::getenv("HOME");
  const fs::path settings = wireshark_folder();
  if (home == nullptr || *home == 0 || settings.empty()) return {};
  return {settings / "extcap", fs::path(home) / ".local" / "lib" / "wireshark" / "extcap"};
}

Result<std::vector<fs::path>> install_extcap() {
  Result<std::vector<fs::path>> found = scripts();
  if (!found) return found;
  const std::string text = script_text();
  for (const fs::path& script : *found) {
    std::error_code failure;
    fs::create_directories(script.parent_path(), failure);
    if (!failure && write_text(script, text)) fs::permissions(script, fs::perms{0755}, failure);
    if (failure || read_text(script) != text) return Error{fmt::format("cannot write {}", script.string())};
  }
  return found;
}

Result<std::vector<fs::path>> remove_extcap() {
  Result<std::vector<fs::path>> found = scripts();
  if (!found) return found;
  std::error_code failure;
  if (std::erase_if(*found, [&](const fs::path& script) { return !fs::remove(script, failure); }) != 0 && failure) {
    return Error{fmt::format("cannot remove the scripts: {}", failure.message())};
  }
  if (found->empty()) return Error{"no script for extcap is installed: nothing to remove"};
  return found;
}

Result<fs::path> remove_profile(const fs::path& folder) {
  const fs::path profile = profile_in(folder);
  std::error_code failure;
  if (!fs::exists(profile, failure)) return Error{fmt::format("no profile {}: nothing to remove", profile.string())};
  if (std::optional<Error> error = check_own(profile)) return *std::move(error);
  for (const ProfileFile& file : profile_files()) fs::remove(profile / file.name, failure);
  fs::remove(profile / kManifest, failure);
  fs::remove(profile / first_recent_file().name, failure);
  fs::remove(profile, failure);
  if (failure) return Error{fmt::format("files that rocescope did not write stay in {}", profile.string())};
  return profile;
}

}  // namespace rocescope::cli
