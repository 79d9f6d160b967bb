//! From the environment to a running bot, and from its end to an exit code.

use std::env;
use std::process::ExitCode;

use crate::address::Address;
use crate::bot::Bot;
use crate::connection::play;
use crate::error::Error;

/// Plays as `bot` until the referee is done with it; what it returns is for `main` to return.
///
/// The arena says where the referee is in the environment: `AURUM_ADDRESS` (`host:port` or `unix:/path`),
/// `AURUM_TOKEN`, `AURUM_SEAT`, and `AURUM_SEED`, a number for whatever chance a bot needs before its first game.
///
/// Exit codes: 0 after the referee's Goodbye; 1 if the bot's code failed or the referee refused or was not reached;
/// 2 if the bot was started wrongly.
#[must_use = "main returns it"]
pub fn run(bot: impl Bot) -> ExitCode {
    let Err(error) = start(bot) else {
        return ExitCode::SUCCESS;
    };
    eprintln!("aurum: {error}");
    match error {
        Error::Usage(_) => ExitCode::from(2),
        _ => ExitCode::FAILURE,
    }
}

fn start(bot: impl Bot) -> Result<(), Error> {
    let address: Address = variable("AURUM_ADDRESS")?.parse()?;
    play(bot, &address, &variable("AURUM_TOKEN")?)
}

fn variable(name: &str) -> Result<String, Error> {
    let value = env::var(name).ok().filter(|value| !value.is_empty());
    value.ok_or_else(|| {
        Error::Usage(format!("{name} is not set: bots are started by the arena (arena play --bot NAME=COMMAND ...)"))
    })
}
