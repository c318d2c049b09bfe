//! `--at`: a plan that begins later.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::bail;
use etalon_experiment::ExperimentError;
use etalon_factor::TargetLockError;
use jiff::Zoned;
use jiff::civil::{DateTime, Time};

use crate::exit::BadUsage;
use crate::output;

/// Between two looks at the clock and at the signals.
const LOOK: Duration = Duration::from_millis(200);

/// When a plan begins, by the clock where the machine is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BeginTime {
    /// The next time that it is so late.
    Daily(Time),
    /// This moment.
    Once(DateTime),
}

/// A text that names no time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BadTime(String);

impl fmt::Display for BadTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is not a time; write hours and minutes, for example 22:00, or a date before them, for example 2026-11-27T22:00",
            self.0
        )
    }
}

impl std::error::Error for BadTime {}

impl FromStr for BeginTime {
    type Err = BadTime;

    /// `22:00`, `2026-11-27T22:00` or `2026-11-27 22:00`, with seconds where they are wanted. An offset or a zone is
    /// refused, for the clock here is meant.
    fn from_str(text: &str) -> Result<BeginTime, BadTime> {
        let read = match text.len() {
            5 | 8 => text.parse().map(BeginTime::Daily).ok(),
            16 | 19 => text.parse().map(BeginTime::Once).ok(),
            _ => None,
        };
        read.ok_or_else(|| BadTime(text.to_owned()))
    }
}

/// The clock on the wall, which others may set while it is waited on.
pub(super) trait Wall {
    /// Now, where the machine is.
    fn now(&self) -> Zoned;
    /// Lets time pass.
    fn pass(&self, time: Duration);
}

/// The machine's own.
pub(super) struct MachineWall;

impl Wall for MachineWall {
    fn now(&self) -> Zoned {
        Zoned::now()
    }

