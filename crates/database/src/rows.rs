//! The rows, made from a seed.

use std::fmt::Write as _;

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Sensors, to which the readings belong.
pub(crate) const SENSORS: u64 = 1000;
/// Kinds of readings, from 0.
pub(crate) const KINDS: u64 = 10;
/// Days, from 0.
pub(crate) const DAYS: u64 = 3650;

/// Rows in one statement; an engine gets no longer text than 32 KiB.
const BATCH: u64 = 200;

/// The tables; the last one has what the queries ask for.
pub(crate) const TABLES: [&str; 3] = [
    "CREATE TABLE history (reading INTEGER NOT NULL, change_of INTEGER NOT NULL)",
    "CREATE TABLE sensors (id INTEGER PRIMARY KEY, place TEXT NOT NULL)",
    "CREATE TABLE readings (id INTEGER PRIMARY KEY, sensor INTEGER NOT NULL, \
     kind INTEGER NOT NULL, day INTEGER NOT NULL, value DOUBLE PRECISION NOT NULL, \
     note TEXT NOT NULL)",
];

/// Makes rows one after another.
pub(crate) struct Rows {
    random: Xoshiro256PlusPlus,
    next: u64,
}

impl Rows {
    pub(crate) fn new(seed: u64) -> Rows {
        Rows {
            random: Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x6461_7461),
            next: 1,
        }
    }

    /// The statement that inserts the sensors.
    pub(crate) fn sensors() -> String {
        let mut text = String::from("INSERT INTO sensors (id, place) VALUES ");
        for id in 0..SENSORS {
            // A String takes every text.
            let _ = write!(text, "{}({id}, 'place {}')", comma(id), id % 37);
        }
        text
    }

    /// Statements that insert `count` more rows.
    pub(crate) fn statements(&mut self, count: u64) -> impl Iterator<Item = String> {
        let batches = (0..count).step_by(BATCH as usize);
        batches.map(move |from| self.statement(BATCH.min(count - from)))
    }

    /// The statement that inserts `count` more rows.
    pub(crate) fn statement(&mut self, count: u64) -> String {
        let mut text =
            String::from("INSERT INTO readings (id, sensor, kind, day, value, note) VALUES ");
        for number in 0..count {
            let random = &mut self.random;
            let (sensor, kind) = (
                random.random_range(0..SENSORS),
                random.random_range(0..KINDS),
            );
            let (day, value) = (
                random.random_range(0..DAYS),
                random.random_range(0.0..1000.0f64),
            );
            let (a, b): (u128, u128) = (random.random(), random.random());
            let _ = write!(
                text,
                "{}({}, {sensor}, {kind}, {day}, {value:.3}, '{a:032x}{b:032x}')",
                comma(number),
                self.next
            );
            self.next += 1;
        }
        text
    }
}

fn comma(number: u64) -> &'static str {
    match number {
        0 => "",
        _ => ",",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_rows_in_any_batches() {
        let all: Vec<String> = Rows::new(7).statements(450).collect();
        assert_eq!(all.len(), 3);
        assert_eq!(
            all.concat().matches("), (").count() + all.concat().matches("),(").count(),
            447
        );
        let mut other = Rows::new(7);
        other.statement(200);
        assert_eq!(other.statement(200), all[1]);
        assert_ne!(Rows::new(8).statement(1), Rows::new(7).statement(1));
        assert!(
            all.iter().all(|text| text.len() < 32 << 10),
            "{}",
            all[0].len()
        );
    }
}
