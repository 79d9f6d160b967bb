//! A decision that is asked for, with everything the seat may know.

use std::fmt;
use std::time::{Duration, Instant};

use crate::v1::{self, Card, GameStart, Phase, Ruleset, Table};

/// One turn. It holds the seat's whole legal view, so a bot can be a function of it.
#[derive(Clone, Debug)]
pub struct Turn<'a> {
    /// What stays the same throughout the game.
    pub game: &'a GameStart,
    /// Counts this bot's turns in the game, from 1.
    pub number: u32,
    /// What is asked for: `Bid`, `Exchange`, `Lead` or `Follow`.
    pub phase: Phase,
    /// Everything face up: seats, tricks, exchanges.
    pub table: Table,
    /// The own base cards, ascending; the bid card is not among them.
    pub hand: Vec<Card>,
    /// The own bid card, also while it lies face down.
    pub own_bid: Option<Card>,
    /// The cards that may be played or bid, gold included; in an exchange window those that may be laid.
    pub legal_cards: Vec<Card>,
    /// Whether `Move::Pass` is an answer: it declines an exchange, and when following ends the round.
    pub may_pass: bool,
    /// When the answer is due, the bank included. The way back to the referee counts too.
    pub deadline: Instant,
}

impl<'a> Turn<'a> {
    /// Reads a message that arrived at `received`; `None` if it asks for something unheard of.
    pub fn read(message: v1::Turn, game: &'a GameStart, received: Instant) -> Option<Turn<'a>> {
        let phase = Phase::try_from(message.phase).ok();
        Some(Turn {
            game,
            number: message.number,
            phase: phase.filter(|&phase| phase != Phase::Unspecified)?,
            table: message.table.unwrap_or_default(),
            hand: Card::all_of(&message.hand),
            own_bid: Card::of(message.own_bid),
            legal_cards: Card::all_of(&message.legal_cards),
            may_pass: message.may_pass,
            deadline: received + Duration::from_millis(message.time_left_ms.into()),
        })
    }

    /// The own seat, from 0; the next seat clockwise is `(seat + 1) % players`.
    pub fn seat(&self) -> u32 {
        self.game.seat
    }

    /// 3 or 4.
    pub fn players(&self) -> u32 {
        self.game.players
    }

    /// The partner's seat; `None` with three players.
    pub fn partner(&self) -> Option<u32> {
        (self.game.players == 4).then_some(self.game.seat ^ 2)
    }

    /// The rules of this game.
    pub fn ruleset(&self) -> Ruleset {
        self.game.ruleset.clone().unwrap_or_default()
    }

    /// The gold in front of this seat, ascending.
    pub fn collection(&self) -> Vec<Card> {
        let seat = self.table.seats.get(self.game.seat as usize);
        seat.map(|seat| Card::all_of(&seat.collection)).unwrap_or_default()
    }

    /// The time left for this decision, now; zero once it is too late.
    pub fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

/// Says what a log needs: `turn 3 of game 7 (Follow, seat 2, hand B3 B9, own bid Z3, legal cards B9 G0 or pass)`.
impl fmt::Display for Turn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "turn {} of game {} ({:?}, ", self.number, self.game.game, self.phase)?;
        write!(f, "seat {}, hand {}, ", self.seat(), names(&self.hand))?;
        if let Some(bid) = self.own_bid {
            write!(f, "own bid {bid}, ")?;
        }
        let pass = if self.may_pass { " or pass" } else { "" };
        write!(f, "legal cards {}{pass})", names(&self.legal_cards))
    }
}

fn names(cards: &[Card]) -> String {
    if cards.is_empty() {
        return "-".to_owned();
    }
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}
