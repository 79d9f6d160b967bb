//! What a bot's author writes.

use std::fmt;

use crate::moves::Move;
use crate::turn::Turn;
use crate::v1::{Fault, FaultKind, GameEnd, GameStart, RoundEnd};

/// A player of Aurum.
///
/// One value plays all games of a process, often many at a time and their turns interleaved: what belongs to one
/// game is kept by its number, `turn.game.game`. Whatever takes long to load is loaded when the value is made:
/// the set-up clock runs until [`run`](crate::run) has it.
pub trait Bot {
    /// As the bot calls itself.
    fn name(&self) -> &str;

    /// Stands in the records beside the name.
    fn version(&self) -> &str {
        ""
    }

    /// Any decision: one of `turn.legal_cards`, in an exchange window an exchange, or `Move::Pass` if
    /// `turn.may_pass`. An answer that is not legal stops the bot with an error that says so.
    fn choose(&mut self, turn: &Turn) -> Move;

    /// A game begins. `game.seed` is there for chance: the same deal and seat give the same seed.
    fn game_start(&mut self, _game: &GameStart) {}

    /// A round is over.
    fn round_end(&mut self, _game: &GameStart, _end: &RoundEnd) {}

    /// A game is over.
    fn game_end(&mut self, _game: &GameStart, _end: &GameEnd) {}

    /// The referee has recorded a fault of this bot. Says so on stderr unless it is written.
    fn fault(&mut self, fault: &Fault) {
        eprintln!("aurum: {fault}");
    }
}

impl Fault {
    /// The kind in lower case, like `illegal_move`; the number of a kind that a later protocol has added.
    pub fn kind_name(&self) -> String {
        match FaultKind::try_from(self.kind) {
            Ok(kind) => kind.as_str_name().trim_start_matches("FAULT_KIND_").to_lowercase(),
            Err(_) => self.kind.to_string(),
        }
    }
}

/// One line: `illegal_move in game 7, turn 3: DETAIL`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.kind_name())?;
        if self.game != 0 {
            write!(f, " in game {}, turn {}", self.game, self.number)?;
        }
        write!(f, ": {}", self.detail)
    }
}
