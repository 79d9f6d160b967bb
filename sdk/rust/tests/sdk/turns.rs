//! Reading a turn, answering it, and refusing what is no answer to it.

use std::time::Instant;

use aurum::v1::{GameStart, SeatState, Trick};
use aurum::{Card, Move, Turn};
use prost::Message;
use serde_json::{Value, json};

use crate::vectors::{bytes, cases, list, message, text};

/// Calls `check` with each case and its turn, which has arrived at `received`.
fn each_turn(check: impl Fn(&Value, &Turn, Instant)) {
    for case in cases("turns", "turns") {
        let start: GameStart = message(&case["game_start_wire"]);
        let received = Instant::now();
        let turn = Turn::read(message(&case["turn_wire"]), &start, received).expect("a known phase");
        check(&case, &turn, received);
    }
}

#[test]
fn a_turn_is_read() {
    each_turn(|case, turn, received| assert_eq!(case["reading"], reading(turn, received), "{}", case["name"]));
}

#[test]
fn every_answer_is_written() {
    each_turn(|case, turn, _| {
        for answer in list(&case["answers"]) {
            let answered = a_move(&answer["move"]);
            assert!(answered.is_legal(turn), "{}: {answered}", case["name"]);
            let action = answered.action(turn).encode_to_vec();
            assert_eq!(bytes(&answer["action_wire"]), action, "{}: {answered}", case["name"]);
        }
    });
}

#[test]
fn what_is_no_answer_is_refused() {
    each_turn(|case, turn, _| {
        for refused in list(&case["refused"]) {
            let answered = a_move(&refused["move"]);
            assert!(!answered.is_legal(turn), "{}: {answered}", case["name"]);
        }
    });
}

fn a_move(value: &Value) -> Move {
    if let Some(card) = value.get("card") {
        return Move::Card(a_card(card));
    }
    match value.get("exchange") {
        Some(exchange) => Move::Exchange {
            gold: a_card(&exchange["gold"]),
            card: a_card(&exchange["card"]),
            seat: exchange["seat"].as_u64().expect("a seat").try_into().expect("a small seat"),
        },
        None => Move::Pass,
    }
}

fn a_card(value: &Value) -> Card {
    text(value).parse().expect("a card")
}

/// All that a turn says, as the vectors write it.
fn reading(turn: &Turn, received: Instant) -> Value {
    let table = &turn.table;
    json!({
        "game": turn.game.game.to_string(),
        "number": turn.number,
        "phase": format!("{:?}", turn.phase).to_uppercase(),
        "seat": turn.seat(),
        "players": turn.players(),
        "partner": turn.partner(),
        "hand": names(&turn.hand),
        "own_bid": turn.own_bid.map(|card| card.to_string()),
        "legal_cards": names(&turn.legal_cards),
        "may_pass": turn.may_pass,
        "time_left_ms": turn.deadline.duration_since(received).as_millis() as u64,
        "round": table.round,
        "first_player": table.first_player,
        "leader": table.leader,
        "to_act": table.to_act,
        "leftover": names(&Card::all_of(&table.leftover)),
        "supply": names(&Card::all_of(&table.supply)),
        "seats": table.seats.iter().map(seat).collect::<Vec<_>>(),
        "trick": table.trick.as_ref().map(|trick| json!({
            "leader": trick.leader,
            "cards": names(&Card::all_of(&trick.cards)),
        })),
        "tricks": table.tricks.iter().map(completed_trick).collect::<Vec<_>>(),
        "exchanges": table.exchanges.iter().map(|change| json!({
            "trick": change.trick,
            "seat": change.seat,
            "gold": change.gold().to_string(),
            "bid_seat": change.bid_seat,
            "laid": change.laid().to_string(),
            "taken": change.taken().to_string(),
        })).collect::<Vec<_>>(),
    })
}

fn seat(seat: &SeatState) -> Value {
    json!({
        "collection": names(&Card::all_of(&seat.collection)),
        "bid": Card::of(seat.bid).map(|card| card.to_string()),
        "tricks_taken": seat.tricks_taken,
        "hand_size": seat.hand_size,
        "nuggets": seat.nuggets,
        "points": seat.points,
    })
}

fn completed_trick(trick: &Trick) -> Value {
    json!({
        "leader": trick.leader,
        "cards": names(&Card::all_of(&trick.cards)),
        "winner": trick.winner,
        "collector": trick.collector,
        "collected": Card::of(trick.collected).map(|card| card.to_string()),
    })
}

fn names(cards: &[Card]) -> Vec<String> {
    cards.iter().map(Card::to_string).collect()
}
