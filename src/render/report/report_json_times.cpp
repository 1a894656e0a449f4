#include "render/report/report_json_times.hpp"

namespace rocescope::render {

void write_times(const TimeTable& times, JsonWriter& json) {
  json.open_object("times");
  for (const TimeSeries& series : times.all()) {
    json.open_object(to_string(series.kind));
    json.number("count", series.times.count());
    json.number("min", series.times.min());
    json.number("mean", series.times.mean());
    json.number("p50", series.times.quantile(500));
    json.number("p90", series.times.quantile(900));
    json.number("p99", series.times.quantile(990));
    json.number("p99_9", series.times.quantile(999));
    json.number("max", series.times.max());
    json.close_object();
  }
  json.close_object();
}

}  // namespace rocescope::render
