//! The answers to one message of the referee go out as one message, unless the bot thinks for long.

use std::mem;
use std::time::{Duration, Instant};

use crate::v1::{Action, PlayRequest};

/// Time without a write after which answers that are ready are sent.
const FLUSH_AFTER: Duration = Duration::from_millis(2);

/// Actions in one message: under 30 KiB, of the 64 KiB that a referee takes.
const MAX_ACTIONS: usize = 1_000;

/// Answers that are ready, but not sent yet.
pub(crate) struct Batch<W> {
    write: W,
    written: Instant,
    actions: Vec<Action>,
}

impl<W: FnMut(PlayRequest)> Batch<W> {
    /// For the answers to a message that arrived at `received`.
    pub(crate) fn new(received: Instant, write: W) -> Self {
        Batch { write, written: received, actions: Vec::new() }
    }

    /// Takes an answer that is ready `now`, before the bot thinks about the next turn.
    pub(crate) fn add(&mut self, action: Action, now: Instant) {
        self.actions.push(action);
        if self.actions.len() == MAX_ACTIONS || now.duration_since(self.written) > FLUSH_AFTER {
            self.send();
            self.written = now;
        }
    }

    /// Sends what is ready.
    pub(crate) fn send(&mut self) {
        if !self.actions.is_empty() {
            let actions = mem::take(&mut self.actions);
            (self.write)(PlayRequest { hello: None, actions });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many actions each message holds if answers are ready so many microseconds after their turns arrived.
    fn sizes(ready: impl IntoIterator<Item = u64>) -> Vec<usize> {
        let received = Instant::now();
        let mut sizes = Vec::new();
        let mut batch = Batch::new(received, |request| sizes.push(request.actions.len()));
        for microseconds in ready {
            batch.add(Action::default(), received + Duration::from_micros(microseconds));
        }
        batch.send();
        sizes
    }

    #[test]
    fn quick_answers_share_a_message() {
        assert_eq!(vec![4], sizes([100, 200, 1_900, 2_000]));
    }

    #[test]
    fn no_answer_means_no_message() {
        assert_eq!(Vec::<usize>::new(), sizes([]));
    }

    #[test]
    fn what_is_ready_does_not_wait_for_long_thoughts() {
        assert_eq!(vec![2, 1, 2], sizes([1_000, 3_000, 9_000, 9_100, 9_200]));
    }

    #[test]
    fn a_message_holds_a_thousand_answers_at_most() {
        assert_eq!(vec![1_000, 1_000, 500], sizes([0; 2_500]));
    }
}
