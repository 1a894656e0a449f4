#include "cli/finding_name.hpp"

#include <fmt/format.h>

#include <vector>

#include "cli/nearest.hpp"

namespace rocescope::cli {

Result<const FindingInfo*> finding_named(std::string_view name) {
  if (const FindingInfo* info = find_finding_info(name)) return info;
  std::vector<std::string_view> names;
  for (const FindingInfo& info : finding_infos()) names.push_back(info.name);
  return Error{fmt::format("unknown finding '{}'{}", name,
                           did_you_mean(nearest(name, names), ". To list them: rocescope explain"))};
}

}  // namespace rocescope::cli
