//! What tests of servers that stand have in common.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_units::Nanos;
use etalon_work::{Context, Job, Parameter, RealWork, WorkEnd, WorkError, WorkRecord};
use etalon_workload::PartWitness;
use tempfile::TempDir;

use crate::session::Asks;

/// Does something where a work would, such as making a server that another work takes for one that stands.
pub(crate) struct Acts<'t>(pub(crate) &'t (dyn Fn(&mut Job<'_>) -> Result<(), WorkError> + Sync));

impl RealWork for Acts<'_> {
    fn name(&self) -> &'static str {
        "acts"
    }

    fn summary(&self) -> &'static str {
        "A test's"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        (self.0)(job)
    }
}

/// Stops the work when that step begins.
struct StopsAt<'s>(&'s str, &'s AtomicBool);

impl PartWitness for StopsAt<'_> {
    fn begins(&self, name: &str) {
        if name == self.0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }

    fn ended(&self, _: &str) {}
}

fn open_to_pass() -> TempDir {
    let place = TempDir::new().unwrap();
    let open = std::fs::Permissions::from_mode(0o711);
    std::fs::set_permissions(place.path(), open).unwrap();
    place
}

pub(crate) fn go(
    work: &dyn RealWork,
    given: &[(&str, &str)],
    stops_at: &str,
) -> Result<WorkRecord, WorkError> {
    let (place, stop) = (open_to_pass(), AtomicBool::new(false));
    let given = given
        .iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
    let record = work.run(&Context {
        directory: place.path(),
        elsewhere: None,
        seed: 7,
        given: &given.collect::<Vec<_>>(),
        stop: &stop,
        witness: &StopsAt(stops_at, &stop),
    });
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    record
}

/// Does it, unless the programs of the server are missing.
pub(crate) fn acts(test: &str, act: &(dyn Fn(&mut Job<'_>) -> Result<(), WorkError> + Sync)) {
    let went = go(&Acts(act), &[], "");
    if let Err(WorkError::MissingProgram { program, .. }) = &went {
        eprintln!("SKIPPED {test}: no {program}");
        return;
    }
    // It has timed no step, so that its end is an error only where something failed.
    assert_eq!(went.unwrap().ended, WorkEnd::Complete);
}

fn on_server(work: &dyn RealWork, url: &str, stops_at: &str) -> Result<WorkRecord, WorkError> {
    let given = [
        ("url", url),
        ("rows", "1000"),
        ("inserts", "100"),
        ("commits", "5"),
        ("transactions", "20"),
    ];
    go(work, &given, stops_at)
}

/// A work on a server that stands at `url` leaves nothing there, however it ends; `count` asks for the number of its
/// schemas there.
pub(crate) fn leaves_as_it_was(work: &dyn RealWork, url: &str, asks: &mut dyn Asks, count: &str) {
    let schemas = |asks: &mut dyn Asks| asks.query(count).unwrap().first;
    is_complete(&on_server(work, url, "").unwrap());
    assert_eq!(schemas(asks), Some(0));

    // A stop in the middle.
    let stopped = on_server(work, url, "query E, sort").unwrap();
    assert_eq!(stopped.ended, WorkEnd::Interrupted);
    assert_eq!(schemas(asks), Some(0));

    // A schema of somebody else's.
    asks.execute("CREATE SCHEMA etalon_work").unwrap();
    let told = on_server(work, url, "").unwrap_err().to_string();
    assert!(
        told.contains("has a schema 'etalon_work' already"),
        "{told}"
    );
    assert_eq!(schemas(asks), Some(1));
}

/// All steps but those that are of the whole server, each with what the server told.
fn is_complete(record: &WorkRecord) {
    assert_eq!(record.ended, WorkEnd::Complete);
    let names: Vec<&str> = record.steps.iter().map(|step| &*step.name).collect();
    assert_eq!((names[1], names[2]), ("count", "count warm"));
    assert!(!names.contains(&"checkpoint"));
    let services = record.steps.iter().filter_map(|step| step.service.as_ref());
    let stand = services.filter(|service| service.stands && !service.cold);
    assert_eq!(stand.count(), names.len());
    // Nothing was written to the target, the sync of which is no time of the server's.
    assert!(record.steps.iter().all(|step| step.sync == Nanos::ZERO));
}
