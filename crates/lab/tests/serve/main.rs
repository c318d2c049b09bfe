//! A served model as its clients see it: what they agree on, what they get, when, and what becomes of
//! those that speak nonsense.

#![expect(
    clippy::unwrap_used,
    reason = "in a helper of a test, a failure is a failed test"
)]

mod client;

use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use etalon_lab::disk::{CutOrder, Disk, Flat, FlatFigures};
use etalon_lab::serve::{
    Content, Export, FlushPromise, ModelServer, ServeError, ServedFacts, Socket,
};
use tempfile::TempDir;

use client::{Client, DISC, FLUSH, Head, READ, Reply, TRIM, WRITE, head};

const BYTES: u64 = 64 << 20;
/// Long enough that nothing else takes as long, and an answer at once is told from one in time.
const LATENCY: Duration = Duration::from_millis(200);

/// A server with the directory of its socket.
struct Served {
    server: ModelServer,
    path: PathBuf,
    directory: TempDir,
}

fn served_by(figures: FlatFigures) -> Served {
    served_with(figures, Arc::new(Content::new(BYTES).unwrap()))
}

fn served_with(figures: FlatFigures, content: Arc<Content>) -> Served {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("disk");
    let export = Export {
        name: "flat".to_owned(),
        bytes: BYTES,
        rotational: false,
    };
    let disk: Box<dyn Disk> = Box::new(Flat::new(figures, 1));
    let server = ModelServer::start(Socket::bind(&path).unwrap(), export, disk, content).unwrap();
    Served {
        server,
        path,
        directory,
    }
}

fn figures(latency: Duration) -> FlatFigures {
    FlatFigures {
        bytes: BYTES,
        read_rate: 1 << 40,
        write_rate: 1 << 40,
        latency_ns: u64::try_from(latency.as_nanos()).unwrap(),
        jitter_ns: 0,
        width: 4,
        stall: None,
    }
}

fn served() -> Served {
    served_by(figures(Duration::ZERO))
}

#[test]
fn what_was_written_is_read_also_by_the_next_client() {
    let served = served();
    let (mut client, size, flags) = Client::agreed(&served.path);
    assert_eq!((size, flags), (BYTES, 0b10_1101));
    let data: Vec<u8> = (0..=255).cycle().take(8192).collect();
    client.done(head(WRITE, 512, 8192), &data);
    client.done(
        Head {
            flags: 1,
            ..head(WRITE, 1 << 20, 512)
        },
        &[9; 512],
    );
    client.done(head(FLUSH, 0, 0), &[]);
    assert_eq!(client.read(512, 8192), data);
    client.done(head(TRIM, 512, 8192), &[]);
    client.ask(head(DISC, 0, 0), &[]);
    assert!(client.closes());
    let (mut client, ..) = Client::agreed(&served.path);
    assert_eq!(client.read(0, 16384), [0; 16384]);
    assert_eq!(client.read(1 << 20, 512), [9; 512]);
    let facts = served.server.facts();
    assert_eq!(facts.written_bytes, 8192 + 512);
    assert!(served.server.refused().is_empty());
}

/// What the next server of a disk gives after its power has failed: a flushed sector, one that was forced, and one
/// that was only written.
fn left_by_a_cut(promise: FlushPromise) -> [bool; 3] {
    let content = Arc::new(Content::new(BYTES).unwrap().losing_power(promise));
    let before = served_with(figures(Duration::ZERO), Arc::clone(&content));
    let (mut client, ..) = Client::agreed(&before.path);
    let forced = Head {
        flags: 1,
        ..head(WRITE, 512, 512)
    };
    client.done(head(WRITE, 0, 512), &[1; 512]);
    client.done(head(FLUSH, 0, 0), &[]);
    client.done(forced, &[2; 512]);
    client.done(head(WRITE, 1024, 512), &[3; 512]);
    assert_eq!(client.read(1024, 512), [3; 512]);
    drop(before);
    content.cut(CutOrder::LosesAll).unwrap();
    let after = served_with(figures(Duration::ZERO), content);
    let (mut client, ..) = Client::agreed(&after.path);
    [0, 512, 1024].map(|offset| client.read(offset, 512)[0] != 0)
}

#[test]
fn the_next_server_has_what_a_power_cut_has_left() {
    assert_eq!(left_by_a_cut(FlushPromise::Kept), [true, true, false]);
    assert_eq!(left_by_a_cut(FlushPromise::Ignored), [false; 3]);
}

