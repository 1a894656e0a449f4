#include "cli/live_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "rocescope/text.hpp"
#include "screen/layout.hpp"
#include "sorting/sort.hpp"

namespace rocescope::cli {

using screen::Page;

namespace {

std::vector<std::string> names_of(const CaptureInfo& capture) {
  std::vector<std::string> names;
  for (const CaptureInterface& each : capture.interfaces) names.push_back(each.name);
  return names;
}

}  // namespace

LiveScreen::LiveScreen(std::unique_ptr<terminal::Terminal> terminal, const Analysis& analysis,
                       const CaptureInfo& capture, std::int64_t start)
    : terminal_(std::move(terminal)),
      analysis_(analysis),
      tracker_(analysis.tracker()),
      capture_(capture),
      known_{screen::LiveBook(start, names_of(capture)), {}} {}

LiveScreen::~LiveScreen() {
  if (file_) file_->finish();
}

void LiveScreen::show(const LiveUpdate& update) {
  known_.book.add(update);
  for (const GoneConnection& gone : update.gone) {
    gone.part_of == 0 ? last_.forget(gone.number) : last_.join(gone.number, gone.part_of);
    follow(gone);
  }
  look_at_connection();
  if (file_) file_->flush() ? show_file() : end_file();
  if (!paused_ || file_) stale_ = true;
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
          .notice = notice_,
          .unicode = terminal_->unicode()};
}

bool LiveScreen::press(screen::Key key) {
  const screen::ScreenModel before = model();
  const terminal::Size size = terminal_->size();
  screen::Reaction reaction = screen::update(ui_, key, screen::view_of(before, size.width, size.height));
  if (reaction.action == screen::Action::kQuit) return false;
  if (!file_) notice_.clear();  // the user has seen it
  const bool was_open = ui_.page == Page::kConnection;
  ui_ = std::move(reaction.state);
  const bool is_open = ui_.page == Page::kConnection;
  if (ui_.paused && !paused_) paused_ = known_;
  if (!ui_.paused) paused_.reset();
  if (is_open && !was_open) open_connection(ui_.chosen);
  if (was_open && !is_open) close_connection();
  if (reaction.action == screen::Action::kSave) save(ui_.chosen);
  return true;
}

void LiveScreen::open_connection(std::uint32_t number) {
  Tracking known = tracker_.snapshot({&number, 1});
  if (known.connections.empty()) {  // it turned out to be a direction of another
    ui_.page = Page::kConnections;
    return;
  }
  ladder_.emplace(LadderScope(known.connections, number), LadderOptions{}, [this](const LadderEvent& event) {
    events_.push_back(event);
    if (events_.size() > kMostEvents) events_.pop_front();
  });
  screen::ConnectionDetail& detail = known_.detail.emplace();
  detail.connection = std::move(known.connections.front());
  detail.ladder = events_ = last_events(detail.connection);
  if (!events_.empty()) ladder_->go_on_after(events_.back().last_time);
  if (paused_) paused_->detail = known_.detail;
}

/// Its CM messages, and what followed, as far as it is kept.
std::deque<LadderEvent> LiveScreen::last_events(const Connection& connection) const {
  std::deque<LadderEvent> events = last_.of(connection);
  const LadderScope scope({connection}, connection.number);
  LadderSetup setup(scope);
  for (const CmEvent& event : analysis_.counters().cm_events()) {
    if (std::optional<LadderEvent> ours = setup.add(event)) events.push_back(*std::move(ours));
  }
  sorting::sort(events, {}, &LadderEvent::frame);
  return events;
}

void LiveScreen::close_connection() {
  ladder_.reset();
  known_.detail.reset();
  if (paused_) paused_->detail.reset();
}

/// The marked or open connection turned out to be a direction of another, which takes its place.
void LiveScreen::follow(const GoneConnection& gone) {
  if (gone.part_of == 0) return;  // evicted: the screen keeps what it shows
  if (ui_.chosen != gone.number) return;
  ui_.chosen = gone.part_of;
  if (ui_.page == Page::kConnection) open_connection(gone.part_of);
}

void LiveScreen::look_at_connection() {
  if (!known_.detail) return;
  const std::uint32_t number = known_.detail->connection.number;
  Tracking known = tracker_.snapshot({&number, 1});
  if (!known.connections.empty()) known_.detail->connection = std::move(known.connections.front());
  // The last ACK may be an event that others may join yet.
  std::deque<LadderEvent>& ladder = known_.detail->ladder = events_;
  ladder_->visit([&ladder](const LadderEvent& event) { ladder.push_back(event); });
  sorting::sort(ladder, {}, &LadderEvent::frame);
}

void LiveScreen::add_to_ladder(const PacketRecord& record) {
  // Its own packets and those of no connection, such as CM messages. Others may have the same queue pair numbers.
  const std::uint32_t connection = record.verdict.connection;
  if (connection == 0 || connection == known_.detail->connection.number) ladder_->add(record);
}

void LiveScreen::save(std::uint32_t number) {
  if (file_) return end_file();
  const Tracking known = tracker_.snapshot({&number, 1});
  if (known.connections.empty()) {  // the next update may have them
    notice_ = fmt::format("connection {} was evicted, or is part of another by now", number);
    return;
  }
  Result<std::unique_ptr<ConnectionFile>> created =
      ConnectionFile::create(known.connections.front(), capture_, tracker_);
  if (!created) {
    notice_ = created.error().message;
    return;
  }
  file_ = std::move(*created);
  show_file();
}

void LiveScreen::show_file() {
  notice_ = fmt::format("connection {} goes to {}, {} by now; s ends that", file_->connection(), file_->path(),
                        text::count(file_->packets(), "packet"));
}

void LiveScreen::end_file() {
  const bool whole = file_->finish();
  notice_ = whole ? fmt::format("{} of connection {} written to {}", text::count(file_->packets(), "packet"),
                                file_->connection(), file_->path())
                  : file_->error()->message;
  file_.reset();
  stale_ = true;
}

}  // namespace rocescope::cli
