//! What can end a bot's run before the referee's Goodbye.

use std::fmt;

use crate::session::PROTOCOL_VERSION;

/// Why a bot has stopped. Each prints as one sentence for its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The bot was started wrongly; the sentence says how to start it.
    Usage(String),
    /// The bot gave an answer that its turn does not allow.
    Illegal(String),
    /// The bot's own code panicked.
    Panicked(String),
    /// The referee sent bytes that are no `PlayResponse`.
    Malformed(String),
    /// The referee's first message on a stream holds no Welcome.
    NoWelcome,
    /// The referee speaks another version of the protocol.
    Version(u32),
    /// The referee asks for a turn in a game that it has not started.
    UnknownGame(u64),
    /// The referee asks for something unheard of.
    UnknownPhase(i32),
    /// The referee has ended the stream for good, with this sentence.
    Refused(String),
    /// There is no referee, or it has not come back in time.
    Unreachable(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::Usage(what) | Error::Illegal(what) | Error::Panicked(what) | Error::Unreachable(what) => {
                f.write_str(what)
            }
            Error::Malformed(why) => write!(f, "the referee sent bytes that are no PlayResponse: {why}"),
            Error::NoWelcome => f.write_str("the referee's first message is no Welcome"),
            Error::Version(version) => write!(
                f,
                "the referee speaks protocol version {version}, this bot version {PROTOCOL_VERSION}: \
                 build the bot with the SDK of the tournament"
            ),
            Error::UnknownGame(game) => write!(f, "the referee speaks of game {game}, which it has not started"),
            Error::UnknownPhase(phase) => write!(f, "the referee asks for phase {phase}, which this bot does not know"),
            Error::Refused(sentence) => write!(f, "the referee refused: {sentence}"),
        }
    }
}

impl std::error::Error for Error {}
