// -T fields and -T csv: columns of values.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/columns.hpp"
#include "render/packets/packet_printer.hpp"
#include "render/value_text.hpp"

namespace rocescope::render {
namespace {

using Occurrence = FieldsOptions::Occurrence;

/// Appends the values of a column, as many as `options` want.
void append_values(const PacketRecord& record, const Column& column, const FieldsOptions& options, std::string& out) {
  const std::size_t start = out.size();
  bool any = false;
  for_each_value(record, column, [&](const FieldValue& value) {
    if (options.occurrence == Occurrence::kLast) out.resize(start);
    if (any && options.occurrence == Occurrence::kAll) out += options.aggregator;
    any = true;
    append_value(value, out);
    return options.occurrence == Occurrence::kFirst;
  });
}

/// Doubles every `quote` in what `out` has from `start` on.
void double_quotes(char quote, std::size_t start, std::string& out) {
  for (std::size_t at = out.find(quote, start); at != std::string::npos; at = out.find(quote, at + 2)) {
    out.insert(at, 1, quote);
  }
}

/// Puts quotes around what `out` has from `start` on.
void enclose(char quote, std::size_t start, std::string& out) {
  double_quotes(quote, start, out);
  out.insert(start, 1, quote);
  out += quote;
}

/// When a cell with a value gets quotes.
enum class Quoting : std::uint8_t {
  kAsAsked,      ///< always, when the options name a quote character
  kWhereNeeded,  ///< RFC 4180: where the cell holds a comma or a quote; line ends in text are escaped already
};

class ColumnsPrinter : public PacketPrinter {
 public:
  ColumnsPrinter(std::vector<Column> columns, const FieldsOptions& options, Quoting quoting)
      : columns_(std::move(columns)), options_(options), quoting_(quoting) {}

  void begin(std::string& out) override {
    if (options_.byte_order_mark) out += "\xEF\xBB\xBF";
    if (options_.header) line(out, [&](const Column& column) { out += column.name; });
  }

  void packet(const PacketRecord& record, std::string& out) override {
    line(out, [&](const Column& column) {
      const std::size_t start = out.size();
      append_values(record, column, options_, out);
      if (wants_quotes(std::string_view(out).substr(start))) enclose(options_.quote, start, out);
    });
  }

  [[nodiscard]] RecordParts parts() const override { return parts_of(columns_); }

 private:
  [[nodiscard]] bool wants_quotes(std::string_view cell) const {
    if (quoting_ == Quoting::kWhereNeeded) return cell.find_first_of(",\"") != std::string_view::npos;
    return options_.quote != '\0' && !cell.empty();
  }

  template <class Cell>
  void line(std::string& out, Cell cell) const {
    for (const Column& column : columns_) {
      if (&column != columns_.data()) out += options_.separator;
      cell(column);
    }
    out += '\n';
  }

  std::vector<Column> columns_;
  FieldsOptions options_;
  Quoting quoting_;
};

/// What one wants to see of RoCE packets in a spreadsheet when one does not say.
std::vector<std::string> default_names() {
  return {"frame.number",
          "frame.time_epoch",
          "rocescope.src",
          "rocescope.dst",
          "udp.srcport",
          "ip.dsfield.ecn",
          "rocescope.opcode.name",
          "infiniband.bth.destqp",
          "infiniband.bth.psn",
          "infiniband.bth.a",
          "frame.len",
          "rocescope.payload_length",
          "infiniband.aeth.syndrome",
          "infiniband.aeth.msn",
          "infiniband.reth.va",
          "infiniband.reth.r_key",
          "infiniband.reth.dmalen",
          "infiniband.immdt",
          "rocescope.icrc.status"};
}

Result<std::unique_ptr<PacketPrinter>> make(std::span<const std::string> names, const FieldsOptions& options,
                                            Quoting quoting) {
  Result<std::vector<Column>> columns = make_columns(names);
  if (!columns) return columns.error();
  return std::unique_ptr<PacketPrinter>(std::make_unique<ColumnsPrinter>(std::move(*columns), options, quoting));
}

}  // namespace

Result<std::unique_ptr<PacketPrinter>> make_fields_printer(std::span<const std::string> names,
                                                           const FieldsOptions& options) {
  return make(names, options, Quoting::kAsAsked);
}

Result<std::unique_ptr<PacketPrinter>> make_csv_printer(std::span<const std::string> names,
                                                        const FieldsOptions& options) {
  FieldsOptions csv;
  csv.header = true;
  csv.byte_order_mark = options.byte_order_mark;
  csv.separator = ',';
  csv.quote = '"';
  csv.aggregator = options.aggregator;
  csv.occurrence = options.occurrence;
  return names.empty() ? make(default_names(), csv, Quoting::kWhereNeeded) : make(names, csv, Quoting::kWhereNeeded);
}

}  // namespace rocescope::render
