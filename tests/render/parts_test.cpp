// What a printer or filter does not ask for makes no difference to it.
#include <gmock/gmock.h>

#include <algorithm>

#include "fields/packet_fields.hpp"
#include "printing.hpp"

namespace rocescope::render {
namespace {

/// Retransmissions with their causes, losses, READs, and a rewritten source port are in these.
const std::vector<std::string> kCaptures = {"impaired_in-loss_heavy.pcapng", "impaired_out-reorder_heavy.pcapng",
                                            "impaired_out-corrupt_heavy.pcapng", "lost-heavy.pcapng",
                                            "lab_rping_write_ud_atomic.pcap"};

std::string print_with(PacketPrinter& printer, const std::string& path, RecordParts parts) {
  auto source = open_capture(path);
  if (!source) return source.error().message;
  PacketReader reader(**source, {.parts = parts});
  std::string out;
  while (const PacketRecord* record = reader.next()) {
    printer.packet(*record, out);
    reader.mark_displayed();
  }
  return out;
}

TEST(Parts, AreAllThatFieldsRead) {
  std::size_t with_parts = 0;
  for (const fields::PacketField& field : fields::packet_fields()) {
    const std::string name[] = {std::string(field.field.name)};
    const auto printer = make_fields_printer(name, {});
    ASSERT_TRUE(printer) << name[0];
    const RecordParts parts = (*printer)->parts();
    if (parts.icrc) ++with_parts;
    for (const std::string& capture : kCaptures) {
      EXPECT_EQ(print_with(**printer, lab_capture(capture), parts),
                print_with(**printer, lab_capture(capture), kAllParts))
          << name[0] << " in " << capture;
    }
  }
  EXPECT_GT(with_parts, 15u);
}

TEST(Parts, OfHeadersAreNone) {
  const std::string names[] = {"frame.number", "ip.src", "infiniband.bth", "infiniband.aeth.syndrome"};
  for (const auto& printer : {make_fields_printer(names, {}), make_json_printer(names, JsonLayout::kLines)}) {
    ASSERT_TRUE(printer);
    EXPECT_FALSE((*printer)->parts().icrc);
    EXPECT_FALSE((*printer)->parts().verdict);
  }
}

TEST(Parts, AreAllWhereEverythingIsShown) {
  EXPECT_TRUE(make_line_printer({})->parts().verdict);
  EXPECT_TRUE(make_tree_printer({})->parts().verdict);
  EXPECT_TRUE((*make_json_printer({}, JsonLayout::kLines))->parts().verdict);
}

}  // namespace
}  // namespace rocescope::render
