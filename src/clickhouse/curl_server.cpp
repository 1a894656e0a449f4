// HTTP by libcurl, which is loaded only when needed: with its dependencies it would double the time that every command
// takes to start. Bodies of INSERTs are compressed with gzip, the best that versions of ClickHouse before 2020 accept.
#include <curl/curl.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "clickhouse/server.hpp"

// These are macros that check types, and call functions of other names here.
#undef curl_easy_setopt
#undef curl_easy_getinfo

namespace rocescope::clickhouse {
namespace {

constexpr long kConnectSeconds = 10;
constexpr long kSilentSeconds = 600;      ///< an INSERT may wait for merges
constexpr long kFirstSilentSeconds = 30;  ///< the question for the version waits for nothing
constexpr long kDone = 200;

/// The functions of libcurl, by their names without `curl_`.
class Curl {
 public:
  Curl() {
    library_ = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    is_there_ = load("curl_easy_cleanup", easy_cleanup) && load("curl_easy_getinfo", easy_getinfo) &&
                load("curl_easy_init", easy_init) && load("curl_easy_perform", easy_perform) &&
                load("curl_easy_reset", easy_reset) && load("curl_easy_setopt", easy_setopt) &&
                load("curl_easy_strerror", easy_strerror) && load("curl_free", free) &&
                load("curl_global_init", global_init) && load("curl_slist_append", slist_append) &&
                load("curl_slist_free_all", slist_free_all) && load("curl_url", url) &&
                load("curl_url_cleanup", url_cleanup) && load("curl_url_get", url_get) && load("curl_url_set", url_set);
    is_there_ = is_there_ && global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  }

  static constexpr const char* kLibrary = "libcurl.so.4";
  [[nodiscard]] bool is_there() const { return is_there_; }

  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_perform) easy_perform = nullptr;
  decltype(&curl_easy_reset) easy_reset = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_free) free = nullptr;
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
  decltype(&curl_url) url = nullptr;
  decltype(&curl_url_cleanup) url_cleanup = nullptr;
  decltype(&curl_url_get) url_get = nullptr;
  decltype(&curl_url_set) url_set = nullptr;

 private:
  template <class Function>
  [[nodiscard]] bool load(const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    return function != nullptr;
  }

  void* library_ = nullptr;  // stays loaded
  bool is_there_ = false;
};

const Curl& curl() {
  static const Curl functions;
  return functions;
}

struct Release {
  void operator()(CURL* handle) const noexcept { curl().easy_cleanup(handle); }
  void operator()(CURLU* url) const noexcept { curl().url_cleanup(url); }
  void operator()(curl_slist* list) const noexcept { curl().slist_free_all(list); }
  void operator()(char* text) const noexcept { curl().free(text); }
};
using Handle = std::unique_ptr<CURL, Release>;
using Headers = std::unique_ptr<curl_slist, Release>;

void add_header(Headers& headers, const std::string& header) {
  curl_slist* const longer = curl().slist_append(headers.get(), header.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  (void)headers.release();
  headers.reset(longer);
}

/// A part of a URL; empty where it has none.
std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl().url_get(url, part, &text, 0) != CURLUE_OK) return {};
  const std::unique_ptr<char, Release> owner(text);
  return text;
}

/// The URL with a path, since the query comes behind it. The error does not repeat what may be a password.
Result<std::string> checked(const std::string& text) {
  const std::unique_ptr<CURLU, Release> url(curl().url());
  if (url == nullptr) throw std::bad_alloc();
  const bool is_url = curl().url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK;
  if (is_url && !(part_of(url.get(), CURLUPART_USER) + part_of(url.get(), CURLUPART_PASSWORD)).empty()) {
    return Error{
        "a URL must have no user and no password: every user of this machine can read the command line. Give them with "
        "--credentials FILE, in CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, or in .netrc"};
  }
  const std::string scheme = is_url ? part_of(url.get(), CURLUPART_SCHEME) : "";
  const bool has_query =
      is_url && !(part_of(url.get(), CURLUPART_QUERY) + part_of(url.get(), CURLUPART_FRAGMENT)).empty();
  if (has_query) return Error{"a URL must have nothing behind a ? or #: http://HOST:8123 is enough"};
  if (scheme != "http" && scheme != "https") {
    return Error{fmt::format("'{}' is no URL such as http://HOST:8123 or https://HOST:8443", text)};
  }
  return part_of(url.get(), CURLUPART_URL);
}

