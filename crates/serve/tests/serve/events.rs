//! Streams of events, and the end.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Instant;

use etalon_model::{ExperimentKind, ExperimentState};

use crate::common::{HANG, Served, begun};

/// The lines of a stream; they are waited for.
fn stream(served: &Served, path: &str) -> BufReader<TcpStream> {
    let mut stream = served.connect();
    let host = served.address;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    BufReader::new(stream)
}

/// Reads on until a line has `text`; the stream may not end before.
fn until(stream: &mut BufReader<TcpStream>, text: &str) -> String {
    let begun = Instant::now();
    loop {
        let mut line = String::new();
        let read = stream.read_line(&mut line).unwrap();
        assert!(read > 0, "the stream ended before '{text}'");
        assert!(begun.elapsed() < HANG, "'{text}' does not come");
        if line.contains(text) {
            return line;
        }
    }
}

#[test]
fn the_live_session_is_told_from_its_beginning_to_its_end() {
    let served = Served::new();
    let mut events = stream(&served, "/live/events");
    until(&mut events, "text/event-stream");
    until(
        &mut events,
        "data: <p class=\"answer\">Nothing is being measured",
    );
    let mut store = served.store();
    let id = store
        .begin_experiment(&begun("/srv/<b>", ExperimentKind::Measure))
        .unwrap();
    let line = until(&mut events, "Experiment 1</a>: measure of ");
    assert!(line.contains("/srv/&lt;b&gt;"), "{line}");
    until(&mut events, "No run has ended yet, running for");
    let page = served.get("/live");
    assert!(
        page.body().contains("measure of /srv/&lt;b&gt;"),
        "{page:?}"
    );
    store
        .finish_experiment(id, 1, ExperimentState::Finished)
        .unwrap();
    until(&mut events, "Nothing is being measured");
}

#[test]
fn what_can_no_longer_be_read_is_said_to_be_old() {
    let served = Served::new();
    let mut events = stream(&served, "/live/events");
    until(&mut events, "Nothing is being measured");
    let away = served.home.path().join("away");
    std::fs::rename(served.path(), &away).unwrap();
    until(&mut events, "event: stale");
    until(
        &mut events,
        "data: The store cannot be read; what is shown is old.",
    );
    // What the reader has is shown again, since it is no longer old.
    std::fs::rename(&away, served.path()).unwrap();
    until(&mut events, "Nothing is being measured");
}

#[test]
fn a_damaged_experiment_hides_no_other() {
    let served = Served::new();
    let mut store = served.store();
    let mut torn = begun("/home", ExperimentKind::Measure);
    torn.settings = serde_json::json!({ "runs": 4711 });
    store.begin_experiment(&torn).unwrap();
    store
        .begin_experiment(&begun("/srv", ExperimentKind::Measure))
        .unwrap();
    drop(store);
    let mut bytes = std::fs::read(served.path()).unwrap();
    let settings = br#"{"runs":4711}"#;
    let mut places = bytes.windows(settings.len());
    let at = places.position(|bytes| bytes == settings).unwrap();
    bytes[at] = b'[';
    std::fs::write(served.path(), bytes).unwrap();
    let mut events = stream(&served, "/live/events");
    until(&mut events, "measure of /srv");
    until(&mut events, "Experiment 1 is damaged and is not shown");
    assert_eq!(served.get("/live").status(), 200);
}

#[test]
fn what_a_reader_has_is_not_sent_again() {
    let served = Served::new();
    let mut events = stream(&served, "/live/events");
    until(&mut events, "Nothing is being measured");
    // The rest of the event, and then comments alone, which show whether the reader is still there.
    while until(&mut events, ":") != ":\n" {}
    for _ in 0..12 {
        let mut line = String::new();
        events.read_line(&mut line).unwrap();
        assert!(!line.starts_with("data:"), "{line}");
    }
}

#[test]
fn the_machine_is_sampled_while_somebody_looks() {
    let served = Served::new();
    let mut events = stream(&served, "/watch/events");
    // Shares of the processors are of an interval, which the first sample may lack.
    until(&mut events, "<dt>CPU</dt>");
    until(&mut events, "event: sample");
    let line = until(&mut events, "data: {");
    let document: serde_json::Value = serde_json::from_str(&line[6..]).unwrap();
    assert!(
        document["at"].is_f64() && document["layers"].is_array(),
        "{line}"
    );
    assert!(served.get("/watch").body().contains("<dt>CPU</dt>"));
}

#[test]
fn no_more_streams_than_there_may_be() {
    let served = Served::with(|settings| settings.limits.streams = 1);
    let mut first = stream(&served, "/live/events");
    until(&mut first, "200 OK");
    assert_eq!(served.get("/watch/events").status(), 503);
    drop(first);
    // The place is free once the server has seen that nobody reads.
    while served.ask("HEAD", "/watch/events", "").status() == 503 {
        std::thread::yield_now();
    }
}

#[test]
fn the_end_ends_streams_and_gives_the_port_back() {
    let mut served = Served::new();
    let mut events = stream(&served, "/live/events");
    until(&mut events, "200 OK");
    served.end().unwrap();
    let mut rest = String::new();
    while events.read_line(&mut rest).unwrap_or(0) > 0 {}
    assert!(TcpStream::connect(served.address).is_err());
}
