// One class for each shape of function.
#include "filter/function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "rocescope/text.hpp"

namespace rocescope::filter {
namespace {

using Arguments = std::vector<OperandPtr>;

std::string title(std::string_view name, const Arguments& arguments) {
  return fmt::format("{}({})", name, arguments.front()->name());
}

/// One number for each value: how many bytes it has.
class LengthFunction final : public SingleTypeOperand {
 public:
  LengthFunction(std::string_view name, Arguments arguments)
      : SingleTypeOperand(title(name, arguments), FieldType::kUnsigned), argument_(std::move(arguments.front())) {}
  bool any(const PacketRecord& record, Visitor visit) const override {
    return argument_->any(record, [&](const Value& value) {
      return !is_numeric(value.type) && visit({FieldType::kUnsigned, value.bytes.size(), {}});
    });
  }

 private:
  OperandPtr argument_;
};

/// One number: how many values there are. None for none, as every function of nothing.
class CountFunction final : public SingleTypeOperand {
 public:
  CountFunction(std::string_view name, Arguments arguments)
      : SingleTypeOperand(title(name, arguments), FieldType::kUnsigned), argument_(std::move(arguments.front())) {}
  bool any(const PacketRecord& record, Visitor visit) const override {
    std::uint64_t count = 0;
    static_cast<void>(argument_->any(record, [&](const Value&) {
      ++count;
      return false;
    }));
    return count > 0 && visit({FieldType::kUnsigned, count, {}});
  }

 private:
  OperandPtr argument_;
};

/// A text for each value.
class TextFunction final : public SingleTypeOperand {
 public:
  using Convert = void (*)(const Value& value, std::string& text);
  TextFunction(std::string_view name, Arguments arguments, Convert convert)
      : SingleTypeOperand(title(name, arguments), FieldType::kText),
        argument_(std::move(arguments.front())),
        convert_(convert) {}
  bool any(const PacketRecord& record, Visitor visit) const override {
    return argument_->any(record, [&](const Value& value) {
      text_.clear();
      convert_(value, text_);
      return visit({FieldType::kText, 0, as_bytes(text_)});
    });
  }

 private:
  OperandPtr argument_;
  Convert convert_;
  mutable std::string text_;
};

/// One value: the largest or smallest of all that are there.
class ExtremeFunction final : public SingleTypeOperand {
 public:
  ExtremeFunction(std::string_view name, Arguments arguments, Relation better)
      : SingleTypeOperand(title(name, arguments), arguments.front()->fields().front()->type),
        arguments_(std::move(arguments)),
        better_(better) {}
  bool any(const PacketRecord& record, Visitor visit) const override {
    std::optional<Value> best;
    for (const OperandPtr& argument : arguments_) {
      static_cast<void>(argument->any(record, [&](const Value& value) {
        if (!best || holds(value, better_, *best)) best = value;
        return false;
      }));
    }
    return best && visit(*best);
  }

 private:
  Arguments arguments_;
  Relation better_;
};

class AbsoluteFunction final : public SingleTypeOperand {
 public:
  AbsoluteFunction(std::string_view name, Arguments arguments)
      : SingleTypeOperand(title(name, arguments), arguments.front()->fields().front()->type),
        argument_(std::move(arguments.front())) {}
  bool any(const PacketRecord& record, Visitor visit) const override {
    return argument_->any(record, [&](Value value) {
      const bool negative = value.type == FieldType::kDuration && static_cast<std::int64_t>(value.number) < 0;
      if (negative) value.number = 0 - value.number;
      return visit(value);
    });
  }

 private:
  OperandPtr argument_;
};

void upper(const Value& value, std::string& text) {
  for (const std::uint8_t c : value.bytes) text += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

void lower(const Value& value, std::string& text) {
  for (const std::uint8_t c : value.bytes) text += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/// Numbers in decimal, addresses as people write them.
void to_text(const Value& value, std::string& text) {
  if (value.type == FieldType::kUnsigned) {
    text += fmt::format("{}", value.number);
  } else if (value.type == FieldType::kMac) {
    append_mac(value.bytes.first<6>(), text);
  } else if (value.type == FieldType::kIpv4) {
    append_ipv4(value.bytes.first<4>(), text);
  } else {
    append_ipv6(value.bytes.first<16>(), text);
  }
}

constexpr FieldType kTexts[] = {FieldType::kText};
constexpr FieldType kSequences[] = {FieldType::kText, FieldType::kBytes, FieldType::kIpv4, FieldType::kIpv6,
                                    FieldType::kMac};
constexpr FieldType kPrintable[] = {FieldType::kUnsigned, FieldType::kIpv4, FieldType::kIpv6, FieldType::kMac};
constexpr FieldType kMagnitudes[] = {FieldType::kUnsigned, FieldType::kDuration};

constexpr std::size_t kManyArguments = 64;

template <class Operand>
OperandPtr make(std::string_view name, Arguments arguments) {
  return std::make_unique<Operand>(name, std::move(arguments));
}
template <TextFunction::Convert Convert>
OperandPtr make_text(std::string_view name, Arguments arguments) {
  return std::make_unique<TextFunction>(name, std::move(arguments), Convert);
}
template <Relation Better>
OperandPtr make_extreme(std::string_view name, Arguments arguments) {
  return std::make_unique<ExtremeFunction>(name, std::move(arguments), Better);
}

constexpr Function kFunctions[] = {
    {"len", 1, kSequences, "a text, a byte sequence, an address or a protocol", true, false, make<LengthFunction>},
    {"count", 1, {}, "a field or a protocol", true, false, make<CountFunction>},
    {"upper", 1, kTexts, "a text", false, false, make_text<upper>},
    {"lower", 1, kTexts, "a text", false, false, make_text<lower>},
    {"string", 1, kPrintable, "a number or an address", false, false, make_text<to_text>},
    {"max", kManyArguments, {}, "fields of one type", false, true, make_extreme<Relation::kGreater>},
    {"min", kManyArguments, {}, "fields of one type", false, true, make_extreme<Relation::kLess>},
    {"abs", 1, kMagnitudes, "a number or a time in seconds", false, false, make<AbsoluteFunction>},
};

}  // namespace

const Function* find_function(std::string_view name) noexcept {
  const auto* found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                   [&](const Function& function) { return function.name == name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

std::string function_names() {
  std::string names;
  for (const Function& function : kFunctions) {
    if (!names.empty()) names += ", ";
    names += function.name;
  }
  return names;
}

}  // namespace rocescope::filter
