//! Caches of a server, and of its client, between a target and its disks.

use etalon_model::{Run, ServedPath, ServerKind, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said};

pub(crate) const CHECK: Check = Check {
    code: "server-cache",
    about: "A server stands between the target and its disks: its cache, and that of its client, may serve reads and take writes.",
    advice: "Use O_DIRECT and a working set far beyond the server's memory, or measure on the server itself.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    if run.measurement.is_without_storage() {
        return None;
    }
    let served = run.circumstances.served();
    let told = served.iter().filter_map(|path| words(path, run));
    // Of a server on this machine the disks are counted, so that other checks say what its cache did.
    let has_counters = run.device.is_some() || run.leaves.is_some();
    let is_counted = has_counters && served.iter().all(|path| path.here);
    let severity = match is_counted {
        true => Severity::Info,
        false => Severity::Warn,
    };
    let evidence = [("servers", served.len() as f64)];
    let message = told.reduce(Sentence::then)?;
    Some(Outcome::new(severity, message, &evidence))
}

/// What may have been in between; nothing where the server is known to have no cache and to keep its promise.
fn words(path: &ServedPath, run: &Run) -> Option<Sentence> {
    let is_asked = run.measurement.writes.operations > 0 && path.syncs.is_none();
    match (caches(path, run), is_asked) {
        (Some(caches), true) => Some(caches.then(promise(path))),
        (None, true) => Some(said!(
            "{served}: whether its disk has what it calls durable cannot be known from here.",
            served = &path.what,
        )),
        (caches, false) => caches,
    }
}

fn caches(path: &ServedPath, run: &Run) -> Option<Sentence> {
    let is_direct = run.measurement.is_direct();
    let mut said = cache(path, path.files && !is_direct)?;
    if path.here {
        said = said.then(said!(", which is this machine too."));
    }
    if !path.files && path.buffered.is_none() {
        said = said.then(said!(", if it has one."));
    }
    said = said.then(did(run));
    Some(match path.files && is_direct {
        true => said.then(said!(
            "; O_DIRECT goes past that of this machine, the client, alone."
        )),
        false => said,
    })
}

/// Whose cache it is, ending in the server.
fn cache(path: &ServedPath, has_client: bool) -> Option<Sentence> {
    let served = &path.what;
    Some(match (path.files, path.buffered) {
        (true, _) if path.kind == ServerKind::Host => of_host(path, has_client),
        (true, _) if has_client => said!(
            "{served}: the page cache of this machine, the client, and the page cache of the server.",
            served = served,
        ),
        (true, _) | (false, Some(true)) => {
            said!("{served}: the page cache of the server.", served = served)
        }
        (false, None) => said!("{served}: the cache of the server.", served = served),
        (false, Some(false)) => return None,
    })
}

/// The host of this machine is no server, and keeps what it shares in memory as one.
fn of_host(path: &ServedPath, has_client: bool) -> Sentence {
    let shared = &path.what;
    match has_client {
        true => said!(
            "{shared}: the page cache of this machine, the client, and the page cache of its host.",
            shared = shared,
        ),
        false => said!("{shared}: the page cache of the host.", shared = shared),
    }
}

/// What caches may have done in a run of this kind.
fn did(run: &Run) -> Sentence {
    let m = &run.measurement;
    match (m.reads.operations > 0, m.writes.operations > 0) {
        (true, false) => said!(", may have served reads."),
        (false, true) => said!(", may have taken writes."),
        (true, true) => said!(", may have served reads and taken writes."),
        (false, false) => said!(", may have answered."),
    }
}

/// What is not known of the server's durability.
fn promise(path: &ServedPath) -> Sentence {
    match path.kind {
        ServerKind::Nfs => said!(
            "; whether its disk has what it calls durable cannot be known from here (on the server exportfs -v shows sync or async)."
        ),
        ServerKind::Host | ServerKind::Other => {
            said!("; whether its disk has what it calls durable cannot be known from here.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run, write_run};
    use etalon_model::BeneathFacts;

    fn with(mut run: Run, path: ServedPath) -> Run {
        run.circumstances.beneath = Some(BeneathFacts {
            served: vec![path],
            ..BeneathFacts::default()
        });
        run
    }

    fn nfs(here: bool) -> ServedPath {
        ServedPath {
            what: "nas:/srv (NFS 4.2)".to_owned(),
            files: true,
            here,
            buffered: here.then_some(true),
            syncs: here.then_some(true),
            kind: ServerKind::Nfs,
        }
    }

    fn found(run: &Run) -> Option<(Severity, String)> {
        super::run(&facts(run)).map(|outcome| (outcome.severity, outcome.message.to_string()))
    }

    #[test]
    fn both_caches_of_a_server_elsewhere_are_named_and_its_promise_is_not_known() {
        let mut run = with(read_run(), nfs(false));
        run.measurement.direct = Some(false);
        let (severity, message) = found(&run).unwrap();
        assert_eq!(severity, Severity::Warn);
        let both = "the page cache of this machine, the client, and the page cache of the server, may have served reads.";
        assert!(message.ends_with(both), "{message}");
        run.measurement.direct = Some(true);
        let (_, message) = found(&run).unwrap();
        assert!(message.contains("O_DIRECT goes past"), "{message}");
        let (_, message) = found(&with(write_run(), nfs(false))).unwrap();
        assert!(message.contains("taken writes") && message.contains("exportfs -v"));
    }

    #[test]
    fn a_server_here_is_counted_and_keeps_its_promise() {
        let (severity, message) = found(&with(write_run(), nfs(true))).unwrap();
        assert_eq!(severity, Severity::Info);
        assert!(message.contains("which is this machine too"), "{message}");
        assert!(!message.contains("cannot be known"), "{message}");
        let mut run = with(write_run(), nfs(true));
        run.device = None;
        assert_eq!(found(&run).unwrap().0, Severity::Warn);
    }

    #[test]
    fn a_target_is_told_unless_it_has_no_cache() {
        let target = |buffered, syncs| ServedPath {
            what: "nvme0n1 (NVMe over tcp)".to_owned(),
            files: false,
            here: true,
            buffered,
            syncs,
            kind: ServerKind::Other,
        };
        let of = |buffered, syncs| found(&with(write_run(), target(buffered, syncs)));
        assert_eq!(of(Some(false), Some(true)), None);
        let (_, message) = of(Some(true), Some(true)).unwrap();
        assert!(message.ends_with("may have taken writes."), "{message}");
        let (_, message) = of(None, None).unwrap();
        assert!(message.contains("if it has one") && message.contains("cannot be known"));
        assert_eq!(found(&read_run()), None);
    }

    #[test]
    fn only_nfs_has_exports_and_a_host_is_no_server() {
        let written = |kind, direct| {
            let mut run = with(write_run(), ServedPath { kind, ..nfs(false) });
            run.measurement.direct = Some(direct);
            found(&run).unwrap().1
        };
        for kind in [ServerKind::Other, ServerKind::Host] {
            let message = written(kind, false);
            assert!(!message.contains("exportfs"), "{message}");
            assert!(message.contains("cannot be known from here"), "{message}");
        }
        for (direct, caches) in [
            (
                false,
                "this machine, the client, and the page cache of its host",
            ),
            (true, "the page cache of the host"),
        ] {
            let message = written(ServerKind::Host, direct);
            assert!(
                message.contains(caches) && !message.contains("server"),
                "{message}"
            );
        }
    }
}
