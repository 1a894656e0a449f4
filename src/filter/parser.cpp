// Recursive descent, one function for each level of precedence. The loosest comes first.
#include "filter/parser.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "filter/term.hpp"

namespace rocescope::filter {
namespace {

using Terms = std::vector<PredicatePtr>;

class Parser {
 public:
  Parser(const std::vector<Token>& tokens, FilterError& error) : tokens_(tokens), problems_(error) {}

  PredicatePtr run() {
    if (peek().kind == TokenKind::kEnd) return make_true();
    Term term = disjunction();
    if (!term.ok()) return nullptr;
    if (peek().kind != TokenKind::kEnd) {
      // An unknown name explains more than the word after it.
      if (term.literal) refuse_value(term, problems_);
      unexpected();
      return nullptr;
    }
    return to_predicate(std::move(term), problems_);
  }
  [[nodiscard]] RecordParts parts() const noexcept { return parts_; }

 private:
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool accept(TokenKind kind) {
    if (peek().kind != kind) return false;
    take();
    return true;
  }
  Term unexpected() {
    const Token& token = peek();
    if (token.kind == TokenKind::kEnd) return problems_.at(token, "the filter ends too early");
    if (token.kind == TokenKind::kSlice) return problems_.at(token, "only a field has parts");
    if (is_shouted_keyword(token.text)) {
      return problems_.at(token, fmt::format("`{}` is written in small letters", token.text));
    }
    if (token.text == "-") return problems_.at(token, "`-`: there is no arithmetic but `&`");
    return problems_.at(token, fmt::format("`{}` cannot stand here", token.text));
  }

  /// Terms of the next tighter level with `joint` between them. A single term stays what it is.
  template <class Tighter, class Combine>
  Term joined(TokenKind joint, Tighter tighter, Combine combine) {
    Term first = (this->*tighter)();
    if (!first.ok() || peek().kind != joint) return first;
    const std::size_t offset = first.offset;
    Terms terms;
    do {
      terms.push_back(to_predicate(std::move(first), problems_));
      if (terms.back() == nullptr) return {};
      if (!accept(joint)) break;
      first = (this->*tighter)();
    } while (first.ok());
    if (!problems_.none()) return {};
    Term term;
    term.predicate = combine(std::move(terms));
    term.offset = offset;
    term.length = peek().offset - offset;
    return term;
  }

  Term disjunction() { return joined(TokenKind::kOr, &Parser::exclusion, make_or); }
  Term exclusion() { return joined(TokenKind::kXor, &Parser::conjunction, make_xor); }
  Term conjunction() { return joined(TokenKind::kAnd, &Parser::negation, make_and); }

  Term negation() {
    const std::size_t offset = peek().offset;
    bool negated = false;
    bool any = false;
    while (accept(TokenKind::kNot)) {
      negated = !negated;
      any = true;
    }
    Term term = test();
    if (!any || !term.ok()) return term;
    const std::size_t end = term.offset + term.length;
    Term result;
    result.predicate = to_predicate(std::move(term), problems_);
    if (result.predicate != nullptr && negated) result.predicate = make_not(std::move(result.predicate));
    result.offset = offset;
    result.length = end - offset;
    return result;
  }

  Term test() {
    std::optional<Quantifier> quantifier;
    if (peek().kind == TokenKind::kAny || peek().kind == TokenKind::kAll) {
      quantifier = take().kind == TokenKind::kAny ? Quantifier::kAny : Quantifier::kAll;
    }
    Term left = masked();
    if (!left.ok()) return left;
    const TokenKind next = peek().kind;
    const bool negated = next == TokenKind::kNot && peek(1).kind == TokenKind::kIn;
    if (!is_comparison(next) && next != TokenKind::kContains && next != TokenKind::kMatches && next != TokenKind::kIn &&
        !negated) {
      if (!quantifier) return left;
      return problems_.at(peek(), "`any` and `all` need a comparison");
    }
    if (left.operand == nullptr || left.is_group) return refuse_value(left, problems_);
    Term result;
    result.offset = left.offset;
    if (next == TokenKind::kMatches) {
      take();
      const Term pattern = masked();
      if (!pattern.ok()) return {};
      result.predicate = match(std::move(left), quantifier, pattern, problems_);
    } else if (next == TokenKind::kIn || negated) {
      static_cast<void>(accept(TokenKind::kNot));
      result.predicate = membership(std::move(left), quantifier);
      if (negated && result.predicate != nullptr) result.predicate = make_not(std::move(result.predicate));
    } else {
      result.predicate = comparisons(std::move(left), quantifier);
    }
    result.length = peek().offset - result.offset;
    return result;
  }

