#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "verify/comparison.hpp"
#include "verify/work_request.hpp"

namespace rocescope::verify {
namespace {

/// A key, with the party that made it.
using Key = std::pair<IpAddress, std::uint32_t>;

/// The first one that names a key.
struct Naming {
  const truth::Post* post = nullptr;
  std::uint64_t packet = 0;
  std::uint32_t connection = 0;
};

/// Memory that a party opened to others under a key.
struct OpenMemory {
  std::uint64_t begin = 0;
  std::uint64_t length = 0;

  [[nodiscard]] bool covers(std::uint64_t address, std::uint64_t bytes) const noexcept {
    return address >= begin && address - begin <= length && bytes <= length - (address - begin);
  }
};

using RegionKey = std::pair<std::size_t, std::uint32_t>;  ///< index of a party, and its key

/// The memory that was open under a key at some time.
using Openings = std::multimap<RegionKey, OpenMemory>;

class MemoryComparer {
 public:
  explicit MemoryComparer(Comparison& comparison) : comparison_(comparison), book_(comparison.truth()) {
    for (std::size_t i = 0; i < book_.parties().size(); ++i) read_openings(i);
  }

  void compare(const MatchedQueuePair& matched) {
    const TruthQueuePair& truth = *matched.truth;
    const IpAddress peer = matched.wire ? matched.wire->peer().address : truth.peer_address.value_or(IpAddress{});
    for (const WorkRequest& request : truth.requests) {
      if (request.may_be_missing && !matched.wire) continue;
      name(posted_, peer, request.post->r_key, {.post = request.post});
      name(posted_, peer, request.post->invalidate_r_key, {.post = request.post});
    }
    const auto responder = book_.party_at(peer, truth.party);
    for (const WorkRequest& request : truth.requests) {
      if (!responder || !request.succeeded || !request.post->r_key) continue;
      const RegionKey key(*responder, *request.post->r_key);
      if (openings_.contains(key)) used_.try_emplace(key, request.post);
    }
    if (!matched.wire) return;
    const std::uint32_t connection = matched.wire->connection->number;
    for (const Message& message : comparison_.messages().of(connection, matched.wire->side)) {
      const Naming naming{.packet = message.first_frame, .connection = connection};
      name(captured_, peer, message.r_key, naming);
      name(captured_, peer, message.invalidated_r_key, naming);
      if (message.address && message.r_key) touch(truth, responder, message, connection);
    }
  }

  void finish() {
    compare_keys();
    compare_regions();
    comparison_.add(regions_);
    if (unchecked_ > 0) {
      comparison_.note(fmt::format(
          "{} messages name memory of a side whose truth is not given: whether it was registered is not known",
          unchecked_));
    }
  }

 private:
  void read_openings(std::size_t party) {
    const Party& wanted = book_.parties()[party];
    const auto is_its = [&](const truth::Fact& fact) { return fact.side == wanted.side && fact.file == wanted.file; };
    for (const truth::MemoryRegion& region : book_.truth().regions) {
      if (is_its(region) && region.is_remote()) open(party, region.r_key, {region.address, region.length});
    }
    for (const truth::Post& post : book_.truth().posts) {
      if (is_its(post) && post.opcode == truth::WorkOpcode::kBindMw && post.r_key) {
        open(party, *post.r_key, {post.local_address, post.bytes});
      }
    }
  }
  void open(std::size_t party, std::uint32_t r_key, OpenMemory memory) {
    openings_.emplace(RegionKey(party, r_key), memory);
    recording_.insert(party);
  }

  static void name(std::map<Key, Naming>& names, const IpAddress& peer, const std::optional<std::uint32_t>& r_key,
                   const Naming& naming) {
    if (r_key) names.try_emplace({peer, *r_key}, naming);
  }

