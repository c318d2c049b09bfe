//! Whether an experiment that is written down as running still does.

use etalon_factor::{Liveness, ProcessStamp};
use etalon_model::ExperimentState;

/// The state of an experiment as it is: one whose process is dead does not run, whatever was written down last.
pub fn state_now(written: ExperimentState, owner: Option<&str>) -> ExperimentState {
    let owner = owner.map(str::parse::<ProcessStamp>);
    let died = matches!(owner, Some(Ok(stamp)) if stamp.liveness() == Liveness::Dead);
    match written {
        ExperimentState::Running if died => ExperimentState::Interrupted,
        state => state,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_to_be_dead_does_not_run() {
        let own = ProcessStamp::current().unwrap();
        let dead = ProcessStamp {
            start_ticks: own.start_ticks + 1,
            ..own.clone()
        };
        let elsewhere = ProcessStamp {
            machine: "another".to_owned(),
            ..dead.clone()
        };
        let now = |owner: Option<&ProcessStamp>| {
            let owner = owner.map(ToString::to_string);
            state_now(ExperimentState::Running, owner.as_deref())
        };
        assert_eq!(now(Some(&dead)), ExperimentState::Interrupted);
        for owner in [None, Some(&own), Some(&elsewhere)] {
            assert_eq!(now(owner), ExperimentState::Running, "{owner:?}");
        }
        let finished = state_now(ExperimentState::Finished, Some(&dead.to_string()));
        assert_eq!(finished, ExperimentState::Finished);
    }
}
