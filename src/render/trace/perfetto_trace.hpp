// The trace of a capture for Perfetto.
#pragma once

#include "render/trace/trace_recorder.hpp"
#include "render/trace/trace_writer.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/report.hpp"

namespace rocescope::render {

/// Writes messages, packets, findings and counters to `sink`; takes the messages and packets out of `recorder`. `numbers` are those
/// that connections have at last.
void write_perfetto_trace(TraceRecorder& recorder, const Report& report, const FinalNumbers& numbers,
                          TraceWriter::Sink sink);

/// For the manual.
[[nodiscard]] std::string_view perfetto_trace_documentation() noexcept;

}  // namespace rocescope::render
