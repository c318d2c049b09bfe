//! A small site through a real nginx, where one is installed.

use std::sync::atomic::AtomicBool;

use etalon_work::{Context, RealWork as _, WorkEnd, WorkError, WorkRecord};
use tempfile::TempDir;

fn go(more: &[(&str, &str)]) -> Result<WorkRecord, WorkError> {
    let place = TempDir::new().unwrap();
    open_to_pass(place.path());
    let small = [
        ("pages", "12"),
        ("images", "2"),
        ("pause", "1"),
        ("clients", "3"),
    ];
    let given = small.iter().chain(more);
    let given: Vec<_> = given
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect();
    let record = crate::work::Web.run(&Context {
        directory: place.path(),
        elsewhere: None,
        seed: 7,
        given: &given,
        stop: &AtomicBool::new(false),
        witness: &(),
    });
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    record
}

fn open_to_pass(place: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o711)).unwrap();
}

#[test]
fn every_page_comes_by_each_protocol_and_nothing_is_left() {
    for protocol in ["http1", "http2"] {
        let record = go(&[("protocol", protocol), ("rate", "500")]).unwrap();
        assert_eq!(record.ended, WorkEnd::Complete);
        let names: Vec<&str> = record.steps.iter().map(|step| &*step.name).collect();
        assert_eq!(
            names,
            [
                "one after another, cold",
                "one after another, warm",
                "3 at once, cold",
                "3 at once, warm",
                "500 a second, cold",
                "500 a second, warm"
            ]
        );
        let bytes = record.input.unwrap().bytes;
        for step in &record.steps {
            let service = step.service.as_ref().unwrap();
            assert!(service.engine.starts_with("nginx/"), "{service:?}");
            assert_eq!((service.requests, service.failures()), (36, 0));
            assert_eq!(step.rate.unwrap().operations, 12);
            assert_eq!(step.latency.as_ref().unwrap().count(), 12);
            assert_eq!((step.files, step.bytes), (36, bytes));
        }
    }
}
