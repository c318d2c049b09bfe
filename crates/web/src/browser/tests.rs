//! Servers that are slow, endless, broken or hostile: a kind of failure each, and an end.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::http1::Http1;
use super::socket::Socket;
use super::*;

/// Small enough for a test: a server of the test answers at once or never.
const LIMITS: ClientLimits = ClientLimits {
    connect: Duration::from_secs(60),
    answer: Duration::from_secs(60),
    body: 100_000,
    moves: 5,
};

type ServerAnswer = fn(&mut TcpStream) -> std::io::Result<()>;

fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

/// Answers every request of every connection in the same way, as long as the test goes on.
fn server(answer: ServerAnswer) -> SocketAddr {
    let (listener, address) = listener();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || serve(stream, answer));
        }
    });
    address
}

fn serve(mut stream: TcpStream, answer: ServerAnswer) {
    let mut heard = Vec::new();
    let mut piece = [0; 1024];
    while let Ok(length @ 1..) = stream.read(&mut piece) {
        heard.extend_from_slice(&piece[..length]);
        if heard.ends_with(b"\r\n\r\n") {
            heard.clear();
            if answer(&mut stream).is_err() {
                return;
            }
        }
    }
}

/// Nobody asks the tests to stop.
static GO_ON: AtomicBool = AtomicBool::new(false);

fn browser(address: SocketAddr, tls: bool, limits: ClientLimits) -> Browser<'static> {
    let home = Origin {
        tls,
        host: address.ip().to_string(),
        port: address.port(),
    };
    let browser = Browser::new(home, Protocol::Http1, &GO_ON).unwrap();
    Browser { limits, ..browser }
}

fn page(bytes: Option<u64>) -> SitePage {
    let html = Resource {
        origin: None,
        path: "/page".to_owned(),
        bytes,
    };
    SitePage {
        html,
        images: Vec::new(),
    }
}

/// What is told of three visits to one page, each of which ends.
fn told(answer: ServerAnswer, limits: ClientLimits) -> String {
    let mut browser = browser(server(answer), false, limits);
    for _ in 0..3 {
        browser.page(&page(Some(5))).unwrap();
    }
    let tally = browser.tally();
    assert_eq!((tally.pages, tally.requests), (3, 3));
    tally.kinds()
}

#[test]
fn a_whole_page_is_no_failure_and_the_connection_stays() {
    let told = told(
        |stream| stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
        LIMITS,
    );
    assert_eq!(told, "");
}

#[test]
fn a_body_comes_whole_however_it_is_cut() {
    let ways: [ServerAnswer; 4] = [
        |stream| {
            let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
            answer.chunks(1).try_for_each(|byte| stream.write_all(byte))
        },
        |stream| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
            stream.write_all(b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n")
        },
        |stream| {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        },
        |stream| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello")?;
            stream.shutdown(std::net::Shutdown::Both)
        },
    ];
    for answer in ways {
        assert_eq!(told(answer, LIMITS), "");
    }
}

#[test]
fn a_connection_that_the_server_ended_meanwhile_is_made_anew() {
    let address = server(|stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")?;
        stream.shutdown(std::net::Shutdown::Both)
    });
    let mut browser = browser(address, false, LIMITS);
    for _ in 0..3 {
        assert!(browser.page(&page(Some(5))).unwrap());
    }
    assert_eq!(browser.tally().kinds(), "");
}

/// A page that is so long, of a server whose connection stands already.
fn wanted(bytes: u64) -> Wanted {
    Wanted {
        address: Address {
            origin: Origin {
                tls: true,
                host: "localhost".to_owned(),
                port: 443,
            },
            path: "/page".to_owned(),
        },
        bytes: Some(bytes),
    }
}

/// Lets a server do its part when the client has done its own, and the client go on behind that.
#[derive(Clone)]
struct Turns(Arc<Barrier>);

impl Turns {
    fn new() -> Turns {
        Turns(Arc::new(Barrier::new(2)))
    }

    /// The server's part.
    fn take<T>(&self, act: impl FnOnce() -> T) -> T {
        self.0.wait();
        let done = act();
        self.0.wait();
        done
    }

    /// Hands the turn over, and waits until it is back.
    fn give(&self) {
        self.take(|| ());
    }
}

