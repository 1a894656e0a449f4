// Entry points, preferences, the life of a capture, the dissector that runs behind all others.
#include "wireshark/plugin.hpp"

#include <memory>
#include <string>

#include "render/packets/verdict_notes.hpp"
#include "wireshark/statistics.hpp"

namespace rocescope::wireshark {

int proto_rocescope = -1;
int tap_rocescope = -1;

namespace {

std::unique_ptr<VerdictBook> open_book;
bool gave_up = false;  // on the capture that is open

Bool pref_icrc = true;
Bool pref_findings = true;
Bool pref_info = true;
Bool pref_reliable_datagram = false;
Bool pref_decode = false;

// A capture begins: a file is opened or read again, or all packets are dissected anew since a preference changed.
void begin_capture() {
  open_book.reset();
  gave_up = false;
  guarded([] {
    open_book = std::make_unique<VerdictBook>(
        BookOptions{.icrc = pref_icrc != 0, .findings = pref_findings != 0, .dissect = dissect_options()});
  });
}

void end_capture() { open_book.reset(); }

void end_first_pass() {
  if (open_book && !gave_up) guarded([] { open_book->end(); });
}

/// The verdict in words, and what the ICRC says; empty where nothing is special. Null: nothing is known of the frame.
const PacketRecord* look(const Frame& frame, const Interface& interface, bool visited, std::string& words) {
  const PacketRecord* const record = visited ? open_book->recall(frame) : open_book->judge(frame, interface);
  if (record == nullptr) return nullptr;
  render::Notes notes(false, words);
  render::add_verdict_notes(record->verdict, notes);
  if (record->icrc.status == IcrcStatus::kBad) notes.add(render::Tone::kError, "bad ICRC");
  return record;
}

int dissect_packet(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void*) {
  Frame frame;
  if (!open_book || gave_up || !frame_of(tvb, pinfo, frame)) return 0;
  const Interface interface = interface_of(pinfo);
  Tapped packet{nullptr, open_book.get()};
  const char* note = "";
  guarded([&] {
    std::string words;
    packet.record = look(frame, interface, PINFO_FD_VISITED(pinfo) != 0, words);
    if (packet.record != nullptr) note = c_string(pinfo->pool, words);
  });
  if (packet.record == nullptr) return 0;
  proto_item* const top = add_tree(tvb, pinfo, tree, packet, note);
  add_expert_information(tvb, pinfo, tree, top, packet);
  if (pref_info != 0 && pinfo->cinfo != nullptr && *note != 0) {
    col_append_fstr(pinfo->cinfo, COL_INFO, " [%s]", note);
  }
  show_payload(tvb, pinfo, *packet.record);
  if (have_tap_listener(tap_rocescope) != 0) {
    auto* tapped = wmem_new(pinfo->pool, Tapped);
    *tapped = packet;
    tap_queue_packet(tap_rocescope, pinfo, tapped);
  }
  return static_cast<int>(tvb_captured_length(tvb));
}

/// Called for preferences that changed.
void apply_preferences() { set_decoding(pref_decode != 0); }

void register_preferences() {
  module_t* module = prefs_register_protocol(proto_rocescope, apply_preferences);
  prefs_register_bool_preference(module, "icrc", "Verify invariant CRCs",
                                 "Verdicts know of packets that were damaged on their way then", &pref_icrc);
  prefs_register_bool_preference(module, "findings", "Find out what went wrong",
                                 "The report, and findings at their packets, once all packets were read",
                                 &pref_findings);
  prefs_register_bool_preference(module, "info", "Show verdicts in the Info column",
                                 "Behind what other dissectors say of the packet", &pref_info);
  prefs_register_bool_preference(module, "reliable_datagram", "Opcodes 0x40-0x5f are RD",
                                 "Without this they are NVIDIA's Dynamically Connected transport",
                                 &pref_reliable_datagram);
  prefs_register_bool_preference(module, "decode", "Decode RoCEv2 with rocescope",
                                 "In place of the built-in dissector, whose CNP, XRC and DC headers and pad are wrong. "
                                 "Fields keep their names",
                                 &pref_decode);
}

void register_protocol() {
  proto_rocescope = proto_register_protocol("rocescope RoCE analysis", "rocescope", "rocescope");
  register_fields();
  register_message_fields();
  register_expert_information();
  register_decoding();
  register_preferences();
  register_init_routine(begin_capture);
  register_cleanup_routine(end_capture);
  register_postseq_cleanup_routine(end_first_pass);
  tap_rocescope = register_tap("rocescope");
  register_connection_table();
  register_finding_table();
  register_verdict_tree();
  register_response_times();
  register_conversations();
  register_report();
  register_ladder();
  register_follow();
}

void register_handoff() {
  register_postdissector(create_dissector_handle(dissect_packet, proto_rocescope));
  handoff_decoding();
}

}  // namespace

DissectOptions dissect_options() noexcept {
  return {.reliable_datagram = pref_reliable_datagram != 0, .gre_skips = {}};
}

VerdictBook* current_book() noexcept { return open_book.get(); }

void give_up(const char* reason) noexcept {
  if (!gave_up) ws_warning("rocescope gives up on this capture: %s", reason);
  gave_up = true;
}

}  // namespace rocescope::wireshark

extern "C" {
#define EXPORTED __attribute__((visibility("default")))
EXPORTED extern const char plugin_version[] = ROCESCOPE_VERSION;
EXPORTED extern const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
EXPORTED extern const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

EXPORTED void plugin_register() {
  static proto_plugin plugin;
  plugin.register_protoinfo = rocescope::wireshark::register_protocol;
  plugin.register_handoff = rocescope::wireshark::register_handoff;
  proto_register_plugin(&plugin);
}

// Asked for from 4.2 on: a dissector, and tap listeners.
EXPORTED std::uint32_t plugin_describe() { return (1U << 0) | (1U << 4); }
}
