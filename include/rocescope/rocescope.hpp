// Table of contents of the library.
#pragma once

// Numbers and tables
#include "rocescope/address.hpp"  // IpAddress
#include "rocescope/bytes.hpp"    // Bytes, load_bits
#include "rocescope/field.hpp"    // Field, tiles
#include "rocescope/opcode.hpp"   // OpcodeInfo, opcode_info
#include "rocescope/psn.hpp"      // Psn, Qpn
#include "rocescope/text.hpp"     // to_text, append_date_and_time, text::duration

// Headers and their fields
#include "rocescope/field_value.hpp"  // FieldValue, for_each_field
#include "rocescope/header.hpp"       // HeaderView, HeaderInfo
#include "rocescope/header_kind.hpp"  // HeaderKind
#include "rocescope/headers.hpp"      // every header

// From a capture to packets
#include "rocescope/capture.hpp"        // FrameSource, open_capture
#include "rocescope/capture_point.hpp"  // CapturePoint, FlowComparison
#include "rocescope/dissect.hpp"        // dissect
#include "rocescope/frame.hpp"          // Frame
#include "rocescope/icrc.hpp"           // check_icrc
#include "rocescope/icrc_verifier.hpp"  // IcrcVerifier
#include "rocescope/live.hpp"           // LiveCapture, live_devices
#include "rocescope/packet.hpp"         // Packet, Layer, RocePacket
#include "rocescope/record.hpp"         // PacketRecord
#include "rocescope/result.hpp"         // Result, Error

// From packets to connections
#include "rocescope/breach.hpp"         // Breaches
#include "rocescope/congestion.hpp"     // Congestion, PauseTotals
#include "rocescope/connection.hpp"     // Connection, ConnectionSide, QpTransition
#include "rocescope/eviction.hpp"       // Eviction, EvictedTotals
#include "rocescope/final_numbers.hpp"  // FinalNumbers
#include "rocescope/finding.hpp"        // Finding, Sightings
#include "rocescope/handshake.hpp"      // Handshake, CmEvent
#include "rocescope/host.hpp"           // Host, NicCounter
#include "rocescope/memory_region.hpp"  // MemoryRegion
#include "rocescope/message.hpp"        // Message, OperationTotals, InFlight
#include "rocescope/rate_series.hpp"    // RateSeries
#include "rocescope/times.hpp"          // TimeKind, Histogram, TimeTable
#include "rocescope/tracker.hpp"        // Tracker
#include "rocescope/verdict.hpp"        // Verdict, Recovery

// From packets to a report
#include "rocescope/analyze.hpp"  // analyze
#include "rocescope/command.hpp"  // Command, CommandReport
#include "rocescope/flow.hpp"     // Flow, UdFlow, Traffic
#include "rocescope/render.hpp"   // append_report_text, append_report_json
#include "rocescope/report.hpp"   // Report, CaptureTotals, ProtocolNode, IcrcTotals
