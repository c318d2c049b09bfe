//! `etalon serve`: the report's pages in a browser, and the end.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Ground, Home, finish, start};

const MEASURED: &str = "--op randread --file-size 4M --time 100ms --runs 2";

/// The server at work, whose pages are in this language, and the address that it has printed.
pub(crate) fn served(home: &Home, language: &str) -> (Child, String) {
    let words = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--watch",
        "/",
        "--lang",
        language,
    ];
    let mut child = start(home.etalon(words));
    let mut line = String::new();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    errors.read_line(&mut line).unwrap();
    let address = line
        .split("http://")
        .nth(1)
        .and_then(|rest| rest.split('/').next());
    let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
    (child, address)
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn experiments_and_comparisons_are_the_report_s_and_ctrl_c_ends_it() {
    let (home, ground) = (Home::new(), Ground::new());
    for _ in 0..2 {
        let line = format!("measure {} {MEASURED}", ground.path().display());
        let said = home.run(line.split(' '));
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    }
    let (child, address) = served(&home, "en");
    let list = get(&address, "/");
    assert!(
        list.contains("2 experiments") && list.contains(ground.name()),
        "{list}"
    );
    let one = get(&address, "/experiment/1");
    assert!(
        one.contains("data-value=\"") && one.contains("id=\"findings\""),
        "{one}"
    );
    assert!(
        !one.contains("<style>") && one.contains("etalon report 1 -o"),
        "{one}"
    );
    let both = get(&address, "/compare?id=2&id=1");
    assert!(
        both.contains("id=\"compare\"") && both.contains("Experiments 2, 1"),
        "{both}"
    );
    assert!(get(&address, "/experiment/3").starts_with("HTTP/1.1 404"));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let said = finish(child);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(TcpStream::connect(&address).is_err());
}

#[test]
fn what_cannot_be_served_says_what_to_do() {
    let home = Home::new();
    let refused = |words: &[&str], code, part: &str| {
        let said = home.run([&["serve"][..], words].concat());
        assert_eq!(said.code, Some(code), "{said:?}");
        assert!(said.err.contains(part), "{said:?}");
    };
    refused(&[], 1, "nothing has been measured into it yet");
    refused(&["--listen", "0.0.0.0:7979"], 1, "--token");
    refused(&["--listen", "here"], 2, "'here' is no address with a port");
    refused(&["--watch", "/no/such"], 1, "'/no/such'");
    refused(&["--token", "/no/such"], 1, "--token '/no/such'");
    refused(&["--key", "/no/such"], 2, "--certificate");
}
