#include "live_screen.hpp"

#include <utility>

#include "layout.hpp"

namespace rocescope::cli {

using screen::Page;

LiveScreen::LiveScreen(std::unique_ptr<terminal::Terminal> terminal, const Tracker& tracker, screen::LiveBook book)
    : terminal_(std::move(terminal)), tracker_(tracker), known_{std::move(book), {}} {}

void LiveScreen::show(const LiveUpdate& update) {
  known_.book.add(update);
  look_at_connection();
  if (!paused_) stale_ = true;
}

bool LiveScreen::attend() {
  while (const std::optional<screen::Key> key = terminal_->key()) {
    if (!press(*key)) return false;
    stale_ = true;
  }
  const terminal::Size size = terminal_->size();
  if (!stale_ && size == drawn_) return true;
  terminal_->paint(screen::layout(model(), size.width, size.height));
  drawn_ = size;
  stale_ = false;
  return true;
}

screen::ScreenModel LiveScreen::model() const {
  const Known& known = shown();
  return {.book = &known.book,
          .ui = ui_,
          .numbers = screen::listed_connections(known.book, ui_),
          .detail = known.detail ? &*known.detail : nullptr,
          .unicode = terminal_->unicode()};
}

bool LiveScreen::press(screen::Key key) {
  const screen::ScreenModel before = model();
  const terminal::Size size = terminal_->size();
  screen::Reaction reaction = screen::update(ui_, key, screen::view_of(before, size.width, size.height));
  if (reaction.action == screen::Action::kQuit) return false;
  const bool was_open = ui_.page == Page::kConnection;
  ui_ = std::move(reaction.state);
  const bool is_open = ui_.page == Page::kConnection;
  if (ui_.paused && !paused_) paused_ = known_;
  if (!ui_.paused) paused_.reset();
  if (is_open && !was_open) open_connection(ui_.chosen);
  if (was_open && !is_open) close_connection();
  return true;
}

void LiveScreen::open_connection(std::uint32_t number) {
  Tracking known = tracker_.snapshot({&number, 1});
  if (known.connections.empty()) {  // it was found to be part of another
    ui_.page = Page::kConnections;
    return;
  }
  ladder_.emplace(LadderScope(known.connections, number), LadderOptions{}, [this](const LadderEvent& event) {
    std::deque<LadderEvent>& events = known_.detail->ladder;
    events.push_back(event);
    if (events.size() > kMostEvents) events.pop_front();
  });
  known_.detail.emplace().connection = std::move(known.connections.front());
  if (paused_) paused_->detail = known_.detail;
}

void LiveScreen::close_connection() {
  ladder_.reset();
  known_.detail.reset();
  if (paused_) paused_->detail.reset();
}

void LiveScreen::look_at_connection() {
  if (!known_.detail) return;
  const std::uint32_t number = known_.detail->connection.number;
  Tracking known = tracker_.snapshot({&number, 1});
  if (!known.connections.empty()) known_.detail->connection = std::move(known.connections.front());
}

void LiveScreen::add_to_ladder(const PacketRecord& record) {
  // Of others none, even where they have the same queue pair numbers; those that set it up have no connection.
  const std::uint32_t connection = record.verdict.connection;
  if (connection == 0 || connection == known_.detail->connection.number) ladder_->add(record);
}

}  // namespace rocescope::cli
