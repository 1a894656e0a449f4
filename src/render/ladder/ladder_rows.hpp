// The tables of the rows that `flow --json` has beyond a report: as schema/tables.hpp, which must not know ladders.
#pragma once

#include <string_view>
#include <tuple>
#include <variant>

#include "ladder/ladder_event.hpp"
#include "ladder/truth_timeline.hpp"
#include "rocescope/connection.hpp"
#include "schema/column.hpp"

namespace rocescope::schema {

/// The first line.
struct LadderStart {
  const Connection& connection;
  const TruthTimeline* timeline;  ///< null: without truth
};

namespace detail {
template <class Variant>
struct RowsOf;
template <class... Kinds>
struct RowsOf<std::variant<Kinds...>> {
  using Type = std::tuple<Rows<Kinds>...>;
};
}  // namespace detail
/// A table for each kind of LadderEvent::what, whose name is the type of the line.
using EventRows = detail::RowsOf<decltype(LadderEvent::what)>::Type;
/// A table for each kind of TruthEvent::what, whose name is the event.
using FactRows = detail::RowsOf<decltype(TruthEvent::what)>::Type;

extern const Rows<LadderStart> kLadderStart;
/// What lines of all EventRows begin with.
extern const Rows<LadderEvent> kLadderEvent;
[[nodiscard]] const EventRows& event_rows();
/// What lines of all FactRows begin with.
extern const Rows<TruthEvent> kTruthEvent;
extern const FactRows kFactRows;
extern const Rows<PhaseSpan> kPhase;

}  // namespace rocescope::schema
