// A small interface to PCRE2.
#include "filter/regex.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <array>
#include <utility>

namespace rocescope::filter {
namespace {

/// Backtracking steps in one search: some milliseconds.
constexpr std::uint32_t kMatchLimit = 100'000;

}  // namespace

struct Regex::Implementation {
  struct Free {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
  };

  std::unique_ptr<pcre2_code, Free> code;
  std::unique_ptr<pcre2_match_data, Free> data;
  std::unique_ptr<pcre2_match_context, Free> context;
};

Regex::Regex(std::unique_ptr<Implementation> implementation) noexcept : implementation_(std::move(implementation)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

std::optional<Regex> Regex::compile(std::string_view pattern, std::string& error) {
  // Never UTF: the subject is bytes of packets.
  constexpr std::uint32_t kOptions = PCRE2_CASELESS | PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C;
  int problem = 0;
  PCRE2_SIZE where = 0;
  auto made = std::make_unique<Implementation>();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and uint8_t alias
  const auto* text = reinterpret_cast<PCRE2_SPTR>(pattern.data());
  made->code.reset(pcre2_compile(text, pattern.size(), kOptions, &problem, &where, nullptr));
  if (made->code == nullptr) {
    std::array<PCRE2_UCHAR, 256> message{};
    pcre2_get_error_message(problem, message.data(), message.size());
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and uint8_t alias
    error = fmt::format("{} at offset {} of the pattern", reinterpret_cast<const char*>(message.data()), where);
    return std::nullopt;
  }
  // Without a JIT compiler the interpreter is used.
  static_cast<void>(pcre2_jit_compile(made->code.get(), PCRE2_JIT_COMPLETE));
  made->data.reset(pcre2_match_data_create(1, nullptr));
  made->context.reset(pcre2_match_context_create(nullptr));
  if (made->data == nullptr || made->context == nullptr) {
    error = "out of memory";
    return std::nullopt;
  }
  pcre2_set_match_limit(made->context.get(), kMatchLimit);
  return Regex(std::move(made));
}

bool Regex::found_in(Bytes subject) const noexcept {
  static constexpr std::uint8_t kNothing = 0;
  const std::uint8_t* first = subject.data() == nullptr ? &kNothing : subject.data();
  // Zero means found, with more groups than we ask for; all errors, the limit's included, are negative.
  return pcre2_match(implementation_->code.get(), first, subject.size(), 0, 0, implementation_->data.get(),
                     implementation_->context.get()) >= 0;
}

}  // namespace rocescope::filter
