// A trace for Perfetto: packets of its protobuf form (https://perfetto.dev/docs/reference/trace-packet-proto).
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "render/trace/protobuf.hpp"
#include "schema/column.hpp"

namespace rocescope::render {

/// The arguments of an event.
class Annotations {
 public:
  explicit Annotations(ProtobufWriter& event) : event_(event) {}

  void add(std::string_view name, std::unsigned_integral auto value) { add_number(name, value); }
  void add(std::string_view name, std::string_view value);
  /// Every column that CSV has and that is one value or a list of numbers, without those that are absent.
  void add(const schema::Table& table, const void* row);

 private:
  friend struct AnnotateValue;
  void add_number(std::string_view name, std::uint64_t value);
  void add_signed(std::string_view name, std::int64_t value);
  void add_bool(std::string_view name, bool value);

  ProtobufWriter& event_;
};

/// Identifies a track of a trace.
enum class TrackId : std::uint64_t { kNone = 0 };

/// Writes a trace piece by piece. Times are nanoseconds since 1970, and so are those of the trace. Events of one track come in the order
/// of time; otherwise their order does not matter.
class TraceWriter {
 public:
  using Sink = std::function<void(std::string_view piece)>;
  using Annotate = std::function<void(Annotations&)>;

  /// What a counter counts, numbered as Perfetto does.
  enum class Unit : std::uint8_t { kNone = 0, kCount = 2, kBytes = 3 };

  /// `time`: some time of the trace.
  TraceWriter(Sink sink, std::int64_t time);
  ~TraceWriter() { flush(); }
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  // Tracks, each before its first event. Tracks of one parent with the same name are shown as one.
  [[nodiscard]] TrackId process(std::string_view name);
  [[nodiscard]] TrackId track(TrackId parent, std::string_view name);
  [[nodiscard]] TrackId counter(TrackId parent, std::string_view name, Unit unit);

  /// Spans of one track must not overlap.
  void span(TrackId track, std::int64_t begin, std::int64_t end, std::string_view category, std::string_view name,
            const Annotate& annotate);
  void instant(TrackId track, std::int64_t time, std::string_view category, std::string_view name,
               const Annotate& annotate);
  /// From `time` on the counter has this value.
  void count(TrackId counter, std::int64_t time, std::uint64_t value);
  void count(TrackId counter, std::int64_t time, double value);

 private:
  using Fields = std::function<void(ProtobufWriter&)>;

  [[nodiscard]] TrackId describe(TrackId parent, std::string_view name, const Fields& more);
  void packet(const Fields& fields);
  void event(TrackId track, std::int64_t time, std::uint64_t type, const Fields& more);
  void flush();

  Sink sink_;
  std::string out_;
  std::uint64_t tracks_ = 0;
  std::uint32_t processes_ = 0;
};

}  // namespace rocescope::render
