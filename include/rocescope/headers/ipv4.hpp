// IPv4 and its options.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

// Internet Protocol version 4, RFC 791 3.1; the second byte as RFC 2474 and 3168 have it.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Ver  |  IHL  |    DSCP   |ECN|          Total length         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |         Identification        |R|D|M|     Fragment offset     |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Time to live |    Protocol   |        Header checksum        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                         Source address                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                      Destination address                      |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// R: reserved. D: do not fragment. M: more fragments. Options follow up to four times IHL bytes.

struct Ipv4 : HeaderView<Ipv4> {
  static constexpr HeaderKind kKind = HeaderKind::kIpv4;
  static constexpr std::string_view kName = "ip";
  static constexpr std::string_view kTitle = "Internet Protocol version 4";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 20;
  static constexpr Field kFields[] = {
      field::number("ip.version", "Version", 0, 4),
      field::number("ip.hdr_len", "Header length", 4, 4).times(4),
      field::hex("ip.dsfield", "Differentiated services field", 8, 8),
      field::number("ip.dsfield.dscp", "Differentiated services code point", 8, 6).part().named(kDscpNames),
      field::number("ip.dsfield.ecn", "Explicit congestion notification", 14, 2).part().named(kEcnNames),
      field::number("ip.len", "Total length", 16, 16),
      field::hex("ip.id", "Identification", 32, 16),
      field::hex("ip.flags", "Flags", 48, 3).digits(2),
      field::flag("ip.flags.rb", "Reserved bit", 48).part(),
      field::flag("ip.flags.df", "Don't fragment", 49).part(),
      field::flag("ip.flags.mf", "More fragments", 50).part(),
      field::number("ip.frag_offset", "Fragment offset in 8 bytes", 51, 13),
      field::number("ip.ttl", "Time to live", 64, 8),
      field::number("ip.proto", "Protocol", 72, 8).named(kIpProtocolNames),
      field::hex("ip.checksum", "Header checksum", 80, 16),
      field::ipv4("ip.src", "Source address", 96).also("ip.addr"),
      field::ipv4("ip.dst", "Destination address", 128).also("ip.addr"),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return get<"ip.version">(); }
  [[nodiscard]] constexpr std::uint8_t header_words() const noexcept { return get<"ip.hdr_len">(); }
  [[nodiscard]] constexpr std::uint8_t traffic_class() const noexcept { return get<"ip.dsfield">(); }
  [[nodiscard]] constexpr std::uint16_t total_length() const noexcept { return get<"ip.len">(); }
  [[nodiscard]] constexpr std::uint16_t identification() const noexcept { return get<"ip.id">(); }
  [[nodiscard]] constexpr bool more_fragments() const noexcept { return get<"ip.flags.mf">(); }
  [[nodiscard]] constexpr std::uint16_t fragment_offset_words() const noexcept { return get<"ip.frag_offset">(); }
  [[nodiscard]] constexpr std::uint8_t protocol() const noexcept { return get<"ip.proto">(); }
  [[nodiscard]] constexpr auto source() const noexcept { return get<"ip.src">(); }
  [[nodiscard]] constexpr auto destination() const noexcept { return get<"ip.dst">(); }
};

// Options of IPv4, RFC 791 3.1: after the header, up to 40 bytes. Each option is a header of its own here; those that
// hold a list are followed by its entries.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |C| K |  Number |     Length    |              Data             /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// C: copied into every fragment. K: class, 0 control, 2 measurement. The numbers 0 (end) and 1 (no operation) have
// neither length nor data.

namespace ip_option {
inline constexpr std::uint8_t kEnd = 0;
inline constexpr std::uint8_t kNoOperation = 1;
inline constexpr std::uint8_t kRecordRoute = 7;
inline constexpr std::uint8_t kMtuProbe = 11;
inline constexpr std::uint8_t kMtuReply = 12;
inline constexpr std::uint8_t kTimestamp = 68;
inline constexpr std::uint8_t kLooseSourceRoute = 131;
inline constexpr std::uint8_t kStreamId = 136;
inline constexpr std::uint8_t kStrictSourceRoute = 137;
inline constexpr std::uint8_t kRouterAlert = 148;
}  // namespace ip_option

/// The options whose type Wireshark shows (IANA IP option numbers).
inline constexpr ValueName kIpOptionNames[] = {{0, 0, "end of options"},        {1, 1, "no operation"},
                                               {7, 7, "record route"},          {11, 11, "MTU probe"},
                                               {12, 12, "MTU reply"},           {25, 25, "quick start"},
                                               {68, 68, "time stamp"},          {82, 82, "traceroute"},
                                               {130, 130, "security"},          {131, 131, "loose source route"},
                                               {133, 133, "extended security"}, {134, 134, "commercial security"},
                                               {136, 136, "stream ID"},         {137, 137, "strict source route"},
                                               {148, 148, "router alert"}};
