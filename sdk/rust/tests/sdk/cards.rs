//! Cards: numbers, names, suits and ranks.

use aurum::{Card, Suit};
use serde_json::json;

use crate::vectors::{cases, text};

#[test]
fn every_card_is_read_and_printed() {
    for case in cases("cards", "cards") {
        let card: Card = text(&case["name"]).parse().expect("a card");
        let read = json!({
            "name": card.to_string(),
            "value": card as i32,
            "suit": card.suit() as i32,
            "rank": card.rank(),
            "gold": card.is_gold(),
        });
        assert_eq!(case, read);
        assert_eq!(Some(card), Card::of(card as i32));
    }
}

#[test]
fn nothing_else_is_a_card() {
    for case in cases("cards", "not_cards") {
        let name = text(&case);
        let error = name.parse::<Card>().expect_err(name);
        assert!(error.to_string().starts_with(&format!("{name:?} is no card")), "{error}");
    }
    for value in [-1, 0, 16, 27, 95, 105, 127] {
        assert_eq!(None, Card::of(value));
    }
}

#[test]
fn cards_are_ordered_by_suit_and_rank() {
    assert!(Card::B10 < Card::C1 && Card::C9 < Card::C10 && Card::Z10 < Card::G0);
    assert!(Suit::Bismuth < Suit::Copper && Suit::Zinc < Suit::Gold);
}
