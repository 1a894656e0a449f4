// The content of a screen.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "ladder/ladder_event.hpp"
#include "rocescope/connection.hpp"
#include "screen/live_book.hpp"
#include "screen/ui_state.hpp"

namespace rocescope::screen {

/// A connection that was opened.
struct ConnectionDetail {
  Connection connection;           ///< as of the last update
  std::deque<LadderEvent> ladder;  ///< its newest events, oldest first
};

/// The objects that it points to outlive it.
struct ScreenModel {
  const LiveBook* book = nullptr;
  UiState ui;
  std::vector<std::uint32_t> numbers;        ///< of the connections listed, in their order
  const ConnectionDetail* detail = nullptr;  ///< of the chosen connection; null on the list
  std::string notice;                        ///< replaces the line of keys; may be empty
  bool unicode = true;                       ///< the terminal has more than ASCII
};

/// Those that pass the filter, sorted.
[[nodiscard]] std::vector<std::uint32_t> listed_connections(const LiveBook& book, const UiState& ui);

/// `192.168.2.25 0x000011 > 192.168.2.24 0x000011`
[[nodiscard]] std::string sides_text(const ConnectionRow& row, bool with_queue_pairs);

}  // namespace rocescope::screen
