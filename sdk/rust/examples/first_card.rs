//! The least that answers every turn. The tests of this crate start it as a process.

use aurum::{Bot, Move, Phase, Turn};

struct FirstCard;

impl Bot for FirstCard {
    fn name(&self) -> &str {
        "FirstCard"
    }

    fn choose(&mut self, turn: &Turn) -> Move {
        match turn.legal_cards.first() {
            Some(&card) if turn.phase != Phase::Exchange => Move::Card(card),
            _ => Move::Pass,
        }
    }
}

fn main() -> std::process::ExitCode {
    aurum::run(FirstCard)
}
