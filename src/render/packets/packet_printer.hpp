// The forms in which `dissect` and `live` show packets: one line, tree, and the data formats of -T.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rocescope/record.hpp"
#include "rocescope/result.hpp"

namespace rocescope::render {

/// Turns packets into text, one after the other. Everything is appended to `out`, which the caller writes out and clears
/// whenever it likes; printers allocate nothing for a packet beyond what `out` and their own reused buffers grow.
/// Call begin() once, packet() for each packet in order, end() once.
class PacketPrinter {
 public:
  virtual ~PacketPrinter() = default;
  /// Appends the text before the first packet: a header line, an opening bracket.
  virtual void begin(std::string& out);
  virtual void packet(const PacketRecord& record, std::string& out) = 0;
  /// Appends the text after the last packet.
  virtual void end(std::string& out);
  /// The parts of a record that it shows beyond dissection; the caller may leave out the others.
  [[nodiscard]] virtual RecordParts parts() const { return kAllParts; }

 protected:
  PacketPrinter() = default;
  PacketPrinter(const PacketPrinter&) = default;
  PacketPrinter& operator=(const PacketPrinter&) = default;
};

/// How the time column shows a packet's time: tshark's `-t`.
enum class TimeFormat : std::uint8_t {
  kRelative,        ///< `r`: seconds since the first packet
  kAbsolute,        ///< `a`: local time of day
  kAbsoluteDate,    ///< `ad`: local date and time of day
  kDelta,           ///< `d`: seconds since the packet before
  kDeltaDisplayed,  ///< `dd`: seconds since the packet before that was shown
  kEpoch,           ///< `e`: seconds since 1970-01-01 UTC
  kUtc,             ///< `u`: UTC time of day
  kUtcDate,         ///< `ud`: UTC date and time of day
};

/// The format that tshark's `-t` calls `name`, or nothing.
[[nodiscard]] std::optional<TimeFormat> parse_time_format(std::string_view name) noexcept;

/// For people: one line a packet, or the tree.
struct TextOptions {
  TimeFormat time = TimeFormat::kRelative;
  bool color = false;     ///< ANSI colours
  bool hex_dump = false;  ///< `-x`: the frame's bytes after each packet
};

/// `-E` of tshark.
struct FieldsOptions {
  enum class Occurrence : std::uint8_t { kFirst, kLast, kAll };

  bool header = false;           ///< the first line names the fields
  bool byte_order_mark = false;  ///< UTF-8 byte order mark first
  char separator = '\t';         ///< between fields
  char aggregator = ',';         ///< between the values of one field
  char quote = '\0';             ///< around each field that has a value; '\0': nothing
  Occurrence occurrence = Occurrence::kAll;
};

/// Applies one `-E` argument (`separator=/t`, `quote=d`, `header=y`, ...) to `options`; the error names what it accepts.
[[nodiscard]] std::optional<Error> set_fields_option(FieldsOptions& options, std::string_view assignment);

/// One line a packet: number, time, addresses, operation, QP, PSN, length and what matters most.
[[nodiscard]] std::unique_ptr<PacketPrinter> make_line_printer(const TextOptions& options);

/// `-V`: every layer with every field.
[[nodiscard]] std::unique_ptr<PacketPrinter> make_tree_printer(const TextOptions& options);

/// `-T fields`: the values of the fields `names` (`-e`), as tshark prints them; of a header's name (`infiniband.aeth`), the
/// bytes of the header. Text cannot break the lines: line ends, tabs and other control characters are escaped, and a quote
/// character inside quotes is doubled. Fails for an unknown name.
[[nodiscard]] Result<std::unique_ptr<PacketPrinter>> make_fields_printer(std::span<const std::string> names,
                                                                         const FieldsOptions& options);

/// `-T csv`: a line of names, then one line a packet, quoted where RFC 4180 asks for it, lines ended by LF. Values are
/// those of `-T fields`; several of one field stand in one cell with `options.aggregator` between them;
/// `header`, `separator` and `quote` are ignored. No `names`: a choice of columns for RoCE.
[[nodiscard]] Result<std::unique_ptr<PacketPrinter>> make_csv_printer(std::span<const std::string> names,
                                                                      const FieldsOptions& options);

/// How JSON is laid out.
enum class JsonLayout : std::uint8_t {
  kArray,  ///< `-T json`: one array
  kLines,  ///< `-T ndjson`: one object a line
};

/// JSON: one object a packet, with `"type":"packet"`, `"schema":1` and one member for each field that the packet has,
/// named as the field; with `names`, only those. The value of a member follows from the field's type:
///
///   boolean                      true, false
///   number of up to 53 bits      number
///   number of more bits          string, as `-T fields` prints it: "0x00007fb235d09a00", "18446744073709551615"
///   time, duration               number: integer nanoseconds (since 1970-01-01 UTC)
///   IPv4, IPv6, MAC              string
///   bytes                        string of hex digits
///   text                         string; bytes that are not UTF-8 become U+FFFD
///   a header's name in `names`   string of hex digits: the header's bytes
///
/// A field that occurs several times in a packet (tunnels, lists) is an array of its values in wire order; one that
/// occurs once is not. Fields that the packet does not have are absent.
[[nodiscard]] Result<std::unique_ptr<PacketPrinter>> make_json_printer(std::span<const std::string> names,
                                                                       JsonLayout layout);

}  // namespace rocescope::render
