//! `etalon serve`.

mod reporter;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use etalon_experiment::Site;
use etalon_serve::{Identity, Limits, Server, Settings, Token, Watched};
use etalon_tools::Exit;
use etalon_units::visible;

use super::subcommand::Subcommand;
use crate::cli::{LanguageArgs, StoreArgs};
use crate::exit::BadUsage;
use crate::output;
use crate::signals;
use crate::stores;
use reporter::StoreReporter;

/// Show the store in a browser: experiments, comparisons, what is being measured, what the disks do
///
/// Everything is read only. It listens on this machine alone, unless a token, a certificate and its key are given.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon serve
  etalon serve --listen 127.0.0.1:0 --watch /srv
  etalon serve --listen 10.0.0.5:7979 --token t --certificate c.pem --key k.pem

Ctrl-C ends it. From another machine 'ssh -L 7979:127.0.0.1:7979 HOST' needs \
neither token nor certificate.")]
pub(super) struct ServeArgs {
    /// The address and port to listen at; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7979", value_parser = address, allow_hyphen_values = true)]
    listen: SocketAddr,
    /// A name by which browsers may call this machine, beside its address; may be given again
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// A file whose first line browsers must give as the password; 32 characters or more
    #[arg(long, value_name = "FILE")]
    token: Option<PathBuf>,
    /// The certificate for TLS, with its chain, in PEM
    #[arg(long, value_name = "FILE", requires = "key")]
    certificate: Option<PathBuf>,
    /// The key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "certificate")]
    key: Option<PathBuf>,
    /// The directory, file or block device whose disks are watched
    #[arg(long, value_name = "TARGET", default_value = ".")]
    watch: PathBuf,
    #[command(flatten)]
    language: LanguageArgs,
    #[command(flatten)]
    store: StoreArgs,
}

impl Subcommand for ServeArgs {
    const NAME: &'static str = "serve";

    fn speaks(&self) -> bool {
        true
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let reporter = Box::new(StoreReporter {
            store: self.store.clone(),
        });
        let server = Server::bind(self.settings()?, reporter)?;
        let stop = Arc::new(AtomicBool::new(false));
        signals::ask_to_stop_on_signal(&stop)?;
        output::note(&format!(
            "etalon: the store is served at {}; Ctrl-C ends it",
            server.url()
        ));
        server.run(&stop)?;
        Ok(Exit::Done)
    }
}

impl ServeArgs {
    fn settings(&self) -> anyhow::Result<Settings> {
        let token = self.token.as_deref().map(Token::read).transpose()?;
        let identity = match (&self.certificate, &self.key) {
            (Some(certificate), Some(key)) => Some(Identity::read(certificate, key)?),
            _ => None,
        };
        Ok(Settings {
            listen: self.listen,
            names: self.name.clone(),
            token,
            identity,
            store: stores::path(&self.store)?,
            watched: self.watched()?,
            language: self.language.lang.unwrap_or_else(output::language),
            limits: Limits::default(),
        })
    }

    fn watched(&self) -> anyhow::Result<Watched> {
        let site = Site::look(&self.watch)?;
        let heading = format!("{}: {}", site.record.path, site.record.beneath);
        Ok(Watched {
            heading: visible(&heading).into_owned(),
            tree: site.tree,
        })
    }
}

fn address(text: &str) -> Result<SocketAddr, BadUsage> {
    text.parse().map_err(|_| {
        BadUsage(format!(
            "'{text}' is no address with a port; write for example 127.0.0.1:7979 or [::1]:7979"
        ))
    })
}