#[test]
fn what_tls_says_of_an_end_is_no_answer() {
    let turns = Turns::new();
    let of_server = turns.clone();
    let socket = secured_socket(move |stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")?;
        stream.flush()?;
        // As after the time for which a server keeps a connection that nobody uses.
        of_server.take(|| {
            stream.conn.send_close_notify();
            stream.flush()
        })?;
        Err(std::io::ErrorKind::Other.into())
    });
    let runtime = Builder::new_current_thread().build().unwrap();
    let mut connection = runtime.block_on(Http1::over(socket)).unwrap();
    let mut fetch = || connection.fetch_all(&[wanted(5)], LIMITS, &GO_ON).remove(0);
    assert!(matches!(fetch(), Fetched::Whole(_)));
    turns.give();
    assert_eq!(fetch(), Fetched::broken_off());
    assert!(connection.had_ended());
}

/// A frame of HTTP/2 (RFC 9113, section 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()].concat();
    [&head, payload].concat()
}

/// The number of the stream that a client asks on next.
fn asked(stream: &mut TcpStream) -> std::io::Result<u32> {
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head)?;
        let length = usize::from(head[1]) << 8 | usize::from(head[2]);
        stream.read_exact(&mut vec![0; length])?;
        // HEADERS
        if head[3] == 1 {
            return Ok(u32::from_be_bytes(head[5..].try_into().unwrap()));
        }
    }
}

/// Answers one request over HTTP/2 and goes away, by `goodbye`, once it is its turn.
fn one_answer(mut stream: TcpStream, goodbye: &[u8], turns: &Turns) -> std::io::Result<()> {
    stream.read_exact(&mut [0; 24])?;
    stream.write_all(&frame(4, 0, 0, &[]))?;
    let number = asked(&mut stream)?;
    // `:status 200` of the static table (RFC 7541, appendix A).
    stream.write_all(&frame(1, 4, number, &[0x88]))?;
    stream.write_all(&frame(0, 1, number, b"hello"))?;
    turns.take(move || {
        stream.write_all(goodbye)?;
        stream.shutdown(std::net::Shutdown::Both)
    })
}

#[test]
fn what_a_connection_that_had_ended_did_not_answer_is_asked_again_over_http2() {
    // GOAWAY with NO_ERROR behind stream 1, and a server that only hangs up.
    for goodbye in [frame(7, 0, 0, &[0, 0, 0, 1, 0, 0, 0, 0]), Vec::new()] {
        let (listener, address) = listener();
        let turns = Turns::new();
        let of_server = turns.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                one_answer(stream, &goodbye, &of_server).unwrap();
            }
        });
        let mut browser = Browser {
            protocol: Protocol::Http2,
            ..browser(address, false, LIMITS)
        };
        for _ in 0..3 {
            assert!(browser.page(&page(Some(5))).unwrap());
            turns.give();
        }
        assert_eq!(browser.tally().kinds(), "");
    }
}

#[test]
fn what_a_server_refuses_over_http2_has_failed() {
    let (listener, address) = listener();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            stream.read_exact(&mut [0; 24]).unwrap();
            stream.write_all(&frame(4, 0, 0, &[])).unwrap();
            while let Ok(number) = asked(&mut stream) {
                // RST_STREAM with INTERNAL_ERROR.
                stream
                    .write_all(&frame(3, 0, number, &[0, 0, 0, 2]))
                    .unwrap();
            }
        }
    });
    let mut browser = Browser {
        protocol: Protocol::Http2,
        ..browser(address, false, LIMITS)
    };
    for _ in 0..2 {
        assert!(!browser.page(&page(Some(5))).unwrap());
    }
    assert_eq!(browser.tally().kinds(), "2 x connection broke off");
}

/// More than one read and many records of TLS.
const LONG: usize = 1 << 20;

fn long_page(stream: &mut impl std::io::Write) -> std::io::Result<()> {
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {LONG}\r\n\r\n")?;
    stream.write_all(&vec![b'x'; LONG])?;
    stream.flush()
}

#[test]
fn long_pages_come_whole_over_both_kinds_of_sockets() {
    let wanted = wanted(LONG as u64);
    let limits = ClientLimits {
        body: LONG,
        ..LIMITS
    };
    for secured in [false, true] {
        let socket = match secured {
            false => Socket::plain(to_server(|stream| serve(stream, long_page))).unwrap(),
            true => secured_socket(long_page),
        };
        let runtime = Builder::new_current_thread().build().unwrap();
        let mut connection = runtime.block_on(Http1::over(socket)).unwrap();
        let fetched = connection.fetch_all(&[wanted.clone(), wanted.clone()], limits, &GO_ON);
        for fetched in fetched {
            assert!(matches!(&fetched, Fetched::Whole(_)), "{fetched:?}");
        }
        assert!(connection.is_open());
    }
}

/// A stream to a server that does `serve` with the other end.
fn to_server(serve: impl FnOnce(TcpStream) + Send + 'static) -> TcpStream {
    let (listener, address) = listener();
    std::thread::spawn(move || serve(listener.accept().unwrap().0));
    TcpStream::connect(address).unwrap()
}

