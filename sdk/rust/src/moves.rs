//! An answer to a turn, and whether it is one.

use std::fmt;

use crate::turn::Turn;
use crate::v1::{self, Card, Phase, action};

/// The answer to a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The card to bid or to play.
    Card(Card),
    /// Spend `gold` and lay `card` of the hand in place of the bid card of `seat`.
    Exchange {
        /// Of the own collection.
        gold: Card,
        /// Of the own hand.
        card: Card,
        /// The own seat or the partner's.
        seat: u32,
    },
    /// Decline an exchange, or end the round.
    Pass,
}

impl Move {
    /// Whether this answers the turn, by what the turn itself says.
    pub fn is_legal(self, turn: &Turn) -> bool {
        match self {
            Move::Card(card) => turn.phase != Phase::Exchange && turn.legal_cards.contains(&card),
            Move::Exchange { gold, card, seat } => {
                turn.phase == Phase::Exchange
                    && turn.collection().contains(&gold)
                    && turn.legal_cards.contains(&card)
                    && (seat == turn.seat() || Some(seat) == turn.partner())
            }
            Move::Pass => turn.may_pass,
        }
    }

    /// What is wrong with a move that does not answer the turn.
    pub(crate) fn broken_rule(self, turn: &Turn) -> &'static str {
        match (self, turn.phase) {
            (Move::Exchange { .. }, Phase::Exchange) => {
                "an exchange takes gold of the own collection, a card of the hand, and the own or the partner's seat"
            }
            (Move::Pass, Phase::Follow) => "whoever holds a card of a suit not yet in the trick cannot end the round",
            (Move::Exchange { .. } | Move::Pass, _) | (_, Phase::Exchange) => "this kind of move is not asked for now",
            (Move::Card(card), Phase::Bid) if card.is_gold() => "gold cannot be a bid card",
            (Move::Card(card), Phase::Lead) if card.is_gold() => "gold cannot lead a trick",
            (Move::Card(card), _) if card.is_gold() => "no gold of that rank is in the collection",
            (Move::Card(card), _) if turn.hand.contains(&card) => "a card of that suit is in the trick already",
            (Move::Card(_), _) => "the card is not in the hand",
        }
    }

    /// The message that gives this answer to the turn.
    pub fn action(self, turn: &Turn) -> v1::Action {
        let answer = match self {
            Move::Card(card) => action::Move::Card(card.into()),
            Move::Exchange { gold, card, seat } => {
                action::Move::Exchange(v1::Exchange { gold: gold.into(), card: card.into(), seat })
            }
            Move::Pass => action::Move::Pass(v1::Pass {}),
        };
        v1::Action { game: turn.game.game, number: turn.number, r#move: Some(answer) }
    }
}

/// A card stands for its bid or play.
impl From<Card> for Move {
    fn from(card: Card) -> Move {
        Move::Card(card)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Move::Card(card) => write!(f, "{card}"),
            Move::Exchange { gold, card, seat } => write!(f, "{gold} for {card} at seat {seat}"),
            Move::Pass => f.write_str("pass"),
        }
    }
}
