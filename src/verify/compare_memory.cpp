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
  bool must_be_seen = false;  ///< a work request that names it was sent
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

/// What messages that were carried out did with a key.
struct Touched {
  bool good = true;  ///< all of them lie inside
  std::uint64_t packet = 0;
  std::uint32_t connection = 0;
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
      const Naming naming{.post = request.post, .must_be_seen = !request.may_be_missing};
      name(posted_, peer, request.post->r_key, naming);
      name(posted_, peer, request.post->invalidate_r_key, naming);
    }
    const auto responder = book_.party_at(peer, truth.party);
    for (const WorkRequest& request : truth.requests) {
      if (!responder || !request.post->r_key) continue;
      const RegionKey key(*responder, *request.post->r_key);
      const bool has_end = request.completion != nullptr && request.completion->status != "WR_FLUSH_ERR";
      if (!request.succeeded && !has_end) unfinished_.insert(key);
      if (request.succeeded && openings_.contains(key)) used_.try_emplace(key, request.post);
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
    if (!r_key) return;
    Naming& first = names.try_emplace({peer, *r_key}, naming).first->second;
    first.must_be_seen |= naming.must_be_seen;
  }

  void compare_keys() {
    ComparedFact keys{.name = "keys", .detail = {}, .truth = posted_.size(), .capture = captured_.size()};
    for (const auto& [key, naming] : posted_) {
      if (captured_.contains(key)) {
        ++keys.agree;
        continue;
      }
      if (!naming.must_be_seen) {
        keys.explain(PartOf::kTruth, 1, kNotSent);
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
    for (const auto& [key, touched] : touched_) {
      if (!touched.good) {
        ++regions_.differing;
      } else if (used_.contains(key)) {
        ++regions_.agree;
      } else if (unfinished_.contains(key)) {
        regions_.explain(PartOf::kCapture, 1,
                         "used by work requests whose program ended before it recorded that they succeeded");
      } else {
        ++regions_.differing;
        comparison_.differs({.fact = regions_.name,
                             .what = fmt::format("a message under rkey 0x{:x} of the {} was carried out, and no work "
                                                 "request that names it succeeded",
                                                 key.second, truth::to_string(book_.parties()[key.first].side)),
                             .truth = {},
                             .packet = touched.packet,
                             .connection = touched.connection});
      }
    }
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
    Touched& touched = touched_.try_emplace(key, Touched{true, message.first_frame, connection}).first->second;
    if (covered || !touched.good) return;
    touched.good = false;
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
  std::set<RegionKey> unfinished_;                ///< named by a work request whose end the truth does not have
  std::map<RegionKey, Touched> touched_;
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
