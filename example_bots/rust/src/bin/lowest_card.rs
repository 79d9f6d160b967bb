//! A bot that always does the least, without chance or memory; its policy is the same in every language.
//!
//! bid        the lowest card of the hand
//! exchange   decline
//! play       the lowest legal base card; without one, the lowest legal gold card
//! end        never by choice: only with no legal card
//!
//! Lowest is by rank, and among equals by suit in the order B, C, P, S, Z.

use std::process::ExitCode;

use aurum::{Bot, Card, Move, Phase, Turn};

struct LowestCard;

impl Bot for LowestCard {
    fn name(&self) -> &str {
        "LowestCard"
    }

    fn version(&self) -> &str {
        "1"
    }

    fn choose(&mut self, turn: &Turn) -> Move {
        match turn.phase {
            Phase::Exchange => Move::Pass,
            _ => lowest(&turn.legal_cards).map_or(Move::Pass, Move::Card),
        }
    }
}

fn lowest(cards: &[Card]) -> Option<Card> {
    cards
        .iter()
        .copied()
        .min_by_key(|card| (card.is_gold(), card.rank(), card.suit()))
}

fn main() -> ExitCode {
    aurum::run(LowestCard)
}
