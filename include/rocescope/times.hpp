// Times between packets: what is measured, and histograms of it by kind.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace rocescope {

/// What is measured between packets, as the place of the capture sees it.
enum class TimeKind : std::uint8_t {
  // Requests and their responses. Only kMessageTime takes messages that had been sent twice, in part or in full, since
  // nothing shows which copy was answered (Karn's rule).
  kAckLatency,   ///< last packet of a SEND or WRITE to the first ACK, NAK or response that covers it
  kReadFirst,    ///< READ Request to the first packet of its response
  kReadLast,     ///< READ Request to the last packet of its response
  kAtomic,       ///< CmpSwap or FetchAdd to its ATOMIC Acknowledge
  kMessageTime,  ///< first packet of a message's first attempt to its completion, of every message that completed
  // Recoveries
  kNakGeneration,  ///< first packet after a hole to the NAK for it
  kNakRecovery,    ///< NAK to the first packet that is sent again
  kRnrWait,        ///< RNR NAK to the first packet that is sent again
  kStall,          ///< silence with requests outstanding
  // The communication manager
  kReqToRep,
  kRepToRtu,
  kRtuToData,  ///< RTU to the first request
  kDreqToDrep,
  // Congestion
  kCnpDelay,     ///< a packet marked CE to the CNP that it causes
  kCnpInterval,  ///< CNP to CNP
};

inline constexpr std::size_t kTimeKinds = static_cast<std::size_t>(TimeKind::kCnpInterval) + 1;