#[test]
fn an_old_client_gets_the_export_by_its_name() {
    let served = served();
    for (flags, zeroes) in [(3_u32, 0), (1, 124)] {
        let mut client = Client::connect(&served.path);
        client.send(&flags.to_be_bytes());
        client.option(1, b"flat");
        assert_eq!(u64::from_be_bytes(client.bytes()), BYTES);
        client.bytes::<2>();
        for _ in 0..zeroes {
            assert_eq!(client.bytes::<1>(), [0]);
        }
        assert_eq!(client.read(0, 512), [0; 512]);
    }
}

#[test]
fn options_are_answered_one_by_one() {
    let served = served();
    let mut client = Client::connect(&served.path);
    client.send(&3_u32.to_be_bytes());
    client.option(8, &[]);
    assert_eq!(
        client.option_reply(8).0,
        (1 << 31) + 1,
        "structured replies"
    );
    client.option(3, &[]);
    assert_eq!(client.option_reply(3), (2, b"\0\0\0\x04flat".to_vec()));
    assert_eq!(client.option_reply(3).0, 1);
    client.option(6, b"\0\0\0\x05other\0\0");
    assert_eq!(client.option_reply(6).0, (1 << 31) + 6);
    client.option(7, b"\0\0\0\x09flat\0\0");
    assert_eq!(client.option_reply(7).0, (1 << 31) + 3);
    client.option(2, &[]);
    assert_eq!(client.option_reply(2).0, 1);
    assert!(client.closes());
}

#[test]
fn answers_come_when_the_model_says_so() {
    let served = served_by(figures(LATENCY));
    let (mut client, ..) = Client::agreed(&served.path);
    let begun = Instant::now();
    // Four at once take as long as one, and the fifth waits for one of them.
    for sector in 0..5 {
        client.ask(head(WRITE, sector * 512, 512), &[1; 512]);
    }
    for sector in 0..5 {
        assert_eq!(client.reply().cookie, sector * 512);
        let least = if sector < 4 { LATENCY } else { 2 * LATENCY };
        assert!(begun.elapsed() >= least, "{sector}: {:?}", begun.elapsed());
    }
    let facts = served.server.facts();
    assert!(facts.answers >= 4, "{facts:?}");
}

