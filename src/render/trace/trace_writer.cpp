#include "render/trace/trace_writer.hpp"

#include <utility>
#include <variant>

#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

// Numbers of fields, by message.
namespace trace {
constexpr unsigned kPacket = 1;
}
namespace trace_packet {
constexpr unsigned kClockSnapshot = 6, kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kSequenceFlags = 13,
                   kTimestampClock = 58, kTrackDescriptor = 60;
}
namespace clock_snapshot {
constexpr unsigned kClocks = 1, kPrimaryTraceClock = 2;
constexpr unsigned kClockId = 1, kTimestamp = 2;  // of a clock
}  // namespace clock_snapshot
namespace track_descriptor {
constexpr unsigned kUuid = 1, kName = 2, kProcess = 3, kParentUuid = 5, kCounter = 8;
}
namespace process_descriptor {
constexpr unsigned kPid = 1, kProcessName = 6;
}
namespace counter_descriptor {
constexpr unsigned kUnit = 3;
}
namespace track_event {
constexpr unsigned kDebugAnnotations = 4, kType = 9, kTrackUuid = 11, kCategories = 22, kName = 23, kCounterValue = 30,
                   kDoubleCounterValue = 44;
constexpr std::uint64_t kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4;  // types
}  // namespace track_event
namespace debug_annotation {
constexpr unsigned kBool = 2, kUint = 3, kInt = 4, kString = 6, kName = 10;
}

/// Clocks. Trace processors count in the boot time where they do not know the primary clock: here both are the same.
constexpr std::uint64_t kRealTime = 1, kBootTime = 6;
constexpr std::uint64_t kSequenceId = 1;
constexpr std::uint64_t kStateCleared = 1;  ///< a flag of the first packet of a sequence
/// Track IDs and process IDs must not be those of a trace that is shown beside this one. Linux gives process IDs below 2^22.
constexpr std::uint64_t kFirstTrack = 0x726F'6365'0000'0000;
constexpr std::uint64_t kFirstProcess = 1'000'000'000;

std::uint64_t number_of(TrackId track) { return static_cast<std::uint64_t>(track); }

}  // namespace

/// Adds a value as documents have it.
struct AnnotateValue {
  Annotations& annotations;
  std::string_view name;
  schema::Type type;

  void operator()(std::monostate) const {}
  void operator()(bool value) const { annotations.add_bool(name, value); }
  void operator()(std::int64_t value) const { annotations.add_signed(name, value); }
  void operator()(std::uint64_t value) const {
    if (type != schema::Type::kId) return annotations.add_number(name, value);
    std::string text = "0x";
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(value >> shift) & 15U];
    annotations.add(name, text);
  }
  void operator()(std::string_view value) const { annotations.add(name, value); }
  void operator()(const IpAddress& value) const { annotations.add(name, to_text(value)); }
  template <class Octets>
  void operator()(const Octets& value) const {
    std::string text;
    append_hex(value, text);
    annotations.add(name, text);
  }
};

void Annotations::add(std::string_view name, std::string_view value) {
  event_.message(track_event::kDebugAnnotations, [&](ProtobufWriter& annotation) {
    annotation.text(debug_annotation::kName, name);
    annotation.text(debug_annotation::kString, value);
  });
}

void Annotations::add_number(std::string_view name, std::uint64_t value) {
  event_.message(track_event::kDebugAnnotations, [&](ProtobufWriter& annotation) {
    annotation.text(debug_annotation::kName, name);
    annotation.number(debug_annotation::kUint, value);
  });
}

void Annotations::add_signed(std::string_view name, std::int64_t value) {
  event_.message(track_event::kDebugAnnotations, [&](ProtobufWriter& annotation) {
    annotation.text(debug_annotation::kName, name);
    annotation.number(debug_annotation::kInt, static_cast<std::uint64_t>(value));
  });
}

void Annotations::add_bool(std::string_view name, bool value) {
  event_.message(track_event::kDebugAnnotations, [&](ProtobufWriter& annotation) {
    annotation.text(debug_annotation::kName, name);
    annotation.number(debug_annotation::kBool, value ? 1 : 0);
  });
}

void Annotations::add(const schema::Table& table, const void* row) {
  for (const schema::Column& column : table.columns) {
    if (!column.in_csv) continue;
    if (column.type == schema::Type::kList) {
      std::string numbers;
      auto append = [&](const void* part) {
        if (!numbers.empty()) numbers += ' ';
        numbers += std::to_string(static_cast<const schema::Value*>(part)->number());
      };
      column.each(row, schema::Visitor(append));
      if (!numbers.empty()) add(column.name, numbers);
    } else if (is_single(column.type)) {
      schema::Value value;
      read(column, row, value);
      std::visit(AnnotateValue{*this, column.name, column.type}, value.content());
    }
  }
}