type TlsStream = rustls::StreamOwned<rustls::ServerConnection, TcpStream>;

/// The same over TLS, past its handshake; the server answers until that fails.
fn secured_socket(
    mut answer: impl FnMut(&mut TlsStream) -> std::io::Result<()> + Send + 'static,
) -> Socket {
    let mut stream = to_server(move |stream| {
        let tls = rustls::ServerConnection::new(Arc::new(own_certificate())).unwrap();
        let mut stream = rustls::StreamOwned::new(tls, stream);
        let mut request = [0; 4096];
        while stream.read(&mut request).is_ok_and(|length| length > 0) {
            if answer(&mut stream).is_err() {
                return;
            }
        }
    });
    let mut trusted = rustls::RootCertStore::empty();
    trusted.add(certificate()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(trusted)
        .with_no_client_auth();
    let name = "localhost".try_into().unwrap();
    let mut secured = rustls::ClientConnection::new(Arc::new(config), name).unwrap();
    while secured.is_handshaking() {
        secured.complete_io(&mut stream).unwrap();
    }
    Socket::tls(secured, stream).unwrap()
}

#[test]
fn what_is_wrong_with_an_answer_is_counted_by_its_kind() {
    let kinds: [(ServerAnswer, &str); 8] = [
        (
            |stream| stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno"),
            "3 x status 404",
        ),
        (
            |stream| stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno"),
            "3 x wrong length",
        ),
        (
            |stream| {
                stream
                    .write_all(b"HTTP/1.1 302 Found\r\nLocation: /on\r\nContent-Length: 0\r\n\r\n")
            },
            "3 x moved more than 5 times",
        ),
        (
            |stream| {
                stream.write_all(
                    b"HTTP/1.1 301 x\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
                )
            },
            "3 x moved to what is no web address",
        ),
        (
            |stream| stream.write_all(b"\0\x01\x02 this is not HTTP\r\n\r\n"),
            "3 x connection broke off",
        ),
        (
            |_| Err(std::io::ErrorKind::Other.into()),
            "3 x connection broke off",
        ),
        (
            |stream| {
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
                loop {
                    stream.write_all(&[b'x'; 4096])?;
                }
            },
            "3 x endless body",
        ),
        (
            |stream| {
                stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
                loop {
                    stream.write_all(b"X: for ever\r\n")?;
                }
            },
            "3 x connection broke off",
        ),
    ];
    for (answer, kind) in kinds {
        assert_eq!(told(answer, LIMITS), kind);
    }
}

#[test]
fn a_server_that_never_answers_is_not_waited_for() {
    let limits = ClientLimits {
        answer: Duration::from_millis(20),
        ..LIMITS
    };
    assert_eq!(told(|_| Ok(()), limits), "3 x no answer in time");
}

#[test]
fn a_server_that_never_answers_holds_nobody_up_who_was_told_to_stop() {
    static STOP: AtomicBool = AtomicBool::new(false);
    // It hears the request, and says nothing.
    let address = server(|_| {
        STOP.store(true, Ordering::Relaxed);
        Ok(())
    });
    let mut browser = Browser {
        stop: &STOP,
        ..browser(address, false, LIMITS)
    };
    assert!(!browser.page(&page(None)).unwrap());
    assert_eq!(browser.tally().kinds(), "1 x stopped");
}

#[test]
fn nobody_there_is_an_error_that_names_the_server() {
    let (listener, address) = listener();
    drop(listener);
    let error = browser(address, false, LIMITS).page(&page(None));
    let error = error.unwrap_err().to_string();
    assert!(error.contains(&format!("http://{address}")), "{error}");
}

#[test]
fn a_certificate_that_nobody_signed_is_refused() {
    let (listener, address) = listener();
    let server = std::thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        let mut tls = rustls::ServerConnection::new(Arc::new(own_certificate())).unwrap();
        // The client breaks the handshake off.
        while tls.is_handshaking() && tls.complete_io(&mut stream).is_ok() {}
    });
    let error = browser(address, true, LIMITS).page(&page(None));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("certificate"), "{error}");
    server.join().unwrap();
}

fn certificate() -> CertificateDer<'static> {
    let certificate = include_bytes!("../../tests/certificate/certificate.pem");
    CertificateDer::from_pem_slice(certificate).unwrap()
}

fn own_certificate() -> rustls::ServerConfig {
    let key = include_bytes!("../../tests/certificate/key.pem");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![certificate()],
            PrivateKeyDer::from_pem_slice(key).unwrap(),
        )
        .unwrap()
}
