#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace aurum {

// In the order in which cards of one rank are sorted.
enum class Suit : std::uint8_t { Bismuth = 1, Copper, Phosphorus, Silver, Zinc, Gold };

// A playing card: one of the 50 base cards B1 to Z10, or gold of rank 0 to 8. Cards compare by suit, then rank.
class Card {
 public:
  // Throws std::invalid_argument if there is no such card.
  constexpr Card(Suit suit, int rank);

  // The card of a name like "B7"; nothing if that names no card.
  static std::optional<Card> parse(std::string_view name);
  // The card of a number of the protocol; nothing if that is the number of no card.
  static constexpr std::optional<Card> from_value(int value);

  constexpr Suit suit() const { return static_cast<Suit>(value_ >> 4); }
  constexpr int rank() const { return value_ & 15; }
  constexpr bool is_gold() const { return suit() == Suit::Gold; }
  // As in the protocol: suit * 16 + rank.
  constexpr int value() const { return value_; }
  // "B7"
  std::string name() const;

  friend constexpr auto operator<=>(Card, Card) = default;

 private:
  explicit constexpr Card(int value) : value_(static_cast<std::uint8_t>(value)) {}
  [[noreturn]] static void no_such_card();

  std::uint8_t value_;
};

std::ostream& operator<<(std::ostream& out, Card card);

constexpr std::optional<Card> Card::from_value(int value) {
  const int suit = value >> 4;
  const int rank = value & 15;
  const bool base = suit >= 1 && suit <= 5 && rank >= 1 && rank <= 10;
  const bool gold = suit == 6 && rank <= 8;
  return base || gold ? std::optional(Card(value)) : std::nullopt;
}

constexpr Card::Card(Suit suit, int rank) : value_(static_cast<std::uint8_t>(static_cast<int>(suit) * 16 + rank)) {
  if (rank < 0 || rank > 15 || !from_value(value_)) no_such_card();
}

}  // namespace aurum

template <>
struct std::hash<aurum::Card> {
  std::size_t operator()(aurum::Card card) const noexcept { return static_cast<std::size_t>(card.value()); }
};
