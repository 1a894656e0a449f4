// The screen of a live capture: brings together what was captured, the keys of its user, and a terminal.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "ladder.hpp"
#include "live_book.hpp"
#include "live_update.hpp"
#include "rocescope/record.hpp"
#include "rocescope/tracker.hpp"
#include "screen_model.hpp"
#include "terminal.hpp"

namespace rocescope::cli {

class LiveScreen {
 public:
  /// `tracker` outlives it; `book` has nothing yet.
  LiveScreen(std::unique_ptr<terminal::Terminal> terminal, const Tracker& tracker, screen::LiveBook book);

  /// A packet that was tracked.
  void add(const PacketRecord& record) {
    if (ladder_) add_to_ladder(record);
  }
  /// What is new.
  void show(const LiveUpdate& update);
  /// Reads keys, and draws where something has changed. False: the user wants to end the capture.
  [[nodiscard]] bool attend();

 private:
  static constexpr std::size_t kMostEvents = 200;

  /// What can be shown.
  struct Known {
    screen::LiveBook book;
    std::optional<screen::ConnectionDetail> detail;
  };

  [[nodiscard]] const Known& shown() const noexcept { return paused_ ? *paused_ : known_; }
  [[nodiscard]] screen::ScreenModel model() const;
  [[nodiscard]] bool press(screen::Key key);
  void open_connection(std::uint32_t number);
  void close_connection();
  void look_at_connection();
  void add_to_ladder(const PacketRecord& record);

  std::unique_ptr<terminal::Terminal> terminal_;
  const Tracker& tracker_;
  Known known_;
  std::optional<Known> paused_;   ///< as it was when the screen was paused
  std::optional<Ladder> ladder_;  ///< of the connection that is open
  screen::UiState ui_;
  terminal::Size drawn_;
  bool stale_ = true;
};

}  // namespace rocescope::cli
