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

/// Whether an experiment may still run on this machine, as far as can be seen from here. One that another machine wrote
/// down as running and did not end is over for whoever has its store here.
pub fn may_run_here(written: ExperimentState, owner: Option<&str>) -> bool {
    let is_elsewhere = match owner.map(str::parse::<ProcessStamp>) {
        Some(Ok(stamp)) => !stamp.is_of_this_machine(),
        _ => false,
    };
    state_now(written, owner) == ExperimentState::Running && !is_elsewhere
}

/// The state of an experiment for whoever has its store here: one that may not run on this machine is over.
pub fn state_here(written: ExperimentState, owner: Option<&str>) -> ExperimentState {
    match written {
        ExperimentState::Running if !may_run_here(written, owner) => ExperimentState::Interrupted,
        state => state,
    }
}

/// When the process that makes an experiment started, in nanoseconds since 1970-01-01 UTC, or up to two seconds before; `None`
/// where that cannot be seen from here. One that goes on with an experiment started after that was begun.
pub fn owner_started_unix_ns(owner: Option<&str>) -> Option<i64> {
    let stamp: ProcessStamp = owner?.parse().ok()?;
    let is_here = stamp.is_of_this_machine() && stamp.is_of_this_boot();
    let started = stamp.started_s().filter(|_| is_here)?;
    i64::try_from(started).ok()?.checked_mul(1_000_000_000)
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
        let here =
            |owner: &ProcessStamp| may_run_here(ExperimentState::Running, Some(&owner.to_string()));
        let contained = ProcessStamp {
            pid_namespace: own.pid_namespace + 1,
            ..own.clone()
        };
        assert!(here(&own) && here(&contained));
        assert!(!here(&dead) && !here(&elsewhere));
        assert!(may_run_here(ExperimentState::Running, None));
        assert!(!may_run_here(
            ExperimentState::Finished,
            Some(&own.to_string())
        ));
        let finished = state_now(ExperimentState::Finished, Some(&dead.to_string()));
        assert_eq!(finished, ExperimentState::Finished);
        let shown = |owner: &ProcessStamp, written| state_here(written, Some(&owner.to_string()));
        for (owner, state) in [
            (&own, ExperimentState::Running),
            (&contained, ExperimentState::Running),
            (&dead, ExperimentState::Interrupted),
            (&elsewhere, ExperimentState::Interrupted),
        ] {
            assert_eq!(shown(owner, ExperimentState::Running), state, "{owner:?}");
        }
        let finished = shown(&elsewhere, ExperimentState::Finished);
        assert_eq!(finished, ExperimentState::Finished);
    }

    #[test]
    fn a_process_of_this_boot_started_before_now() {
        let own = ProcessStamp::current().unwrap();
        let elsewhere = ProcessStamp {
            machine: "another".to_owned(),
            ..own.clone()
        };
        let started = |owner: &ProcessStamp| {
            owner_started_unix_ns(Some(&owner.to_string())).map(|ns| u128::try_from(ns).unwrap())
        };
        let now = std::time::SystemTime::now();
        let now = now.duration_since(std::time::UNIX_EPOCH).unwrap();
        let ago = now.as_nanos() - started(&own).unwrap();
        assert!(ago < 3_600_000_000_000, "{ago}");
        assert_eq!(started(&elsewhere), None);
        assert_eq!(owner_started_unix_ns(None), None);
    }
}