  /// One comparison, or several in a chain: a < b < c.
  PredicatePtr comparisons(Term left, std::optional<Quantifier> quantifier) {
    std::shared_ptr<Operand> left_operand = std::move(left.operand);
    Terms chain;
    do {
      if (left_operand == nullptr) {
        refuse_value(left, problems_);
        return nullptr;
      }
      const Token& comparison = take();
      Term right = masked();
      if (!right.ok()) return nullptr;
      if (right.predicate != nullptr || right.is_group) {
        refuse_value(right, problems_);
        return nullptr;
      }
      const std::shared_ptr<Operand> right_operand = std::move(right.operand);
      chain.push_back(compare(left_operand, comparison, quantifier, right, right_operand, problems_));
      if (chain.back() == nullptr) return nullptr;
      if (comparison.kind == TokenKind::kContains) break;
      left = std::move(right);
      left_operand = right_operand;
    } while (is_comparison(peek().kind));
    return make_and(std::move(chain));
  }

  PredicatePtr membership(Term left, std::optional<Quantifier> quantifier) {
    take();  // in
    if (!accept(TokenKind::kOpenSet)) {
      problems_.at(peek(), "`in` needs a set: {1, 5, 10..20}");
      return nullptr;
    }
    std::vector<SetElement> set;
    do {
      auto element = set_element(*left.operand);
      if (!element) return nullptr;
      set.push_back(std::move(*element));
      if (!accept(TokenKind::kComma) && !is_value(peek().kind)) break;
    } while (true);
    if (!accept(TokenKind::kCloseSet)) {
      unexpected();
      return nullptr;
    }
    return make_membership(std::move(left.operand), quantifier.value_or(Quantifier::kAny), std::move(set));
  }

  std::optional<SetElement> set_element(const Operand& left) {
    Term first = atom();
    if (!first.ok()) return std::nullopt;
    SetElement element;
    const bool range = accept(TokenKind::kRange);
    if (first.predicate != nullptr || first.is_group) {
      refuse_value(first, problems_);
      return std::nullopt;
    }
    if (first.operand != nullptr) {
      if (range) {
        problems_.at(first, "the ends of a range are values, not fields");
        return std::nullopt;
      }
      if (!check_comparable(left, *first.operand, first, problems_)) return std::nullopt;
      element.operand = std::move(first.operand);
      return element;
    }
    element.first = constants_for(left, first, false, range, problems_);
    if (element.first.empty()) return std::nullopt;
    if (!range) return element;
    const Term last = atom();
    if (!last.ok()) return std::nullopt;
    if (!last.literal) {
      problems_.at(last, "the ends of a range are values, not fields");
      return std::nullopt;
    }
    element.last = constants_for(left, last, false, true, problems_);
    if (element.last.empty()) return std::nullopt;
    return element;
  }

  Term masked() {
    Term left = atom();
    while (left.ok() && accept(TokenKind::kMask)) {
      Term right = atom();
      if (!right.ok()) return right;
      left = mask(std::move(left), std::move(right), problems_);
    }
    return left;
  }

  Term atom() {
    Term term;
    if (peek().kind == TokenKind::kOpen) {
      term = parenthesized();
    } else if (peek().kind == TokenKind::kWord && peek(1).kind == TokenKind::kOpen) {
      term = function();
    } else if (peek().kind == TokenKind::kWord) {
      term = resolve_name(take());
      parts_ = parts_ | term.parts;
    } else if (is_value(peek().kind)) {
      const Token& token = take();
      term.literal = token;
      term.offset = token.offset;
      term.length = token.length;
    } else {
      return unexpected();
    }
    while (term.ok() && peek().kind == TokenKind::kSlice) term = slice(std::move(term), take(), problems_);
    return term;
  }

  Term parenthesized() {
    const Token& open = take();
    if (++depth_ > kMaxDepth) {
      return problems_.at(open, fmt::format("parentheses nest more than {} deep", kMaxDepth));
    }
    Term term = disjunction();
    --depth_;
    if (!term.ok()) return term;
    if (peek().kind != TokenKind::kClose) return unexpected();
    const Token& close = take();
    term.offset = open.offset;
    term.length = close.offset + close.length - open.offset;
    return term;
  }

  Term function() {
    const Token& name = take();
    const Token& open = take();
    if (++depth_ > kMaxDepth) {
      return problems_.at(open, fmt::format("parentheses nest more than {} deep", kMaxDepth));
    }
    std::vector<Term> arguments;
    if (peek().kind != TokenKind::kClose) {
      do {
        arguments.push_back(masked());
        if (!arguments.back().ok()) return {};
      } while (accept(TokenKind::kComma));
    }
    --depth_;
    if (peek().kind != TokenKind::kClose) return unexpected();
    const Token& close = take();
    Term term = call(name, std::move(arguments), problems_);
    term.length = close.offset + close.length - name.offset;
    return term;
  }

  const std::vector<Token>& tokens_;
  Problems problems_;
  RecordParts parts_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Parsed parse(std::string_view text, FilterError& error) {
  const std::vector<Token> tokens = tokenize(text, error);
  if (!error.message.empty()) return {};
  Parser parser(tokens, error);
  PredicatePtr predicate = parser.run();
  return {std::move(predicate), parser.parts()};
}

}  // namespace rocescope::filter
