#include "partial/message_merging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rocescope::partial {

std::uint32_t MessageMerging::Source::connection() const {
  const std::uint32_t number = record->connection;
  const auto& numbers_of = part->connections;
  return number == 0 || number > numbers_of.size() ? number : numbers_of[number - 1];
}

std::pair<std::uint64_t, std::uint32_t> MessageMerging::Source::key() const {
  if (begins()) return {record->begun[next].frame, 0};
  return {record->moment, record->moment < kMomentOpen ? 0 : connection()};
}

void MessageMerging::add(PartialReader&& reader, const Part& part, bool renumbers) {
  sources_.push_back({.reader = std::move(reader), .part = &part, .renumbers = renumbers});
}

/// As the tracker counts them.
void MessageMerging::begin(Source& source, const BegunMessage& begun) {
  if (begun.doubt == 0) {
    source.numbers.push_back(++messages_);
    if (!is_whole_) begun_.push_back(begun);
    return;
  }
  const std::uint32_t number = begun.doubt & ~BegunMessage::kWasRight;
  Source::Doubt& doubt = source.doubts[number];
  if (doubt.number == 0) doubt.number = ++doubts_;
  if ((begun.doubt & BegunMessage::kWasRight) != 0) {
    if (is_whole_) messages_ = std::max(messages_, doubt.last);
    if (!is_whole_) begun_.push_back({.frame = begun.frame, .doubt = doubt.number | BegunMessage::kWasRight});
    source.doubts.erase(number);
    return;
  }
  ++doubt.begun;
  doubt.last =
      is_whole_ ? std::max(doubt.last, messages_) + 1 : (std::uint64_t{doubt.number} << kDoubtShift) + doubt.begun;
  source.doubtful[(std::uint64_t{number} << kDoubtShift) + doubt.begun] = doubt.last;
  if (!is_whole_) begun_.push_back({.frame = begun.frame, .doubt = doubt.number});
}

/// False: it has no number.
bool MessageMerging::show(Source& source, const std::function<void(const MessageRecord&)>& show) {
  if (source.record->connection == 0) return true;
  MessageRecord record = *source.record;
  record.begun = std::exchange(begun_, {});
  if (source.renumbers) {
    record.connection = source.connection();
    std::uint64_t& number = record.message.number;
    const auto doubtful = source.doubtful.find(number);
    if (doubtful != source.doubtful.end()) {
      number = doubtful->second;
    } else if (number > 0 && number <= source.numbers.size()) {
      number = source.numbers[number - 1];
    } else {
      return false;
    }
  }
  show(record);
  return true;
}

std::optional<Error> MessageMerging::run(const std::function<void(const MessageRecord&)>& show) {
  for (Source& source : sources_) source.record = source.reader.next_message();
  while (true) {
    Source* first = nullptr;
    for (Source& source : sources_) {
      if (source.record != nullptr && (first == nullptr || source.key() < first->key())) first = &source;
    }
    if (first == nullptr) break;
    if (first->begins()) {
      begin(*first, first->record->begun[first->next++]);
      continue;
    }
    if (!this->show(*first, show))
      return Error{
          fmt::format("cannot read {}: its section 'messages' has a message without a number", first->part->name)};
    first->record = first->reader.next_message();
    first->next = 0;
  }
  for (const Source& source : sources_) {
    if (source.reader.error()) return source.reader.error();
  }
  if (!begun_.empty()) show({.moment = kMomentOver, .begun = std::exchange(begun_, {})});
  return std::nullopt;
}

}  // namespace rocescope::partial
