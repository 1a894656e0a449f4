// What the parts of the plugin share.
//
// Wireshark throws with longjmp(): where its functions may do so, no object with a destructor is alive. What the library does with such
// objects is done before, in guarded(), which lets none of its exceptions out.
#pragma once

#include <exception>
#include <utility>

#include "wireshark/epan.hpp"
#include "wireshark/verdict_book.hpp"

namespace rocescope::wireshark {

extern int proto_rocescope;
extern int tap_rocescope;

/// What taps are given of a RoCE packet. Lasts until they ran.
struct Tapped {
  const PacketRecord* record;
  const VerdictBook* book;
};

/// The capture that is open; null: none.
[[nodiscard]] VerdictBook* current_book() noexcept;
/// As the user wants packets to be read.
[[nodiscard]] DissectOptions dissect_options() noexcept;
/// Reports once that the library failed. No later frame of this capture gets a verdict.
void give_up(const char* reason) noexcept;

/// Calls `work`, which may throw C++ exceptions and calls nothing of Wireshark that may throw Wireshark's.
template <class Work>
void guarded(Work&& work) noexcept {
  try {
    std::forward<Work>(work)();
  } catch (const std::exception& failure) {
    give_up(failure.what());
  } catch (...) {
    give_up("unknown exception");
  }
}

/// A C string that lasts as long as `pool`.
[[nodiscard]] inline const char* c_string(wmem_allocator_t* pool, std::string_view text) {
  return wmem_strndup(pool, text.data(), text.size());
}

// frame.cpp
/// The bytes of a frame, and what Wireshark says of it. False: it is none, or rocescope does not know its link type.
[[nodiscard]] bool frame_of(tvbuff_t* tvb, packet_info* pinfo, Frame& frame);
[[nodiscard]] Interface interface_of(const packet_info* pinfo);

// fields.cpp
void register_fields();
/// Adds our tree to the packet's; returns its top, null without a tree. `note`: the verdict in words, empty where nothing is special.
proto_item* add_tree(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, const Tapped& packet, const char* note);

// decode.cpp
void register_decoding();
void handoff_decoding();
/// Whether UDP port 4791 is decoded here, in place of the built-in dissector.
void set_decoding(bool wanted);

// message_tree.cpp
void register_message_fields();
void add_messages(tvbuff_t* tvb, proto_tree* tree, std::uint32_t frame, const Tapped& packet);

// expert.cpp
void register_expert_information();
/// Without a tree as well: lists of expert information and the lamp in the status line ask for none. `top`: null then.
void add_expert_information(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, proto_item* top, const Tapped& packet);

}  // namespace rocescope::wireshark
