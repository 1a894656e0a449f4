// The packets of a connection as points over time and PSN.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "render/json_writer.hpp"
#include "rocescope/record.hpp"

namespace rocescope::render {

/// PSNs of one requester without their wrap: modulo 2^24 they are those on the wire. The first is 2^24 and its value.
class PsnLine {
 public:
  /// The one next to the last packet().
  [[nodiscard]] std::int64_t near(Psn psn) const noexcept;
  /// The same, of a packet: the next ones are next to it.
  std::int64_t packet(Psn psn) noexcept;

 private:
  bool started_ = false;
  Psn last_;
  std::int64_t line_ = 0;
};

/// What a point looks like.
struct PointClass {
  enum class What : std::uint8_t {
    kSend,
    kWrite,
    kReadRequest,
    kAtomic,
    kAck,
    kNak,
    kRnrNak,
    kReadResponse,
    kAtomicResponse,
    kCnp,
    kOther,
  };

  What what = What::kOther;
  const OpcodeInfo* opcode = nullptr;
  std::uint8_t sender = 0;
  std::optional<std::uint8_t> requester;  ///< whose sequence its PSN is of
  VerdictKind verdict = VerdictKind::kNone;
  ResendCause cause = ResendCause::kNone;
  LostWhere lost = LostWhere::kNowhere;
  LostWhere lost_response = LostWhere::kNowhere;
  bool ce = false;
  bool damaged = false;

  friend auto operator<=>(const PointClass&, const PointClass&) noexcept = default;
  /// Whether a plot has to show every one.
  [[nodiscard]] bool is_anomaly() const noexcept;
};

/// `sender`: its side.
[[nodiscard]] PointClass class_of(const PacketRecord& record, std::uint8_t sender);

/// Keeps every packet until there are too many. Then it keeps those that are anomalies, up to as many again, and of the others those
/// with the lowest and the highest PSN of each kind in each of some equal columns of time.
class PacketPoints {
 public:
  struct Limits {
    std::size_t points = 0;
    std::size_t columns = 0;
  };

  /// From `first` to `last`, nanoseconds since 1970.
  PacketPoints(std::int64_t first, std::int64_t last, Limits limits);

  /// In the order of the capture. `psn`: of a PsnLine. `span`: PSNs that it takes.
  void add(const PacketRecord& record, const PointClass& point_class, std::int64_t psn, std::uint32_t span);
  /// The members `classes`, `points`, `spans`, `notes` and `thinned`; times since `start`.
  void write(std::int64_t start, JsonWriter& json) const;
  /// Whether all packets are there.
  [[nodiscard]] bool is_complete() const noexcept { return !thinned_; }

 private:
  struct Point {
    std::int64_t time = 0;
    std::int64_t psn = 0;
    std::uint64_t frame = 0;
    std::uint32_t span = 1;
    std::uint32_t point_class = 0;
  };
  /// What is known of few points only.
  struct Note {
    std::uint64_t frame = 0;
    Verdict verdict;
    std::optional<std::uint8_t> nak_code;
    std::optional<std::uint8_t> rnr_timer;
  };
  struct Extremes {
    std::optional<Point> lowest;
    std::optional<Point> highest;
  };
  using Group = std::pair<PointClass::What, std::uint8_t>;  // and the sender

  std::uint32_t number_of(const PointClass& point_class);
  void add_note(const PacketRecord& record);
  void put(const Point& point);
  void thin();
  [[nodiscard]] std::vector<Point> all() const;
  void write_classes(JsonWriter& json) const;
  void write_notes(const std::vector<Point>& points, JsonWriter& json) const;

  std::int64_t first_;
  std::int64_t width_;
  Limits limits_;
  std::vector<PointClass> classes_;
  std::map<PointClass, std::uint32_t> numbers_;
  std::vector<Point> points_;  // all, or anomalies
  std::map<Group, std::vector<Extremes>> columns_;
  std::vector<Note> notes_;
  std::uint64_t packets_ = 0;
  std::uint64_t anomalies_left_out_ = 0;
  bool thinned_ = false;
};

/// An array of the differences of `numbers`, the first of which is absolute.
template <class Rows, class Number>
void write_differences(std::string_view key, const Rows& rows, Number number, JsonWriter& json) {
  std::int64_t before = 0;
  json.open_array(key);
  for (const auto& row : rows) {
    const auto now = static_cast<std::int64_t>(number(row));
    // Modulo 2^64: hostile times may lie further apart than 63 bits of nanoseconds.
    json.number({}, static_cast<std::int64_t>(static_cast<std::uint64_t>(now) - static_cast<std::uint64_t>(before)));
    before = now;
  }
  json.close_array();
}

/// An array of numbers.
template <class Rows, class Number>
void write_numbers(std::string_view key, const Rows& rows, Number number, JsonWriter& json) {
  json.open_array(key);
  for (const auto& row : rows) json.number({}, number(row));
  json.close_array();
}

}  // namespace rocescope::render
