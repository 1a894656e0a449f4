// Memory regions, as requests show them.
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

template <auto range, auto end>
std::optional<std::uint64_t> end_of(const MemoryRegion& region) {
  return (region.*range).empty ? std::nullopt : std::optional((region.*range).*end);
}
using Range = AddressRange;

constexpr auto kRegionUseColumns = columns<MemoryRegion>(
    address<&MemoryRegion::responder>("responder", "whose memory it is").titled("responder"),
    number<&MemoryRegion::overlay_id>("overlay_id", "VNI, 0 outside tunnels").not_added(),
    key<&MemoryRegion::r_key>("r_key", "R_Key").titled("R_Key"),
    number<&MemoryRegion::reads>("reads", "READs").messages().sum().titled("READ"),
    number<&MemoryRegion::read_bytes>("read_bytes", "that READs asked for").bytes().sum().titled("bytes read"),
    number<&MemoryRegion::writes>("writes", "WRITEs, ATOMIC WRITEs").messages().sum().titled("WRITE"),
    number<&MemoryRegion::written_bytes>("written_bytes", "that they wrote").bytes().sum().titled("bytes written"),
    number<&MemoryRegion::atomics>("atomics", "CmpSwap and FetchAdd").messages().sum().titled("ATOMIC"),
    number<&MemoryRegion::flushes>("flushes", "FLUSHes").messages().sum().titled("FLUSH"),
    number<&MemoryRegion::refused>("refused", "requests that a NAK ended; counted nowhere else")
        .messages()
        .sum()
        .titled("refused"),
    id<&end_of<&MemoryRegion::touched, &Range::lowest>>("lowest_address", "the first byte touched"),
    id<&end_of<&MemoryRegion::touched, &Range::highest>>("highest_address", "the last byte touched"),
    id<&end_of<&MemoryRegion::refused_range, &Range::lowest>>("refused_lowest_address", "of refused requests"),
    id<&end_of<&MemoryRegion::refused_range, &Range::highest>>("refused_highest_address", "of refused requests"),
    list<&MemoryRegion::users>("connections", Type::kNumber, "numbers of those that used it, 64 at most"),
    boolean<&MemoryRegion::more_users>("more_connections", "more than 64 used it"),
    number<&MemoryRegion::first_packet>("first_packet", "the number of the first packet of the first request")
        .earliest(),
    time<&MemoryRegion::first_time>("first_time", "of the first packet of a request").earliest(),
    time<&MemoryRegion::last_time>("last_time", "of the last packet of a request").latest());

}  // namespace

constinit const Rows<MemoryRegion> kRegion{
    {"memory_region", "what requests with one R_Key did to the memory of one responder", kRegionUseColumns}};

}  // namespace rocescope::schema
