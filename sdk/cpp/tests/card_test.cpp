#include "aurum/card.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>
#include <unordered_set>

#include "vectors.hpp"

namespace aurum {
namespace {

using tests::at;
using tests::text_at;
using tests::vectors;

TEST(CardVectors, EveryCardIsReadAndPrinted) {
  for (const auto& entry : vectors("cards.json", "cards")) {
    const std::string& name = text_at(entry, "name");
    SCOPED_TRACE(name);
    const auto card = Card::parse(name);
    ASSERT_TRUE(card);
    EXPECT_EQ(at(entry, "value").number_value(), card->value());
    EXPECT_EQ(at(entry, "suit").number_value(), static_cast<int>(card->suit()));
    EXPECT_EQ(at(entry, "rank").number_value(), card->rank());
    EXPECT_EQ(at(entry, "gold").bool_value(), card->is_gold());
    EXPECT_EQ(name, card->name());
    EXPECT_EQ(card, Card::from_value(card->value()));
    EXPECT_EQ(*card, Card(card->suit(), card->rank()));
  }
}

TEST(CardVectors, NothingElseIsACard) {
  for (const auto& entry : vectors("cards.json", "not_cards")) {
    EXPECT_FALSE(Card::parse(entry.string_value())) << entry.string_value();
  }
}

TEST(Card, OfEveryNumberIsOneOf59OrNone) {
  std::unordered_set<Card> cards;
  for (int value = -300; value <= 300; ++value) {
    if (const auto card = Card::from_value(value)) cards.insert(*card);
  }
  EXPECT_EQ(59, cards.size());
}

TEST(Card, ThatIsNoneIsNotMade) {
  EXPECT_THROW(Card(Suit::Gold, 9), std::invalid_argument);
  EXPECT_THROW(Card(Suit::Bismuth, 0), std::invalid_argument);
  EXPECT_THROW(Card(Suit::Bismuth, 16 + 1), std::invalid_argument);
  EXPECT_THROW(Card(Suit::Copper, -16 + 1), std::invalid_argument);
}

TEST(Card, SortsBySuitThenRank) {
  EXPECT_LT(Card(Suit::Bismuth, 10), Card(Suit::Copper, 1));
  EXPECT_LT(Card(Suit::Zinc, 9), Card(Suit::Zinc, 10));
}

TEST(Card, PrintsItsName) {
  std::ostringstream out;
  out << Card(Suit::Silver, 10);
  EXPECT_EQ("S10", out.str());
}

}  // namespace
}  // namespace aurum
