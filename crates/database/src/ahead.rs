//! Statements that are made before they are asked for: what their text takes is no time of the engine.

use std::sync::mpsc::sync_channel;

/// So many are made before `act` begins, and so many more while it goes on: of 25 KiB each, as the longest are, 50 MiB.
const AHEAD: usize = 2048;

/// Calls `act` with the statements, which a thread of its own makes where they are too many to be made before.
pub(crate) fn made_ahead<T>(
    mut statements: impl Iterator<Item = String> + Send,
    act: impl FnOnce(&mut dyn Iterator<Item = String>) -> T,
) -> T {
    let before: Vec<String> = statements.by_ref().take(AHEAD).collect();
    let (sender, receiver) = sync_channel(AHEAD);
    std::thread::scope(|scope| {
        // Once `act` has ended, nobody takes them any more.
        scope.spawn(move || statements.try_for_each(|statement| sender.send(statement)));
        act(&mut before.into_iter().chain(receiver))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn statements_come_in_their_order_and_none_is_missing() {
        let all = || (0..3 * AHEAD).map(|at| at.to_string());
        let taken: Vec<String> = made_ahead(all(), |statements| statements.collect());
        assert!(taken.into_iter().eq(all()));
    }

    #[test]
    fn no_more_are_made_than_are_soon_taken_and_none_once_it_is_over() {
        let made = AtomicUsize::new(0);
        let endless = std::iter::repeat_with(|| {
            made.fetch_add(1, Ordering::Relaxed);
            String::new()
        });
        made_ahead(endless, |statements| {
            assert!(statements.next().is_some());
            while made.load(Ordering::Relaxed) < 2 * AHEAD {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        // One is held by a thread that waits.
        assert!(made.load(Ordering::Relaxed) <= 2 * AHEAD + 1, "{made:?}");
    }
}
