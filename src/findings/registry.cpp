// The registry of findings: what each means, why it matters, what to do. Its tables, by subject, are in registry/.
#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <string>

#include "findings/registry/capture.hpp"
#include "findings/registry/commands.hpp"
#include "findings/registry/conformance.hpp"
#include "findings/registry/congestion.hpp"
#include "findings/registry/damage.hpp"
#include "findings/registry/handshakes.hpp"
#include "findings/registry/network.hpp"
#include "findings/registry/performance.hpp"
#include "findings/registry/recovery.hpp"
#include "findings/registry/refusals.hpp"
#include "findings/registry/security.hpp"
#include "rocescope/finding.hpp"
#include "text/wrap.hpp"

namespace rocescope {
namespace {

template <std::size_t... sizes>
consteval auto joined(const FindingInfo (&... tables)[sizes]) {
  std::array<FindingInfo, (sizes + ...)> all{};
  auto end = all.begin();
  ((end = std::copy_n(tables, sizes, end)), ...);
  return all;
}

constexpr auto kInfos =
    joined(findings::kDamageInfos, findings::kCaptureInfos, findings::kNetworkInfos, findings::kRecoveryInfos,
           findings::kRefusalInfos, findings::kCongestionInfos, findings::kHandshakeInfos, findings::kConformanceInfos,
           findings::kPerformanceInfos, findings::kCommandInfos, findings::kSecurityInfos);
static_assert(kInfos.size() == kFindingIds);

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kInfos.size(); ++i) {
    if (static_cast<std::size_t>(kInfos[i].id) != i) return false;
  }
  return true;
}
static_assert(is_in_order());

/// All findings, each text in one line.
struct Registry {
  Registry() {
    for (FindingInfo& info : infos) {
      for (std::string_view* const text : {&info.meaning, &info.sureness, &info.why, &info.what_to_do}) {
        *text = texts.emplace_back(text::folded(*text));
      }
    }
  }
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  std::array<FindingInfo, kFindingIds> infos = kInfos;
  std::deque<std::string> texts;
};

const Registry& registry() {
  static const Registry kRegistry;
  return kRegistry;
}

}  // namespace

std::span<const FindingInfo> finding_infos() noexcept { return registry().infos; }

const FindingInfo& finding_info(FindingId id) noexcept { return registry().infos[static_cast<std::size_t>(id)]; }

const FindingInfo* find_finding_info(std::string_view name) noexcept {
  const std::span<const FindingInfo> infos = finding_infos();
  const auto found = std::ranges::find(infos, name, &FindingInfo::name);
  return found == infos.end() ? nullptr : &*found;
}

}  // namespace rocescope
