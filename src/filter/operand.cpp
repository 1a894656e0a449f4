// Fields, headers, slices, masks and constants as operands.
#include "filter/operand.hpp"

#include <algorithm>
#include <bitset>
#include <utility>

namespace rocescope::filter {
namespace {

Value value_of(const FieldValue& source) {
  Value value{source.field->type, source.number, source.bytes};
  if (value.type == FieldType::kText) {
    const auto end = std::find(value.bytes.begin(), value.bytes.end(), std::uint8_t{0});
    value.bytes = value.bytes.first(static_cast<std::size_t>(end - value.bytes.begin()));
  }
  return value;
}

class FieldOperand final : public Operand {
 public:
  FieldOperand(std::string name, std::vector<fields::FieldRef> refs) : name_(std::move(name)), refs_(std::move(refs)) {
    for (const fields::FieldRef& ref : refs_) fields_.push_back(ref.field);
  }
  bool any(const PacketRecord& record, Visitor visit) const override {
    return std::any_of(refs_.begin(), refs_.end(), [&](const fields::FieldRef& ref) {
      return fields::any_value(record, ref, [&](const FieldValue& value) { return visit(value_of(value)); });
    });
  }
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::span<const Field* const> fields() const override { return fields_; }
  [[nodiscard]] bool is_field() const override { return true; }
  [[nodiscard]] const ExpectedField* expected() const override { return find_expected(name_); }

 private:
  std::string name_;
  std::vector<fields::FieldRef> refs_;
  std::vector<const Field*> fields_;
};

class FrameOperand final : public SingleTypeOperand {
 public:
  FrameOperand() : SingleTypeOperand("frame", FieldType::kBytes) {}
  bool any(const PacketRecord& record, Visitor visit) const override {
    const Packet& packet = *record.packet;
    return visit({FieldType::kBytes, 0, packet.frame.data.subspan(packet.record_header_length())});
  }
};

/// A header of that name with its options and optional words. If no header has that name, a run of the headers below it
/// (`infiniband`).
class HeaderOperand final : public SingleTypeOperand {
 public:
  explicit HeaderOperand(const std::string& name) : SingleTypeOperand(name, FieldType::kBytes) {
    const std::vector<HeaderKind> under = fields::find_headers(name);
    const auto exact = [&](HeaderKind kind) { return header_info(kind).name == name; };
    const auto whole = [&](HeaderKind kind) { return exact(kind) && !header_info(kind).continues; };
    const bool has_whole = std::any_of(under.begin(), under.end(), whole);
    is_family_ = std::none_of(under.begin(), under.end(), exact);
    for (const HeaderKind kind : under) {
      if (is_family_ || (has_whole ? whole(kind) : exact(kind))) starts_.set(static_cast<std::size_t>(kind));
    }
  }
  bool any(const PacketRecord& record, Visitor visit) const override {
    const Packet& packet = *record.packet;
    Layer run;  // a header with what belongs to it
    const auto end_run = [&] {
      return run.kind != HeaderKind::kNone && visit({FieldType::kBytes, 0, bytes_of(packet, run)});
    };
    return any_header(packet,
                      [&](const Layer& header) {
                        if (run.kind != HeaderKind::kNone && goes_on(header)) {
                          run.length = header.offset + header.length - run.offset;
                          return false;
                        }
                        if (end_run()) return true;
                        run = is_start(header) ? header : Layer{};
                        return false;
                      }) ||
           end_run();
  }
  void reach_on() override { reaches_on_ = true; }

 private:
  [[nodiscard]] bool is_start(const Layer& layer) const { return starts_[static_cast<std::size_t>(layer.kind)]; }
  [[nodiscard]] bool goes_on(const Layer& layer) const {
    return is_start(layer) ? is_family_ : header_info(layer.kind).continues;
  }
  [[nodiscard]] Bytes bytes_of(const Packet& packet, const Layer& run) const {
    std::size_t end = run.offset + run.length;
    if (reaches_on_) {
      end = packet.frame.data.size();
      // A trailer follows the packet inside the frame.
      const Layer* trailer = packet.find(HeaderKind::kTrailer);
      if (trailer != nullptr && trailer->offset > run.offset && run.kind != HeaderKind::kEthernet) {
        end = trailer->offset;
      }
    }
    return packet.bytes_with(run).subspan(run.offset, end - run.offset);
  }