inline constexpr ValueName kIpTimestampNames[] = {
    {0, 0, "time stamps"}, {1, 1, "addresses and time stamps"}, {3, 3, "time stamps of given addresses"}};

/// End of options, no operation: one byte. A run of them is one layer.
struct IpOptionByte : HeaderView<IpOptionByte> {
  static constexpr HeaderKind kKind = HeaderKind::kIpOptionByte;
  static constexpr std::string_view kName = "ip.opt";
  static constexpr std::string_view kTitle = "IPv4 option";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 1;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("ip.opt.type", "Type", 0, 8).named(kIpOptionNames),
      field::flag("ip.opt.type.copy", "Copy on fragmentation", 0).part(),
      field::number("ip.opt.type.class", "Class", 1, 2).part(),
      field::number("ip.opt.type.number", "Number", 3, 5).part(),
  };
  using HeaderView::HeaderView;
};

/// Any option without a header of its own here.
struct IpOption : HeaderView<IpOption> {
  static constexpr HeaderKind kKind = HeaderKind::kIpOption;
  static constexpr std::string_view kName = "ip.opt";
  static constexpr std::string_view kTitle = "IPv4 option";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr bool is_known(const std::uint8_t* header) { return !name_of(kIpOptionNames, header[0]).empty(); }
  static constexpr bool is_unknown(const std::uint8_t* header) { return !is_known(header); }
  static constexpr Field kFields[] = {
      field::number("ip.opt.type", "Type", 0, 8).named(kIpOptionNames).when(is_known),
      field::flag("ip.opt.type.copy", "Copy on fragmentation", 0).part().when(is_known),
      field::number("ip.opt.type.class", "Class", 1, 2).part().when(is_known),
      field::number("ip.opt.type.number", "Number", 3, 5).part().when(is_known),
      field::number("rocescope.ip.opt.type", "Type", 0, 8).when(is_unknown),
      field::number("ip.opt.len", "Length", 8, 8).when(is_known),
      field::number("rocescope.ip.opt.len", "Length", 8, 8).when(is_unknown),
      field::bytes("rocescope.ip.opt.data", "Data", 16),
  };
  using HeaderView::HeaderView;
};

/// Options that hold one number of 16 bits: router alert (RFC 2113), stream ID (RFC 791), MTU probe and reply (RFC
/// 1063).
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |C| K |  Number |     Length    |             Value             |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct IpOptionWord : HeaderView<IpOptionWord> {
  static constexpr HeaderKind kKind = HeaderKind::kIpOptionWord;
  static constexpr std::string_view kName = "ip.opt";
  static constexpr std::string_view kTitle = "IPv4 option";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr bool is_router_alert(const std::uint8_t* header) { return header[0] == ip_option::kRouterAlert; }
  static constexpr bool is_stream_id(const std::uint8_t* header) { return header[0] == ip_option::kStreamId; }
  static constexpr bool is_mtu(const std::uint8_t* header) { return !is_router_alert(header) && !is_stream_id(header); }
  static constexpr Field kFields[] = {
      field::number("ip.opt.type", "Type", 0, 8).named(kIpOptionNames),
      field::flag("ip.opt.type.copy", "Copy on fragmentation", 0).part(),
      field::number("ip.opt.type.class", "Class", 1, 2).part(),
      field::number("ip.opt.type.number", "Number", 3, 5).part(),
      field::number("ip.opt.len", "Length", 8, 8),
      field::number("ip.opt.ra", "Router alert", 16, 16).when(is_router_alert),
      field::number("ip.opt.sid", "Stream ID", 16, 16).when(is_stream_id),
      field::number("ip.opt.mtu", "MTU", 16, 16).when(is_mtu),
  };
  using HeaderView::HeaderView;
};

