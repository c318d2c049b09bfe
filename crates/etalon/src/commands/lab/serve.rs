//! `etalon lab serve`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use etalon_exchange::{LabBody, ServedDisk};
use etalon_lab::serve::{ModelServer, ServedFacts, Socket};
use etalon_tools::Exit;
use etalon_units::{Bytes, Nanos};

use super::model::Model;
use super::print_document;
use crate::exit::BadUsage;
use crate::output;
use crate::signals;

/// How often the end is looked for, and clients that were cut off.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Options of `etalon lab serve`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon lab serve hdd-7200 --size 8G --socket /tmp/disk
  qemu-io -f raw nbd+unix:///?socket=/tmp/disk -c 'read 0 4k'
  nbd-client -unix /tmp/disk /dev/nbd0          as root, with the module nbd

It serves one client after the other, until Ctrl-C. What was written is kept in
memory until then, and is gone afterwards.")]
pub(super) struct ServeArgs {
    /// The model, as `etalon lab list` has it, and behind it how it fails, as :dies-after=30s
    #[arg(value_name = "MODEL")]
    model: String,
    /// Size of the disk
    #[arg(long, default_value = "8G", value_name = "SIZE")]
    size: Bytes,
    /// Name of the Unix socket; it must be free
    #[arg(long, value_name = "PATH")]
    socket: PathBuf,
    /// Decides every random time of the model
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = crate::names::whole::<u64>)]
    seed: u64,
    /// Print one JSON document at the end
    #[arg(long)]
    json: bool,
}

impl ServeArgs {
    pub(super) fn run(&self) -> anyhow::Result<Exit> {
        let model = Model::sized(&self.model, self.size).map_err(BadUsage)?;
        let stop = Arc::new(AtomicBool::new(false));
        signals::ask_to_stop_on_signal(&stop)?;
        let socket = Socket::bind(&self.socket)?;
        let server = model.served(socket, self.seed)?;
        output::note(&format!(
            "etalon: {} of {} is served at {}; Ctrl-C ends it",
            model.name(),
            model.size,
            self.socket.display()
        ));
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(POLL_INTERVAL);
            tell_refused(&server);
        }
        self.told(&model, server.facts())?;
        Ok(Exit::Done)
    }

    fn told(&self, model: &Model, facts: ServedFacts) -> anyhow::Result<()> {
        match self.json {
            true => print_document(LabBody::Served(served(model, facts))),
            false => output::print_page(&in_words(&facts)),
        }
    }
}

/// Clients that were cut off.
fn tell_refused(server: &ModelServer) {
    for told in server.refused() {
        output::note(&format!("etalon: a client was cut off: {told}"));
    }
}

/// How well a served disk kept to its model, for documents.
pub(super) fn served(model: &Model, facts: ServedFacts) -> ServedDisk {
    ServedDisk {
        model: model.class.name,
        size_bytes: model.size.0,
        answers: facts.answers,
        late_answers: facts.late,
        latest_ns: facts.latest_ns,
        mean_late_ns: facts.mean_late_ns(),
        read_bytes: facts.read_bytes,
        written_bytes: facts.written_bytes,
    }
}

/// The same in words.
fn in_words(facts: &ServedFacts) -> String {
    format!(
        "{} requests answered: {} read, {} written\n\
         {} late answers ({:.1} %); mean delay {}, longest {}\n",
        facts.answers,
        Bytes(facts.read_bytes),
        Bytes(facts.written_bytes),
        facts.late,
        facts.late_share() * 100.0,
        Nanos(facts.mean_late_ns()),
        Nanos(facts.latest_ns)
    )
}
