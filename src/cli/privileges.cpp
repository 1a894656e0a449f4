#include "cli/privileges.hpp"

#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace rocescope::cli {
namespace {

std::optional<Error> become(const std::string& user) {
  errno = 0;
  const passwd* entry = ::getpwnam(user.c_str());
  if (entry == nullptr) return Error{fmt::format("cannot become {}: there is no such user", user)};
  if (::initgroups(entry->pw_name, entry->pw_gid) == 0 && ::setgid(entry->pw_gid) == 0 &&
      ::setuid(entry->pw_uid) == 0) {
    return std::nullopt;
  }
  return Error{fmt::format("cannot become {}: {}. Only root can; without -Z no other user is needed", user,
                           std::strerror(errno))};
}

/// glibc has no function for it.
void drop_capabilities() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  ::syscall(SYS_capset, &header, none.data());  // having less is always allowed
}

}  // namespace

std::optional<Error> drop_privileges(const std::string& user) {
  if (!user.empty()) return become(user);
  if (::geteuid() != 0) drop_capabilities();
  return std::nullopt;
}

}  // namespace rocescope::cli