[[nodiscard]] constexpr std::string_view to_string(TimeKind kind) noexcept {
  constexpr std::string_view kNames[kTimeKinds] = {"ack_latency",  "read_first",     "read_last",    "atomic",
                                                   "message_time", "nak_generation", "nak_recovery", "rnr_wait",
                                                   "stall",        "req_to_rep",     "rep_to_rtu",   "rtu_to_data",
                                                   "dreq_to_drep", "cnp_delay",      "cnp_interval"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// A sentence: from what to what it is measured, and of what.
[[nodiscard]] constexpr std::string_view definition_of(TimeKind kind) noexcept {
  constexpr std::string_view kDefinitions[kTimeKinds] = {
      "From the last packet of a SEND or WRITE to the first ACK, NAK or response that covers it. Only of messages of which nothing was sent twice: of others nothing shows which copy was answered (Karn's rule).",
      "From a READ Request to the first packet of its response. Only of READs that were asked for once until then.",
      "From a READ Request to the last packet of its response. Only of READs that were asked for once until then.",
      "From an atomic request to its ATOMIC Acknowledge. Only of those that were sent once.",
      "From the first packet of the first attempt of a message to the ACK or last response that completed it. Every message that completed has one, also those that were sent again: the time includes what delayed them. The time of a READ ends when the requester has all responses: if it asks for some again, with the last of these. If the first packet of the first attempt was not seen, the time begins with the first one that was; without any First or Only packet there is none.",
      "From the first packet after a hole to the NAK for it.",
      "From a NAK to the first packet that is sent again.",
      "From an RNR NAK to the first packet that is sent again.",
      "A silence with requests outstanding.",
      "From a REQ of the communication manager to its REP.",
      "From a REP to its RTU.",
      "From an RTU to the first request.",
      "From a DREQ to its DREP.",
      "From a packet marked CE to the CNP that it causes.",
      "From a CNP to the next one."};
  return kDefinitions[static_cast<std::size_t>(kind)];
}

/// One time that a packet ended.
struct Measure {
  TimeKind kind = TimeKind::kAckLatency;
  std::int64_t ns = 0;        ///< never negative
  std::int64_t asked_ns = 0;  ///< rnr_wait: the timer that the RNR NAK named
  std::uint64_t read = 0;     ///< of a READ that was over some READs ago: the number of the message
  bool withdrawn = false;     ///< no time: the READ was not over, since its requester asks again
  bool counts = true;         ///< of a READ that was over some READs ago: as Message has it
};

/// Nanoseconds in buckets that are at most 1/32 of their value wide: 32 for each power of two, and those below 64 ns one
/// for each. Takes memory for the buckets that occurred: 8 bytes each, 15 kB at most.
class Histogram {
 public:
  void add(std::uint64_t nanoseconds) {
    min_ = empty() ? nanoseconds : std::min(min_, nanoseconds);
    max_ = std::max(max_, nanoseconds);
    add_to_sum(nanoseconds);
    at(index_of(nanoseconds)).add(1);
  }
  /// The number of the bucket of a value.
  [[nodiscard]] static std::uint16_t bucket_of(std::uint64_t nanoseconds) noexcept { return index_of(nanoseconds); }
  /// Values that were counted elsewhere, at least one: so many in each of the buckets from `first` on.
  struct Counted {
    std::uint16_t first = 0;
    std::span<const std::uint8_t> counts;
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    std::uint64_t sum = 0;
  };
  void add(const Counted& values) {
    min_ = empty() ? values.min : std::min(min_, values.min);
    max_ = std::max(max_, values.max);
    add_to_sum(values.sum);
    const std::size_t size = values.counts.size();
    for (std::size_t i = 0; i < size;) {
      std::uint64_t eight = 1;  // counts: most are 0
      if (i + sizeof eight <= size) std::memcpy(&eight, &values.counts[i], sizeof eight);
      if (eight == 0) {
        i += sizeof eight;
        continue;
      }
      if (values.counts[i] > 0) at(static_cast<std::uint16_t>(values.first + i)).add(values.counts[i]);
      ++i;
    }
  }
  /// All that `other` has, too.
  void merge(const Histogram& other) {
    if (other.empty()) return;
    min_ = empty() ? other.min_ : std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
    add_to_sum(other.sum_);
    for (const Bucket& bucket : other.buckets_) at(bucket.index()).add_at_most(bucket.count());
  }

  /// What it has and did not have when it was `before`; min() and max() of that are as exact as quantile().
  [[nodiscard]] Histogram since(const Histogram& before) const {
    Histogram since;
    auto old = before.buckets_.begin();
    for (const Bucket& bucket : buckets_) {
      while (old != before.buckets_.end() && old->index() < bucket.index()) ++old;
      const bool is_old = old != before.buckets_.end() && old->index() == bucket.index();
      const std::uint64_t added = bucket.count() - (is_old ? old->count() : 0);
      if (added > 0) since.at(bucket.index()).add(added);
    }
    if (since.empty()) return since;
    since.min_ = std::clamp(middle_of(since.buckets_.front().index()), min_, max_);
    since.max_ = std::clamp(middle_of(since.buckets_.back().index()), min_, max_);
    since.sum_ = sum_ - before.sum_;
    return since;
  }

  [[nodiscard]] bool empty() const noexcept { return buckets_.empty(); }
  [[nodiscard]] std::uint64_t count() const noexcept {
    std::uint64_t count = 0;
    for (const Bucket& bucket : buckets_) count += bucket.count();
    return count;
  }
  [[nodiscard]] std::uint64_t min() const noexcept { return min_; }  ///< exact; 0 of none
  [[nodiscard]] std::uint64_t max() const noexcept { return max_; }  ///< exact; 0 of none
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }  ///< exact, up to 2^64 - 1
  [[nodiscard]] std::uint64_t mean() const noexcept { return empty() ? 0 : sum_ / count(); }

  /// Values of at least `at_least` nanoseconds, and less than twice as many; 0 is its own.
  struct Octave {
    std::uint64_t at_least = 0;
    std::uint64_t count = 0;
  };
  /// Exact; smallest first, without those in which there is no value.
  [[nodiscard]] std::vector<Octave> octaves() const {
    std::vector<Octave> octaves;
    for (const Bucket& bucket : buckets_) {
      const std::uint64_t at_least = std::bit_floor(lowest_of(bucket.index()));
      if (octaves.empty() || octaves.back().at_least != at_least) octaves.push_back({at_least, 0});
      octaves.back().count += bucket.count();
    }
    return octaves;
  }

  /// The value that at least `per_mille` thousandths of all values do not exceed and that is the least such one (nearest
  /// rank: of 1,000 values the 990th in rising order for 990), as the middle of its bucket, kept between min() and max():
  /// at most 1/64 (1.6 %) away from it, and exact below 64 ns. 0 of none. `per_mille` is 0 (the least value) to 1000.
  [[nodiscard]] std::uint64_t quantile(std::uint64_t per_mille) const noexcept {
    return at_rank(std::max<std::uint64_t>(rank_of(per_mille, count()), 1));
  }
  /// The value at this place in rising order, from 1, as exact as quantile(); of one behind the last the last.
  [[nodiscard]] std::uint64_t at_rank(std::uint64_t rank) const noexcept {
    if (rank >= count()) return max_;
    if (rank == 1) return min_;
    std::uint64_t before = 0;
    for (const Bucket& bucket : buckets_) {
      before += bucket.count();
      if (before >= rank) return std::clamp(middle_of(bucket.index()), min_, max_);
    }
    return max_;
  }

 private:
  friend struct PrivateMembers;
  static constexpr unsigned kBits = 5;                  // of 32 buckets a power of two
  static constexpr std::uint64_t kExact = 2U << kBits;  // values below have a bucket each
  static constexpr std::uint64_t kFold = 1000;          // rank_of() without overflow

  /// In 8 bytes, since every connection has many. Nobody counts 2^48 values.
  class Bucket {
   public:
    explicit Bucket(std::uint16_t index) : both_(std::uint64_t{index} << kCountBits) {}
    [[nodiscard]] std::uint16_t index() const noexcept { return static_cast<std::uint16_t>(both_ >> kCountBits); }
    [[nodiscard]] std::uint64_t count() const noexcept { return both_ & kMost; }
    void add(std::uint64_t values) noexcept { both_ += values; }
    /// Of a file, which may say anything.
    void add_at_most(std::uint64_t values) noexcept { add(std::min(values, kMost - count())); }

   private:
    static constexpr unsigned kCountBits = 48;
    static constexpr std::uint64_t kMost = (std::uint64_t{1} << kCountBits) - 1;
    std::uint64_t both_;
  };

  [[nodiscard]] static std::uint16_t index_of(std::uint64_t value) noexcept {
    if (value < kExact) return static_cast<std::uint16_t>(value);
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - kBits - 1;
    return static_cast<std::uint16_t>((std::uint64_t{shift} << kBits) + (value >> shift));
  }
  /// log2 of how many values the bucket is for.
  [[nodiscard]] static unsigned shift_of(std::uint16_t index) noexcept {
    return index < kExact ? 0 : (index >> kBits) - 1U;
  }
  [[nodiscard]] static std::uint64_t lowest_of(std::uint16_t index) noexcept {
    const unsigned shift = shift_of(index);
    return (index - (std::uint64_t{shift} << kBits)) << shift;
  }
  [[nodiscard]] static std::uint64_t middle_of(std::uint16_t index) noexcept {
    return lowest_of(index) + (std::uint64_t{1} << shift_of(index)) / 2;
  }

  /// ceil(values * per_mille / 1000)
  [[nodiscard]] static std::uint64_t rank_of(std::uint64_t per_mille, std::uint64_t values) noexcept {
    return values / kFold * per_mille + (values % kFold * per_mille + kFold - 1) / kFold;
  }
  void add_to_sum(std::uint64_t value) noexcept {
    if (__builtin_add_overflow(sum_, value, &sum_)) sum_ = std::numeric_limits<std::uint64_t>::max();
  }
  [[nodiscard]] Bucket& at(std::uint16_t index) {
    const auto place = place_of(index);
    if (place != buckets_.end() && place->index() == index) return *place;
    return insert(place, index);
  }
  /// Seldom: apart from at(), which is short by that.
  [[nodiscard, gnu::noinline]] Bucket& insert(std::vector<Bucket>::iterator place, std::uint16_t index) {
    constexpr std::size_t kFew = 3;  // in the least memory that there is
    if (buckets_.empty()) {
      buckets_.reserve(kFew);
      return buckets_.emplace_back(index);
    }
    return *buckets_.insert(place, Bucket(index));
  }
  /// The first bucket that is not below `index`. Most have their neighbours: then the first or the last determines its place, and no
  /// other bucket is touched.
  [[nodiscard]] std::vector<Bucket>::iterator place_of(std::uint16_t index) {
    if (buckets_.empty() || index <= buckets_.front().index()) return buckets_.begin();
    if (index > buckets_.back().index()) return buckets_.end();
    const auto from_first = static_cast<std::size_t>(index - buckets_.front().index());  // it is no further from there
    const auto from_last = static_cast<std::size_t>(buckets_.back().index() - index) + 1;
    const auto last = buckets_.begin() + static_cast<std::ptrdiff_t>(std::min(from_first, buckets_.size() - 1));
    if (last->index() == index) return last;
    auto place = buckets_.end() - static_cast<std::ptrdiff_t>(std::min(from_last, buckets_.size()));
    // A binary search between them. Nobody can predict its comparisons, so that no jump depends on them.
    for (auto left = last - place; left > 0;) {
      const auto half = (left + 1) / 2;
      place += half * static_cast<std::ptrdiff_t>((place + (half - 1))->index() < index);
      left -= half;
    }
    return place;
  }

  std::vector<Bucket> buckets_;  // by index
  std::uint64_t min_ = 0;
  std::uint64_t max_ = 0;
  std::uint64_t sum_ = 0;
};

struct TimeSeries {
  TimeKind kind = TimeKind::kAckLatency;
  Histogram times;
};

/// Times by kind, each as a histogram. Takes memory only for the kinds that occurred.
class TimeTable {
 public:
  /// `ns` is not negative.
  void add(TimeKind kind, std::int64_t ns) { at(kind).add(static_cast<std::uint64_t>(ns)); }
  void merge(const TimeTable& other) {
    for (const TimeSeries& series : other.series_) at(series.kind).merge(series.times);
  }
  /// Null: none of this kind.
  [[nodiscard]] const Histogram* find(TimeKind kind) const noexcept {
    for (const TimeSeries& series : series_) {
      if (series.kind == kind) return &series.times;
    }
    return nullptr;
  }
  [[nodiscard]] Histogram* find(TimeKind kind) noexcept {
    return const_cast<Histogram*>(std::as_const(*this).find(kind));
  }
  /// In the order of their first times.
  [[nodiscard]] std::span<const TimeSeries> all() const noexcept { return series_; }

 private:
  friend struct PrivateMembers;
  [[nodiscard, gnu::always_inline]] Histogram& at(TimeKind kind) {
    for (TimeSeries& series : series_) {
      if (series.kind == kind) return series.times;
    }
    return series_.emplace_back(TimeSeries{kind, {}}).times;
  }

  std::vector<TimeSeries> series_;
};

}  // namespace rocescope
