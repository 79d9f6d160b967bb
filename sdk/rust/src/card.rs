//! What a card is, beyond its number on the wire: `value = suit * 16 + rank`.

use std::fmt;
use std::str::FromStr;

use crate::v1::Card;

/// The suit of a card. Suits, like cards, are ordered by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Suit {
    Bismuth = 1,
    Copper,
    Phosphorus,
    Silver,
    Zinc,
    Gold,
}

impl Card {
    /// The suit.
    ///
    /// # Panics
    ///
    /// For `Card::Unspecified`, which is no card. No turn holds it in its cards.
    pub fn suit(self) -> Suit {
        match self as i32 >> 4 {
            1 => Suit::Bismuth,
            2 => Suit::Copper,
            3 => Suit::Phosphorus,
            4 => Suit::Silver,
            5 => Suit::Zinc,
            6 => Suit::Gold,
            _ => panic!("Card::Unspecified has no suit"),
        }
    }

    /// 1 to 10; of gold 0 to 8.
    pub fn rank(self) -> u32 {
        self as u32 & 15
    }

    /// Whether it is gold, which is never in a hand.
    pub fn is_gold(self) -> bool {
        self as i32 >> 4 == Suit::Gold as i32
    }

    /// The card of a field of a message; `None` where there is none.
    pub fn of(value: i32) -> Option<Card> {
        Card::try_from(value).ok().filter(|&card| card != Card::Unspecified)
    }

    /// The cards of a repeated field of a message.
    pub fn all_of(values: &[i32]) -> Vec<Card> {
        values.iter().filter_map(|&value| Card::of(value)).collect()
    }
}

/// Prints the name: `B7`.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.as_str_name())
    }
}

/// Reads the name: `"B7".parse::<Card>()`.
impl FromStr for Card {
    type Err = NotACard;

    fn from_str(name: &str) -> Result<Card, NotACard> {
        Card::from_str_name(name).filter(|&card| card != Card::Unspecified).ok_or_else(|| NotACard(name.to_owned()))
    }
}

/// A text that names no card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotACard(String);

impl fmt::Display for NotACard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?} is no card: B1 to B10, likewise C, P, S and Z, and G0 to G8 are", self.0)
    }
}

impl std::error::Error for NotACard {}
