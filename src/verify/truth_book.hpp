// The truth, by queue pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/psn.hpp"
#include "truth/truth.hpp"

namespace rocescope::verify {

/// A program that recorded truth: one side in one file.
struct Party {
  truth::Side side = truth::Side::kClient;
  std::uint32_t file = 0;
  std::set<IpAddress> addresses;  ///< of its device
  bool was_killed = false;
  bool finished = false;  ///< its work came to its end: it recorded all completions
};

/// A post that is a message on the wire, and how it ended.
struct WorkRequest {
  const truth::Post* post = nullptr;
  const truth::Completion* completion = nullptr;  ///< null: the truth has none
  bool succeeded = false;       ///< by its completion or a later one, since work requests end in order
  bool may_be_missing = false;  ///< no proof that it was sent: it was flushed, or its program ended first
};

/// A queue pair as its program recorded it. QP numbers are used again, each time for another queue pair.
struct TruthQueuePair {
  std::size_t party = 0;
  Qpn qpn;
  std::string type;                              ///< RC, UC, UD
  const truth::QueuePair* created = nullptr;     ///< null: the truth lacks it
  const truth::QueuePairState* ready = nullptr;  ///< the first change to RTR or RTS; null: none
  std::optional<Qpn> dest_qpn;
  std::optional<IpAddress> peer_address;
  std::optional<Psn> first_psn;                      ///< of its requests
  std::optional<std::uint32_t> path_mtu;             ///< bytes
  std::vector<const truth::QueuePairState*> states;  ///< in the order of their times
  std::vector<WorkRequest> requests;                 ///< in the order in which they were posted
  std::vector<const truth::Completion*> receives;    ///< successful ones, in their order

  [[nodiscard]] bool is_datagram() const noexcept { return type == "UD"; }
  /// Whether the capture must have requests of it.
  [[nodiscard]] bool must_have_sent() const noexcept;
};

class TruthBook {
 public:
  /// `truth` outlives the book.
  explicit TruthBook(const truth::Truth& truth);

  [[nodiscard]] const truth::Truth& truth() const noexcept { return truth_; }
  [[nodiscard]] const std::vector<Party>& parties() const noexcept { return parties_; }
  [[nodiscard]] const std::vector<TruthQueuePair>& queue_pairs() const noexcept { return queue_pairs_; }

  /// The party that recorded `fact`; null: the lab.
  [[nodiscard]] const Party* party_of(const truth::Fact& fact) const;
  /// The party that has `address`, if possible another than `not_this` (both may be on one machine).
  [[nodiscard]] std::optional<std::size_t> party_at(const IpAddress& address, std::size_t not_this) const;
  /// Whether some party has this address.
  [[nodiscard]] bool is_known(const IpAddress& address) const;
  /// The last queue pair of this number at this address; null: none.
  [[nodiscard]] const TruthQueuePair* find(const IpAddress& address, Qpn qpn) const;

  /// One at this address that is connected to a queue pair of this number; null: none.
  [[nodiscard]] const TruthQueuePair* find_by_peer(const IpAddress& address, Qpn dest_qpn) const;

  /// `client QP 0x000011`
  [[nodiscard]] std::string name_of(const TruthQueuePair& queue_pair) const;
  /// `client.ndjson:17`
  [[nodiscard]] std::string place_of(const truth::Fact& fact) const;

 private:
  using QpKey = std::pair<std::size_t, Qpn>;

  std::optional<std::size_t> party_index(const truth::Fact& fact) const;
  void find_parties();
  void read_queue_pairs();
  void read_work();
  void judge_work(TruthQueuePair& queue_pair);
  /// The one that had this number at the time of `fact`.
  TruthQueuePair* queue_pair_of(const truth::Fact& fact, Qpn qpn);

  const truth::Truth& truth_;
  std::vector<Party> parties_;
  std::vector<TruthQueuePair> queue_pairs_;
  std::map<QpKey, std::vector<std::size_t>> by_number_;  ///< indices, in the order of time
};

}  // namespace rocescope::verify