    fn pass(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

impl BeginTime {
    /// The moment that is meant, today or else tomorrow where it has no date.
    ///
    /// # Errors
    /// [`BadUsage`] where it is past.
    pub(super) fn moment(self, now: &Zoned) -> anyhow::Result<Zoned> {
        let then = match self {
            BeginTime::Once(moment) => moment.to_zoned(now.time_zone().clone())?,
            BeginTime::Daily(time) => match now.with().time(time).build()? {
                today if today > *now => today,
                _ => now.tomorrow()?.with().time(time).build()?,
            },
        };
        if then <= *now {
            bail!(BadUsage(format!(
                "--at: {} is past, for it is {} now",
                written(&then),
                written(now)
            )));
        }
        Ok(then)
    }
}

/// Says when it begins, and waits until then.
///
/// # Errors
/// [`TargetLockError::Interrupted`] once `stop` is set.
pub(super) fn wait_until(
    then: &Zoned,
    wall: &impl Wall,
    stop: &AtomicBool,
) -> Result<(), ExperimentError> {
    output::note(&format!(
        "etalon: begins at {}, in {}; Ctrl-C ends the wait, and nothing is changed before",
        written(then),
        from_now(then, &wall.now())
    ));
    while wall.now() < *then {
        if stop.load(Ordering::Relaxed) {
            return Err(TargetLockError::Interrupted.into());
        }
        wall.pass(LOOK);
    }
    Ok(())
}

fn written(moment: &Zoned) -> String {
    moment.strftime("%Y-%m-%d %H:%M").to_string()
}

/// In hours and minutes, the last of them begun.
fn from_now(then: &Zoned, now: &Zoned) -> String {
    let seconds = then.timestamp().as_second() - now.timestamp().as_second();
    let minutes = seconds.max(0) / 60 + i64::from(seconds % 60 > 0);
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;

    /// A clock that goes on when it is waited on.
    struct Modelled {
        now: RefCell<Zoned>,
        looks: Cell<usize>,
        /// The look at which somebody sets it, and to what.
        set: Option<(usize, Zoned)>,
        /// The look at which a signal comes.
        signal: Option<usize>,
        stop: AtomicBool,
    }

    impl Modelled {
        fn at(text: &str) -> Modelled {
            Modelled {
                now: RefCell::new(text.parse().unwrap()),
                looks: Cell::new(0),
                set: None,
                signal: None,
                stop: AtomicBool::new(false),
            }
        }

        fn wait(&self, text: &str) -> Result<(), ExperimentError> {
            let then = text.parse::<BeginTime>().unwrap().moment(&self.now());
            wait_until(&then.unwrap(), self, &self.stop)
        }

        /// The time when the wait for `text` is over.
        fn begins(&self, text: &str) -> String {
            self.wait(text).unwrap();
            self.now().strftime("%d %H:%M").to_string()
        }
    }

    impl Wall for Modelled {
        fn now(&self) -> Zoned {
            self.now.borrow().clone()
        }

        fn pass(&self, time: Duration) {
            assert!(self.looks.get() < 1_000_000, "it never begins");
            self.looks.set(self.looks.get() + 1);
            let later = self.now.borrow().checked_add(time).unwrap();
            self.now.replace(later);
            if let Some((_, set)) = self.set.as_ref().filter(|(at, _)| *at == self.looks.get()) {
                self.now.replace(set.clone());
            }
            if self.signal == Some(self.looks.get()) {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    #[test]
    fn it_begins_today_or_else_tomorrow_or_at_its_date() {
        let evening = || Modelled::at("2026-03-10T21:00:00[Europe/Berlin]");
        assert_eq!(evening().begins("22:00"), "10 22:00");
        assert_eq!(evening().begins("21:00"), "11 21:00");
        assert_eq!(evening().begins("06:30"), "11 06:30");
        assert_eq!(evening().begins("2026-03-11T21:00"), "11 21:00");
        assert_eq!(evening().begins("2026-03-10 21:00:30"), "10 21:00");
    }

    #[test]
    fn an_hour_that_is_left_out_or_comes_twice_is_found() {
        // The clock goes from 02:00 to 03:00, and in autumn from 03:00 to 02:00.
        let spring = Modelled::at("2026-03-28T23:00:00[Europe/Berlin]");
        assert_eq!(spring.begins("02:30"), "29 03:30");
        let autumn = Modelled::at("2026-10-24T23:00:00[Europe/Berlin]");
        assert_eq!(autumn.begins("02:30"), "25 02:30");
    }

    #[test]
    fn a_clock_that_is_set_meanwhile_counts_as_it_is() {
        let mut wall = Modelled::at("2026-03-10T12:00:00[UTC]");
        wall.set = Some((5, "2026-03-10T21:59:59[UTC]".parse().unwrap()));
        assert_eq!(wall.begins("22:00"), "10 22:00");
        assert_eq!(wall.looks.get(), 10);
    }

    #[test]
    fn a_signal_ends_the_wait_and_the_plan() {
        let mut wall = Modelled::at("2026-03-10T12:00:00[UTC]");
        wall.signal = Some(3);
        let error = wall.wait("22:00").unwrap_err();
        assert!(matches!(
            error,
            ExperimentError::Lock(TargetLockError::Interrupted)
        ));
        assert_eq!(wall.looks.get(), 3);
    }

    #[test]
    fn what_is_past_or_no_time_is_refused_and_quoted() {
        let now = Modelled::at("2026-03-10T12:00:00[UTC]").now();
        let past: BeginTime = "2026-03-10T11:59".parse().unwrap();
        let error = past.moment(&now).unwrap_err().to_string();
        assert!(error.contains("2026-03-10 11:59 is past"), "{error}");
        for wrong in [
            "",
            "22",
            "25:00",
            "22:60",
            "2026-11-27",
            "22:00Z",
            "2026-13-01T22:00",
            "10 pm",
        ] {
            let error = wrong.parse::<BeginTime>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{wrong}'")), "{error}");
        }
    }

    #[test]
    fn how_long_it_takes_until_then() {
        let told = |from: &str| {
            let moment = |text: &str| text.parse::<Zoned>().unwrap();
            from_now(&moment("2026-03-10T22:00:00[UTC]"), &moment(from))
        };
        assert_eq!(told("2026-03-10T21:59:59[UTC]"), "1 min");
        assert_eq!(told("2026-03-09T23:30:00[UTC]"), "22 h 30 min");
    }
}
