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
