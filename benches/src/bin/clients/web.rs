//! Pages fetched by etalon and by wrk from one nginx.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use etalon_benches::clients::{
    ClientRun, PrivateServer, after, as_nobody, give_away, micros_of, run, shared_directory,
};

use super::{Options, Sides};

/// The median size of etalon's pages.
const PAGE: usize = 24 << 10;

/// How long wrk asks, in seconds; it takes no number of requests.
const SECONDS: u64 = 2;

pub(crate) fn compare(options: &Options) -> anyhow::Result<()> {
    let (server, port) = start(&options.directory)?;
    let etalon = options.etalon()?;
    let url = format!("http://127.0.0.1:{port}/page.html");
    let list = server.place().join("list");
    fs::write(
        &list,
        format!("{url}\n").repeat(usize::try_from(options.operations)?),
    )?;
    let sets = [
        format!("list={}", list.display()),
        format!("clients={}", options.clients),
        "pause=0".to_owned(),
    ];
    let step = format!("{} at once", options.clients);
    Sides {
        title: options.title("wrk", 0),
        peer: "wrk",
        ours: Box::new(|| etalon.step("web", &sets, &step)),
        theirs: Box::new(|| wrk(options, &url)),
    }
    .compare(options.blocks)
}

fn start(directory: &Path) -> anyhow::Result<(PrivateServer, u16)> {
    let place = shared_directory(directory)?;
    fs::write(place.path().join("page.html"), vec![b'x'; PAGE])?;
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
        .local_addr()?
        .port();
    fs::write(
        place.path().join("nginx.conf"),
        configuration(place.path(), port),
    )?;
    for file in ["page.html", "nginx.conf"] {
        give_away(&place.path().join(file))?;
    }
    let mut nginx = as_nobody("/usr/sbin/nginx", place.path());
    nginx
        .args(["-e", "stderr", "-p"])
        .arg(place.path())
        .args(["-c", "nginx.conf"]);
    let answers = move |_: &Path| TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok();
    Ok((PrivateServer::start(place, nginx, answers)?, port))
}

fn configuration(place: &Path, port: u16) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary = temporary.map(|name| format!("{name}_temp_path {name};\n"));
    format!(
        "daemon off; pid pid; worker_processes 2;
         events {{ worker_connections 2048; }}
         http {{ access_log off; error_log stderr; sendfile on; keepalive_requests 100000000; keepalive_timeout 1h;
         {} server {{ listen 127.0.0.1:{port} backlog=4096; root {}; }} }}\n",
        temporary.concat(),
        place.display()
    )
}

fn wrk(options: &Options, url: &str) -> anyhow::Result<ClientRun> {
    let mut command = Command::new("wrk");
    command.args(["-t", "1", "-d", &format!("{SECONDS}s")]);
    command.args(["-c", &options.clients.to_string(), url]);
    let ended = run(&mut command)?;
    told(&ended.text, ended.processor).with_context(|| ended.text)
}

fn told(text: &str, processor: f64) -> Option<ClientRun> {
    let (before, _) = text.split_once(" requests in ")?;
    let operations: f64 = before.split_whitespace().next_back()?.parse().ok()?;
    Some(ClientRun {
        operations,
        seconds: operations / after(text, "Requests/sec:")?,
        latency: micros_of(text, "Latency ")?,
        processor,
    })
}
