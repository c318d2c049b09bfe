//! A server on a free port with a store in a directory of its own, and a client that sends any bytes.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use etalon_language::Language;
use etalon_model::stack::{StackTree, TargetKind};
use etalon_model::{
    Cell, Estimate, ExperimentKind, ExperimentState, Headline, Interval, LatencyHistogram,
    NewExperiment, RunId, TargetRecord, Unit, Verdict, Workload,
};
use etalon_report::Frame;
use etalon_serve::{Limits, Reporter, ServeError, Server, Settings, Unavailable, Watched};
use etalon_store::Store;

/// What takes longer hangs.
pub(crate) const HANG: Duration = Duration::from_secs(600);

/// Experiment 503 is not shown while somebody holds this.
pub(crate) static SLOW: Mutex<()> = Mutex::new(());

/// Says which experiments it was asked for.
pub(crate) struct Numbers;

impl Reporter for Numbers {
    fn page(&self, ids: &[RunId], frame: &Frame<'_>) -> Result<String, Unavailable> {
        if ids == [503] {
            drop(SLOW.lock());
        }
        match ids {
            [404, ..] => Err(Unavailable::Unknown(404)),
            // More than what lies between a server and one who does not read.
            [413, ..] => Ok(frame.page("a large report", &"x".repeat(32 << 20))),
            [409, ..] => Err(Unavailable::Refused("they are <twins>".to_owned())),
            _ => Ok(frame.page("a report", &format!("<main>report of {ids:?}</main>"))),
        }
    }

    fn local_time(&self, unix_ns: i64) -> String {
        format!("day {}", unix_ns / 86_400_000_000_000)
    }
}

/// A server at work; it ends with the test.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) home: tempfile::TempDir,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Served {
    pub(crate) fn new() -> Served {
        Served::with(|_| ())
    }

    /// With other settings than the usual ones.
    pub(crate) fn with(change: impl FnOnce(&mut Settings)) -> Served {
        let home = tempfile::tempdir().unwrap();
        let store = home.path().join("store.sqlite");
        drop(Store::open(&store).unwrap());
        let mut settings = settings(store);
        change(&mut settings);
        let server = Server::bind(settings, Box::new(Numbers)).unwrap();
        let (address, stop) = (server.address(), Arc::new(AtomicBool::new(false)));
        let asked = Arc::clone(&stop);
        let thread = std::thread::spawn(move || server.run(&asked));
        Served {
            address,
            home,
            stop,
            thread: Some(thread),
        }
    }

    pub(crate) fn store(&self) -> Store {
        Store::open(&self.path()).unwrap()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.home.path().join("store.sqlite")
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        // A test that hangs says where; no answer hangs on it.
        stream.set_read_timeout(Some(HANG)).unwrap();
        stream
    }

    /// Sends bytes as they are and gives all that comes back.
    pub(crate) fn raw(&self, request: &[u8]) -> Said {
        let mut stream = self.connect();
        // Who is refused early is not read to the end.
        let _ = stream.write_all(request);
        Said(until_closed(&mut stream))
    }

    pub(crate) fn get(&self, path: &str) -> Said {
        self.ask("GET", path, "")
    }

    /// A request with further headers, each with its line end.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &str) -> Said {
        let host = self.address;
        let text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n");
        self.raw(text.as_bytes())
    }

    /// Ends the server, and says how that went.
    pub(crate) fn end(&mut self) -> Result<(), ServeError> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread
            .take()
            .map_or(Ok(()), |thread| thread.join().unwrap())
    }
}

/// All that comes until the server closes the connection, which is waited for.
pub(crate) fn until_closed(stream: &mut TcpStream) -> String {
    let (mut answer, mut part, begun) = (Vec::new(), [0; 65_536], Instant::now());
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => answer.extend_from_slice(&part[..read]),
            Err(error) => {
                assert_ne!(error.kind(), ErrorKind::WouldBlock, "it is never closed");
                break;
            }
        }
        assert!(begun.elapsed() < HANG, "it never ends");
    }
    String::from_utf8_lossy(&answer).into_owned()
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

pub(crate) fn settings(store: PathBuf) -> Settings {
    Settings {
        listen: "127.0.0.1:0".parse().unwrap(),
        names: vec!["nas.home".to_owned()],
        token: None,
        identity: None,
        store,
        watched: Watched {
            heading: "/srv: ext4 on <sda1>".to_owned(),
            tree: nothing_below(),
        },
        language: Language::English,
        limits: Limits {
            every: Duration::from_millis(20),
            ..Limits::default()
        },
    }
}

/// No device is watched, so that the tests hang on none.
fn nothing_below() -> StackTree {
    StackTree::of_nothing("/srv", TargetKind::Directory)
}

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Said(pub(crate) String);

impl Said {
    /// The status; 0 where nothing came.
    pub(crate) fn status(&self) -> u16 {
        let word = self.0.split(' ').nth(1).unwrap_or_default();
        word.parse().unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let (head, _) = self.0.split_once("\r\n\r\n")?;
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        let found = lines.find(|(given, _)| given.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    }

    pub(crate) fn body(&self) -> &str {
        self.0.split_once("\r\n\r\n").map_or("", |(_, body)| body)
    }
}

pub(crate) fn begun(target: &str, kind: ExperimentKind) -> NewExperiment {
    NewExperiment {
        kind,
        started_unix_ns: 20_000 * 86_400_000_000_000,
        target: TargetRecord {
            path: target.to_owned(),
            beneath: "ext4 on sda1".to_owned(),
            ..TargetRecord::default()
        },
        settings: serde_json::json!({ "runs": 6 }),
        seed: 1,
        tool_version: "0.1.0".to_owned(),
        owner: None,
    }
}

/// Adds an experiment that came to its end, with one figure of 2000 MiB/s.
pub(crate) fn finished(store: &mut Store, target: &str, kind: ExperimentKind) -> RunId {
    let id = store.begin_experiment(&begun(target, kind)).unwrap();
    store.append_cells(id, &[cell()]).unwrap();
    store
        .finish_experiment(id, 0, ExperimentState::Finished)
        .unwrap();
    id
}

fn cell() -> Cell {
    let value = 2000.0 * 1_048_576.0;
    let interval = Interval {
        low: value,
        high: value,
        level: 0.95,
    };
    let estimate = Estimate {
        value,
        interval: Some(interval),
        runs: 6,
    };
    Cell {
        name: "streaming read".to_owned(),
        workload: Workload::default(),
        unit: Unit::BytesPerSecond,
        median: estimate,
        mean: estimate,
        headline: Headline::Median,
        values: vec![value; 6],
        latency: LatencyHistogram::new(),
        device_share: None,
        findings: Vec::new(),
        precision: None,
        verdict: Verdict::Valid,
    }
}

/// A file of the tests' own.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/serve/data")
        .join(name)
}
