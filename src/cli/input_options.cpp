// Parses the options about input.
#include "cli/input_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace rocescope::cli {
namespace {

std::optional<Error> read_files(const Arguments& arguments, std::string_view command, InputOptions& input) {
  input.files = arguments.values(kRead);
  input.files.insert(input.files.end(), arguments.operands().begin(), arguments.operands().end());
  if (input.files.empty()) {
    return Error{fmt::format("no capture file given. Usage: rocescope {} FILE, or - for standard input", command)};
  }
  if (std::count(input.files.begin(), input.files.end(), "-") > 1) {
    return Error{"standard input (-) can be read only once"};
  }
  return std::nullopt;
}

std::optional<Error> read_moment(const Arguments& arguments, const Option& option, std::optional<Moment>& moment) {
  const GivenOption* given = arguments.last(option);
  if (given == nullptr) return std::nullopt;
  moment = parse_moment(given->value);
  if (!moment) return wrong_value(*given, "a time such as 2026-11-20T18:30:05.25Z, 1763665000.25 or +3.4");
  return std::nullopt;
}

/// `0x8949:8`
std::optional<Error> read_gre_skips(const Arguments& arguments, DissectOptions& dissect) {
  for (const GivenOption* given : arguments.all(kGreSkip)) {
    if (dissect.gre_skip_count == dissect.gre_skips.size()) {
      return Error{fmt::format("option '{}' can be given {} times at most", given->typed, dissect.gre_skips.size())};
    }
    const std::string_view value = given->value;
    const std::size_t colon = std::min(value.find(':'), value.size());
    const std::optional<std::uint64_t> protocol = parse_number(value.substr(0, colon), 0xFFFF);
    const std::optional<std::uint64_t> bytes = parse_number(value.substr(std::min(colon + 1, value.size())), 0xFFFF);
    if (!protocol || !bytes) return wrong_value(*given, "a GRE protocol and a number of bytes such as 0x8949:8");
    dissect.gre_skips[dissect.gre_skip_count++] = {static_cast<std::uint16_t>(*protocol),
                                                   static_cast<std::uint16_t>(*bytes)};
  }
  return std::nullopt;
}

/// By the names that --decode-as takes.
constexpr std::pair<std::string_view, UpperProtocol> kDecoded[] = {{"nvme", UpperProtocol::kNvme},
                                                                   {"nfs", UpperProtocol::kNfs},
                                                                   {"iser", UpperProtocol::kIser},
                                                                   {"srp", UpperProtocol::kSrp},
                                                                   {"smb", UpperProtocol::kSmbDirect},
                                                                   {"rtrs", UpperProtocol::kRtrs},
                                                                   {"rds", UpperProtocol::kRds},
                                                                   {"rsockets", UpperProtocol::kRsockets},
                                                                   {"smc", UpperProtocol::kSmcR},
                                                                   {"lustre", UpperProtocol::kLustre},
                                                                   {"9p", UpperProtocol::kNineP},
                                                                   {"gluster", UpperProtocol::kGluster},
                                                                   {"ucx", UpperProtocol::kUcx},
                                                                   {"nccl", UpperProtocol::kNccl},
                                                                   {"libfabric", UpperProtocol::kLibfabric},
                                                                   {"perftest", UpperProtocol::kPerftest},
                                                                   {"pingpong", UpperProtocol::kPingpong},
                                                                   {"rping", UpperProtocol::kRping},
                                                                   {"ucmatose", UpperProtocol::kUcmatose},
                                                                   {"none", UpperProtocol::kUnknown}};

/// `connection=3:nvme`
std::optional<Error> read_decode_as(const Arguments& arguments, std::vector<DecodeAs>& decode_as) {
  for (const GivenOption* given : arguments.all(kDecodeAs)) {
    const std::string_view value = given->value;
    const std::size_t equals = value.find('=');
    const std::size_t colon = value.find(':', equals == std::string_view::npos ? value.size() : equals);
    const auto wrong = [&] {
      std::string names;
      for (const auto& [name, protocol] : kDecoded) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
      return wrong_value(
          *given, fmt::format("what and which protocol ({}), such as connection=3:nvme or port=4420:none", names));
    };
    if (equals == std::string_view::npos || colon == std::string_view::npos) return wrong();
    const std::string_view what = value.substr(0, equals);
    const std::string_view protocol = value.substr(colon + 1);
    const bool is_port = what == "port";
    const std::optional<std::uint64_t> number =
        parse_number(value.substr(equals + 1, colon - equals - 1), is_port ? 0xFFFF : 0xFFFFFFFF);
    if ((!is_port && what != "connection") || !number || *number == 0) return wrong();
    const auto* const decoded = std::ranges::find(kDecoded, protocol, [](const auto& each) { return each.first; });
    if (decoded == std::ranges::end(kDecoded)) return wrong();
    DecodeAs each{.protocol = decoded->second};
    if (is_port) each.port = static_cast<std::uint16_t>(*number);
    if (!is_port) each.connection = static_cast<std::uint32_t>(*number);
    decode_as.push_back(each);
  }
  return std::nullopt;
}

std::optional<Error> read_narrowing(const Arguments& arguments, Narrowing& narrowing) {
  if (std::optional<Error> error = read_moment(arguments, kFrom, narrowing.from)) return error;
  if (std::optional<Error> error = read_moment(arguments, kTo, narrowing.to)) return error;
  const bool comparable = narrowing.from && narrowing.to && narrowing.from->since_start == narrowing.to->since_start;
  if (comparable && narrowing.from->time > narrowing.to->time) {
    return Error{"no packet can be between --from and --to: --from is the later one"};
  }
  for (const GivenOption* given : arguments.all(kHost)) {
    const std::optional<AddressPrefix> host = parse_address(given->value);
    if (!host) return wrong_value(*given, "an IP address or a prefix such as 10.0.0.0/24");
    narrowing.hosts.push_back(*host);
  }
  for (const GivenOption* given : arguments.all(kQpn)) {
    const std::optional<std::uint64_t> number = parse_number(given->value, 0xFFFFFF);
    if (!number) return wrong_value(*given, "a queue pair number from 0 to 0xffffff");
    narrowing.queue_pairs.emplace_back(static_cast<std::uint32_t>(*number));
  }
  for (const GivenOption* given : arguments.all(kConnection)) {
    const std::optional<std::uint64_t> number = parse_number(given->value, 0xFFFFFFFF);
    if (!number || *number == 0) return wrong_value(*given, "a connection's number, from 1 up");
    narrowing.connections.push_back(static_cast<std::uint32_t>(*number));
  }
  for (const GivenOption* given : arguments.all(kMessage)) {
    const std::optional<std::uint64_t> number = parse_number(given->value, std::numeric_limits<std::uint64_t>::max());
    if (!number || *number == 0) return wrong_value(*given, "a message's number, from 1 up");
    narrowing.messages.push_back(*number);
  }
  for (const GivenOption* given : arguments.all(kCapturePoint)) {
    const std::optional<std::uint64_t> number = parse_number(given->value, 0xFF);
    if (!number || *number == 0) return wrong_value(*given, "a capture point's number, from 1 up");
    narrowing.points.push_back(static_cast<std::uint8_t>(*number));
  }
  return std::nullopt;
}

}  // namespace

