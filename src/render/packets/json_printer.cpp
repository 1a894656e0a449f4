// -T json and -T ndjson: one object a packet.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "render/columns.hpp"
#include "render/packets/packet_printer.hpp"
#include "render/value_text.hpp"

namespace rocescope::render {
namespace {

/// Version of the packet object: a new one whenever a member changes its meaning or its form.
constexpr std::string_view kObjectStart = R"({"type":"packet","schema":1)";

std::string key_of(std::string_view name) {
  std::string key = ",";
  append_json_string(name, key);
  return key += ':';
}

/// Writes the members of an object one after the other: start(), add() for each value, finish(). One without values is
/// left out; several values are an array.
class MemberWriter {
 public:
  explicit MemberWriter(std::string& out) : out_(out) {}

  /// `key` is the start of the member: a comma, the name in quotes, a colon.
  void start(std::string_view key) { key_ = key; }
  void add(const FieldValue& value) {
    if (count_ == 0) {
      out_ += key_;
      first_ = out_.size();
    } else {
      if (count_ == 1) out_.insert(first_, 1, '[');
      out_ += ',';
    }
    append_json_value(value, out_);
    ++count_;
  }
  void finish() {
    if (count_ > 1) out_ += ']';
    count_ = 0;
  }

 private:
  std::string_view key_;
  std::string& out_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

/// All values of a packet, those of one name together, names in the order in which the packet has them first. Reused, so
/// that it allocates nothing once it has seen the largest packet.
class ValuesByName {
 public:
  ValuesByName() {
    std::unordered_map<std::string_view, std::uint32_t> ids;
    const auto id_of = [&](const Field& field) {
      const auto [id, is_new] = ids.try_emplace(field.name, static_cast<std::uint32_t>(ids.size()));
      if (is_new) keys_.push_back(key_of(field.name));
      return id->second;
    };
    for (const fields::PacketField& field : fields::packet_fields()) packet_ids_.push_back(id_of(field.field));
    header_ids_.emplace_back();  // HeaderKind::kNone
    for (const HeaderInfo& header : all_headers()) {
      std::vector<std::uint32_t>& row = header_ids_.emplace_back();
      for (const Field& field : header.fields) row.push_back(id_of(field));
    }
    chains_.resize(ids.size());
  }

  void read(const PacketRecord& record) {
    for (const std::uint32_t id : order_) chains_[id] = {};
    order_.clear();
    slots_.clear();
    FieldValue value;
    for (std::size_t i = 0; i < packet_ids_.size(); ++i) {
      const fields::PacketField& candidate = fields::packet_fields()[i];
      value = {};
      value.field = &candidate.field;
      if (candidate.read(record, value)) add(packet_ids_[i], value);
    }
    for_each_field(*record.packet, [&](const Layer& header, const FieldValue& found) {
      const auto index = static_cast<std::size_t>(found.field - header_info(header.kind).fields.data());
      add(header_ids_[static_cast<std::size_t>(header.kind)][index], found);
    });
  }

  /// Calls `visit(value)` for each value of each name, and `next(key)` before each name.
  template <class Next, class Visit>
  void for_each(Next next, Visit visit) const {
    for (const std::uint32_t id : order_) {
      next(keys_[id]);
      for (std::uint32_t at = chains_[id].first; at != kEnd; at = slots_[at].next) visit(slots_[at].value);
    }
  }

 private:
  static constexpr std::uint32_t kEnd = UINT32_MAX;
  struct Slot {
    FieldValue value;
    std::uint32_t next = kEnd;
  };
  struct Chain {
    std::uint32_t first = kEnd;
    std::uint32_t last = kEnd;
  };

  void add(std::uint32_t id, const FieldValue& value) {
    const auto slot = static_cast<std::uint32_t>(slots_.size());
    slots_.push_back({value, kEnd});
    Chain& chain = chains_[id];
    if (chain.first == kEnd) {
      chain.first = slot;
      order_.push_back(id);
    } else {
      slots_[chain.last].next = slot;
    }
    chain.last = slot;
  }

  std::vector<std::uint32_t> packet_ids_;               ///< of packet_fields(), by index: equal for equal names
  std::vector<std::vector<std::uint32_t>> header_ids_;  ///< the same by HeaderKind and index of the field
  std::vector<std::string> keys_;                       ///< by ID
  std::vector<Chain> chains_;                           ///< by ID
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> order_;
};

class JsonPrinter : public PacketPrinter {
 public:
  JsonPrinter(std::vector<Column> columns, JsonLayout layout) : columns_(std::move(columns)), layout_(layout) {
    for (const Column& column : columns_) keys_.push_back(key_of(column.name));
  }

  void begin(std::string& out) override {
    if (layout_ == JsonLayout::kArray) out += '[';
  }

  void packet(const PacketRecord& record, std::string& out) override {
    if (layout_ == JsonLayout::kArray) out += first_ ? "\n" : ",\n";
    first_ = false;
    out += kObjectStart;
    columns_.empty() ? append_all(record, out) : append_columns(record, out);
    out += '}';
    if (layout_ == JsonLayout::kLines) out += '\n';
  }

  void end(std::string& out) override {
    if (layout_ == JsonLayout::kArray) out += "\n]\n";
  }

  [[nodiscard]] RecordParts parts() const override { return columns_.empty() ? kAllParts : parts_of(columns_); }

 private:
  void append_columns(const PacketRecord& record, std::string& out) const {
    MemberWriter member(out);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      member.start(keys_[i]);
      for_each_value(record, columns_[i], [&](const FieldValue& value) {
        member.add(value);
        return false;
      });
      member.finish();
    }
  }

  void append_all(const PacketRecord& record, std::string& out) {
    values_.read(record);
    MemberWriter member(out);
    values_.for_each(
        [&](std::string_view key) {
          member.finish();
          member.start(key);
        },
        [&](const FieldValue& value) { member.add(value); });
    member.finish();
  }

  std::vector<Column> columns_;
  std::vector<std::string> keys_;  ///< of the columns
  JsonLayout layout_;
  bool first_ = true;
  ValuesByName values_;
};

}  // namespace

Result<std::unique_ptr<PacketPrinter>> make_json_printer(std::span<const std::string> names, JsonLayout layout) {
  Result<std::vector<Column>> columns = make_columns(names);
  if (!columns) return columns.error();
  return std::unique_ptr<PacketPrinter>(std::make_unique<JsonPrinter>(std::move(*columns), layout));
}

}  // namespace rocescope::render
