// Times by kind, each as a summary of its histogram.
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

template <unsigned per_mille>
std::uint64_t quantile(const TimeSeries& row) {
  return row.times.quantile(per_mille);
}

constexpr auto kTimeColumns = columns<TimeSeries>(
    number<[](const TimeSeries& row) { return row.times.count(); }>("count", "how many").titled("count"),
    duration<[](const TimeSeries& row) { return row.times.min(); }>("min", "the shortest").titled("min"),
    duration<[](const TimeSeries& row) { return row.times.mean(); }>("mean", "the mean"),
    duration<&quantile<500>>("p50", "half of them are not longer, within 1.6 percent").titled("p50"),
    duration<&quantile<900>>("p90", "the same of 90 percent").titled("p90"),
    duration<&quantile<990>>("p99", "the same of 99 percent").titled("p99"),
    duration<&quantile<999>>("p99_9", "the same of 99.9 percent").titled("p99.9"),
    duration<[](const TimeSeries& row) { return row.times.max(); }>("max", "the longest").titled("max"));

}  // namespace

constinit const Rows<TimeSeries> kTime{{"time", "the times of one kind", kTimeColumns}};

}  // namespace rocescope::schema
