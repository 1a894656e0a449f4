#include "ulp/command_watch.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "dissectors/ulp/ucx/ucx_message.hpp"
#include "ulp/command_book.hpp"
#include "ulp/followed.hpp"
#include "ulp/named/use.hpp"

namespace rocescope {
namespace {

/// Bytes of a message: user data follow them. A fragment of RDS has a header as well.
constexpr std::uint32_t kMostOfMessage = 4'096 + 48;

/// Nanoseconds that a command waits before it is passed to the log.
constexpr std::int64_t kFirst = CommandRetries::kLong / 2;

/// What is wanted of a connection while nobody knows what it carries.
constexpr PayloadWish kUndecided{.sends = true, .most = kMostOfMessage, .undecided = true};

}  // namespace

Guess CommandWatch::guess(const Connection& connection, const Handshake* handshake) const {
  for (const DecodeAs& each : decode_as_) {
    const bool is_port = handshake != nullptr && each.port != 0 && service_port(*handshake) == each.port;
    if (each.connection == connection.number || is_port) return {each.protocol, KnownBy::kUser};
  }
  return handshake != nullptr ? guess_by_handshake(*handshake) : Guess();
}

CommandWatch::State* CommandWatch::look_up(const Connection& connection) {
  const auto place = states_.find(connection.number);
  State* const state = place == states_.end() ? nullptr : place->second.get();
  if (connection.joined == 0) return state;
  const auto other = states_.find(connection.joined);
  if (other == states_.end()) return state;
  return join(connection, std::move(states_.extract(other).mapped()));
}

/// `other`: the state of what counted as another connection and is one direction of this one.
CommandWatch::State* CommandWatch::join(const Connection& connection, std::unique_ptr<State> other) {
  log_.join(connection.number, connection.joined);
  std::unique_ptr<State>& state = states_[connection.number];
  if (!state) {
    state = std::make_unique<State>();
    state->guess = other->guess;
    state->is_sure = other->is_sure;
    state->is_over = other->is_over;
    if (other->carried != nullptr) state->carried = follow_by_form(other->guess.protocol, connection.number);
  }
  state->seen += other->seen;
  state->strange += other->strange;
  if (other->carried != nullptr) {
    other->waiting.pass_on(sink_of(*state));
    if (state->carried != nullptr) state->carried->join(*other->carried);
  }
  watch_waiting(connection.number, *state);
  return state.get();
}

bool CommandWatch::wants_datagrams(std::uint32_t q_key) { return q_key == kUcxKey; }

PayloadWish CommandWatch::wish(const Connection& connection, const Handshake* handshake) {
  const bool has_lines = handshake != nullptr && handshake->kind == HandshakeKind::kOob;
  if (connection.transport != Transport::kRc && !has_lines) return {};
  State* state = find(connection);
  const Guess guessed = guess(connection, handshake);
  if (guessed.by == KnownBy::kUser && guessed.protocol == UpperProtocol::kUnknown) return {};
  if (state == nullptr) {
    if (guessed.by == KnownBy::kNothing) return kUndecided;
    state = states_.emplace(connection.number, std::make_unique<State>()).first->second.get();
  }
  if (!state->is_sure && !state->is_second && state->guess.by < guessed.by && guessed.by != KnownBy::kNothing) {
    state->guess = guessed;
    state->carried = follow(guessed.protocol, connection.number, handshake);
    state->is_sure = guessed.by >= KnownBy::kPrivateData;
    follows_some_ = follows_some_ || state->carried != nullptr;
  }
  return wish_of(*state);
}

PayloadWish CommandWatch::wish_of(State& state) {
  if (is_open_again(state)) return kUndecided;
  if (state.is_over || (state.carried == nullptr && state.guess.by != KnownBy::kNothing)) return {};
  if (state.is_sure && state.carried != nullptr && state.carried->has_seen_enough()) return {};
  state.gets_data = state.carried != nullptr && state.carried->wants_data();
  return {.sends = true, .data = state.gets_data, .most = kMostOfMessage, .undecided = !state.is_sure};
}

PayloadWish CommandWatch::other_wish(const Connection& connection) {
  State* const state = find(connection);
  return state == nullptr ? PayloadWish() : wish_of(*state);
}

/// By the form of a message.
CommandWatch::State& CommandWatch::follow_from_now_on(const Connection& connection, UpperProtocol protocol) {
  std::unique_ptr<State>& state = states_[connection.number];
  const bool may_wait = state != nullptr && state->may_wait;
  state = std::make_unique<State>();
  state->may_wait = may_wait;
  state->guess = {protocol, KnownBy::kShape};
  state->carried = follow_by_form(protocol, connection.number);
  last_ = {};
  return *state;
}

void CommandWatch::observe(const SendPayload& payload) {
  has_other_wish_ = false;
  if (payload.record == nullptr) return;  // the rest of a message that no packet ended
  if (payload.connection == nullptr) {
    ucx_wire_ups_.observe(payload);
    return;
  }
  State* state = find(*payload.connection);
  // A WRITE that looks like one of NCCL's may be anybody's.
  const bool may_be_other =
      state != nullptr && !state->is_sure && state->guess.by == KnownBy::kShape && is_of_writes(state->guess.protocol);
  if (state == nullptr || may_be_other) {
    const UpperProtocol protocol = protocol_like(payload);
    if (protocol != UpperProtocol::kUnknown) {
      state = &follow_from_now_on(*payload.connection, protocol);
      follows_some_ = true;
    }
  }
  if (state != nullptr && is_open_again(*state)) state = ask_again(payload, *state);
  if (state == nullptr) return;
  if (state->is_over || state->carried == nullptr) return;
  ++state->seen;
  note_message(*payload.connection, *state, payload.record->packet->frame.timestamp);
  const std::uint64_t good = state->is_sure ? 0 : state->carried->fit().good;
  const MessageProtocol protocol = state->carried->observe(payload, sink_of(*state));
  const bool may_be_strange = !state->is_sure && state->carried->fit().good == good;
  if (may_be_strange && !has_form(state->guess.protocol, payload)) {
    constexpr std::size_t kOfForm = 64;  // bytes: none needs more
    ++state->strange;
    state->is_denied = has_forms(state->guess.protocol) && good == 0 && state->carried->fit().news < 2 &&
                       payload.start().size() >= std::min<std::uint64_t>(payload.length, kOfForm);
  }
  if (state->guess.protocol == UpperProtocol::kUcx && ucx_wire_ups_.confirm(payload)) state->is_sure = true;
  judge(*state);
  const bool is_name_only = state->is_sure && state->carried->is_name_only();
  const bool is_done = is_name_only || (state->is_sure && state->carried->has_seen_enough());
  has_other_wish_ = state->is_over || is_done || state->carried->wants_data() != state->gets_data;
  if (is_name_only) state->carried.reset();
  const bool ends_it = payload.record->packet->roce.opcode->operation == Operation::kSend;
  if (state->is_sure && ends_it) layers_ = {protocol, payload.start(), payload.record};
}

CommandWatch::State* CommandWatch::ask_again(const SendPayload& payload, State& state) {
  const UpperProtocol protocol = protocol_like(payload);
  if (protocol == UpperProtocol::kUnknown || protocol == state.guess.protocol) return nullptr;
  end(payload.connection->number, state, nullptr);
  State& second = follow_from_now_on(*payload.connection, protocol);
  second.is_second = true;
  return &second;
}

/// Is it what it seems?
inline void CommandWatch::judge(State& state) {
  constexpr std::uint64_t kOneWay = 8;  // messages of one direction, where the other is not seen
  constexpr std::uint64_t kMostStrange = 16;
  const Carried::Fit& fit = state.carried->fit();
  const bool is_enough = fit.good >= state.carried->enough();
  if (state.guess.by == KnownBy::kUser) return;
  if (!state.is_sure) {
    state.is_sure =
        state.strange == 0 && (fit.is_proven || is_enough || (state.seen >= kOneWay && fit.news >= kOneWay / 2));
    state.is_over = !state.is_sure && (state.strange > 0 || state.seen >= kMostUndecided);
    if (state.is_sure) state.waiting.pass_on(log_);
    if (state.is_sure && state.guess.by == KnownBy::kServiceId) state.guess.by = KnownBy::kMessages;
  } else if (is_enough) {
    if (state.guess.by == KnownBy::kPrivateData) state.guess.by = KnownBy::kMessages;
  }
  if (state.is_sure && fit.bad >= kMostStrange && fit.bad > fit.good) {
    state.carried->finish(log_);
    state.is_over = true;
  }
}

/// Other protocols are judged after their SENDs.
void CommandWatch::judge_writes(State& state) {
  if (!state.is_sure) state.strange = std::max(state.strange, state.carried->fit().doubts);
  judge(state);
  has_other_wish_ = state.is_over || state.is_sure;
  if (state.is_sure && state.carried->is_name_only()) state.carried.reset();
}

void CommandWatch::observe(const DataPayload& payload) {
  State* state = find(payload.connection);
  if (state == nullptr) {
    const UpperProtocol like = protocol_like(payload);
    if (like == UpperProtocol::kUnknown) return;
    state = &follow_from_now_on(payload.connection, like);
    state->gets_data = state->carried->wants_data();
    follows_some_ = follows_some_ || state->gets_data;
  }
  if (state == nullptr || state->carried == nullptr || state->is_over) return;
  const bool is_nccl = state->guess.protocol == UpperProtocol::kNccl;
  if (!is_nccl && !state->gets_data) return;
  note_message(payload.connection, *state, payload.record.packet->frame.timestamp);
  const MessageProtocol protocol = state->carried->observe(payload, sink_of(*state));
  if (is_nccl) {
    ++state->seen;
    judge_writes(*state);
    return;
  }
  const bool is_believed = state->is_sure || state->guess.by != KnownBy::kShape;
  if (is_believed && protocol != MessageProtocol::kUnknown)
    layers_ = {protocol, state->carried->message_in(payload), &payload.record};
}

/// Whether to note its place once more: the name of its target is known now, or more may be known about the connection.
bool CommandWatch::is_news(State& state) {
  const std::uint64_t before = std::exchange(state.named, state.carried->target_name().size());
  return state.named != before || std::has_single_bit(state.seen);
}

void CommandWatch::note_message(const Connection& connection, State& state, std::int64_t now) {
  constexpr std::uint64_t kOfLogin = 16;  // SENDs, one of which names the target
  if (state.seen <= kOfLogin && CommandRetries::has_places(state.guess.protocol) && is_news(state)) {
    log_.note_place(connection.number, {.capture_point = connection.capture_point,
                                        .hosts = {connection.sides[0].address, connection.sides[1].address},
                                        .first_time = connection.first_time,
                                        .target = std::string(state.carried->target_name())});
  }
  constexpr std::int64_t kOften = CommandRetries::kLong / 4;
  constexpr std::int64_t kEver = CommandRetries::kLong + CommandRetries::kSoon;
  const std::int64_t passed = last_waiting_ ? elapsed(*last_waiting_, now) : kEver;
  if (passed >= kOften || passed < -CommandRetries::kSoon) {
    last_waiting_ = now;
    log_.pass_time(now);
    if (passed < 0) {
      for (const auto& [number, its] : states_) watch_waiting(number, *its);
    }
    note_waiting(now, passed < 0 ? kEver : std::min(passed, kEver));
  }
  watch_waiting(connection.number, state);
}

/// Notes each command once or twice; if messages come often, before it has waited for CommandRetries::kLong.
void CommandWatch::note_waiting(std::int64_t now, std::int64_t passed) {
  const std::int64_t most =
      kFirst + CommandRetries::kLong / 4 + passed;  // a request may be known later than it was sent
  std::erase_if(may_wait_, [&](std::uint32_t connection) {
    const auto place = states_.find(connection);
    if (place == states_.end()) return true;
    State& state = *place->second;
    state.may_wait = note_waiting(connection, state, now, most);
    return !state.may_wait;
  });
}

bool CommandWatch::note_waiting(std::uint32_t connection, const State& state, std::int64_t now, std::int64_t most) {
  if (state.is_over || state.carried == nullptr) return false;
  bool may_wait = false;
  for (const CommandBook& book : state.carried->books()) {
    if (!book.last_issued() || elapsed(*book.last_issued(), now) > most) continue;
    may_wait = true;
    book.visit_outstanding([&](const OpenCommand& open) {
      if (!open.counts || !open.command.issued) return;
      const std::int64_t waited = elapsed(*open.command.issued, now);
      if (waited >= kFirst && waited <= most) log_.note_waiting(connection, state.guess.protocol, open.command);
    });
  }
  return may_wait;
}

void CommandWatch::observe(const TakenAgain& taken) {
  const State* const state = find(taken.connection);
  if (state != nullptr && state->carried != nullptr && !state->is_over) state->carried->observe(taken);
}

void CommandWatch::observe_end(const Connection& connection, std::size_t side, const Message& message) {
  State* const state = find(connection);
  if (state == nullptr || state->carried == nullptr || state->is_over) return;
  state->carried->observe_end(side, message, sink_of(*state));
  watch_waiting(connection.number, *state);
  const bool is_nccl = state->guess.protocol == UpperProtocol::kNccl;
  if (!is_nccl && (state->is_sure || !is_of_writes(state->guess.protocol))) return;
  state->seen += is_nccl ? 0U : 1U;
  judge_writes(*state);
}

void CommandWatch::forget(const Connection& connection) {
  (void)find(connection);  // joins a direction that was followed alone
  const auto place = states_.find(connection.number);
  if (place == states_.end()) return;
  log_.note_eviction(true);
  end(connection.number, *place->second, &connection);
  log_.note_eviction(false);
  log_.forget_place(connection.number);
  last_ = {};
  states_.erase(place);
  if (may_wait_.size() <= 2 * states_.size()) return;
  std::erase_if(may_wait_, [&](std::uint32_t number) { return !states_.contains(number); });
}

Confidence CommandWatch::confidence_of(const State& state) {
  if (state.is_over) return Confidence::kGuess;
  // A login with its response is one.
  const bool has_commands = state.carried != nullptr && state.carried->fit().good > 0 &&
                            state.carried->fit().bad <= state.carried->fit().good;
  switch (state.guess.by) {
    case KnownBy::kMessages:
      return Confidence::kCertain;
    case KnownBy::kPrivateData:
    case KnownBy::kKeyLines:
      return has_commands ? Confidence::kCertain : Confidence::kLikely;
    case KnownBy::kShape:
      return Confidence::kLikely;
    case KnownBy::kUser:
      return has_commands ? Confidence::kCertain : Confidence::kGuess;
    case KnownBy::kNothing:
    case KnownBy::kServiceId:
      return Confidence::kGuess;
  }
  return Confidence::kGuess;
}

void CommandWatch::end(std::uint32_t connection, State& state, const Connection* facts) {
  if (state.guess.protocol == UpperProtocol::kUnknown) return;
  if (!state.is_sure && (state.guess.by == KnownBy::kShape || state.is_denied)) return;
  if (!state.is_over && state.carried != nullptr) {
    state.waiting.pass_on(log_);
    state.carried->finish(log_);
  }
  CarriedProtocol carried{.connection = connection,
                          .protocol = state.guess.protocol,
                          .known_by = state.guess.by,
                          .confidence = confidence_of(state)};
  if (state.carried != nullptr) state.carried->describe(carried);
  if (facts != nullptr) describe_use(*facts, carried);
  log_.add(std::move(carried));
}

void CommandWatch::finish() {
  std::vector<std::uint32_t> numbers;
  for (const auto& [number, state] : states_) numbers.push_back(number);
  std::ranges::sort(numbers);
  log_.expect_carried(numbers.size());
  for (const std::uint32_t number : numbers) {
    const auto place = states_.find(number);
    log_.at_connection(number);
    end(number, *place->second, nullptr);
    place->second.reset();  // what the next one reports takes its memory
  }
  last_ = {};
  states_.clear();
}

}  // namespace rocescope
