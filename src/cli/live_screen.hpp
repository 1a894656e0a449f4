// The screen of a live capture: joins the captured data, the keys and the terminal.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "analysis/analysis.hpp"
#include "cli/connection_file.hpp"
#include "ladder/ladder.hpp"
#include "ladder/last_messages.hpp"
#include "model/live_update.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/record.hpp"
#include "rocescope/tracker.hpp"
#include "screen/live_book.hpp"
#include "screen/screen_model.hpp"
#include "terminal/terminal.hpp"

namespace rocescope::cli {

class LiveScreen {
 public:
  /// `analysis` and `capture` outlive it. `start`: nanoseconds since 1970.
  LiveScreen(std::unique_ptr<terminal::Terminal> terminal, const Analysis& analysis, const CaptureInfo& capture,
             std::int64_t start);
  ~LiveScreen();
  LiveScreen(const LiveScreen&) = delete;
  LiveScreen& operator=(const LiveScreen&) = delete;

  /// A packet that was tracked.
  void add(const PacketRecord& record) {
    last_.add(record);
    if (ladder_) add_to_ladder(record);
    if (file_ && !file_->add(record)) end_file();
  }
  /// Takes an update.
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
  void follow(const GoneConnection& gone);
  void look_at_connection();
  [[nodiscard]] std::deque<LadderEvent> last_events(const Connection& connection) const;
  void add_to_ladder(const PacketRecord& record);
  void save(std::uint32_t number);
  void end_file();
  void show_file();

  std::unique_ptr<terminal::Terminal> terminal_;
  const Analysis& analysis_;
  const Tracker& tracker_;
  const CaptureInfo& capture_;
  Known known_;
  std::optional<Known> paused_;  ///< as it was when the screen was paused
  LastMessages last_;
  std::optional<Ladder> ladder_;          ///< of the connection that is open
  std::deque<LadderEvent> events_;        ///< that the ladder passed on, and those before it
  std::unique_ptr<ConnectionFile> file_;  ///< of the connection that is saved; may be null
  std::string notice_;
  screen::UiState ui_;
  terminal::Size drawn_;
  bool stale_ = true;
};

}  // namespace rocescope::cli