  void compare_keys() {
    ComparedFact keys{.name = "keys", .detail = {}, .truth = posted_.size(), .capture = captured_.size()};
    for (const auto& [key, naming] : posted_) {
      if (captured_.contains(key)) {
        ++keys.agree;
        continue;
      }
      ++keys.differing;
      comparison_.differs({.fact = keys.name,
                           .what = fmt::format("rkey 0x{:x} was posted, and no packet names it", key.second),
                           .truth = book_.place_of(*naming.post)});
    }
    for (const auto& [key, naming] : captured_) {
      if (posted_.contains(key)) continue;
      ++keys.differing;
      comparison_.differs(
          {.fact = keys.name,
           .what = fmt::format("rkey 0x{:x} is in the capture, and no work request names it", key.second),
           .truth = {},
           .packet = naming.packet,
           .connection = naming.connection});
    }
    comparison_.add(keys);
  }

  void compare_regions() {
    regions_.truth = used_.size();
    regions_.capture = touched_.size();
    for (const auto& [key, good] : touched_) ++(good ? regions_.agree : regions_.differing);
    for (const auto& [key, post] : used_) {
      if (touched_.contains(key)) continue;
      ++regions_.differing;
      comparison_.differs(
          {.fact = regions_.name,
           .what = fmt::format("work requests in the {}'s memory under rkey 0x{:x} succeeded, and no message "
                               "that was carried out names it",
                               truth::to_string(book_.parties()[key.first].side), key.second),
           .truth = book_.place_of(*post)});
    }
    // A message also used a region if its program ended before it recorded that.
    for (const auto& [key, good] : touched_) regions_.truth += good && !used_.contains(key) ? 1U : 0U;
  }

  /// Checks that a message that was carried out lies in memory that the responder had opened.
  void touch(const TruthQueuePair& requester, std::optional<std::size_t> responder, const Message& message,
             std::uint32_t connection) {
    if (message.outcome != MessageOutcome::kCompleted) return;
    if (!responder || !recording_.contains(*responder)) {
      ++unchecked_;
      return;
    }
    constexpr std::uint64_t kAtomicBytes = 8;
    const bool atomic = message.operation == Operation::kCompareSwap || message.operation == Operation::kFetchAdd;
    const std::uint64_t bytes = atomic ? kAtomicBytes : message.bytes;
    const RegionKey key(*responder, *message.r_key);
    const auto [first, last] = openings_.equal_range(key);
    const bool covered =
        std::any_of(first, last, [&](const auto& entry) { return entry.second.covers(*message.address, bytes); });
    bool& good = touched_.try_emplace(key, true).first->second;
    if (covered || !good) return;
    good = false;
    const std::string why = first == last ? std::string("registered no memory under this rkey")
                                          : fmt::format("registered {} bytes at 0x{:x} under this rkey",
                                                        first->second.length, first->second.begin);
    comparison_.differs({.fact = regions_.name,
                         .what = fmt::format("{}: {} was carried out, and the {} {}", book_.name_of(requester),
                                             to_text(message), truth::to_string(book_.parties()[*responder].side), why),
                         .truth = {},
                         .packet = message.first_frame,
                         .connection = connection});
  }

  Comparison& comparison_;
  const TruthBook& book_;
  Openings openings_;
  std::set<std::size_t> recording_;  ///< parties whose truth has the memory that they opened
  std::map<Key, Naming> posted_;
  std::map<Key, Naming> captured_;
  std::map<RegionKey, const truth::Post*> used_;  ///< by a work request that succeeded
  std::map<RegionKey, bool> touched_;             ///< by messages; whether all that were carried out lie inside
  std::uint64_t unchecked_ = 0;
  ComparedFact regions_{.name = "regions"};
};

}  // namespace

void compare_memory(Comparison& comparison) {
  MemoryComparer comparer(comparison);
  for (const MatchedQueuePair& matched : comparison.matcher().matched()) {
    if (!matched.truth->is_datagram()) comparer.compare(matched);
  }
  comparer.finish();
}

}  // namespace rocescope::verify
