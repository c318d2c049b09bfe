//! What nobody may do, each with its answer.

use std::io::{Read as _, Write as _};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use crate::common::{HANG, SLOW, Served, until_closed};

/// What is tried, the bytes of the request, of which `{}` is the server's address, and the status; 0 is no answer.
type Attempt = (&'static str, &'static str, u16);

const ATTEMPTS: &[Attempt] = &[
    (
        "an honest request",
        "GET / HTTP/1.1\r\nHost: {}\r\n\r\n",
        200,
    ),
    (
        "by its other name",
        "GET / HTTP/1.1\r\nHost: localhost:1\r\n\r\n",
        200,
    ),
    (
        "by a name that was given",
        "GET / HTTP/1.1\r\nHost: nas.home\r\n\r\n",
        200,
    ),
    // No path reaches the filesystem.
    (
        "traversal",
        "GET /../../../etc/passwd HTTP/1.1\r\nHost: {}\r\n\r\n",
        404,
    ),
    (
        "traversal of static files",
        "GET /static/../../etc/passwd HTTP/1.1\r\nHost: {}\r\n\r\n",
        404,
    ),
    (
        "encoded traversal",
        "GET /static/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\nHost: {}\r\n\r\n",
        404,
    ),
    (
        "twice encoded traversal",
        "GET /%252e%252e/etc/passwd HTTP/1.1\r\nHost: {}\r\n\r\n",
        404,
    ),
    (
        "traversal by backslash",
        "GET /static/..\\..\\etc\\passwd HTTP/1.1\r\nHost: {}\r\n\r\n",
        404,
    ),
    (
        "traversal by overlong UTF-8",
        "GET /%c0%ae%c0%ae/etc/passwd HTTP/1.1\r\nHost: {}\r\n\r\n",
        404,
    ),
    (
        "an absolute path",
        "GET //etc/passwd HTTP/1.1\r\nHost: {}\r\n\r\n",
        404,
    ),
    (
        "a path for an experiment",
        "GET /experiment/../store.sqlite HTTP/1.1\r\nHost: {}\r\n\r\n",
        404,
    ),
    (
        "the store itself",
        "GET /store.sqlite HTTP/1.1\r\nHost: {}\r\n\r\n",
        404,
    ),
    (
        "a file for an arm",
        "GET /compare?id=%2Fetc%2Fpasswd&id=1 HTTP/1.1\r\nHost: {}\r\n\r\n",
        400,
    ),
    (
        "SQL for a number",
        "GET /experiment/1%20OR%201=1 HTTP/1.1\r\nHost: {}\r\n\r\n",
        404,
    ),
    (
        "a null byte",
        "GET /static/style.css%00.html HTTP/1.1\r\nHost: {}\r\n\r\n",
        404,
    ),
    // DNS rebinding, and requests for others.
    (
        "another host",
        "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        421,
    ),
    (
        "a host that begins alike",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n\r\n",
        421,
    ),
    (
        "a host behind a user",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1@evil.example\r\n\r\n",
        421,
    ),
    (
        "a user before the host",
        "GET / HTTP/1.1\r\nHost: evil@127.0.0.1\r\n\r\n",
        421,
    ),
    (
        "words for a port",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:evil\r\n\r\n",
        421,
    ),
    (
        "a port beyond the last",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:99999\r\n\r\n",
        421,
    ),
    (
        "the unspecified address",
        "GET / HTTP/1.1\r\nHost: 0.0.0.0\r\n\r\n",
        421,
    ),
    ("no host", "GET / HTTP/1.1\r\n\r\n", 400),
    ("an empty host", "GET / HTTP/1.1\r\nHost: \r\n\r\n", 400),
    (
        "two hosts",
        "GET / HTTP/1.1\r\nHost: {}\r\nHost: evil.example\r\n\r\n",
        400,
    ),
    ("HTTP/1.0 without a host", "GET / HTTP/1.0\r\n\r\n", 400),
    (
        "HTTP/1.0 with one",
        "GET / HTTP/1.0\r\nHost: {}\r\n\r\n",
        200,
    ),
    (
        "a proxy's request",
        "GET http://evil.example/ HTTP/1.1\r\nHost: {}\r\n\r\n",
        421,
    ),
    (
        "a proxy's request that is meant for it",
        "GET http://{}/ HTTP/1.1\r\nHost: {}\r\n\r\n",
        200,
    ),
    (
        "a tunnel",
        "CONNECT evil.example:443 HTTP/1.1\r\nHost: {}\r\n\r\n",
        421,
    ),
    // Pages of other sites.
    (
        "a cross-site post",
        "POST / HTTP/1.1\r\nHost: {}\r\nOrigin: https://evil.example\r\nContent-Length: 3\r\n\r\na=b",
        403,
    ),
    (
        "a post without an origin",
        "POST / HTTP/1.1\r\nHost: {}\r\nContent-Length: 3\r\n\r\na=b",
        405,
    ),
    (
        "a post from a sandbox",
        "POST / HTTP/1.1\r\nHost: {}\r\nOrigin: null\r\n\r\n",
        403,
    ),
    (
        "a post of its own page",
        "POST / HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\n\r\n",
        405,
    ),
    (
        "a cross-site post that a click sends",
        "POST / HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n\r\n",
        403,
    ),
    (
        "a cross-site fetch",
        "GET /live/events HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n\r\n",
        403,
    ),
    (
        "another port's fetch",
        "GET / HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: same-site\r\nSec-Fetch-Mode: no-cors\r\n\r\n",
        403,
    ),
    (
        "an image of another site",
        "GET / HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n\r\n",
        403,
    ),
    (
        "a link of another site",
        "GET / HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n\r\n",
        200,
    ),
    (
        "a link of another site that says where it goes to",
        "GET / HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n",
        200,
    ),
    (
        "a frame of another site",
        "GET /experiment/1 HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n\r\n",
        403,
    ),
    (
        "an object of another port's page",
        "GET / HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: same-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: object\r\n\r\n",
        403,
    ),
    (
        "a preflight",
        "OPTIONS / HTTP/1.1\r\nHost: {}\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: PUT\r\n\r\n",
        403,
    ),
    // Methods and bodies.
    ("HEAD", "HEAD / HTTP/1.1\r\nHost: {}\r\n\r\n", 200),
    (
        "HEAD of a stream",
        "HEAD /live/events HTTP/1.1\r\nHost: {}\r\n\r\n",
        200,
    ),
    ("OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: {}\r\n\r\n", 405),
    ("TRACE", "TRACE / HTTP/1.1\r\nHost: {}\r\n\r\n", 405),
    (
        "DELETE",
        "DELETE /experiment/1 HTTP/1.1\r\nHost: {}\r\n\r\n",
        405,
    ),
    (
        "an unknown method",
        "BREW / HTTP/1.1\r\nHost: {}\r\n\r\n",
        405,
    ),
    (
        "a method in small letters",
        "get / HTTP/1.1\r\nHost: {}\r\n\r\n",
        405,
    ),
    (
        "a body",
        "GET / HTTP/1.1\r\nHost: {}\r\nContent-Length: 1\r\n\r\na",
        413,
    ),
    (
        "an endless body",
        "GET / HTTP/1.1\r\nHost: {}\r\nContent-Length: 999999999999\r\n\r\n",
        413,
    ),
    (
        "a body in chunks",
        "GET / HTTP/1.1\r\nHost: {}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        413,
    ),
    (
        "a length that is none",
        "GET / HTTP/1.1\r\nHost: {}\r\nContent-Length: many\r\n\r\n",
        400,
    ),
    (
        "two lengths",
        "GET / HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nhello",
        400,
    ),
    // What is no HTTP.
    ("a line that is none", "hello\r\n\r\n", 400),
    (
        "a header that is none",
        "GET / HTTP/1.1\r\nHost: {}\r\nno colon\r\n\r\n",
        400,
    ),
    (
        "a folded header",
        "GET / HTTP/1.1\r\nHost: {}\r\nX: a\r\n b\r\n\r\n",
        400,
    ),
    (
        "a space before a colon",
        "GET / HTTP/1.1\r\nHost: {}\r\nX : a\r\n\r\n",
        400,
    ),
    ("a TLS handshake", "\u{16}\u{3}\u{1}\u{2}", 400),
    ("HTTP/2 unasked", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 0),
    // The query.
    (
        "a kind that is none",
        "GET /?kind=%00 HTTP/1.1\r\nHost: {}\r\n\r\n",
        400,
    ),
    (
        "a page that is none",
        "GET /?page=-1 HTTP/1.1\r\nHost: {}\r\n\r\n",
        400,
    ),
    (
        "a page beyond all",
        "GET /?page=18446744073709551615 HTTP/1.1\r\nHost: {}\r\n\r\n",
        200,
    ),
    (
        "broken encoding",
        "GET /?target=%ff%zz HTTP/1.1\r\nHost: {}\r\n\r\n",
        200,
    ),
];