/// Escapes a query for a URL. Allowed characters stay as they are, so that lists of columns are short.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-_.~,()").find(c) != std::string_view::npos;
    if (stays) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

void compress(std::string_view raw, std::vector<std::uint8_t>& out) {
  constexpr std::size_t kStoredBlock = 65'535;
  constexpr std::size_t kBlockHead = 5;
  constexpr std::size_t kFrame = 64;  // gzip's head and end, and more
  out.resize(raw.size() + (raw.size() / kStoredBlock + 1) * kBlockHead + kFrame);
  std::vector<std::uint8_t> levels(ISAL_DEF_LVL1_DEFAULT);
  isal_zstream stream;
  isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.level = 1;
  stream.level_buf = levels.data();
  stream.level_buf_size = static_cast<std::uint32_t>(levels.size());
  stream.end_of_stream = 1;
  stream.next_in = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(raw.data()));
  stream.avail_in = static_cast<std::uint32_t>(raw.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<std::uint32_t>(out.size());
  if (isal_deflate_stateless(&stream) != COMP_OK) throw std::bad_alloc();  // there is room for all that it may be
  out.resize(stream.total_out);
}

std::size_t take_answer(char* bytes, std::size_t size, std::size_t number, void* answer) {
  static_cast<std::string*>(answer)->append(bytes, size * number);
  return size * number;
}

std::size_t take_header(char* bytes, std::size_t size, std::size_t number, void* has_failed) {
  constexpr std::string_view kException = "x-clickhouse-exception-code:";
  const std::string_view line(bytes, size * number);
  const auto is_same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  if (line.size() >= kException.size() && std::equal(kException.begin(), kException.end(), line.begin(),
                                                     [&](char wanted, char read) { return is_same(read, wanted); })) {
    *static_cast<bool*>(has_failed) = true;
  }
  return size * number;
}

/// Advice to append to `what`, the message of libcurl.
std::string_view advice_on(CURLcode code, std::string_view what, bool is_encrypted) {
  // A server without TLS may also wait for the rest of what it reads as a request.
  if (code == CURLE_OPERATION_TIMEDOUT && what.starts_with("SSL connection")) code = CURLE_SSL_CONNECT_ERROR;
  switch (code) {
    case CURLE_SSL_CONNECT_ERROR:
      return ". A port without TLS needs a URL with http://";
    case CURLE_PEER_FAILED_VERIFICATION:
      return ". --ca-file names a file with the certificate that signed it";
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
      return is_encrypted ? "" : ". A port with TLS needs a URL with https://";
    default:
      return "";
  }
}

int look_for_interrupt(void* access, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const auto& interrupted = static_cast<const Access*>(access)->interrupted;
  return interrupted && interrupted() ? 1 : 0;
}

class CurlServer final : public Server {
 public:
  CurlServer(std::string url, Access access)
      : url_(std::move(url)), access_(std::move(access)), handle_(curl().easy_init()) {
    if (handle_ == nullptr) throw std::bad_alloc();
  }

  [[nodiscard]] const std::string& url() const override { return url_; }
  [[nodiscard]] Version version() const override { return version_; }

  [[nodiscard]] Result<std::string> ask(std::string_view statement) override {
    return send("?wait_end_of_query=1", statement, false);
  }

  [[nodiscard]] std::optional<Error> insert(std::string_view statement, std::string_view rows) override {
    // Without async_insert=0 a current server keeps the rows of several INSERTs for a while; an older one refuses settings that it does not know.
    constexpr Version kCollects{21, 11};
    compress(rows, body_);
    const Result<std::string> answer =
        send(fmt::format("?wait_end_of_query=1&insert_deduplicate=0{}&query={}",
                         version_ >= kCollects ? "&async_insert=0" : "", escaped(statement)),
             {reinterpret_cast<const char*>(body_.data()), body_.size()}, true);
    return answer ? std::nullopt : std::optional(answer.error());
  }

