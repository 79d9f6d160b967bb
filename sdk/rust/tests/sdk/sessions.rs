//! A conversation without the network: what is answered, what the bot is told, how it ends.

use std::time::{Duration, Instant};

use aurum::v1::{Fault, GameStart, PlayResponse, Turn as TurnMessage, Update, Welcome, update::Kind};
use aurum::{Bot, Card, Error, Move, Phase, Session, Turn};
use prost::Message;
use serde_json::Value;

use crate::vectors::{bytes, cases, list};

/// The bot of the vectors: the first legal card; it passes exchanges, and where no card is legal.
#[derive(Default)]
struct FirstCard {
    asked: u64,
    faults: Vec<String>,
}

impl Bot for FirstCard {
    fn name(&self) -> &str {
        "FirstCard"
    }

    fn choose(&mut self, turn: &Turn) -> Move {
        self.asked += 1;
        match turn.legal_cards.first() {
            Some(&card) if turn.phase != Phase::Exchange => Move::Card(card),
            _ => Move::Pass,
        }
    }

    fn fault(&mut self, fault: &Fault) {
        self.faults.push(fault.kind_name());
    }
}

#[test]
fn every_conversation_of_the_vectors_goes_as_it_should() {
    for case in cases("sessions", "sessions") {
        let name = &case["name"];
        let mut session = Session::new(FirstCard::default());
        let ended = converse(&mut session, &case);
        assert_eq!(case["error"].as_str(), ended.err().as_ref().map(kind), "{name}");
        assert_eq!(case["asked"].as_u64(), Some(session.bot().asked), "{name}");
        assert_eq!(case["faults"], Value::from(session.bot().faults.clone()), "{name}");
        assert_eq!(case["goodbye"].as_str(), session.goodbye(), "{name}");
    }
}

fn converse(session: &mut Session<FirstCard>, case: &Value) -> Result<(), Error> {
    for stream in list(&case["streams"]) {
        session.hello();
        for message in list(stream) {
            let mut sent = Vec::new();
            let received =
                session.receive(&bytes(&message["receive_wire"]), Instant::now(), |action| sent.push(action));
            let expected: Vec<_> = list(&message["send_wire"]).iter().map(bytes).collect();
            let sent: Vec<_> = sent.iter().map(Message::encode_to_vec).collect();
            assert_eq!(expected, sent, "{}", case["name"]);
            received?;
        }
    }
    Ok(())
}

/// As the vectors call what the referee's own mistakes raise.
fn kind(error: &Error) -> &'static str {
    match error {
        Error::Malformed(_) => "malformed",
        Error::NoWelcome => "no_welcome",
        Error::Version(_) => "version",
        Error::UnknownGame(_) => "unknown_game",
        Error::UnknownPhase(_) => "unknown_phase",
        other => panic!("{other}"),
    }
}

#[test]
fn hello_says_who_is_there() {
    let hello = Session::new(FirstCard::default()).hello().hello.expect("a Hello");
    assert_eq!((1, "FirstCard", ""), (hello.protocol_version, hello.bot.as_str(), hello.version.as_str()));
    assert_eq!(("rust", "aurum-rust/0.1.0"), (hello.language.as_str(), hello.sdk.as_str()));
}

#[test]
fn the_grace_is_that_of_the_welcome() {
    let mut session = Session::new(FirstCard::default());
    session.hello();
    assert_eq!((false, None), (session.is_welcomed(), session.grace()));
    receive(&mut session, welcome()).expect("a Welcome is fine");
    assert_eq!((true, Some(Duration::from_millis(5000))), (session.is_welcomed(), session.grace()));
    session.hello();
    assert_eq!((false, Some(Duration::from_millis(5000))), (session.is_welcomed(), session.grace()));
}

#[test]
fn a_version_mismatch_names_both_versions() {
    let sentence = Error::Version(2).to_string();
    assert!(sentence.starts_with("the referee speaks protocol version 2, this bot version 1"), "{sentence}");
}

/// Answers everything with one move, or panics.
struct Stubborn(Option<Move>);

impl Bot for Stubborn {
    fn name(&self) -> &str {
        "Stubborn"
    }

    fn choose(&mut self, _turn: &Turn) -> Move {
        self.0.expect("an idea")
    }
}

#[test]
fn an_illegal_answer_ends_the_bot_and_is_explained() {
    assert_eq!(
        Err(Error::Illegal(
            "G0 is no legal answer to turn 3 of game 7 \
             (Follow, seat 2, hand B3 B9, own bid Z3, legal cards B9 or pass): no gold of that rank is in the collection"
                .to_owned()
        )),
        asked(Stubborn(Some(Move::Card(Card::G0))))
    );
}

#[test]
fn a_panic_ends_the_bot_and_says_when_it_was() {
    assert_eq!(
        Err(Error::Panicked(
            "the bot panicked in choose at turn 3 of game 7 \
             (Follow, seat 2, hand B3 B9, own bid Z3, legal cards B9 or pass): an idea"
                .to_owned()
        )),
        asked(Stubborn(None))
    );
}

#[test]
fn an_illegal_answer_names_the_rule_that_it_breaks() {
    for (answer, rule) in [
        (Move::Card(Card::B3), "a card of that suit is in the trick already"),
        (Move::Card(Card::C1), "the card is not in the hand"),
        (Move::Exchange { gold: Card::G0, card: Card::B3, seat: 2 }, "this kind of move is not asked for now"),
    ] {
        let Err(Error::Illegal(sentence)) = asked(Stubborn(Some(answer))) else { panic!("{answer} is legal") };
        assert!(sentence.ends_with(rule), "{sentence}");
    }
}

/// What comes of a turn that may be answered with B9 or a pass.
fn asked(bot: impl Bot) -> Result<(), Error> {
    let start = GameStart { game: 7, seat: 2, players: 4, ..GameStart::default() };
    let turn = TurnMessage {
        game: 7,
        number: 3,
        phase: Phase::Follow.into(),
        hand: vec![Card::B3.into(), Card::B9.into()],
        own_bid: Card::Z3.into(),
        legal_cards: vec![Card::B9.into()],
        may_pass: true,
        ..TurnMessage::default()
    };
    let mut session = Session::new(bot);
    session.hello();
    let updates = [Kind::GameStart(start), Kind::Turn(turn)].map(|kind| Update { kind: Some(kind) });
    receive(&mut session, PlayResponse { updates: updates.into(), ..welcome() })
}

fn receive<B: Bot>(session: &mut Session<B>, message: PlayResponse) -> Result<(), Error> {
    session.receive(&message.encode_to_vec(), Instant::now(), |_| ())
}

fn welcome() -> PlayResponse {
    PlayResponse {
        welcome: Some(Welcome { protocol_version: 1, reconnect_grace_ms: 5000, ..Welcome::default() }),
        updates: Vec::new(),
    }
}

#[test]
fn a_fault_is_one_line() {
    let mut fault = Fault { game: 7, number: 3, kind: 2, detail: "B9 is not legal".to_owned() };
    assert_eq!("illegal_move in game 7, turn 3: B9 is not legal", fault.to_string());
    (fault.game, fault.kind) = (0, 99);
    assert_eq!("99: B9 is not legal", fault.to_string());
}
