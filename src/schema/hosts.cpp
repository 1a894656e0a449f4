// Hosts: the counters that their NICs would show.
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

void show_counters(const void* row, Visitor visit) {
  each_counter(*static_cast<const Host*>(row), [&](const HostCounter& counter) {
    const Count count{name_of(counter.info), counter.number};
    visit(&count);
  });
}

std::string_view counter_at(std::size_t index) {
  return index < kNicCounters ? name_of(nic_counter_infos()[index]) : std::string_view();
}

constexpr auto counters() {
  ColumnOf<Host> column;
  column.help = "what the NIC there would have counted, under mlx5's names or, where it has none, rxe's";
  column.type = Type::kCounts;
  column.each = &show_counters;
  column.name_at = &counter_at;
  return column;
}

constexpr auto kHostColumns =
    columns<Host>(address<&Host::address>("address", "of the host"),
                  number<&Host::overlay_id>("overlay_id", "VNI, 0 outside tunnels"), counters());

constexpr auto kCounterColumns = columns<HostCounter>(
    address<[](const HostCounter& row) { return row.host.address; }>("address", "of the host"),
    number<[](const HostCounter& row) { return row.host.overlay_id; }>("overlay_id", "VNI, 0 outside tunnels"),
    text<[](const HostCounter& row) { return name_of(row.info); }>("counter", "its name in the JSON document"),
    text<[](const HostCounter& row) { return row.info.mlx5; }>("mlx5", "among mlx5's hw_counters; empty: it has none"),
    text<[](const HostCounter& row) { return row.info.rxe; }>("rxe", "among rxe's hw_counters; empty: it has none"),
    number<&HostCounter::number>("value", "what the NIC would have counted"));

}  // namespace

constinit const Rows<Host> kHost{{"host", "a host and the counters of its NIC", kHostColumns}};
constinit const Rows<HostCounter> kHostCounter{{"host_counter", "one counter of the NIC of a host", kCounterColumns}};

}  // namespace rocescope::schema
