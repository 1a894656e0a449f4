// The first look at a SEND lets all pass that has the form of a message of a protocol above RoCE.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "dissectors/ulp/forms.hpp"
#include "rocescope/dissect.hpp"
#include "support/captures.hpp"

namespace rocescope::ulp_forms_test {

bool has_some_form(Bytes start, std::uint64_t length) {
  return nvme_form(start, length) != NvmeForm::kNone || has_form_of_rpc(start, length) ||
         has_form_of_iser(start, length) || has_form_of_srp(start, length) || has_form_of_smb_direct(start, length) ||
         has_form_of_smc_r(start, length) || has_form_of_lustre(start, length) || has_form_of_rds(start, length) ||
         has_form_of_nine_p(start, length) || ucx_form(start, length) == UcxForm::kStrong;
}

/// SENDs of all captures as they are, cut, and with bytes of others.
TEST(FirstLook, LetsAllPassThatHaveAForm) {
  std::mt19937 random(1);
  std::size_t with_form = 0;
  std::size_t passed = 0;
  std::size_t looked = 0;
  const auto look = [&](Bytes start, std::uint64_t length) {
    ++looked;
    const bool has_form = has_some_form(start, length);
    const bool may_have = may_have_form_of_send(start, length);
    with_form += has_form ? 1U : 0U;
    passed += may_have ? 1U : 0U;
    return may_have || !has_form;
  };
  for (const std::string& path : testing::all_captures()) {
    auto source = open_captures(std::vector<std::string>{path});
    ASSERT_TRUE(source) << path;
    Frame frame;
    Packet packet;
    while ((*source)->next(frame)) {
      dissect(frame, packet, {});
      if (!packet.is_roce() || packet.roce.opcode->operation != Operation::kSend) continue;
      const std::size_t offset = std::min<std::size_t>(packet.roce.payload_offset, frame.data.size());
      const Bytes rest = frame.data.subspan(offset);
      const Bytes payload = rest.first(std::min<std::size_t>(packet.roce.payload_length, rest.size()));
      if (payload.empty()) continue;
      std::vector<std::uint8_t> bytes(payload.begin(), payload.end());
      for (int i = 0; i < 16; ++i) {
        const std::size_t cut = i % 2 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), random() % 64);
        const std::uint64_t length = i % 4 == 3 ? 0 : payload.size();
        ASSERT_TRUE(look(Bytes(bytes).first(cut), length)) << path << ", packet " << frame.number;
        // A form stays one where bytes change that it does not ask for.
        bytes[random() % std::min<std::size_t>(bytes.size(), 32)] = static_cast<std::uint8_t>(random());
        if (random() % 4 != 0) std::ranges::copy(payload, bytes.begin());
      }
    }
  }
  EXPECT_GT(with_form, 30'000U);
  EXPECT_LT(passed, looked);
}

TEST(FirstLook, StopsMostBytesOfOthers) {
  std::mt19937 random(1);
  std::vector<std::uint8_t> bytes(64);
  std::size_t passed = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
    passed += may_have_form_of_send(bytes, bytes.size()) ? 1U : 0U;
  }
  EXPECT_LT(passed, 1'500U);
}

}  // namespace rocescope::ulp_forms_test
