#include "verify/truth_book.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rocescope/text.hpp"

namespace rocescope::verify {

bool TruthQueuePair::must_have_sent() const noexcept {
  return std::any_of(requests.begin(), requests.end(),
                     [](const WorkRequest& request) { return !request.may_be_missing; });
}

TruthBook::TruthBook(const truth::Truth& truth) : truth_(truth) {
  find_parties();
  read_queue_pairs();
  read_work();
}

std::optional<std::size_t> TruthBook::party_index(const truth::Fact& fact) const {
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    if (parties_[i].side == fact.side && parties_[i].file == fact.file) return i;
  }
  return std::nullopt;
}

void TruthBook::find_parties() {
  const auto party = [&](const truth::Fact& fact) -> Party* {
    if (fact.side == truth::Side::kLab) return nullptr;
    if (const auto known = party_index(fact)) return &parties_[*known];
    return &parties_.emplace_back(Party{.side = fact.side, .file = fact.file, .addresses = {}});
  };
  for (const truth::Start& start : truth_.starts) party(start);
  for (const truth::QueuePair& queue_pair : truth_.queue_pairs) party(queue_pair);
  for (const truth::Post& post : truth_.posts) party(post);
  for (const truth::Device& device : truth_.devices) {
    for (const truth::Gid& gid : device.gids) {
      if (!gid.address.empty()) party(device)->addresses.insert(gid.address);
    }
  }
  for (const truth::Kill& kill : truth_.kills) {
    if (Party* killed = party(kill)) killed->was_killed = true;
  }
  for (const truth::RunResult& result : truth_.results) {
    const bool whole = result.good && result.as_asked.empty() && result.errors.empty();
    if (Party* ended = whole ? party(result) : nullptr) ended->finished = true;
  }
  for (const truth::CmEvent& event : truth_.cm_events) {
    if (event.local_address && !event.local_address->empty()) party(event)->addresses.insert(*event.local_address);
  }
}

TruthQueuePair* TruthBook::queue_pair_of(const truth::Fact& fact, Qpn qpn) {
  const auto party = party_index(fact);
  if (!party) return nullptr;
  std::vector<std::size_t>& numbered = by_number_[{*party, qpn}];
  TruthQueuePair* found = nullptr;
  for (const std::size_t index : numbered) {
    TruthQueuePair& each = queue_pairs_[index];
    if (found == nullptr || each.created == nullptr || each.created->time <= fact.time) found = &each;
  }
  if (found != nullptr) return found;
  numbered.push_back(queue_pairs_.size());
  return &queue_pairs_.emplace_back(TruthQueuePair{.party = *party, .qpn = qpn, .type = "RC"});
}

void TruthBook::read_queue_pairs() {
  for (const truth::QueuePair& created : truth_.queue_pairs) {
    const auto party = party_index(created);
    if (!party) continue;
    by_number_[{*party, created.qpn}].push_back(queue_pairs_.size());
    queue_pairs_.push_back({.party = *party, .qpn = created.qpn, .type = created.type, .created = &created});
  }
  for (const truth::QueuePairState& state : truth_.queue_pair_states) {
    TruthQueuePair* queue_pair = queue_pair_of(state, state.qpn);
    if (queue_pair == nullptr) continue;
    queue_pair->states.push_back(&state);
    if (queue_pair->ready == nullptr && (state.state == "RTR" || state.state == "RTS")) queue_pair->ready = &state;
    if (!queue_pair->dest_qpn) queue_pair->dest_qpn = state.dest_qpn;
    if (!queue_pair->peer_address) queue_pair->peer_address = state.dgid;
    if (!queue_pair->first_psn) queue_pair->first_psn = state.sq_psn;
    if (!queue_pair->path_mtu) queue_pair->path_mtu = state.path_mtu;
  }
}

void TruthBook::read_work() {
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> waiting;  // queue pair and wr_id to the request
  for (const truth::Post& post : truth_.posts) {
    if (!post.is_message()) continue;
    TruthQueuePair* queue_pair = queue_pair_of(post, post.qpn);
    if (queue_pair != nullptr) queue_pair->requests.push_back({.post = &post});
  }
  for (std::size_t i = 0; i < queue_pairs_.size(); ++i) {
    const std::vector<WorkRequest>& requests = queue_pairs_[i].requests;
    for (std::size_t j = 0; j < requests.size(); ++j) waiting[{i, requests[j].post->wr_id}] = j;
  }
  for (const truth::Completion& completion : truth_.completions) {
    TruthQueuePair* queue_pair = queue_pair_of(completion, completion.qpn);
    if (queue_pair == nullptr) continue;
    const bool receive =
        completion.opcode == truth::WorkOpcode::kRecv || completion.opcode == truth::WorkOpcode::kRecvRdmaWithImm;
    if (receive && completion.is_success()) queue_pair->receives.push_back(&completion);
    if (receive) continue;
    const auto index = static_cast<std::size_t>(queue_pair - queue_pairs_.data());
    const auto found = waiting.find({index, completion.wr_id});
    if (found != waiting.end()) queue_pair->requests[found->second].completion = &completion;
  }
  for (TruthQueuePair& queue_pair : queue_pairs_) judge_work(queue_pair);
}

void TruthBook::judge_work(TruthQueuePair& queue_pair) {
  bool sent = false;
  bool succeeded = false;
  std::for_each(queue_pair.requests.rbegin(), queue_pair.requests.rend(), [&](WorkRequest& request) {
    const truth::Completion* completion = request.completion;
    const bool was_sent =
        completion != nullptr && completion->status != "WR_FLUSH_ERR" && !completion->status.starts_with("LOC_");
    sent |= was_sent;
    succeeded |= completion != nullptr && completion->is_success();
    request.succeeded = completion != nullptr ? completion->is_success() : succeeded;
    request.may_be_missing = !sent;
  });
}

const Party* TruthBook::party_of(const truth::Fact& fact) const {
  const auto index = party_index(fact);
  return index ? &parties_[*index] : nullptr;
}

std::optional<std::size_t> TruthBook::party_at(const IpAddress& address, std::size_t not_this) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    if (parties_[i].addresses.contains(address) && (!found || i != not_this)) found = i;
  }
  return found;
}

bool TruthBook::is_known(const IpAddress& address) const { return party_at(address, parties_.size()).has_value(); }

const TruthQueuePair* TruthBook::find(const IpAddress& address, Qpn qpn) const {
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    if (!parties_[i].addresses.contains(address)) continue;
    const auto found = by_number_.find({i, qpn});
    if (found != by_number_.end() && !found->second.empty()) return &queue_pairs_[found->second.back()];
  }
  return nullptr;
}

const TruthQueuePair* TruthBook::find_by_peer(const IpAddress& address, Qpn dest_qpn) const {
  for (const TruthQueuePair& queue_pair : queue_pairs_) {
    if (queue_pair.dest_qpn == dest_qpn && parties_[queue_pair.party].addresses.contains(address)) return &queue_pair;
  }
  return nullptr;
}

std::string TruthBook::name_of(const TruthQueuePair& queue_pair) const {
  return fmt::format("{} QP {}", truth::to_string(parties_[queue_pair.party].side), to_text(queue_pair.qpn));
}

std::string TruthBook::place_of(const truth::Fact& fact) const {
  return fmt::format("{}:{}", truth_.files[fact.file], fact.line);
}

}  // namespace rocescope::verify
