#include "aurum/card.hpp"

#include <charconv>
#include <ostream>
#include <stdexcept>

namespace aurum {
namespace {

constexpr std::string_view kSuits = "-BCPSZG";

}  // namespace

std::optional<Card> Card::parse(std::string_view name) {
  if (name.size() < 2) return std::nullopt;
  const std::size_t suit = kSuits.find(name.front(), 1);
  if (suit == std::string_view::npos) return std::nullopt;
  const std::string_view digits = name.substr(1);
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  unsigned rank = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), rank);
  if (error != std::errc() || end != digits.end() || rank > 10) return std::nullopt;
  return from_value(static_cast<int>(suit * 16 + rank));
}

std::string Card::name() const { return kSuits[value_ >> 4] + std::to_string(rank()); }

void Card::no_such_card() { throw std::invalid_argument("there is no such card: B1 to Z10 and G0 to G8 there are"); }

std::ostream& operator<<(std::ostream& out, Card card) { return out << card.name(); }

}  // namespace aurum
