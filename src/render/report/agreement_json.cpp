#include "render/report/agreement_json.hpp"

#include "render/json_writer.hpp"
#include "render/report/row_documentation.hpp"
#include "render/report/row_json.hpp"
#include "schema/make_column.hpp"

namespace rocescope::schema {
namespace {

/// The result of comparing a capture.
struct NamedAgreement {
  std::string_view capture;  ///< empty: there is one only
  const Agreement& agreement;
};

template <auto member>
const auto& of_agreement(const NamedAgreement& row) {
  return row.agreement.*member;
}

constexpr auto kExplainedColumns = columns<Explained>(
    text<&Explained::part>("part_of",
                           "truth: of what the truth has more; capture: of what the capture has more; both: both have "
                           "it, and it cannot be compared"),
    number<&Explained::count>("count", "how many"), text<&Explained::why>("why", "the reason"));
constinit const Rows<Explained> kExplained{
    {"explained", "a part of a difference that says nothing against the capture", kExplainedColumns}};

constexpr auto kFactColumns = columns<ComparedFact>(
    text<&ComparedFact::name>("fact",
                              "queue_pairs, addresses, starting_psns, path_mtus, states, messages, bytes, outcomes, "
                              "receives, keys, regions, datagrams, cm_requests, cm_established, cm_rejects, "
                              "cm_disconnects, packets, counters"),
    text<&ComparedFact::detail>("detail",
                                "messages: the operation; cm_rejects: the reason; packets: sent or received; counters: "
                                "the device's name of it and the host")
        .unless_empty(),
    number<&ComparedFact::truth>("truth", "how many the truth says"),
    number<&ComparedFact::capture>("capture", "how many the capture shows"),
    number<&ComparedFact::agree>("agree", "how many are the same"),
    number<&ComparedFact::differing>("differing", "how many are neither the same nor explained"),
    array<&ComparedFact::explained>("explained", kExplained, "the rest, by reason"));
constinit const Rows<ComparedFact> kComparedFact{{"fact", "one kind of fact, counted on both sides", kFactColumns}};

constexpr auto kDifferenceColumns =
    columns<Difference>(text<&Difference::fact>("fact", "as in facts"), text<&Difference::what>("what", "a sentence"),
                        text<&Difference::truth>("truth", "where it says so: FILE:LINE").unless_empty(),
                        number<&Difference::packet>("packet", "the number of the frame").unless_zero(),
                        number<&Difference::connection>("connection", "its number").unless_zero());
constinit const Rows<Difference> kDifference{
    {"difference", "a difference between truth and capture", kDifferenceColumns}};

constexpr auto kAgreementColumns = columns<NamedAgreement>(
    text<[](const NamedAgreement&) { return std::string_view("agreement"); }>("type", "agreement"),
    number<[](const NamedAgreement&) { return render::kAgreementSchema; }>(
        "schema", "grows when a member is renamed, removed or changes its meaning; new members may come at any time"),
    text<&NamedAgreement::capture>("capture", "its path (of a folder of the lab only)").unless_empty(),
    boolean<[](const NamedAgreement& row) { return row.agreement.agrees(); }>(
        "agrees", "whether something was compared, and nothing differs"),
    list<&of_agreement<&Agreement::truth_files>>("truth_files", Type::kText, "the files of the truth"),
    number<&of_agreement<&Agreement::capture_lost>>("capture_lost", "packets that the capture is known to lack"),
    array<&of_agreement<&Agreement::facts>>("facts", kComparedFact, "what was compared"),
    array<&of_agreement<&Agreement::differences>>("differences", kDifference,
                                                  "by fact, in the order of the truth; 10000 at most"),
    number<&of_agreement<&Agreement::unlisted>>("unlisted_differences", "beyond those of the list"),
    list<&of_agreement<&Agreement::notes>>("notes", Type::kText, "sentences: what was not compared, and why"));
constinit const Rows<NamedAgreement> kAgreement{
    {"agreement", "how far a capture agrees with the truth", kAgreementColumns}};

}  // namespace
}  // namespace rocescope::schema

namespace rocescope::render {

void append_agreement_json(const Agreement& agreement, std::string_view capture, std::string& out) {
  JsonWriter json(out);
  json.open_object();
  write_members(schema::kAgreement, {capture, agreement}, json);
  json.close_object();
  out += '\n';
}

const std::string& agreement_json_documentation() {
  static const std::string kText = [] {
    std::string text = R"(
--json writes one object, or, of a folder of the lab, one for each of its captures. Members that do not apply are absent.

)";
    append_documentation(schema::kAgreement, text);
    return text;
  }();
  return kText;
}

}  // namespace rocescope::render