#[test]
fn every_attempt_has_its_answer() {
    // A stream that nobody should have been given ends all the same.
    let served = Served::with(|settings| {
        settings.limits.page = Duration::from_secs(5);
        settings.limits.stream = Duration::from_secs(1);
    });
    let mut wrong = Vec::new();
    for (what, request, status) in ATTEMPTS {
        let request = request.replace("{}", &served.address.to_string());
        let said = served.raw(request.as_bytes());
        if said.status() != *status {
            wrong.push(format!("{what}: {} for {status}", said.status()));
        }
        let leaked = ["root:x:", "SQLite format", "Access-Control-Allow"];
        if leaked.iter().any(|text| said.0.contains(text)) {
            wrong.push(format!("{what}: {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(served.get("/").status(), 200);
}

#[test]
fn what_is_too_long_is_refused() {
    let served = Served::new();
    let long = |n: usize| "a".repeat(n);
    let told = [
        (
            served.get(&format!("/?target={}", long(1000))).status(),
            200,
        ),
        (
            served.get(&format!("/?target={}", long(3000))).status(),
            414,
        ),
        (served.get(&format!("/{}", long(70_000))).status(), 431),
        (
            served
                .ask("GET", "/", &format!("X: {}\r\n", long(64 << 10)))
                .status(),
            431,
        ),
        (
            served.ask("GET", "/", &"X: a\r\n".repeat(100)).status(),
            431,
        ),
    ];
    for (at, (found, expected)) in told.into_iter().enumerate() {
        assert_eq!(found, expected, "{at}");
    }
}

#[test]
fn head_has_the_headers_of_get_and_no_body() {
    let served = Served::new();
    let (get, head) = (served.get("/"), served.ask("HEAD", "/", ""));
    assert_eq!(head.header("content-length"), get.header("content-length"));
    assert_eq!(head.body(), "");
    let events = served.ask("HEAD", "/live/events", "");
    assert_eq!(events.header("content-type"), Some("text/event-stream"));
    assert_eq!(events.body(), "");
}

/// All of it: what is missing here is allowed.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

#[test]
fn every_answer_has_the_headers_that_protect_it() {
    let served = Served::new();
    for path in [
        "/",
        "/static/style.css",
        "/static/report.js",
        "/favicon.ico",
        "/none",
        "/compare",
    ] {
        let said = served.get(path);
        let expected = [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("content-security-policy", POLICY),
        ];
        for (name, value) in expected {
            assert_eq!(said.header(name), Some(value), "{path}: {name}");
        }
    }
}

/// The server closes the connection; that it does is waited for, however long that takes.
#[test]
fn who_sends_slowly_is_cut_off() {
    let served = Served::with(|settings| {
        settings.limits.header = Duration::from_millis(50);
        settings.limits.page = Duration::from_secs(3600);
    });
    for begun in ["", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n"] {
        let mut stream = served.connect();
        stream.write_all(begun.as_bytes()).unwrap();
        assert!(!until_closed(&mut stream).contains(" 200 "), "{begun:?}");
    }
    assert_eq!(served.get("/").status(), 200);
}

/// One who asks for a stream and reads nothing holds its place no longer than the stream may last.
#[test]
fn who_reads_nothing_is_cut_off() {
    let served = Served::with(|settings| {
        settings.limits.page = Duration::from_secs(1);
        settings.limits.stream = Duration::from_millis(50);
    });
    let said = served.get("/live/events");
    assert_eq!(said.status(), 200);
    assert_eq!(served.get("/").status(), 200);
}

/// One who reads nothing of a page that no buffer holds has its place taken away.
#[test]
fn who_reads_a_page_slowly_is_cut_off() {
    let served = Served::with(|settings| {
        settings.limits.page = Duration::from_secs(2);
        settings.limits.connections = 1;
    });
    let mut slow = served.connect();
    let host = served.address;
    write!(slow, "GET /experiment/413 HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    slow.read_exact(&mut [0; 64]).unwrap();
    let begun = Instant::now();
    while served.get("/").status() != 200 {
        assert!(begun.elapsed() < HANG, "it keeps its place");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(until_closed(&mut slow).len() < 32 << 20);
}

#[test]
fn who_asks_too_often_waits() {
    let served = Served::with(|settings| {
        settings.limits.burst = 3;
        settings.limits.per_second = 0;
    });
    let asked = [(); 5].map(|()| served.get("/").status());
    assert_eq!(asked, [200, 200, 200, 429, 429]);
    assert_eq!(served.get("/").header("retry-after"), Some("1"));
}

/// Pages that take long do not pile up: who asks beyond them is told to come again.
#[test]
fn no_more_pages_are_made_or_waited_for_than_may_be() {
    let served = Served::with(|settings| {
        settings.limits.pages = 1;
        settings.limits.burst = 1_000_000;
    });
    let held = SLOW.lock().unwrap_or_else(PoisonError::into_inner);
    let host = served.address;
    let mut slow = served.connect();
    write!(slow, "GET /experiment/503 HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    // At some time it has its place.
    let begun = Instant::now();
    while served.get("/experiment/1").status() != 503 {
        assert!(begun.elapsed() < HANG, "all are made");
        std::thread::yield_now();
    }
    let said = served.get("/");
    assert_eq!(said.header("retry-after"), Some("1"));
    assert!(said.body().contains("ask again in a moment"), "{said:?}");
    drop(held);
    assert!(until_closed(&mut slow).contains("report of [503]"));
    assert_eq!(served.get("/experiment/1").status(), 200);
}

#[test]
fn who_holds_every_place_keeps_no_more_than_those() {
    let served = Served::with(|settings| {
        settings.limits.connections = 2;
        settings.limits.header = Duration::from_millis(300);
    });
    let held: Vec<_> = (0..4).map(|_| served.connect()).collect();
    for mut stream in held {
        // Each is closed: those without a place at once, the others when their time is over.
        until_closed(&mut stream);
    }
    assert_eq!(served.get("/").status(), 200);
}
