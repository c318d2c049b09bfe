//! A server of its own: nginx on the loopback interface, started, stopped and started again.

mod config;

use std::ffi::OsString;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use etalon_factor::Server;
use etalon_model::ServiceFacts;
use etalon_service::cold::ColdStart;
use etalon_service::{Home, ServiceError, cold, program, until_it_answers};
use etalon_work::{InputRecord, Job, Step, WorkError};
use rustix::process::Signal;

use crate::WebError;
use crate::address::Origin;
use crate::browser::{Browser, Fetched, Protocol};
use crate::pages::Pages;
use crate::served::Served;
use crate::site::{Resource, Site};
use config::Config;

/// Below the server's directory: what it sends.
const SITE: &str = "site";
/// A file that only this server has: another program that answers at its port is told by it.
const MARK: &str = "/mark";
/// What nginx says of a port that another program has (EADDRINUSE).
const IN_USE: &str = "98: Address already in use";
/// How often a port is taken that somebody else takes in the same moment.
const PORTS: u32 = 10;

/// An installed nginx with a directory for one site.
pub(crate) struct Nginx<'a> {
    home: Home,
    nginx: PathBuf,
    config: Config,
    site: Site,
    mark: String,
    stop: &'a AtomicBool,
    standing: Option<(Server, SocketAddr)>,
}

impl<'a> Nginx<'a> {
    /// Makes its directory within the private one of `job`; it does not run yet.
    pub(crate) fn make(job: &Job<'a>, site: Site) -> Result<Nginx<'a>, WorkError> {
        let nginx = program("nginx", [], "nginx-light")?;
        let config = Config::of(job.values(), &version(&nginx)?)?;
        let home = Home::make(job, "nginx")?;
        let server = Nginx {
            nginx,
            config,
            site,
            mark: format!("etalon {} {}", std::process::id(), job.seed()),
            stop: job.stop(),
            standing: None,
            home,
        };
        for name in [SITE, "temp"] {
            server.home.directory(name)?;
        }
        server.put(
            &server.root().join(MARK.trim_start_matches('/')),
            &server.mark,
        )?;
        Ok(server)
    }

    /// Where the site's files belong.
    pub(crate) fn root(&self) -> PathBuf {
        self.home.data().join(SITE)
    }

    /// Where all of its processes work.
    pub(crate) fn place(&self) -> PathBuf {
        self.home.data().to_owned()
    }

    /// Writes the site; gives what is noted of it as the input.
    pub(crate) fn write_site(&self, step: &Step<'_>) -> Result<InputRecord, WorkError> {
        self.site.write(&self.root(), step)
    }

    /// Starts it on a port that nobody has.
    pub(crate) fn start(&mut self) -> Result<(), WorkError> {
        let mut tries = 1;
        loop {
            match self.start_once() {
                Err(error) if tries < PORTS && is_taken(&error) => tries += 1,
                result => return result,
            }
        }
    }

    fn start_once(&mut self) -> Result<(), WorkError> {
        let address = free_address().map_err(WebError::Client)?;
        let config = self.home.data().join("nginx.conf");
        self.put(&config, &self.config.text(address))?;
        let words = ["-p", ".", "-c", "nginx.conf", "-e", "stderr"].map(OsString::from);
        let words = std::iter::once(self.nginx.clone().into()).chain(words);
        let mut server = self.home.start(words.collect())?;
        let protocol = self.config.protocol();
        let found = until_it_answers(&self.home, &mut server, self.stop, || {
            mark_at(address, protocol, self.stop)
        })?;
        if found != self.mark.as_bytes() {
            return Err(WebError::Stranger { address }.into());
        }
        self.standing = Some((server, address));
        Ok(())
    }

    /// Ends it at once.
    pub(crate) fn close(mut self) -> Result<(), WorkError> {
        self.check()?;
        let server = self.standing.take();
        let ended = server.map(|(server, _)| server.end(Signal::TERM));
        let ended = ended.transpose().map(drop);
        ended.map_err(WorkError::io("end", &self.nginx))
    }

    /// Ends it once every page that is under way has been sent.
    fn shut_down(&mut self) -> Result<(), WorkError> {
        let Some((server, _)) = self.standing.take() else {
            return Ok(());
        };
        let ended = server.end_in_order(Signal::QUIT, self.stop);
        self.home.check_order(ended)
    }

    fn put(&self, path: &Path, text: &str) -> Result<(), WorkError> {
        fs::write(path, text).map_err(WorkError::io("write the file", path))
    }
}

impl Served for Nginx<'_> {
    fn pages(&self) -> Pages {
        Pages::Site(self.site.clone())
    }

    fn home(&self) -> Origin {
        let nowhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        origin(
            self.standing
                .as_ref()
                .map_or(nowhere, |(_, address)| *address),
        )
    }

    fn protocol(&self) -> Protocol {
        self.config.protocol()
    }

    fn can_be_cold(&self) -> bool {
        true
    }

    /// Stops it, empties the page cache of the site and starts it again.
    fn make_cold(&mut self) -> Result<ColdStart, WorkError> {
        self.check()?;
        self.shut_down()?;
        let kept = cold::empty(&self.root())?;
        self.start()?;
        Ok(kept)
    }

    fn facts(&self) -> ServiceFacts {
        let server = self.standing.as_ref();
        let time = server.map(|(server, _)| server.processor_time());
        ServiceFacts {
            engine: self.config.engine().to_owned(),
            settings: self.config.settings(),
            server_cpu: time.unwrap_or_default().into(),
            ..ServiceFacts::default()
        }
    }

    /// Workers of a killed master go on, and nobody would start those that die.
    fn check(&mut self) -> Result<(), WorkError> {
        let server = self.standing.as_mut();
        server.map_or(Ok(()), |(server, _)| self.home.check(server))
    }

    fn explained(&mut self, error: WorkError) -> WorkError {
        let server = self.standing.as_mut();
        let death = server.and_then(|(server, _)| self.home.death_of(server));
        death.map_or(error, Into::into)
    }
}

/// nginx says it in its log, which the error quotes.
fn is_taken(error: &WorkError) -> bool {
    let WorkError::Service(error) = error else {
        return false;
    };
    let is_stranger = matches!(error.downcast_ref(), Some(WebError::Stranger { .. }));
    let is_refused = matches!(error.downcast_ref(),
        Some(ServiceError::Ended { said, .. }) if said.contains(IN_USE));
    is_stranger || is_refused
}

/// A port that the kernel says is free at this moment.
fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}

fn origin(address: SocketAddr) -> Origin {
    Origin {
        tls: false,
        host: address.ip().to_string(),
        port: address.port(),
    }
}

fn mark_at(
    address: SocketAddr,
    protocol: Protocol,
    stop: &AtomicBool,
) -> Result<Vec<u8>, WebError> {
    let mut browser = Browser::new(origin(address), protocol, stop)?;
    let mark = Resource {
        origin: None,
        path: MARK.to_owned(),
        bytes: None,
    };
    match browser.fetch(&mark)? {
        Fetched::Whole(body) => Ok(body.concat()),
        Fetched::Moved(_) | Fetched::Failed(_) => Err(WebError::Stranger { address }),
    }
}

/// What `nginx -V` says: its version, and with which modules it was made.
fn version(nginx: &Path) -> Result<String, WorkError> {
    let output = Command::new(nginx).arg("-V").output();
    let output = output.map_err(WorkError::io("run the program", nginx))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}
