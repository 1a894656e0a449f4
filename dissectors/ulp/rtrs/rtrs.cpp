// Messages of RTRS, and of RNBD in them.
#include "rocescope/headers/rtrs.hpp"

#include <algorithm>
#include <bit>

#include "dissectors/dissectors.hpp"
#include "dissectors/ulp/forms.hpp"
#include "dissectors/ulp/rtrs/rtrs_message.hpp"
#include "rocescope/headers/rnbd.hpp"

namespace rocescope {
namespace {

std::uint16_t rtrs_word(Bytes bytes, std::size_t at) {
  return static_cast<std::uint16_t>(load_little_endian(bytes.data() + at, 2));
}

/// The size of the message at the start; 0: there is none of a request.
std::size_t rtrs_message_size(Bytes message) noexcept {
  if (message.size() < RtrsWrite::kSize) return 0;
  const RtrsType type{rtrs_word(message, 0)};
  if (type == RtrsType::kWrite) return RtrsWrite::kSize;
  if (type != RtrsType::kRead || message.size() < RtrsRead::kSize) return 0;
  return RtrsRead::kSize + std::size_t{rtrs_word(message, 6)} * RtrsDescriptor::kSize;
}

constexpr std::size_t kRnbdIoPadded = 32;  // RnbdIo, as Linux pads it

/// Whether `user` begins with an IO of RNBD, of one of `operations`, the lowest first.
bool is_rnbd_io(Bytes user, std::uint32_t first, std::uint32_t last) noexcept {
  constexpr std::size_t kUpToOperation = 20;
  if (user.size() < kUpToOperation || RnbdType{rtrs_word(user, 0)} != RnbdType::kIo || rtrs_word(user, 2) != 0)
    return false;
  const std::uint64_t operation = load_little_endian(user.data() + 16, 4);
  const std::uint64_t code = operation & 0xFFU;
  return code >= first && code <= last && operation >> 16U == 0;  // few flags
}

/// Descriptors of a read whose header of RNBD, message and descriptors have so many bytes; 0: it is none.
std::size_t rtrs_descriptors_in(std::uint64_t length) noexcept {
  constexpr std::uint64_t kMost = 256;
  constexpr std::uint64_t kBefore = kRnbdIoPadded + RtrsRead::kSize;
  if (length <= kBefore || (length - kBefore) % RtrsDescriptor::kSize != 0) return 0;
  const std::uint64_t count = (length - kBefore) / RtrsDescriptor::kSize;
  return count > kMost ? 0 : static_cast<std::size_t>(count);
}

void read_rnbd(Bytes user, RtrsRequest& request) {
  if (user.size() < RnbdMessage::kSize) return;
  const RnbdType type{rtrs_word(user, 0)};
  request.number = static_cast<std::uint16_t>(0x100 + rtrs_word(user, 0));
  request.operation = name_of(kRnbdTypeNames, rtrs_word(user, 0));
  if (type == RnbdType::kIo && user.size() >= RnbdIo::kSize) {
    const RnbdIo io(user.data());
    request.is_io = true;
    request.number = io.get<"rocescope.rnbd.op">();
    request.operation = name_of(kRnbdOperationNames, request.number);
    request.device = io.get<"rocescope.rnbd.device">();
    request.sector = io.get<"rocescope.rnbd.sector">();
    request.bytes = io.get<"rocescope.rnbd.size">();
  } else if (type == RnbdType::kOpen && user.size() >= RnbdOpen::kSize) {
    const auto path = user.subspan(6, 255);
    const auto end = std::ranges::find(path, 0);
    request.detail.assign(path.begin(), end);
    for (char& each : request.detail) each = each < ' ' || each > '~' ? '?' : each;
  } else if (type == RnbdType::kClose && user.size() >= RnbdClose::kSize) {
    request.device = RnbdClose(user.data()).get<"rocescope.rnbd.device">();
  }
}

}  // namespace

std::optional<std::size_t> rtrs_place_of(Bytes both) noexcept {
  if (both.size() < RtrsWrite::kSize) return std::nullopt;
  const Bytes last = both.last(RtrsWrite::kSize);
  if (RtrsType{rtrs_word(last, 0)} == RtrsType::kWrite && rtrs_word(last, 2) == both.size() - RtrsWrite::kSize)
    return both.size() - RtrsWrite::kSize;
  constexpr std::size_t kMostDescriptors = 256;
  for (std::size_t count = 0; count <= kMostDescriptors; ++count) {
    const std::size_t size = RtrsRead::kSize + count * RtrsDescriptor::kSize;
    if (size > both.size()) break;
    const Bytes message = both.last(size);
    const bool is_it = RtrsType{rtrs_word(message, 0)} == RtrsType::kRead && rtrs_word(message, 6) == count &&
                       rtrs_word(message, 2) == both.size() - size;
    if (is_it) return both.size() - size;
  }
  return std::nullopt;
}

std::optional<RtrsRequest> rtrs_request_of(Bytes end, std::uint64_t length, std::uint64_t place) {
  const std::uint64_t before = length - std::min<std::uint64_t>(length, end.size());  // that are not here
  std::optional<std::size_t> at;                                                      // of the message, in `end`
  if (place + RtrsWrite::kSize == length && place >= before && place - before <= end.size()) {
    at = static_cast<std::size_t>(place - before);
  } else if (before == 0) {
    at = rtrs_place_of(end);
  }
  if (!at) return std::nullopt;
  const Bytes message = end.subspan(*at);
  const std::size_t size = rtrs_message_size(message);
  if (size == 0 || size != message.size()) return std::nullopt;
  RtrsRequest request{
      .user_length = rtrs_word(message, 2), .is_read = size != RtrsWrite::kSize, .detail = {}, .memory = {}};
  if (request.user_length > *at || request.user_length > place) return std::nullopt;
  request.data_length = static_cast<std::uint32_t>(place - request.user_length);
  request.size = static_cast<std::uint32_t>(request.user_length + size);
  read_rnbd(end.subspan(*at - request.user_length, request.user_length), request);
  for (std::size_t each = RtrsRead::kSize; request.is_read && each < size; each += RtrsDescriptor::kSize) {
    const RtrsDescriptor memory(message.data() + each);
    request.memory.push_back({memory.get<"rocescope.rtrs.desc.va">(), memory.get<"rocescope.rtrs.desc.r_key">(),
                              memory.get<"rocescope.rtrs.desc.len">()});
  }
  return request;
}

std::optional<RtrsPlace> rtrs_place_by_form(Bytes payload, std::uint64_t length, std::uint32_t immediate) noexcept {
  constexpr std::size_t kSizeAt = 20;  // in a header of RNBD
  if (RtrsImmediate(immediate >> 28U) != RtrsImmediate::kRequest) return std::nullopt;
  // The place has at least so many bits of the immediate data.
  const auto checked = [&](RtrsPlace place) -> std::optional<RtrsPlace> {
    const auto bits = static_cast<unsigned>(std::bit_width(place.known == RtrsPlace::kAll ? place.place : place.known));
    return bits < 28 && place.fits(immediate, bits) ? std::optional(place) : std::nullopt;
  };
  const std::size_t count = rtrs_descriptors_in(length);
  if (count > 0 && is_rnbd_io(payload, 0, 0) && payload.size() >= kSizeAt + 2) {
    const Bytes message = payload.subspan(std::min(payload.size(), kRnbdIoPadded));
    const bool is_whole =
        message.size() < RtrsRead::kSize || (RtrsType{rtrs_word(message, 0)} == RtrsType::kRead &&
                                             rtrs_word(message, 2) == kRnbdIoPadded && rtrs_word(message, 6) == count);
    if (!is_whole) return std::nullopt;
    const bool has_size = payload.size() >= kSizeAt + 4;
    const std::uint64_t known = has_size ? RtrsPlace::kAll : 0xFFFFU;
    return checked({(load_little_endian(payload.data() + kSizeAt, has_size ? 4 : 2) + kRnbdIoPadded) & known, known});
  }
  constexpr std::size_t kEnd = kRnbdIoPadded + RtrsWrite::kSize;
  if (length < kEnd || payload.size() < kEnd) return std::nullopt;
  const Bytes end = payload.last(kEnd);
  const Bytes message = end.last(RtrsWrite::kSize);
  if (RtrsType{rtrs_word(message, 0)} != RtrsType::kWrite || rtrs_word(message, 2) != kRnbdIoPadded ||
      !is_rnbd_io(end, 1, 5)) {
    return std::nullopt;
  }
  const std::uint64_t data = length - kEnd;
  if (data > 0 && load_little_endian(end.data() + kSizeAt, 4) != data) return std::nullopt;
  return checked({length - RtrsWrite::kSize, RtrsPlace::kAll});
}

std::optional<RtrsRequest> rtrs_read_of_start(Bytes start, std::uint64_t length) {
  if (rtrs_descriptors_in(length) == 0 || !is_rnbd_io(start, 0, 0)) return std::nullopt;
  RtrsRequest request{.is_read = true, .detail = {}, .memory = {}};
  request.is_io = true;
  request.operation = name_of(kRnbdOperationNames, request.number);
  request.device = static_cast<std::uint32_t>(load_little_endian(start.data() + 4, 4));
  request.sector = load_little_endian(start.data() + 8, 8);
  return request;
}

bool has_form_of_rtrs(Bytes payload, std::uint64_t length, std::uint32_t immediate) noexcept {
  return rtrs_place_by_form(payload, length, immediate).has_value();
}

bool has_form_of_rtrs_response(Bytes start, std::uint64_t length, std::uint32_t immediate) noexcept {
  const RtrsImmediate type{static_cast<std::uint8_t>(immediate >> 28U)};
  if (type != RtrsImmediate::kResponse && type != RtrsImmediate::kResponseInvalidates) return false;
  if (length == 0) return true;
  return length == RtrsRKeyResponse::kSize && start.size() >= 4 &&
         RtrsType{rtrs_word(start, 0)} == RtrsType::kRKeyResponse && rtrs_word(start, 2) == (immediate & 0xFFFFU);
}

std::string_view errno_name(std::uint32_t number) noexcept {
  constexpr ValueName kNames[] = {
      {0, 0, "Success"},        {1, 1, "EPERM"},         {2, 2, "ENOENT"},           {5, 5, "EIO"},
      {6, 6, "ENXIO"},          {7, 7, "E2BIG"},         {11, 11, "EAGAIN"},         {12, 12, "ENOMEM"},
      {13, 13, "EACCES"},       {14, 14, "EFAULT"},      {16, 16, "EBUSY"},          {17, 17, "EEXIST"},
      {19, 19, "ENODEV"},       {22, 22, "EINVAL"},      {28, 28, "ENOSPC"},         {30, 30, "EROFS"},
      {61, 61, "ENODATA"},      {84, 84, "EILSEQ"},      {95, 95, "EOPNOTSUPP"},     {103, 103, "ECONNABORTED"},
      {104, 104, "ECONNRESET"}, {110, 110, "ETIMEDOUT"}, {113, 113, "EHOSTUNREACH"}, {121, 121, "EREMOTEIO"}};
  return name_of(kNames, number);
}

namespace dissectors {
namespace {

void take_descriptors(Dissection& d, std::size_t count) noexcept {
  for (; count > 0 && d.rest().size() >= RtrsDescriptor::kSize; --count) {
    if (!d.take_run(RtrsDescriptor::kKind, RtrsDescriptor::kSize)) return;
  }
}

/// The header of RNBD, of `length` bytes.
bool take_rnbd(Dissection& d, std::size_t length) noexcept {
  if (length == 0) return true;
  HeaderKind kind = HeaderKind::kRnbdMessage;
  const RnbdType type{length < RnbdMessage::kSize ? std::uint16_t{0xFFFF} : rtrs_word(d.rest(), 0)};
  if (type == RnbdType::kIo && length >= RnbdIo::kSize) kind = HeaderKind::kRnbdIo;
  if (type == RnbdType::kOpen && length == RnbdOpen::kSize) kind = HeaderKind::kRnbdOpen;
  if (type == RnbdType::kClose && length == RnbdClose::kSize) kind = HeaderKind::kRnbdClose;
  return length >= RnbdMessage::kSize && d.take(kind, length);
}

}  // namespace

void dissect_rtrs_request(Dissection& d) noexcept {
  const auto place = rtrs_place_of(d.rest());
  if (!place || !take_rnbd(d, *place)) return;
  if (RtrsType{rtrs_word(d.rest(), 0)} == RtrsType::kWrite) return (void)d.take<RtrsWrite>();
  if (const auto read = d.take<RtrsRead>()) take_descriptors(d, read->get<"rocescope.rtrs.sg_cnt">());
}

void dissect_rtrs(Dissection& d) noexcept {
  const Bytes message = d.rest();
  if (message.size() < 2) return;
  switch (RtrsType{rtrs_word(message, 0)}) {
    case RtrsType::kInfoRequest:
      return (void)d.take<RtrsInfoRequest>();
    case RtrsType::kInfoResponse:
      if (const auto info = d.take<RtrsInfoResponse>()) take_descriptors(d, info->get<"rocescope.rtrs.sg_cnt">());
      return;
    case RtrsType::kRKeyResponse:
      return (void)d.take<RtrsRKeyResponse>();
    default:
      return;
  }
}

}  // namespace dissectors
}  // namespace rocescope
