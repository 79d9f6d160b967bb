#pragma once

#include <optional>
#include <vector>

#include "aurum/card.hpp"

namespace aurum {

// A trick under way.
struct Trick {
  int leader = 0;
  // In play order: the first is the leader's, the next the next seat's, clockwise.
  std::vector<Card> cards;
};

struct CompletedTrick : Trick {
  int winner = 0;
  // Played the lowest base card; leads the next trick.
  int collector = 0;
  // What the collector took from the supply, if there was gold of that rank.
  std::optional<Card> collected;
};

// A bid card replaced in an exchange window.
struct BidChange {
  // The trick before which it happened, from 0.
  int trick;
  // Who spent gold and swapped.
  int seat;
  Card gold;
  // Whose bid card was replaced: that of `seat` or of its partner.
  int bid_seat;
  Card laid;
  // The old bid card, now in the hand of `seat`.
  Card taken;
};

// What everyone can see of one seat.
struct SeatState {
  // Gold, ascending.
  std::vector<Card> collection;
  // The bid card, if it lies face up; the own one that is still face down is `Turn::own_bid`.
  std::optional<Card> bid;
  int tricks_taken = 0;
  // Base cards in hand, the bid card not counted.
  int hand_size = 0;
  // Of this seat's side, in this game.
  int nuggets = 0;
  // Of this seat's side, in each finished round of this game.
  std::vector<int> points;
};

// Everything face up in the round under way, the same for every seat.
struct Table {
  // From 1.
  int round = 0;
  // Bid first and led the first trick.
  int first_player = 0;
  // Leads the trick under way, or the next one.
  int leader = 0;
  int to_act = 0;
  // Four players: the two cards nobody was dealt. Ascending.
  std::vector<Card> leftover;
  // The gold nobody has, ascending.
  std::vector<Card> supply;
  // By seat.
  std::vector<SeatState> seats;
  // The trick under way; nothing between tricks.
  std::optional<Trick> trick;
  // Completed tricks of this round, in order.
  std::vector<CompletedTrick> tricks;
  // Of this round, in order.
  std::vector<BidChange> exchanges;
};

}  // namespace aurum
