//! Real sockets: dialling, answering, coming back, leaving.

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use aurum::v1::{Action, action};
use aurum::{Bot, Card, Error, Move, Turn, play};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::referee::{LIMIT, Referee, Stream, goodbye, scenario, socket_path, start, turn};

/// Leads the first legal card the first time it is asked, and the second one from then on.
#[derive(Default)]
struct Wavering {
    asked: usize,
}

impl Bot for Wavering {
    fn name(&self) -> &str {
        "Wavering"
    }

    fn choose(&mut self, turn: &Turn) -> Move {
        self.asked += 1;
        Move::Card(turn.legal_cards[self.asked.min(2) - 1])
    }
}

/// Says that it thinks, until the test lets it go on.
struct Thinker {
    thinking: UnboundedSender<()>,
    go_on: Receiver<()>,
}

impl Bot for Thinker {
    fn name(&self) -> &str {
        "Thinker"
    }

    fn choose(&mut self, turn: &Turn) -> Move {
        self.thinking.send(()).expect("the test listens");
        self.go_on.recv_timeout(LIMIT).expect("the test goes on");
        Move::Card(turn.legal_cards[0])
    }
}

/// A bot that plays on a thread of its own.
struct Running(oneshot::Receiver<Result<(), Error>>);

impl Running {
    fn start(bot: impl Bot + Send + 'static, address: &str) -> Running {
        let address = address.parse().expect("an address");
        let (ended, end) = oneshot::channel();
        thread::spawn(move || ended.send(play(bot, &address, "secret")));
        Running(end)
    }

    async fn end(self) -> Result<(), Error> {
        self.0.await.expect("the bot ends in order")
    }
}

/// Awaits the answers to as many turns.
async fn answers(stream: &mut Stream, count: usize) -> Vec<Action> {
    let mut actions = Vec::new();
    while actions.len() < count {
        actions.extend(stream.hear().await.expect("a message").actions);
    }
    actions
}

