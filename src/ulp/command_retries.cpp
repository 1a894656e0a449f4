#include "ulp/command_retries.hpp"

#include <algorithm>

#include "rocescope/detail/elapsed.hpp"

namespace rocescope {

/// Whether the command moves data, and the capture shows of which unit, where, and how much.
bool CommandRetries::is_known(UpperProtocol protocol, const Command& command) noexcept {
  const bool has_files = protocol == UpperProtocol::kNfs || protocol == UpperProtocol::kSmbDirect;
  const bool is_followed = has_files || has_named_units(protocol) || protocol == UpperProtocol::kRtrs;
  if (!is_followed || !command.issued || command.request_packet == 0 || !command.offset) return false;
  if (command.opcode_is_cut || (command.size_is_cut && !command.blocks)) return false;
  return (protocol == UpperProtocol::kNfs || command.target) && (!has_files || command.file);
}

CommandRetries::Wish CommandRetries::wish_of(std::uint32_t connection, UpperProtocol protocol, std::uint8_t initiator,
                                             const Command& command) const {
  Wish wish{.connection = connection,
            .capture_point = 0,
            .initiator = {},
            .target_host = {},
            .target_name = {},
            .protocol = protocol,
            .opcode = command.opcode,
            .target = command.target,
            .file = command.file,
            .offset = *command.offset,
            .blocks = command.blocks,
            .bytes = command.size_is_cut ? 0 : command.bytes};
  const auto place = places_.find(connection);
  if (place == places_.end() || (has_named_units(protocol) && place->second.target.empty())) return wish;
  wish.connection = 0;
  wish.capture_point = place->second.capture_point;
  wish.initiator = place->second.hosts[initiator];
  wish.target_host = place->second.hosts[1 - initiator];
  wish.target_name = place->second.target;
  return wish;
}

/// On another connection, a command counts only if that connection existed before: a host that connects anew may ask
/// for the same for other reasons. After silence it counts only if the earlier command waits for a response or the
/// capture shows its ACK, and so packets of its target. A client of NFS repeats calls with their XIDs: these count on
/// any connection.
bool CommandRetries::repeats(const Again& again, const Try& earlier, UpperProtocol protocol) {
  const std::int64_t passed = elapsed(earlier.from(), again.issued);
  if (passed < earlier.least() || passed - earlier.least() > kSoon) return false;
  if (again.connection == earlier.connection) return true;
  if (!earlier.failed && protocol == UpperProtocol::kNfs && again.id == earlier.id) return true;
  return again.there_since <= earlier.issued && (earlier.failed || earlier.waits || earlier.is_acknowledged);
}

void CommandRetries::count(const Again& again, const Try& earlier, TroublesByConnection& all) {
  const auto place = all.find(again.connection);
  if (place == all.end()) return;
  CommandTroubles::Retry retry{.operation = again.operation,
                               .was_answered = earlier.failed.has_value(),
                               .status = earlier.status,
                               .status_name = earlier.status_name,
                               .seen = {},
                               .first_packet = earlier.packet,
                               .first_wait = elapsed(earlier.issued, again.issued)};
  retry.seen.add(again.packet, again.issued);
  place->second.add(retry);
}

void CommandRetries::add(const Wish& wish, Try&& attempt) {
  const auto alike = tries_.find(wish);
  if (count_ >= kMostTries || (alike != tries_.end() && alike->second.size() >= kMostAlike)) {
    lost_ = std::max(lost_.value_or(attempt.from()), attempt.from());
    return;
  }
  if (attempt.waits) ++waiting_[attempt.connection];
  tries_[wish].push_back(std::move(attempt));
  ++count_;
}

void CommandRetries::erase(std::vector<Try>& tries, std::vector<Try>::iterator attempt) {
  if (attempt->waits) {
    const auto waiting = waiting_.find(attempt->connection);
    if (--waiting->second == 0) waiting_.erase(waiting);
  }
  tries.erase(attempt);
  --count_;
}

/// Whether no response came or will come. On a connection that is no longer followed one may still come, but after
/// three minutes that makes no difference.
bool CommandRetries::is_silent(const Command& command) const {
  return command.outcome == CommandOutcome::kOutstanding && !command.answered && is_prompt(command.protocol) &&
         (!evicts_ || (now_ && elapsed(*command.issued, *now_) > kSoon));
}

void CommandRetries::wait(std::uint32_t connection, UpperProtocol protocol, std::uint8_t initiator,
                          const Command& command) {
  if (!is_prompt(protocol) || !is_known(protocol, command)) return;
  const Wish wish = wish_of(connection, protocol, initiator, command);
  const auto is_it = [&](const Try& each) {
    return each.waits && each.connection == connection && each.packet == command.request_packet &&
           each.id == command.id;
  };
  const auto place = tries_.find(wish);
  if (place != tries_.end() && std::ranges::any_of(place->second, is_it)) return;
  add(wish, {.connection = connection,
             .id = command.id,
             .packet = command.request_packet,
             .issued = *command.issued,
             .waits = true,
             .failed = {},
             .status_name = {},
             .again = {}});
}

void CommandRetries::end(const Command& command, TroublesByConnection& all) {
  if (command.kind != CommandKind::kIo || !is_known(command.protocol, command)) return;
  if (lost_ && elapsed(*lost_, *command.issued) <= kLong + kSoon) {
    if (const auto place = all.find(command.connection); place != all.end()) place->second.lacks_retries = true;
  }
  const bool has_failed =
      command.outcome == CommandOutcome::kFailed && !command.is_answer && command.status && command.over();
  const bool is_one = has_failed || is_silent(command);
  if (tries_.empty() && !is_one) return;
  const Wish wish = wish_of(command.connection, command.protocol, command.initiator, command);
  Try own{.connection = command.connection,
          .id = command.id,
          .packet = command.request_packet,
          .issued = *command.issued,
          .is_acknowledged = command.acknowledged.has_value(),
          .failed = {},
          .status_name = {},
          .again = {}};
  if (has_failed) {
    own.failed = command.over();
    own.status = *command.status;
    own.status_name = command.status_name;
  }
  if (const auto alike = tries_.find(wish); alike != tries_.end()) {
    std::vector<Try>& tries = alike->second;
    // The command no longer waits.
    const auto before = std::ranges::find_if(tries, [&](const Try& each) {
      return each.waits && each.connection == own.connection && each.packet == own.packet && each.id == own.id;
    });
    if (before != tries.end()) {
      own.again = before->again;
      erase(tries, before);
    }
    const auto there = places_.find(command.connection);
    const Again again{.connection = command.connection,
                      .id = command.id,
                      .packet = command.request_packet,
                      .issued = *command.issued,
                      .there_since = there == places_.end() ? 0 : there->second.first_time,
                      .operation = command.operation};
    auto last = tries.end();
    for (auto each = tries.begin(); each != tries.end(); ++each) {
      const bool is_later = last == tries.end() || each->packet > last->packet;
      if (!each->again && is_later && each->packet < again.packet && repeats(again, *each, command.protocol))
        last = each;
    }
    if (last != tries.end() && last->waits) {
      last->again = again;
    } else if (last != tries.end()) {
      count(again, *last, all);
      erase(tries, last);
    }
    if (tries.empty()) tries_.erase(alike);
  }
  if (!is_one) return;
  if (own.again && repeats(*own.again, own, command.protocol)) return count(*own.again, own, all);
  own.again.reset();
  add(wish, std::move(own));
}

namespace {

/// Removes the tries for which `is_over` is true. Returns how many.
template <class Tries, class IsOver>
std::size_t erase_tries(Tries& tries, IsOver is_over) {
  std::size_t erased = 0;
  for (auto alike = tries.begin(); alike != tries.end();) {
    erased += std::erase_if(alike->second, is_over);
    alike = alike->second.empty() ? tries.erase(alike) : std::next(alike);
  }
  return erased;
}

}  // namespace

void CommandRetries::forget(std::uint32_t connection) {
  places_.erase(connection);
  if (waiting_.erase(connection) == 0) return;
  count_ -= erase_tries(tries_, [&](const Try& each) { return each.waits && each.connection == connection; });
}

void CommandRetries::pass_time(std::int64_t now) {
  // A command that repeats it may take as long to end.
  constexpr std::int64_t kLast = kLong + 2 * kSoon;
  now_ = now;
  count_ -= erase_tries(tries_, [&](const Try& each) { return !each.waits && elapsed(each.from(), now) > kLast; });
}

void CommandRetries::join(std::uint32_t connection, std::uint32_t joined) {
  places_.erase(joined);
  if (const auto waiting = waiting_.find(joined); waiting != waiting_.end()) {
    waiting_[connection] += waiting->second;
    waiting_.erase(joined);
  }
  for (auto& [wish, alike] : tries_) {
    for (Try& each : alike) {
      if (each.connection == joined) each.connection = connection;
      if (each.again && each.again->connection == joined) each.again->connection = connection;
    }
  }
}

}  // namespace rocescope
