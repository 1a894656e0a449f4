// The message that a packet belongs to, and those that it completes.
#include "wireshark/field_registry.hpp"
#include "wireshark/plugin.hpp"

namespace rocescope::wireshark {
namespace {

int field_operation = -1;
int field_outcome = -1;
int field_bytes = -1;
int field_first_frame = -1;
int field_last_frame = -1;
int field_completed_in = -1;
int field_completes = -1;
int field_time = -1;
int field_ack_time = -1;
gint tree_message = -1;
gint tree_completed = -1;

const int* const kFields[] = {&field_operation,   &field_outcome,    &field_bytes,
                              &field_first_frame, &field_last_frame, &field_completed_in,
                              &field_completes,   &field_time,       &field_ack_time};

/// Whether anybody looks at what follows.
bool is_referenced(proto_tree* tree) {
  for (const int* field : kFields) {
    if (proto_field_is_referenced(tree, *field) != 0) return true;
  }
  return false;
}

void generated(proto_item* item) { proto_item_set_generated(item); }

void add_frame(proto_tree* tree, tvbuff_t* tvb, int field, std::uint32_t frame) {
  if (frame != 0) generated(proto_tree_add_uint(tree, field, tvb, 0, 0, frame));
}

void add_time(proto_tree* tree, tvbuff_t* tvb, int field, std::int64_t nanoseconds) {
  if (nanoseconds < 0) return;
  const nstime_t time = to_nstime(nanoseconds);
  generated(proto_tree_add_time(tree, field, tvb, 0, 0, &time));
}

void add_message(tvbuff_t* tvb, proto_tree* tree, std::uint64_t number, const KeptMessage& message,
                 const VerdictBook& book) {
  // The names are C strings: their views are of literals.
  const char* const operation = to_string(message.operation).data();
  const char* const outcome = to_string(message.outcome).data();
  proto_item* top = nullptr;
  proto_tree* const sub = proto_tree_add_subtree_format(tree, tvb, 0, 0, tree_message, &top,
                                                        "Message %" PRIu64 ": %s, %" PRIu64 " bytes, %s", number,
                                                        operation, message.bytes, outcome);
  generated(top);
  generated(proto_tree_add_string(sub, field_operation, tvb, 0, 0, operation));
  generated(proto_tree_add_string(sub, field_outcome, tvb, 0, 0, outcome));
  generated(proto_tree_add_uint64(sub, field_bytes, tvb, 0, 0, message.bytes));
  add_frame(sub, tvb, field_first_frame, book.frame_of(message.first));
  add_frame(sub, tvb, field_last_frame, book.frame_of(message.last));
  add_frame(sub, tvb, field_completed_in, book.frame_of(message.completion));
}

void add_completed(tvbuff_t* tvb, proto_tree* tree, std::uint64_t number, const KeptMessage& message,
                   const VerdictBook& book) {
  proto_item* const top = proto_tree_add_uint64(tree, field_completes, tvb, 0, 0, number);
  generated(top);
  proto_tree* const sub = proto_item_add_subtree(top, tree_completed);
  add_frame(sub, tvb, field_first_frame, book.frame_of(message.first));
  add_time(sub, tvb, field_time, message.time);
  add_time(sub, tvb, field_ack_time, message.ack_time);
}

}  // namespace

void register_message_fields() {
  static hf_register_info infos[] = {
      field_info(&field_operation, "Operation", "rocescope.message.operation", FT_STRING, BASE_NONE),
      field_info(&field_outcome, "Outcome", "rocescope.message.outcome", FT_STRING, BASE_NONE),
      field_info(&field_bytes, "Bytes", "rocescope.message.bytes", FT_UINT64, BASE_DEC),
      field_info(&field_first_frame, "First packet", "rocescope.message.first_frame", FT_FRAMENUM, BASE_NONE,
                 FRAMENUM_TYPE(FT_FRAMENUM_REQUEST)),
      field_info(&field_last_frame, "Last request packet", "rocescope.message.last_frame", FT_FRAMENUM, BASE_NONE),
      field_info(&field_completed_in, "Completed by", "rocescope.message.completed_in", FT_FRAMENUM, BASE_NONE,
                 FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE)),
      field_info(&field_completes, "Completes message", "rocescope.message.completes", FT_UINT64, BASE_DEC),
      field_info(&field_time, "Time of the message", "rocescope.message.time", FT_RELATIVE_TIME, BASE_NONE),
      field_info(&field_ack_time, "Time since its last request packet", "rocescope.message.ack_time", FT_RELATIVE_TIME,
                 BASE_NONE)};
  proto_register_field_array(proto_rocescope, infos, array_length(infos));
  static gint* const trees[] = {&tree_message, &tree_completed};
  proto_register_subtree_array(trees, array_length(trees));
}

void add_messages(tvbuff_t* tvb, proto_tree* tree, std::uint32_t frame, const Tapped& packet) {
  if (!is_referenced(tree)) return;
  const VerdictBook& book = *packet.book;
  const std::uint64_t number = packet.record->verdict.message;
  if (const KeptMessage* const message = book.message(number)) add_message(tvb, tree, number, *message, book);
  book.visit_completed(
      frame, [&](std::uint64_t ended, const KeptMessage& message) { add_completed(tvb, tree, ended, message, book); });
}

}  // namespace rocescope::wireshark
