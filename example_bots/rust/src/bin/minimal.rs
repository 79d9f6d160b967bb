//! A bot that plays the first legal card, passes where there is none, and never exchanges.
//!
//!     cargo build --release
//!     arena play --bot minimal=target/release/minimal --bot twin=target/release/minimal

use std::process::ExitCode;

use aurum::{Bot, Move, Phase, Turn};

struct Minimal;

impl Bot for Minimal {
    fn name(&self) -> &str {
        "Minimal"
    }

    fn version(&self) -> &str {
        "1"
    }

    fn choose(&mut self, turn: &Turn) -> Move {
        match turn.legal_cards.first() {
            Some(&card) if turn.phase != Phase::Exchange => Move::Card(card),
            _ => Move::Pass,
        }
    }
}

fn main() -> ExitCode {
    aurum::run(Minimal)
}
