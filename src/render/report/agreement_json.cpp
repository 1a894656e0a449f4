#include "render/report/agreement_json.hpp"

#include "render/json_writer.hpp"

namespace rocescope::render {

void append_agreement_json(const Agreement& agreement, std::string_view capture, std::string& out) {
  JsonWriter json(out);
  json.open_object();
  json.string("type", "agreement");
  json.number("schema", kAgreementSchema);
  if (!capture.empty()) json.string("capture", capture);
  json.boolean("agrees", agreement.agrees());
  json.open_array("truth_files");
  for (const std::string& file : agreement.truth_files) json.string(file);
  json.close_array();
  json.number("capture_lost", agreement.capture_lost);
  json.open_array("facts");
  for (const ComparedFact& fact : agreement.facts) {
    json.open_object();
    json.string("fact", fact.name);
    if (!fact.detail.empty()) json.string("detail", fact.detail);
    json.number("truth", fact.truth);
    json.number("capture", fact.capture);
    json.number("agree", fact.agree);
    json.number("differing", fact.differing);
    json.open_array("explained");
    for (const Explained& part : fact.explained) {
      json.open_object();
      json.string("part_of", to_string(part.part));
      json.number("count", part.count);
      json.string("why", part.why);
      json.close_object();
    }
    json.close_array();
    json.close_object();
  }
  json.close_array();
  json.open_array("differences");
  for (const Difference& difference : agreement.differences) {
    json.open_object();
    json.string("fact", difference.fact);
    json.string("what", difference.what);
    if (!difference.truth.empty()) json.string("truth", difference.truth);
    if (difference.packet != 0) json.number("packet", difference.packet);
    if (difference.connection != 0) json.number("connection", difference.connection);
    json.close_object();
  }
  json.close_array();
  json.number("unlisted_differences", agreement.unlisted);
  json.open_array("notes");
  for (const std::string& note : agreement.notes) json.string(note);
  json.close_array();
  json.close_object();
  out += '\n';
}

std::string_view agreement_json_documentation() noexcept {
  return R"(
--json writes one object, or, of a folder of the lab, one for each of its captures. `schema` grows when a member is
renamed, removed or changes its meaning; new members may come at any time.

  type              agreement
  schema            2
  capture           its path (of a folder of the lab only)
  agrees            whether something was compared, and nothing differs
  truth_files       array: the files of the truth
  capture_lost      packets that the capture is known to lack
  facts             array: fact (queue_pairs, addresses, starting_psns,
                    path_mtus, states, messages, bytes, outcomes, receives,
                    keys, regions, datagrams, cm_requests, cm_established,
                    cm_rejects, cm_disconnects, packets, counters), detail
                    (messages: the operation; cm_rejects: the reason;
                    packets: sent or received; counters: the device's
                    name of it and the host), and how many: truth (what
                    the truth says), capture (what the capture shows),
                    agree, differing (neither the same nor explained), and
                    explained: array of part_of (truth: of what the truth
                    has more; capture: of what the capture has more; both:
                    both have it, and it cannot be compared), count, why
  differences       array: fact, what (a sentence), truth (where it says
                    so: FILE:LINE), packet (number of the frame),
                    connection
  unlisted_differences  beyond the 10000 of the list
  notes             array of sentences: what was not compared, and why)";
}

}  // namespace rocescope::render