fn led(game: u64, number: u32, card: Card) -> Action {
    Action { game, number, r#move: Some(action::Move::Card(card.into())) }
}

/// Says Goodbye, and is left.
async fn part(mut stream: Stream, bot: Running) {
    stream.say([goodbye()]);
    assert_eq!(None, stream.hear().await, "the bot ends the stream");
    stream.end(0, "");
    assert_eq!(Ok(()), bot.end().await);
}

async fn one_game(referee: Referee) {
    let bot = Running::start(Wavering::default(), &referee.address);
    let mut stream = referee.accept().await;
    assert_eq!("/aurum.v1.RefereeService/Play", stream.call.uri().path());
    assert_eq!("Bearer secret", stream.call.headers()["authorization"]);
    stream.welcome(5_000).await;
    stream.say([start(7), turn(7, 1)]);
    assert_eq!(vec![led(7, 1, Card::B3)], answers(&mut stream, 1).await);
    stream.say([turn(7, 2)]);
    assert_eq!(vec![led(7, 2, Card::B9)], answers(&mut stream, 1).await);
    part(stream, bot).await;
}

#[test]
fn a_game_is_played_over_tcp() {
    scenario(async { one_game(Referee::on_tcp().await).await });
}

#[test]
fn a_game_is_played_over_a_unix_socket() {
    scenario(async { one_game(Referee::on_unix(&socket_path("game").expect("free"))).await });
}

#[test]
fn a_referee_may_come_later_than_its_bots() {
    let path = socket_path("late").expect("free");
    scenario(async {
        let bot = Running::start(Wavering::default(), &format!("unix:{}", path.display()));
        let referee = Referee::on_unix(&path);
        let mut stream = referee.accept().await;
        stream.welcome(5_000).await;
        part(stream, bot).await;
    });
}

#[test]
fn a_large_message_is_answered_in_full() {
    scenario(async {
        let referee = Referee::on_tcp().await;
        let bot = Running::start(Wavering::default(), &referee.address);
        let mut stream = referee.accept().await;
        stream.welcome(5_000).await;
        stream.say((1..=1_500).flat_map(|game| [start(game), turn(game, 1)]));
        let answered: Vec<u64> = answers(&mut stream, 1_500).await.iter().map(|action| action.game).collect();
        assert_eq!((1..=1_500).collect::<Vec<_>>(), answered);
        part(stream, bot).await;
    });
}

#[test]
fn a_thinking_bot_sends_what_is_ready_and_gives_signs_of_life() {
    scenario(async {
        let (thinking, mut thinks) = unbounded_channel();
        let (release, go_on) = channel();
        let referee = Referee::on_tcp().await;
        let bot = Running::start(Thinker { thinking, go_on }, &referee.address);
        let mut stream = referee.accept().await;
        stream.welcome(5_000).await;
        stream.say([start(7), start(8), turn(7, 1), turn(8, 1)]);
        for game in [7, 8] {
            thinks.recv().await.expect("the bot thinks");
            stream.ping().await;
            sleep(Duration::from_millis(3)).await; // longer than a quick answer waits for others
            release.send(()).expect("the bot goes on");
            assert_eq!(vec![led(game, 1, Card::B3)], answers(&mut stream, 1).await);
        }
        part(stream, bot).await;
    });
}

#[test]
fn a_lost_connection_is_taken_up_again() {
    scenario(async {
        let referee = Referee::on_tcp().await;
        let bot = Running::start(Wavering::default(), &referee.address);
        let mut stream = referee.accept().await;
        stream.welcome(5_000).await;
        stream.say([start(7), turn(7, 1)]);
        answers(&mut stream, 1).await;
        stream.cut().await;

        let mut stream = referee.accept().await;
        stream.welcome(5_000).await;
        stream.say([start(7), turn(7, 1), turn(7, 2)]);
        assert_eq!(vec![led(7, 1, Card::B3), led(7, 2, Card::B9)], answers(&mut stream, 2).await);
        part(stream, bot).await;
    });
}

#[test]
fn a_stream_that_ends_in_passing_is_taken_up_again() {
    scenario(async {
        let referee = Referee::on_tcp().await;
        let bot = Running::start(Wavering::default(), &referee.address);
        // OK, CANCELLED, UNKNOWN, RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE
        for code in [0, 1, 2, 8, 10, 13, 14] {
            let mut stream = referee.accept().await;
            stream.welcome(5_000).await;
            stream.end(code, "");
        }
        let mut stream = referee.accept().await;
        stream.welcome(5_000).await;
        part(stream, bot).await;
    });
}

#[test]
fn a_refusal_ends_the_bot() {
    // INVALID_ARGUMENT, FAILED_PRECONDITION, UNAUTHENTICATED
    for code in [3, 9, 16] {
        let ended = scenario(async {
            let referee = Referee::on_tcp().await;
            let bot = Running::start(Wavering::default(), &referee.address);
            referee.accept().await.end(code, "no seat for this token");
            bot.end().await
        });
        assert_eq!(Err(Error::Refused("no seat for this token".to_owned())), ended);
    }
}

#[test]
fn a_refusal_in_mid_stream_ends_the_bot() {
    let ended = scenario(async {
        let referee = Referee::on_tcp().await;
        let bot = Running::start(Wavering::default(), &referee.address);
        let mut stream = referee.accept().await;
        stream.welcome(5_000).await;
        stream.end(3, "garbage");
        bot.end().await
    });
    assert_eq!(Err(Error::Refused("garbage".to_owned())), ended);
}

#[test]
fn bytes_that_are_no_message_end_the_bot() {
    let ended = scenario(async {
        let referee = Referee::on_tcp().await;
        let bot = Running::start(Wavering::default(), &referee.address);
        let mut stream = referee.accept().await;
        stream.welcome(5_000).await;
        stream.say_bytes(b"what a sentence");
        bot.end().await
    });
    assert!(matches!(ended, Err(Error::Malformed(_))), "{ended:?}");
}

#[test]
fn a_referee_that_stays_away_is_given_up_after_the_grace() {
    let (address, ended) = scenario(async {
        let referee = Referee::on_tcp().await;
        let bot = Running::start(Wavering::default(), &referee.address);
        let mut stream = referee.accept().await;
        stream.welcome(250).await;
        stream.say([start(7), turn(7, 1)]);
        answers(&mut stream, 1).await;
        let address = referee.address.clone();
        drop(referee);
        stream.cut().await;
        (address, bot.end().await)
    });
    let sentence = ended.expect_err("given up").to_string();
    let start = format!("no referee at {address} within 0.25 s: ");
    assert!(sentence.starts_with(&start), "{sentence}");
}

#[test]
fn a_token_that_no_header_can_hold_is_a_usage_error() {
    let address = "127.0.0.1:1".parse().expect("an address");
    let ended = play(Wavering::default(), &address, "line\nbreak");
    assert_eq!(Err(Error::Usage("AURUM_TOKEN holds characters that no token has".to_owned())), ended);
}
