// Messages, each with its connection and sender: the rows of messages.csv.
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

const ConnectionSide& requester(const MessageOf& row) { return row.connection.sides[row.side]; }
const ConnectionSide& responder(const MessageOf& row) { return row.connection.sides[1 - row.side]; }

template <auto member>
decltype(auto) of_message(const MessageOf& row) {
  return (row.message.*member);
}
/// What is known once a message ended.
template <auto member>
auto of_ended(const MessageOf& row) {
  return row.message.completion_frame != 0 ? std::optional(row.message.*member) : std::nullopt;
}
std::optional<std::int64_t> message_time(const MessageOf& row) { return time_of(row.message); }
std::optional<std::uint8_t> nak_code(const MessageOf& row) {
  return row.message.outcome == MessageOutcome::kRefused ? std::optional(row.message.nak_code) : std::nullopt;
}
template <auto member>
auto responses(const MessageOf& row) {
  return row.message.is_read() ? std::optional(row.message.*member) : std::nullopt;
}

constexpr auto kMessageColumns = columns<MessageOf>(
    number<&of_message<&Message::number>>("number", "over the capture"),
    number<[](const MessageOf& row) { return row.connection.number; }>("connection", "its number"),
    number<[](const MessageOf& row) { return row.side; }>("side", "0 or 1, who requested it"),
    address<[](const MessageOf& row) { return requester(row).address; }>("requester", "its address"),
    qpn<[](const MessageOf& row) { return requester(row).qpn; }>("requester_qpn", "its queue pair"),
    address<[](const MessageOf& row) { return responder(row).address; }>("responder", "its address"),
    qpn<[](const MessageOf& row) { return responder(row).qpn; }>("responder_qpn", "its queue pair"),
    text<&of_message<&Message::operation>>("operation", "SEND, RDMA WRITE, RDMA READ ..."),
    text<&of_message<&Message::outcome>>("outcome", "completed, refused, outstanding, unacknowledged (UC), lost (UC)"),
    number<&nak_code>("nak_code", "1 invalid request, 2 remote access, 3 remote operational"),
    number<&of_message<&Message::bytes>>("bytes", "of a READ those that it asks for").bytes(),
    id<&of_message<&Message::address>>("address", "virtual address"),
    key<&of_message<&Message::r_key>>("r_key", "R_Key"),
    number<&of_message<&Message::immediate>>("immediate", "immediate data"),
    key<&of_message<&Message::invalidated_r_key>>("invalidated_r_key", "of a SEND with Invalidate"),
    boolean<&of_message<&Message::has_first>>("has_first", "whether its first packet was seen"),
    boolean<&of_message<&Message::has_last>>("has_last", "whether its last packet was seen"),
    boolean<&of_message<&Message::resent>>("resent", "some of it was sent more than once"),
    number<&of_message<&Message::packets>>("packets", "request packets seen of it, each once").packets(),
    number<&of_message<&Message::resent_packets>>("resent_packets", "request packets of it seen again until it ended")
        .packets(),
    number<&responses<&Message::responses>>("responses", "of a READ: responses seen, each once").packets(),
    number<&responses<&Message::resent_responses>>("resent_responses", "of a READ: responses seen again until it ended")
        .packets(),
    psn<&of_message<&Message::first_psn>>("first_psn", "of its first packet"),
    psn<&of_message<&Message::last_psn>>("last_psn", "of its last packet; of a READ: of its last response"),
    number<&of_message<&Message::first_frame>>("first_packet", "the number of its first packet"),
    number<&of_message<&Message::last_frame>>("last_packet", "the number of its last request packet"),
    number<&of_ended<&Message::completion_frame>>("completion_packet", "of the ACK, NAK or last response"),
    time<&of_message<&Message::first_time>>("first_time", "of its first packet"),
    time<&of_message<&Message::last_time>>("last_time", "of its last request packet"),
    time<&of_ended<&Message::completion_time>>("completion_time", "of the ACK, NAK or last response"),
    number<&of_message<&Message::attempts>>("attempts",
                                            "how often its first packet was sent, of a READ the request for all of it"),
    duration<&message_time>("message_time", "from its first packet to its completion, all attempts included"));

}  // namespace

constinit const Rows<MessageOf> kMessage{
    {"message", "a message: one work request as the wire shows it", kMessageColumns}};

}  // namespace rocescope::schema
