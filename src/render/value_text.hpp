// The values of fields as text: one place, so that all output forms agree.
#pragma once

#include <string>
#include <string_view>

#include "rocescope/field_value.hpp"

namespace rocescope::render {

/// What `tshark -T fields` prints for the value: numbers in decimal or as 0x and the field's digits, booleans as 1 and 0,
/// bytes in hex without separators, addresses as inet_ntop writes them, times as Wireshark writes them, durations in
/// seconds with nine decimals, text as append_text writes it.
void append_value(const FieldValue& value, std::string& out);

/// The same for people: long byte strings are cut, points in time are ISO 8601 in UTC. Two spaces and the meaning follow: the name of
/// the value, else the decimal form of a short hex number, else nothing.
void append_value_and_meaning(const FieldValue& value, std::string& out);

/// The value as JSON, in the form that make_json_printer() describes.
void append_json_value(const FieldValue& value, std::string& out);

/// Text from the wire, up to its first NUL, safe on a terminal and in a line of fields: \t, \n, \r, \b and \f as tshark
/// writes them, other control characters as \x1b and the like, what is not UTF-8 as U+FFFD.
void append_text(Bytes text, std::string& out);

/// The same of all of a text that keeps its line ends, such as the answer of a server.
void append_lines(std::string_view text, std::string& out);

/// A JSON string with its quotes.
void append_json_string(Bytes text, std::string& out);
void append_json_string(std::string_view text, std::string& out);

}  // namespace rocescope::render