TraceWriter::TraceWriter(Sink sink, std::int64_t time) : sink_(std::move(sink)) {
  packet([&](ProtobufWriter& fields) {
    fields.number(trace_packet::kSequenceFlags, kStateCleared);
    fields.message(trace_packet::kClockSnapshot, [&](ProtobufWriter& snapshot) {
      for (const std::uint64_t clock : {kRealTime, kBootTime}) {
        snapshot.message(clock_snapshot::kClocks, [&](ProtobufWriter& reading) {
          reading.number(clock_snapshot::kClockId, clock);
          reading.number(clock_snapshot::kTimestamp, static_cast<std::uint64_t>(time));
        });
      }
      snapshot.number(clock_snapshot::kPrimaryTraceClock, kRealTime);
    });
  });
}

void TraceWriter::packet(const Fields& fields) {
  ProtobufWriter(out_).message(trace::kPacket, [&](ProtobufWriter& packet) {
    packet.number(trace_packet::kSequence, kSequenceId);
    fields(packet);
  });
  constexpr std::size_t kLarge = std::size_t{1} << 18;
  if (out_.size() >= kLarge) flush();
}

void TraceWriter::flush() {
  sink_(out_);
  out_.clear();
}

TrackId TraceWriter::describe(TrackId parent, std::string_view name, const Fields& more) {
  const std::uint64_t uuid = kFirstTrack + ++tracks_;
  packet([&](ProtobufWriter& fields) {
    fields.message(trace_packet::kTrackDescriptor, [&](ProtobufWriter& track) {
      track.number(track_descriptor::kUuid, uuid);
      if (parent != TrackId::kNone) track.number(track_descriptor::kParentUuid, number_of(parent));
      track.text(track_descriptor::kName, name);
      more(track);
    });
  });
  return TrackId{uuid};
}

TrackId TraceWriter::process(std::string_view name) {
  return describe(TrackId::kNone, name, [&](ProtobufWriter& track) {
    track.message(track_descriptor::kProcess, [&](ProtobufWriter& process) {
      process.number(process_descriptor::kPid, kFirstProcess + ++processes_);
      process.text(process_descriptor::kProcessName, name);
    });
  });
}

TrackId TraceWriter::track(TrackId parent, std::string_view name) {
  return describe(parent, name, [](ProtobufWriter&) {});
}

TrackId TraceWriter::counter(TrackId parent, std::string_view name, Unit unit) {
  return describe(parent, name, [&](ProtobufWriter& track) {
    track.message(track_descriptor::kCounter, [&](ProtobufWriter& counter) {
      counter.number(counter_descriptor::kUnit, static_cast<std::uint64_t>(unit));
    });
  });
}

void TraceWriter::event(TrackId track, std::int64_t time, std::uint64_t type, const Fields& more) {
  packet([&](ProtobufWriter& fields) {
    fields.number(trace_packet::kTimestamp, static_cast<std::uint64_t>(time));
    fields.number(trace_packet::kTimestampClock, kRealTime);
    fields.message(trace_packet::kTrackEvent, [&](ProtobufWriter& event) {
      event.number(track_event::kType, type);
      event.number(track_event::kTrackUuid, number_of(track));
      more(event);
    });
  });
}

void TraceWriter::span(TrackId track, std::int64_t begin, std::int64_t end, std::string_view category,
                       std::string_view name, const Annotate& annotate) {
  event(track, begin, track_event::kSliceBegin, [&](ProtobufWriter& event) {
    event.text(track_event::kCategories, category);
    event.text(track_event::kName, name);
    Annotations annotations(event);
    annotate(annotations);
  });
  event(track, end, track_event::kSliceEnd, [](ProtobufWriter&) {});
}

void TraceWriter::instant(TrackId track, std::int64_t time, std::string_view category, std::string_view name,
                          const Annotate& annotate) {
  event(track, time, track_event::kInstant, [&](ProtobufWriter& event) {
    event.text(track_event::kCategories, category);
    event.text(track_event::kName, name);
    Annotations annotations(event);
    annotate(annotations);
  });
}

void TraceWriter::count(TrackId counter, std::int64_t time, std::uint64_t value) {
  event(counter, time, track_event::kCounter,
        [&](ProtobufWriter& event) { event.number(track_event::kCounterValue, value); });
}

void TraceWriter::count(TrackId counter, std::int64_t time, double value) {
  event(counter, time, track_event::kCounter,
        [&](ProtobufWriter& event) { event.real(track_event::kDoubleCounterValue, value); });
}

}  // namespace rocescope::render
