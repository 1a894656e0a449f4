// A terminal through ncurses, with wide characters.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <langinfo.h>
#include <unistd.h>

#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "terminal/rescue.hpp"
#include "terminal/terminal.hpp"

namespace rocescope::terminal {
namespace {

using screen::Cell;
using screen::Key;
using screen::Tone;
using Kind = Key::Kind;

/// A capability of the terminal, as the bytes that it takes.
std::string_view capability(const char* name) {
  const char* text = ::tigetstr(name);
  const bool missing = text == nullptr || reinterpret_cast<std::intptr_t>(text) == -1;
  return missing ? std::string_view() : std::string_view(text);
}

struct Ink {
  attr_t attributes = A_NORMAL;
  short color = -1;  ///< the terminal's own
};

Ink ink_of(Tone tone) noexcept {
  switch (tone) {
    case Tone::kPlain:
      return {};
    case Tone::kTitle:
      return {A_BOLD};
    case Tone::kDim:
      return {A_DIM};
    case Tone::kGood:
      return {A_NORMAL, COLOR_GREEN};
    case Tone::kError:
      return {A_BOLD, COLOR_RED};
    case Tone::kWarning:
      return {A_NORMAL, COLOR_YELLOW};
    case Tone::kConnection:
      return {A_NORMAL, COLOR_CYAN};
    case Tone::kCongestion:
      return {A_NORMAL, COLOR_MAGENTA};
  }
  return {};
}

std::optional<Key> key_of(int code) noexcept {
  constexpr int kEscape = 27;
  constexpr int kDelete = 127;
  switch (code) {
    case KEY_UP:
      return Key{Kind::kUp};
    case KEY_DOWN:
      return Key{Kind::kDown};
    case KEY_PPAGE:
      return Key{Kind::kPageUp};
    case KEY_NPAGE:
      return Key{Kind::kPageDown};
    case KEY_HOME:
      return Key{Kind::kHome};
    case KEY_END:
      return Key{Kind::kEnd};
    case KEY_ENTER:
    case '\n':
    case '\r':
      return Key{Kind::kEnter};
    case kEscape:
      return Key{Kind::kEscape};
    case KEY_BACKSPACE:
    case kDelete:
    case '\b':
      return Key{Kind::kBackspace};
    default:
      if (code < ' ' || code > '~') return std::nullopt;
      return Key{Kind::kCharacter, static_cast<char>(code)};
  }
}

class NcursesTerminal final : public Terminal {
 public:
  [[nodiscard]] bool start(bool color) {
    constexpr int kEscapeDelay = 25;  // ms until Esc is a key, and not the begin of another
    screen_ = ::newterm(nullptr, stdout, stdin);
    if (screen_ == nullptr) return false;
    ::set_escdelay(kEscapeDelay);
    ::cbreak();
    ::noecho();
    ::nonl();
    ::keypad(stdscr, TRUE);
    ::nodelay(stdscr, TRUE);
    ::curs_set(0);
    color_ = color && ::has_colors() && ::start_color() == OK && ::use_default_colors() == OK;
    if (color_) {
      for (short each = COLOR_BLACK; each <= COLOR_WHITE; ++each) ::init_pair(pair_of(each), each, -1);
    }
    rescue_.arm(std::string(capability("sgr0")) + std::string(capability("cnorm")) + std::string(capability("rmcup")));
    return true;
  }
  ~NcursesTerminal() override {
    if (screen_ == nullptr) return;
    ::endwin();
    ::delscreen(screen_);
  }

  [[nodiscard]] std::optional<Key> key() override {
    constexpr int kRedraw = 'L' & 31;  // Ctrl-L, if something else wrote to the terminal
    for (;;) {
      const int code = ::wgetch(stdscr);
      if (code == ERR) return std::nullopt;
      if (code == kRedraw) ::clearok(curscr, TRUE);
      if (const std::optional<Key> key = key_of(code)) return key;
    }
  }
  [[nodiscard]] Size size() const override {
    return {static_cast<std::size_t>(::getmaxx(stdscr)), static_cast<std::size_t>(::getmaxy(stdscr))};
  }
  [[nodiscard]] bool unicode() const override { return std::string_view(::nl_langinfo(CODESET)) == "UTF-8"; }

  void paint(const screen::Cells& cells) override {
    for (std::size_t y = 0; y < cells.height(); ++y) {
      ::wmove(stdscr, static_cast<int>(y), 0);
      for (std::size_t x = 0; x < cells.width(); ++x) put(cells.at(x, y));
    }
    ::wrefresh(stdscr);
  }

 private:
  static short pair_of(short color) noexcept { return static_cast<short>(color + 1); }

  void put(const Cell& cell) const {
    const Ink ink = ink_of(cell.tone);
    const attr_t attributes = ink.attributes | (cell.reversed ? A_REVERSE : A_NORMAL);
    const short pair = color_ && ink.color >= 0 ? pair_of(ink.color) : short{0};
    const wchar_t text[] = {static_cast<wchar_t>(cell.glyph), L'\0'};
    cchar_t character;
    ::setcchar(&character, text, attributes, pair, nullptr);
    ::wadd_wch(stdscr, &character);
  }

  Rescue rescue_;  // first, so that it saves the original modes
  SCREEN* screen_ = nullptr;
  bool color_ = false;
};

}  // namespace

Result<std::unique_ptr<Terminal>> open(bool color) {
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) return Error{"this is no terminal"};
  std::setlocale(LC_CTYPE, "");  // selects the character set
  auto terminal = std::make_unique<NcursesTerminal>();
  if (!terminal->start(color)) {
    const char* name = std::getenv("TERM");
    return Error{std::string("cannot paint on a terminal of the type '") + (name == nullptr ? "" : name) +
                 "', which TERM names"};
  }
  return std::unique_ptr<Terminal>(std::move(terminal));
}

}  // namespace rocescope::terminal
