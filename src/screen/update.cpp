// The effect of keys.
#include <algorithm>
#include <utility>

#include "screen/ui_state.hpp"

namespace rocescope::screen {
namespace {

using Kind = Key::Kind;

/// j, k, g and G move as in vi and less.
Kind movement_of(Key key) noexcept {
  if (key.kind != Kind::kCharacter) return key.kind;
  switch (key.character) {
    case 'j':
      return Kind::kDown;
    case 'k':
      return Kind::kUp;
    case 'g':
      return Kind::kHome;
    case 'G':
      return Kind::kEnd;
    default:
      return Kind::kCharacter;
  }
}

/// `index` moved within 0 to `last`.
std::size_t moved(std::size_t index, Kind kind, std::size_t last, std::size_t page) {
  switch (kind) {
    case Kind::kUp:
      return index - std::min<std::size_t>(index, 1);
    case Kind::kDown:
      return std::min(index + 1, last);
    case Kind::kPageUp:
      return index - std::min(index, page);
    case Kind::kPageDown:
      return std::min(index + page, last);
    case Kind::kHome:
      return 0;
    case Kind::kEnd:
      return last;
    default:
      return index;
  }
}

void type(UiState& state, Key key) {
  constexpr std::size_t kMost = 60;
  switch (key.kind) {
    case Kind::kCharacter:
      if (key.character >= ' ' && key.character <= '~' && state.filter.size() < kMost) state.filter += key.character;
      return;
    case Kind::kBackspace:
      if (!state.filter.empty()) state.filter.pop_back();
      return;
    case Kind::kEscape:
      state.filter.clear();
      state.typing = false;
      return;
    case Kind::kEnter:
      state.typing = false;
      return;
    default:
      return;
  }
}

/// A new order shows the list from its top.
void sort(UiState& state, Order order) {
  state.order = order;
  state.chosen = 0;
  state.top = 0;
}

void update_list(UiState& state, Key key, const View& view) {
  if (key.kind == Kind::kCharacter) {
    switch (key.character) {
      case 't':
        return sort(state, Order::kTrouble);
      case 'r':
        return sort(state, Order::kRate);
      case 'l':
        return sort(state, Order::kLatency);
      case 'n':
        return sort(state, Order::kNumber);
      case 'e':
        state.troubled_only = !state.troubled_only;
        return;
      case '/':
        state.typing = true;
        return;
      default:
        break;
    }
  }
  if (key.kind == Kind::kEscape) {
    state.filter.clear();
    state.troubled_only = false;
    return;
  }
  if (view.numbers.empty()) return;
  const std::size_t at = chosen_index(state, view.numbers);
  if (key.kind == Kind::kEnter) {
    state.chosen = view.numbers[at];
    state.page = Page::kConnection;
    state.back = 0;
    return;
  }
  const Kind kind = movement_of(key);
  if (kind == Kind::kCharacter) return;
  state.chosen = kind == Kind::kHome ? 0 : view.numbers[moved(at, kind, view.numbers.size() - 1, view.rows)];
  state.top = first_shown(state, view);
}

void update_connection(UiState& state, Key key, const View& view) {
  if (key.kind == Kind::kEscape || key.kind == Kind::kBackspace) {
    state.page = Page::kConnections;
    return;
  }
  // The ladder ends with the newest event: up is back in time.
  const std::size_t back = std::min(state.back, view.most_back);
  state.back = view.most_back - moved(view.most_back - back, movement_of(key), view.most_back, view.rows);
}

}  // namespace

Reaction update(UiState state, Key key, const View& view) {
  if (state.typing) {
    type(state, key);
    return {std::move(state)};
  }
  const char character = key.kind == Kind::kCharacter ? key.character : '\0';
  if (state.help) {  // any key closes it
    state.help = false;
    return {std::move(state)};
  }
  switch (character) {
    case 'q':
      if (state.page == Page::kConnections) return {std::move(state), Action::kQuit};
      state.page = Page::kConnections;
      break;
    case '?':
    case 'h':
      state.help = true;
      break;
    case 's':
      if (view.numbers.empty()) break;
      if (state.page == Page::kConnections) state.chosen = view.numbers[chosen_index(state, view.numbers)];
      return {std::move(state), Action::kSave};
    case 'p':
    case ' ':
      state.paused = !state.paused;
      break;
    default:
      state.page == Page::kConnections ? update_list(state, key, view) : update_connection(state, key, view);
  }
  return {std::move(state)};
}

std::size_t chosen_index(const UiState& state, std::span<const std::uint32_t> numbers) {
  const auto found = std::find(numbers.begin(), numbers.end(), state.chosen);
  return found == numbers.end() ? 0 : static_cast<std::size_t>(found - numbers.begin());
}

std::size_t first_shown(const UiState& state, const View& view) {
  if (view.numbers.size() <= view.rows || view.rows == 0) return 0;
  const std::size_t at = chosen_index(state, view.numbers);
  const std::size_t lowest = at < view.rows ? 0 : at - view.rows + 1;
  return std::min(std::clamp(state.top, lowest, at), view.numbers.size() - view.rows);
}

}  // namespace rocescope::screen