  std::bitset<kHeaderKinds> starts_;  ///< by HeaderKind
  bool is_family_ = false;
  bool reaches_on_ = false;
};

class SliceOperand final : public Operand {
 public:
  SliceOperand(OperandPtr inner, std::vector<Slice> slices) : inner_(std::move(inner)), slices_(std::move(slices)) {
    for (const Field* field : inner_->fields()) {
      Field part{field->name, field->label, 0, kRestOfLayer, FieldType::kBytes};
      if (field->type == FieldType::kText) part.type = FieldType::kText;
      parts_.push_back(part);
    }
    for (const Field& part : parts_) fields_.push_back(&part);
  }
  bool any(const PacketRecord& record, Visitor visit) const override {
    return inner_->any(record, [&](Value value) {
      if (is_numeric(value.type)) return false;
      if (value.type != FieldType::kText) value.type = FieldType::kBytes;
      return cut(value) && visit(value);
    });
  }
  [[nodiscard]] std::string_view name() const override { return inner_->name(); }
  [[nodiscard]] std::span<const Field* const> fields() const override { return fields_; }

 private:
  [[nodiscard]] bool cut(Value& value) const {
    if (slices_.size() == 1) {
      const auto place = locate(slices_[0], value.bytes.size());
      if (place) value.bytes = value.bytes.subspan(place->first, place->second);
      return place.has_value();
    }
    joined_.clear();
    for (const Slice& slice : slices_) {
      const auto place = locate(slice, value.bytes.size());
      if (!place) return false;
      const Bytes part = value.bytes.subspan(place->first, place->second);
      joined_.insert(joined_.end(), part.begin(), part.end());
    }
    value.bytes = joined_;
    return true;
  }

  OperandPtr inner_;
  std::vector<Slice> slices_;
  std::vector<Field> parts_;
  std::vector<const Field*> fields_;
  mutable std::vector<std::uint8_t> joined_;
};

class MaskOperand final : public Operand {
 public:
  MaskOperand(OperandPtr left, OperandPtr right) : left_(std::move(left)), right_(std::move(right)) {}
  bool any(const PacketRecord& record, Visitor visit) const override {
    return left_->any(record, [&](const Value& left) {
      return right_->any(
          record, [&](const Value& right) { return comparable(left.type, right.type) && visit(masked(left, right)); });
    });
  }
  [[nodiscard]] std::string_view name() const override { return left_->name(); }
  [[nodiscard]] std::span<const Field* const> fields() const override { return left_->fields(); }
  /// A mask is true if any bit is left.
  [[nodiscard]] bool present(const PacketRecord& record) const override {
    return any(record, [](const Value& value) {
      return value.number != 0 || std::any_of(value.bytes.begin(), value.bytes.end(), [](auto b) { return b != 0; });
    });
  }

 private:
  [[nodiscard]] Value masked(const Value& left, const Value& right) const {
    if (is_numeric(left.type)) return {left.type, left.number & right.number, {}};
    // As in Wireshark, the longer one is cut to the length of the shorter one.
    result_.resize(std::min(left.bytes.size(), right.bytes.size()));
    for (std::size_t i = 0; i < result_.size(); ++i) {
      result_[i] = static_cast<std::uint8_t>(left.bytes[i] & right.bytes[i]);
    }
    return {left.type, 0, result_};
  }

  OperandPtr left_;
  OperandPtr right_;
  mutable std::vector<std::uint8_t> result_;
};

class ConstantOperand final : public Operand {
 public:
  ConstantOperand(std::string name, std::vector<Constant> constants)
      : name_(std::move(name)), constants_(std::move(constants)) {
    for (const Constant& constant : constants_) types_.push_back({name_, "", 0, 64, constant.type});
    for (const Field& type : types_) fields_.push_back(&type);
  }
  bool any(const PacketRecord& /*record*/, Visitor visit) const override {
    return std::any_of(constants_.begin(), constants_.end(), [&](const Constant& constant) {
      return visit({constant.type, constant.number, as_bytes(constant.bytes)});
    });
  }
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::span<const Field* const> fields() const override { return fields_; }

 private:
  std::string name_;
  std::vector<Constant> constants_;
  std::vector<Field> types_;
  std::vector<const Field*> fields_;
};

}  // namespace

OperandPtr make_field_operand(std::string name, std::vector<fields::FieldRef> refs) {
  return std::make_unique<FieldOperand>(std::move(name), std::move(refs));
}

OperandPtr make_header_operand(std::string name) {
  if (name == "frame") return std::make_unique<FrameOperand>();
  return std::make_unique<HeaderOperand>(name);
}

OperandPtr make_slice_operand(OperandPtr inner, std::vector<Slice> slices) {
  return std::make_unique<SliceOperand>(std::move(inner), std::move(slices));
}

OperandPtr make_mask_operand(OperandPtr left, OperandPtr right) {
  return std::make_unique<MaskOperand>(std::move(left), std::move(right));
}

OperandPtr make_constant_operand(std::string name, std::vector<Constant> constants) {
  return std::make_unique<ConstantOperand>(std::move(name), std::move(constants));
}

}  // namespace rocescope::filter
