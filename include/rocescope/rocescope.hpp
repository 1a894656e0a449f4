// Table of contents of the library.
#pragma once

// Numbers and tables
#include "rocescope/address.hpp"  // IpAddress
#include "rocescope/box.hpp"      // Box
#include "rocescope/bytes.hpp"    // Bytes, load_bits
#include "rocescope/field.hpp"    // Field, tiles
#include "rocescope/opcode.hpp"   // OpcodeInfo, opcode_info
#include "rocescope/psn.hpp"      // Psn, Qpn

// Headers and their fields
#include "rocescope/field_value.hpp"  // FieldValue, for_each_field
#include "rocescope/header.hpp"       // HeaderView, HeaderInfo
#include "rocescope/header_kind.hpp"  // HeaderKind
#include "rocescope/headers.hpp"      // every header

// From a capture to packets
#include "rocescope/capture.hpp"  // FrameSource, open_capture
#include "rocescope/dissect.hpp"  // dissect
#include "rocescope/frame.hpp"    // Frame
#include "rocescope/icrc.hpp"     // check_icrc
#include "rocescope/live.hpp"     // LiveCapture, live_devices
#include "rocescope/packet.hpp"   // Packet, Layer, RocePacket
#include "rocescope/record.hpp"   // PacketRecord
#include "rocescope/result.hpp"   // Result, Error

// From packets to connections
#include "rocescope/breach.hpp"         // Breach
#include "rocescope/congestion.hpp"     // Congestion
#include "rocescope/connection.hpp"     // Connection
#include "rocescope/eviction.hpp"       // Eviction
#include "rocescope/finding.hpp"        // Finding, Sightings
#include "rocescope/handshake.hpp"      // Handshake
#include "rocescope/histogram.hpp"      // Histogram
#include "rocescope/host.hpp"           // Host
#include "rocescope/memory_region.hpp"  // MemoryRegion
#include "rocescope/message.hpp"        // Message
#include "rocescope/nic_counters.hpp"   // NicCounter
#include "rocescope/pause.hpp"          // PauseTotals
#include "rocescope/qp_state.hpp"       // QpState, QpTransition
#include "rocescope/rate_meter.hpp"     // RateMeter
#include "rocescope/rate_series.hpp"    // RateSeries
#include "rocescope/recovery.hpp"       // Recovery
#include "rocescope/stream_totals.hpp"  // StreamTotals
#include "rocescope/time_kind.hpp"      // TimeKind, Measure
#include "rocescope/times.hpp"          // TimeTable
#include "rocescope/tracker.hpp"        // Tracker
#include "rocescope/verdict.hpp"        // Verdict

// From packets to a report
#include "rocescope/agreement.hpp"       // Agreement
#include "rocescope/analyze.hpp"         // analyze
#include "rocescope/cm_event.hpp"        // CmEvent
#include "rocescope/evicted_totals.hpp"  // EvictedTotals
#include "rocescope/flow.hpp"            // Flow, Traffic
#include "rocescope/report.hpp"          // Report
#include "rocescope/totals.hpp"          // CaptureTotals, IcrcTotals, ProtocolNode, ...
#include "rocescope/ud_flow.hpp"         // UdFlow