/// What one request came to, once its answer has been counted.
fn counted(served: &Served) -> ServedFacts {
    loop {
        match served.server.facts() {
            facts if facts.answers == 1 => return facts,
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

#[test]
fn an_answer_is_late_by_the_way_of_its_data_in_and_out() {
    let (served_in, served_out) = (served(), served());
    let (mut client, ..) = Client::agreed(&served_in.path);
    client.ask(head(WRITE, 0, 4096), &[]);
    std::thread::sleep(LATENCY);
    client.send(&[1; 4096]);
    client.reply();
    let facts = counted(&served_in);
    let least = u64::try_from(LATENCY.as_nanos()).unwrap();
    assert!(facts.late == 1 && facts.latest_ns >= least, "{facts:?}");
    // More than any socket holds.
    let (mut client, ..) = Client::agreed(&served_out.path);
    client.ask(head(READ, 0, 32 << 20), &[]);
    client.reply();
    std::thread::sleep(LATENCY);
    client.0.read_exact(&mut vec![0; 32 << 20]).unwrap();
    let facts = counted(&served_out);
    assert!(facts.late == 1 && facts.latest_ns >= least, "{facts:?}");
}

#[test]
fn what_cannot_be_done_is_refused_and_the_client_goes_on() {
    let served = served();
    let (mut client, ..) = Client::agreed(&served.path);
    let end = BYTES - 512;
    for (asked, error) in [
        (head(READ, end, 1024), 22),
        (head(READ, u64::MAX - 511, 1024), 22),
        (head(READ, 0, (32 << 20) + 512), 22),
        (head(READ, 0, u32::MAX), 22),
        (head(READ, 1, 512), 22),
        (head(READ, 0, 0), 22),
        (head(WRITE, end, 1024), 28),
        (head(WRITE, 0, 100), 22),
        (head(TRIM, end, 1024), 22),
        (head(TRIM, u64::MAX, u32::MAX), 22),
        (head(FLUSH, 512, 0), 22),
        (head(6, 0, 4096), 22),
        (head(999, 0, 512), 22),
        (
            Head {
                flags: 0x8000,
                ..head(READ, 0, 512)
            },
            22,
        ),
    ] {
        let data = vec![
            7;
            if asked.command == WRITE {
                asked.length as usize
            } else {
                0
            }
        ];
        client.ask(asked, &data);
        let cookie = asked.cookie;
        let line = (asked.command, asked.offset, asked.length);
        assert_eq!(client.reply(), Reply { cookie, error }, "{line:?}");
    }
    // A trim without a whole sector in it is done without anything to do.
    client.done(head(TRIM, 100, 100), &[]);
    assert_eq!(client.read(end, 512), [0; 512]);
}

#[test]
fn a_write_for_which_there_is_no_memory_is_refused_and_counted() {
    const NO_SPACE: u32 = 28;
    let content = Content::new(BYTES).unwrap().while_room(|| false);
    let served = served_with(figures(Duration::ZERO), Arc::new(content));
    let (mut client, ..) = Client::agreed(&served.path);
    // Past the end of the disk there is no space either, which is the client's own fault.
    client.ask(head(WRITE, BYTES, 512), &[1; 512]);
    assert_eq!(client.reply().error, NO_SPACE);
    client.done(head(WRITE, 0, 512), &[1; 512]);
    let much = vec![2; 16 << 20];
    client.ask(head(WRITE, 512, 16 << 20), &much);
    assert_eq!(client.reply().error, NO_SPACE);
    assert_eq!(client.read(0, 1024), [[1; 512], [0; 512]].concat());
    let facts = served.server.facts();
    assert_eq!(facts.without_memory, 1, "{facts:?}");
}

/// What is told of a client, and what it sends.
type Hostile = (&'static str, fn(&mut Client));

#[test]
fn who_speaks_nonsense_is_cut_off_and_the_next_is_served() {
    let served = served();
    let hostile: [Hostile; 5] = [
        ("the client's flags", |client| client.send(&[0xff; 4])),
        ("an option", |client| {
            client.send(b"\0\0\0\x03GET / HTTP/1.1\r\n")
        }),
        ("an option of 4294967295", |client| {
            client.send(b"\0\0\0\x03IHAVEOPT\0\0\0\x07\xff\xff\xff\xff");
        }),
        ("a negotiation of 65", |client| {
            client.send(&3_u32.to_be_bytes());
            (0..65).for_each(|_| client.option(3, &[]));
        }),
        ("no export 'other'", |client| {
            client.send(&3_u32.to_be_bytes());
            client.option(1, b"other");
        }),
    ];
    for (text, speak) in hostile {
        let mut client = Client::connect(&served.path);
        speak(&mut client);
        assert!(client.closes(), "{text}");
        assert!(told(&served).contains(text), "{text}");
    }
    let hostile: [Hostile; 3] = [
        ("a request", |client| client.send(&[0; 28])),
        ("a write of 4294967295", |client| {
            client.ask(head(WRITE, 0, u32::MAX), &[]);
        }),
        ("broke off", |client| {
            client.ask(head(WRITE, 0, 4096), &[1; 100]);
            client.0.shutdown(std::net::Shutdown::Write).unwrap();
        }),
    ];
    for (text, speak) in hostile {
        let (mut client, ..) = Client::agreed(&served.path);
        speak(&mut client);
        assert!(client.closes(), "{text}");
        assert!(told(&served).contains(text), "{text}");
    }
    let (mut client, ..) = Client::agreed(&served.path);
    assert_eq!(client.read(0, 4096), [0; 4096]);
}

/// What the server says of the client that it has just cut off.
fn told(served: &Served) -> String {
    // The connection is closed a moment before.
    loop {
        match served.server.refused().pop() {
            Some(told) => return told,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

#[test]
fn the_end_of_a_server_cuts_its_client_off_and_removes_its_socket() {
    let served = served_by(figures(Duration::from_secs(3600)));
    let (mut client, ..) = Client::agreed(&served.path);
    client.ask(head(READ, 0, 512), &[]);
    drop(served.server);
    assert!(client.closes());
    assert_eq!(fs::read_dir(served.directory.path()).unwrap().count(), 0);
}

#[test]
fn a_taken_name_is_not_touched() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("file");
    fs::write(&path, "precious").unwrap();
    let error = Socket::bind(&path).unwrap_err();
    assert!(matches!(error, ServeError::Taken { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    let served = served();
    let error = Socket::bind(&served.path).unwrap_err().to_string();
    assert!(error.contains("another server"), "{error}");
    // What lies there when the server ends is not its own any more.
    fs::rename(&path, &served.path).unwrap();
    drop(served.server);
    assert_eq!(fs::read(&served.path).unwrap(), b"precious");
}
