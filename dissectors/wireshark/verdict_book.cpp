#include "wireshark/verdict_book.hpp"

#include <algorithm>

#include "rocescope/icrc.hpp"

namespace rocescope::wireshark {

void VerdictBook::OneFrame::put(const Frame& frame, const Interface& interface) {
  frame_ = frame;
  frame_->interface_id = find(interface, frame.link_type);
}

std::uint32_t VerdictBook::OneFrame::find(const Interface& interface, std::uint32_t link_type) {
  std::deque<CaptureInterface>& known = captures_.front().interfaces;
  const auto found = std::ranges::find_if(known, [&](const CaptureInterface& each) {
    return each.section == interface.section && each.number == interface.number;
  });
  if (found != known.end()) return static_cast<std::uint32_t>(found - known.begin());
  CaptureInterface& added = known.emplace_back();
  added.link_type = link_type;
  added.section = interface.section;
  added.number = interface.number;
  if (interface.name != nullptr) added.name = interface.name;
  return static_cast<std::uint32_t>(known.size() - 1);
}

bool VerdictBook::OneFrame::next(Frame& frame) {
  if (!frame_) return false;
  frame = *frame_;
  frame_.reset();
  return true;
}

VerdictBook::VerdictBook(const BookOptions& options) : options_(options) {
  AnalysisOptions analysis;
  analysis.dissect = options.dissect;
  analysis.parts = {.icrc = options.icrc, .verdict = true};
  analysis.purpose = options.findings ? Purpose::kReport : Purpose::kPackets;
  analysis_ = std::make_unique<Analysis>(source_, analysis);
  analysis_->on_message([this](const Connection&, std::size_t, const Message& message) { keep(message); });
}

void VerdictBook::keep(const Message& message) {
  if (messages_.size() < message.number) messages_.resize(message.number);
  messages_[message.number - 1] = KeptMessage(message);
  if (message.completion_frame != 0) completed_.add(message.completion_frame, message.number);
}

const PacketRecord* VerdictBook::judge(Frame frame, const Interface& interface) {
  if (analysis_ == nullptr) return nullptr;
  const std::uint32_t ordinal = frames_.add(static_cast<std::uint32_t>(frame.number));
  if (ordinal == 1) first_timestamp_ = frame.timestamp;
  frame.number = ordinal;
  source_.put(frame, interface);
  const PacketRecord* const record = analysis_->next();
  if (record == nullptr || !record->packet->is_roce()) return nullptr;
  verdicts_.emplace_back(ordinal, *record);
  if (verdicts_.back().has_details) details_.emplace_back(ordinal, *record);
  last_connection_ = std::max(last_connection_, record->verdict.connection);
  const Verdict& verdict = record->verdict;
  const bool again =
      verdict.kind == VerdictKind::kRetransmission || verdict.kind == VerdictKind::kReadResponseRetransmission;
  if (again && verdict.related != 0) resent_.add(verdict.related, ordinal);
  record_ = *record;
  record_.verdict.related = frame_of(verdict.related);
  record_.verdict.evidence = frame_of(verdict.evidence);
  return &record_;
}

const PacketRecord* VerdictBook::recall(Frame frame) {
  const std::uint32_t ordinal = frames_.ordinal_of(static_cast<std::uint32_t>(frame.number));
  const KeptVerdict* const found = find(ordinal);
  if (found == nullptr) return nullptr;
  frame.number = ordinal;
  frame.capture_point = found->capture_point;
  dissect(frame, packet_, options_.dissect);
  record_ = {};
  record_.packet = &packet_;
  record_.first_timestamp = first_timestamp_;
  const KeptDetails* const details = details_of(*found);
  if (details != nullptr) record_.true_source_port = details->true_source_port;
  if (options_.icrc) record_.icrc = check_icrc(packet_, record_.true_source_port);
  record_.verdict = found->verdict(details);
  learn_numbers();
  record_.verdict.connection = numbers_.of(found->connection);
  record_.verdict.related = frame_of(found->related);
  record_.verdict.evidence = frame_of(record_.verdict.evidence);
  return &record_;
}

const KeptVerdict* VerdictBook::find(std::uint32_t ordinal) const noexcept {
  const auto found = std::ranges::lower_bound(verdicts_, ordinal, {}, &KeptVerdict::ordinal);
  return found == verdicts_.end() || found->ordinal != ordinal ? nullptr : &*found;
}

const KeptDetails* VerdictBook::details_of(const KeptVerdict& verdict) const noexcept {
  if (!verdict.has_details) return nullptr;
  return &*std::ranges::lower_bound(details_, verdict.ordinal, {}, &KeptDetails::ordinal);
}

std::uint32_t VerdictBook::connection_of(std::uint32_t frame) {
  const KeptVerdict* const found = find(frames_.ordinal_of(frame));
  if (found == nullptr) return 0;
  learn_numbers();
  return numbers_.of(found->connection);
}

void VerdictBook::learn_numbers() {
  if (analysis_ == nullptr || numbers_known_at_ == frames()) return;
  numbers_ = analysis_->tracker().final_numbers();
  numbers_known_at_ = frames();
}

const KeptMessage* VerdictBook::message(std::uint64_t number) const noexcept {
  if (number == 0 || number > messages_.size()) return nullptr;
  const KeptMessage& message = messages_[number - 1];
  return message.first == 0 ? nullptr : &message;
}

std::uint32_t VerdictBook::resent_in(std::uint32_t frame) const noexcept {
  for (const auto& [original, copy] : resent_.of(frames_.ordinal_of(frame))) {
    if (const std::uint32_t shown = frame_of(copy)) return shown;
  }
  return 0;
}

void VerdictBook::end() {
  if (analysis_ == nullptr) return;
  learn_numbers();
  if (options_.findings) {
    report_ = analysis_->finish();
    for (std::uint32_t i = 0; i < report_->findings.size(); ++i) {
      for (const std::uint64_t packet : report_->findings[i].seen.packets) findings_.add(packet, i);
    }
  }
  analysis_.reset();
}

}  // namespace rocescope::wireshark
