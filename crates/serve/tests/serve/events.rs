//! Streams of events, and the end.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;

use etalon_model::{ExperimentKind, ExperimentState};

use crate::common::{Served, begun};

/// The lines of a stream; they are waited for.
fn stream(served: &Served, path: &str) -> BufReader<TcpStream> {
    let mut stream = served.connect();
    let host = served.address;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    BufReader::new(stream)
}

/// Reads on until a line has `text`; the stream may not end before.
fn until(stream: &mut BufReader<TcpStream>, text: &str) -> String {
    loop {
        let mut line = String::new();
        let read = stream.read_line(&mut line).unwrap();
        assert!(read > 0, "the stream ended before '{text}'");
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
