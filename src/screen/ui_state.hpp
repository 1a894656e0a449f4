// The choices of the user, and how keys change them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace rocescope::screen {

enum class Page : std::uint8_t { kConnections, kConnection };

/// The order of the connections; the first is on top.
enum class Order : std::uint8_t { kTrouble, kRate, kLatency, kNumber };

struct UiState {
  Page page = Page::kConnections;
  bool help = false;  ///< over the page
  Order order = Order::kTrouble;
  bool troubled_only = false;
  std::string filter;        ///< empty: all connections
  bool typing = false;       ///< keys go into the filter
  bool paused = false;       ///< nothing on the screen changes with time
  std::uint32_t chosen = 0;  ///< number of the marked connection; 0 or not listed: the first one is marked
  std::size_t top = 0;       ///< index of the first connection shown, unless the marked one would be hidden
  std::size_t back = 0;      ///< lines that the ladder is scrolled back

  friend bool operator==(const UiState&, const UiState&) = default;
};

struct Key {
  enum class Kind : std::uint8_t {
    kCharacter,
    kUp,
    kDown,
    kPageUp,
    kPageDown,
    kHome,
    kEnd,
    kEnter,
    kEscape,
    kBackspace,
  };
  Kind kind = Kind::kCharacter;
  char character = 0;  ///< of kCharacter; ASCII
};

/// The list and the ladder that keys move over.
struct View {
  std::span<const std::uint32_t> numbers;  ///< of the connections listed, in their order
  std::size_t rows = 0;                    ///< connections that the screen has room for
  std::size_t most_back = 0;               ///< lines of the ladder above those that are shown
};

/// Actions of keys that do not change the view.
enum class Action : std::uint8_t {
  kNone,
  kQuit,
  kSave,  ///< start or stop writing the packets of the chosen connection
};

struct Reaction {
  UiState state;
  Action action = Action::kNone;
};

/// The next state.
[[nodiscard]] Reaction update(UiState state, Key key, const View& view);

/// The index of the marked connection in `numbers`; 0 if it is not there.
[[nodiscard]] std::size_t chosen_index(const UiState& state, std::span<const std::uint32_t> numbers);
/// The first connection to show in `rows` rows, so that the marked one is among them and no row is left empty.
[[nodiscard]] std::size_t first_shown(const UiState& state, const View& view);

}  // namespace rocescope::screen
