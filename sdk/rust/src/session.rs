//! The bot's side of the conversation, without the network.
//!
//! ```text
//! Hello ->  <- Welcome, then any number of updates; each Turn among them -> one Action
//! ```
//!
//! A lost connection does not end a session: games go on where they were after another Hello, and a turn that
//! comes again is given the same answer again, without asking the bot.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use prost::Message;

use crate::bot::Bot;
use crate::error::Error;
use crate::turn::Turn;
use crate::v1::{self, Action, GameStart, Hello, PlayRequest, PlayResponse, update::Kind};

pub(crate) const PROTOCOL_VERSION: u32 = 1;

/// One bot, from its first Hello to the referee's Goodbye.
pub struct Session<B> {
    bot: B,
    games: HashMap<u64, Game>,
    welcomed: bool,
    grace: Option<Duration>,
    goodbye: Option<String>,
}

struct Game {
    start: GameStart,
    /// The last answer given: what a turn that comes again is answered with.
    answer: Option<Action>,
}

impl<B: Bot> Session<B> {
    /// A session that has not said anything yet.
    pub fn new(bot: B) -> Self {
        Session { bot, games: HashMap::new(), welcomed: false, grace: None, goodbye: None }
    }

    /// Begins a stream: gives its first message, and awaits a Welcome as the next to be received.
    pub fn hello(&mut self) -> PlayRequest {
        self.welcomed = false;
        PlayRequest {
            hello: Some(Hello {
                protocol_version: PROTOCOL_VERSION,
                bot: self.bot.name().to_owned(),
                version: self.bot.version().to_owned(),
                language: "rust".to_owned(),
                sdk: concat!("aurum-rust/", env!("CARGO_PKG_VERSION")).to_owned(),
            }),
            actions: Vec::new(),
        }
    }

    /// Takes the bytes of one `PlayResponse` that arrived at `received`; each answer is handed to `send` as soon
    /// as the bot has given it.
    pub fn receive(&mut self, bytes: &[u8], received: Instant, mut send: impl FnMut(Action)) -> Result<(), Error> {
        let message = PlayResponse::decode(bytes).map_err(|error| Error::Malformed(error.to_string()))?;
        if !self.welcomed {
            self.begin(message.welcome.ok_or(Error::NoWelcome)?)?;
        }
        for update in message.updates {
            if self.goodbye.is_some() {
                break;
            }
            // What is not known here was added by a later protocol, and asks for no answer.
            if let Some(kind) = update.kind {
                self.take(kind, received)?.map(&mut send);
            }
        }
        Ok(())
    }

    /// Whether the stream that [`hello`](Self::hello) has begun was answered with a Welcome.
    pub fn is_welcomed(&self) -> bool {
        self.welcomed
    }

    /// How long after a lost connection the bot may come back; `None` before the first Welcome.
    pub fn grace(&self) -> Option<Duration> {
        self.grace
    }

    /// The reason the referee gave when it was done with this bot.
    pub fn goodbye(&self) -> Option<&str> {
        self.goodbye.as_deref()
    }

    /// The bot itself.
    pub fn bot(&self) -> &B {
        &self.bot
    }

    fn begin(&mut self, welcome: v1::Welcome) -> Result<(), Error> {
        if welcome.protocol_version != PROTOCOL_VERSION {
            return Err(Error::Version(welcome.protocol_version));
        }
        self.welcomed = true;
        self.grace = Some(Duration::from_millis(welcome.reconnect_grace_ms.into()));
        Ok(())
    }

    fn take(&mut self, update: Kind, received: Instant) -> Result<Option<Action>, Error> {
        match update {
            Kind::Turn(turn) => return self.answer(turn, received).map(Some),
            Kind::GameStart(start) => self.start(start)?,
            Kind::RoundEnd(end) => {
                if let Some(game) = self.games.get(&end.game) {
                    guard(|| self.bot.round_end(&game.start, &end), || format!("round_end of game {}", end.game))?;
                }
            }
            Kind::GameEnd(end) => {
                // Nothing to a process that was started anew in mid-game.
                if let Some(game) = self.games.remove(&end.game) {
                    guard(|| self.bot.game_end(&game.start, &end), || format!("game_end of game {}", end.game))?;
                }
            }
            Kind::Fault(fault) => guard(|| self.bot.fault(&fault), || format!("fault ({fault})"))?,
            Kind::Goodbye(goodbye) => self.goodbye = Some(goodbye.reason),
        }
        Ok(None)
    }

    fn start(&mut self, start: GameStart) -> Result<(), Error> {
        // After a reconnection a game is announced again: it goes on as it was.
        if self.games.contains_key(&start.game) {
            return Ok(());
        }
        guard(|| self.bot.game_start(&start), || format!("game_start of game {}", start.game))?;
        self.games.insert(start.game, Game { start, answer: None });
        Ok(())
    }

    fn answer(&mut self, message: v1::Turn, received: Instant) -> Result<Action, Error> {
        let game = self.games.get_mut(&message.game).ok_or(Error::UnknownGame(message.game))?;
        if let Some(answer) = game.answer.filter(|answer| answer.number == message.number) {
            return Ok(answer);
        }
        let phase = message.phase;
        let turn = Turn::read(message, &game.start, received).ok_or(Error::UnknownPhase(phase))?;
        let answer = guard(|| self.bot.choose(&turn), || format!("choose at {turn}"))?;
        if !answer.is_legal(&turn) {
            return Err(Error::Illegal(format!(
                "{answer} is no legal answer to {turn}: {}",
                answer.broken_rule(&turn)
            )));
        }
        let action = answer.action(&turn);
        game.answer = Some(action);
        Ok(action)
    }
}

/// Calls the author's code. A panic in it has been printed where it happened; what is added is when, and its message
/// once more, since a fault is recorded with this sentence.
fn guard<T>(call: impl FnOnce() -> T, when: impl FnOnce() -> String) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().copied();
        let message = text.or(payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        Error::Panicked(format!("the bot panicked in {}: {message}", when()))
    })
}
