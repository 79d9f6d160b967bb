//! Write a bot for the Aurum Arena.
//!
//! ```no_run
//! use aurum::{Bot, Move, Phase, Turn};
//!
//! struct FirstCard;
//!
//! impl Bot for FirstCard {
//!     fn name(&self) -> &str {
//!         "FirstCard"
//!     }
//!
//!     fn choose(&mut self, turn: &Turn) -> Move {
//!         match turn.legal_cards.first() {
//!             Some(&card) if turn.phase != Phase::Exchange => Move::Card(card),
//!             _ => Move::Pass,
//!         }
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     aurum::run(FirstCard)
//! }
//! ```
//!
//! The arena starts the program and tells it in the environment where the referee is. Connecting, answering in
//! batches, coming back after a lost connection and leaving at the end are the work of [`run`].

mod address;
mod batch;
mod bot;
mod card;
mod codec;
mod connection;
mod error;
mod moves;
mod run;
mod session;
mod turn;

/// The protocol's own messages, as `protoc` would make them of `proto/aurum/v1`.
#[rustfmt::skip]
#[allow(clippy::all, missing_docs)]
pub mod v1;

pub use address::Address;
pub use bot::Bot;
pub use card::{NotACard, Suit};
pub use connection::play;
pub use error::Error;
pub use moves::Move;
pub use run::run;
pub use session::Session;
pub use turn::Turn;
pub use v1::{Card, Phase};
