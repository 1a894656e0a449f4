#include "render/report/report_json_hosts.hpp"

#include <string_view>

#include "rocescope/host.hpp"
#include "text/address_text.hpp"

namespace rocescope::render {
namespace {

struct Quantity {
  std::string_view name;
  std::uint64_t Sent::*member;
};
constexpr Quantity kQuantities[] = {
    {"packets", &Sent::packets},
    {"wire_bytes", &Sent::wire_bytes},
    {"payload_bytes", &Sent::payload_bytes},
    {"goodput_bytes", &Sent::goodput_bytes},
    {"resent_bytes", &Sent::resent_bytes},
    {"messages", &Sent::messages},
};

void write_members(const RateSeries& rates, JsonWriter& json) {
  for (const Quantity& quantity : kQuantities) json.number(quantity.name, rates.total().*quantity.member);
  if (rates.empty()) return;
  json.number("first_time", rates.first_time());
  json.number("last_time", rates.last_time());
  json.open_object("buckets");
  json.number("start", rates.start());
  json.number("interval", rates.width());
  for (const Quantity& quantity : kQuantities) {
    json.open_array(quantity.name);
    for (const Sent& bucket : rates.buckets()) json.number({}, bucket.*quantity.member);
    json.close_array();
  }
  json.close_object();
}

}  // namespace

void write_rates(const RateSeries& rates, JsonWriter& json) {
  json.open_object("rates");
  write_members(rates, json);
  json.close_object();
}

void write_host_rates(const std::vector<HostRates>& pairs, JsonWriter& json) {
  json.open_array("host_rates");
  for (const HostRates& pair : pairs) {
    json.open_object();
    json.string("source", to_text(pair.source));
    json.string("destination", to_text(pair.destination));
    json.number("overlay_id", pair.overlay_id);
    write_members(pair.rates, json);
    json.close_object();
  }
  json.close_array();
}

void write_nic_counters(const std::vector<Host>& hosts, JsonWriter& json) {
  json.open_array("nic_counters");
  for (const Host& host : hosts) {
    json.open_object();
    json.string("address", to_text(host.address));
    json.number("overlay_id", host.overlay_id);
    const auto values = nic_counters(host);
    for (const NicCounterInfo& info : nic_counter_infos()) {
      json.number(name_of(info), values[static_cast<std::size_t>(info.counter)]);
    }
    json.close_object();
  }
  json.close_array();
}

}  // namespace rocescope::render