  /// Asks for the version.
  [[nodiscard]] std::optional<Error> probe() {
    const Result<std::string> answer = ask("SELECT version()");
    if (!answer) return answer.error();
    const std::string_view text = *answer;
    unsigned year = 0;
    unsigned month = 0;
    const auto [dot, no_year] = std::from_chars(text.data(), text.data() + text.size(), year);
    const bool has_dot = no_year == std::errc() && dot != text.data() + text.size() && *dot == '.';
    if (!has_dot || std::from_chars(dot + 1, text.data() + text.size(), month).ec != std::errc()) {
      constexpr std::size_t kMostShown = 200;
      return error(fmt::format("this is no ClickHouse: it answers '{}'", text.substr(0, kMostShown)));
    }
    version_ = {year, month};
    return std::nullopt;
  }

 private:
  [[nodiscard]] Error error(std::string_view what) const { return Error{fmt::format("{}: {}", url_, what)}; }

  [[nodiscard]] Result<std::string> send(const std::string& query, std::string_view body, bool compressed) {
    CURL* const handle = handle_.get();
    curl().easy_reset(handle);  // keeps its connection
    std::array<char, CURL_ERROR_SIZE> reason{};
    std::string answer;
    bool has_failed = false;
    Headers headers;
    add_header(headers, "Expect:");
    add_header(headers, "Content-Type: application/octet-stream");
    if (compressed) add_header(headers, "Content-Encoding: gzip");
    if (access_.user) {
      add_header(headers, "X-ClickHouse-User: " + *access_.user);
      if (!access_.password.empty()) add_header(headers, "X-ClickHouse-Key: " + access_.password);
    } else {
      curl().easy_setopt(handle, CURLOPT_NETRC, long{CURL_NETRC_OPTIONAL});
    }
    const std::string url = url_ + query;
    curl().easy_setopt(handle, CURLOPT_URL, url.c_str());
    curl().easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
    curl().easy_setopt(handle, CURLOPT_POST, 1L);
    curl().easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl().easy_setopt(handle, CURLOPT_POSTFIELDS, body.data());
    curl().easy_setopt(handle, CURLOPT_WRITEFUNCTION, &take_answer);
    curl().easy_setopt(handle, CURLOPT_WRITEDATA, &answer);
    curl().easy_setopt(handle, CURLOPT_HEADERFUNCTION, &take_header);
    curl().easy_setopt(handle, CURLOPT_HEADERDATA, &has_failed);
    curl().easy_setopt(handle, CURLOPT_ERRORBUFFER, reason.data());
    // Servers of 2018 answer in two pieces, the second of which waits for an acknowledgement that comes 40 ms later, unless they close.
    curl().easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
    curl().easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl().easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl().easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl().easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, version_ == Version() ? kFirstSilentSeconds : kSilentSeconds);
    curl().easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl().easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, &look_for_interrupt);
    curl().easy_setopt(handle, CURLOPT_XFERINFODATA, &access_);
    if (!access_.ca_file.empty()) curl().easy_setopt(handle, CURLOPT_CAINFO, access_.ca_file.c_str());

    const CURLcode done = curl().easy_perform(handle);
    if (done == CURLE_ABORTED_BY_CALLBACK) return error("interrupted");
    if (done != CURLE_OK) {
      std::string what = reason.front() != '\0' ? reason.data() : curl().easy_strerror(done);
      return error(what.append(advice_on(done, what, url_.starts_with("https:"))));
    }
    long status = 0;
    curl().easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    if (status == kDone && !has_failed) return answer;
    while (!answer.empty() && (answer.back() == '\n' || answer.back() == '\r')) answer.pop_back();
    return error(fmt::format("HTTP status {}: {}", status, answer.empty() ? "it says nothing else" : answer));
  }

  std::string url_;
  Access access_;
  Handle handle_;
  Version version_;
  std::vector<std::uint8_t> body_;  ///< for use again
};

}  // namespace

Result<std::unique_ptr<Server>> connect(const std::string& url, const Access& access) {
  if (!curl().is_there())
    return Error{fmt::format("export needs {}, which cannot be loaded (Debian: libcurl4)", Curl::kLibrary)};
  Result<std::string> whole = checked(url);
  if (!whole) return whole.error();
  auto server = std::make_unique<CurlServer>(std::move(*whole), access);
  if (std::optional<Error> error = server->probe()) return *std::move(error);
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace rocescope::clickhouse