RecordParts InputOptions::parts_to_choose() const noexcept {
  const bool by_verdict = !narrowing.connections.empty() || !narrowing.messages.empty();
  return (filter ? filter->parts() : RecordParts{}) | (by_verdict ? kVerdictPart : RecordParts{});
}

Selection InputOptions::selection() const {
  if (!filter && narrowing.empty()) return {};
  return {.admits =
              [this](const PacketRecord& record) {
                return narrowing.admits(record) && (!filter || filter->matches(record));
              },
          .needs = parts_to_choose(),
          .admits_expected = !filter || filter->may_pass_expected()};
}

InputOptions InputOptions::whole() const {
  return {.files = files,
          .count = count,
          .dissect = dissect,
          .decode_as = decode_as,
          .ahead = ReadingAhead::kInOwnThread,
          .purpose = Purpose::kReport};
}

Result<InputOptions> input_options(const Arguments& arguments, std::string_view command) {
  InputOptions files;
  if (std::optional<Error> error = read_files(arguments, command, files)) return *std::move(error);
  Result<InputOptions> input = input_options_without_files(arguments);
  if (input) input->files = std::move(files.files);
  return input;
}

Result<InputOptions> input_options_without_files(const Arguments& arguments) {
  InputOptions input;
  if (const GivenOption* given = arguments.last(kCount)) {
    const std::optional<std::uint64_t> count = parse_number(given->value, std::numeric_limits<std::uint64_t>::max());
    if (!count || *count == 0) return wrong_value(*given, "a whole number from 1 up");
    input.count = *count;
  }
  input.dissect.reliable_datagram = arguments.has(kReliableDatagram);
  if (std::optional<Error> error = read_gre_skips(arguments, input.dissect)) return *std::move(error);
  if (std::optional<Error> error = read_decode_as(arguments, input.decode_as)) return *std::move(error);
  if (std::optional<Error> error = read_narrowing(arguments, input.narrowing)) return *std::move(error);
  if (const GivenOption* given = arguments.last(kDisplayFilter)) {
    Result<filter::Filter> filter = filter::compile(given->value);
    if (!filter) return Error{fmt::format("{}: {}", given->typed, filter.error().message)};
    input.filter = std::move(*filter);
  }
  return input;
}

}  // namespace rocescope::cli