/// Record route and source routes: addresses follow, used ones before the pointer. It counts bytes of the option from
/// 1.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |C| K |  Number |     Length    |    Pointer    |   Addresses   /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct IpOptionRoute : HeaderView<IpOptionRoute> {
  static constexpr HeaderKind kKind = HeaderKind::kIpOptionRoute;
  static constexpr std::string_view kName = "ip.opt";
  static constexpr std::string_view kTitle = "IPv4 route option";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 3;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("ip.opt.type", "Type", 0, 8).named(kIpOptionNames),
      field::flag("ip.opt.type.copy", "Copy on fragmentation", 0).part(),
      field::number("ip.opt.type.class", "Class", 1, 2).part(),
      field::number("ip.opt.type.number", "Number", 3, 5).part(),
      field::number("ip.opt.len", "Length", 8, 8),
      field::number("ip.opt.ptr", "Pointer", 16, 8),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint8_t type() const noexcept { return get<"ip.opt.type">(); }
  [[nodiscard]] constexpr std::uint8_t pointer() const noexcept { return get<"ip.opt.ptr">(); }
};

/// An address that the packet has passed.
struct IpRecordedRoute : HeaderView<IpRecordedRoute> {
  static constexpr HeaderKind kKind = HeaderKind::kIpRecordedRoute;
  static constexpr std::string_view kName = "ip.rec_rt";
  static constexpr std::string_view kTitle = "Recorded route";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::ipv4("ip.rec_rt", "Recorded route", 0),
  };
  using HeaderView::HeaderView;
};

/// Room for an address in a record route.
struct IpEmptyRoute : HeaderView<IpEmptyRoute> {
  static constexpr HeaderKind kKind = HeaderKind::kIpEmptyRoute;
  static constexpr std::string_view kName = "ip.empty_rt";
  static constexpr std::string_view kTitle = "Empty route";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::ipv4("ip.empty_rt", "Empty route", 0),
  };
  using HeaderView::HeaderView;
};

/// An address that the packet has yet to pass.
struct IpSourceRoute : HeaderView<IpSourceRoute> {
  static constexpr HeaderKind kKind = HeaderKind::kIpSourceRoute;
  static constexpr std::string_view kName = "ip.src_rt";
  static constexpr std::string_view kTitle = "Source route";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::ipv4("ip.src_rt", "Source route", 0),
  };
  using HeaderView::HeaderView;
};

/// Time stamps follow, each after an address if the flag says so.
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |C| K |  Number |     Length    |    Pointer    |  Ovf  |  Flag |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                            Entries                            /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
struct IpOptionTimestamp : HeaderView<IpOptionTimestamp> {
  static constexpr HeaderKind kKind = HeaderKind::kIpOptionTimestamp;
  static constexpr std::string_view kName = "ip.opt";
  static constexpr std::string_view kTitle = "IPv4 time stamp option";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("ip.opt.type", "Type", 0, 8).named(kIpOptionNames),
      field::flag("ip.opt.type.copy", "Copy on fragmentation", 0).part(),
      field::number("ip.opt.type.class", "Class", 1, 2).part(),
      field::number("ip.opt.type.number", "Number", 3, 5).part(),
      field::number("ip.opt.len", "Length", 8, 8),
      field::number("ip.opt.ptr", "Pointer", 16, 8),
      field::number("ip.opt.overflow", "Overflow", 24, 4),
      field::hex("ip.opt.flag", "Flag", 28, 4).digits(2).named(kIpTimestampNames),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr bool has_addresses() const noexcept { return get<"ip.opt.flag">() != 0; }
};

/// Milliseconds since midnight UTC.
struct IpTimestamp : HeaderView<IpTimestamp> {
  static constexpr HeaderKind kKind = HeaderKind::kIpTimestamp;
  static constexpr std::string_view kName = "ip.opt.time_stamp";
  static constexpr std::string_view kTitle = "Time stamp";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("ip.opt.time_stamp", "Time stamp", 0, 32),
  };
  using HeaderView::HeaderView;
};

struct IpAddressTimestamp : HeaderView<IpAddressTimestamp> {
  static constexpr HeaderKind kKind = HeaderKind::kIpAddressTimestamp;
  static constexpr std::string_view kName = "ip.opt.time_stamp";
  static constexpr std::string_view kTitle = "Time stamp of an address";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 8;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::ipv4("ip.opt.time_stamp_addr", "Address", 0),
      field::number("ip.opt.time_stamp", "Time stamp", 32, 32),
  };
  using HeaderView::HeaderView;
};

/// What follows the end of options, or is too short for an entry.
struct IpOptionPadding : HeaderView<IpOptionPadding> {
  static constexpr HeaderKind kKind = HeaderKind::kIpOptionPadding;
  static constexpr std::string_view kName = "rocescope.ip.opt.padding";
  static constexpr std::string_view kTitle = "IPv4 option padding";
  static constexpr std::string_view kReference = "RFC 791";
  static constexpr std::size_t kSize = 0;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("rocescope.ip.opt.padding", "Padding", 0),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
