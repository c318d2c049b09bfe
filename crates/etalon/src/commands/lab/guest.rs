//! What the commands with a guest have in common: its options, its private directory, its disks and
//! the programs that it gets.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use etalon_factor::{Journal, Scratch};
use etalon_lab::guest::{
    Accelerator, Archive, Guest, GuestDisk, GuestError, Kernel, Libraries, find_program,
};
use etalon_lab::serve::{ModelServer, Socket};
use etalon_model::{LabDisk, LabGuest};
use etalon_units::{Bytes, Nanos};

use super::model::Model;
use super::network::MadeNetwork;
use crate::exit::BadUsage;
use crate::output;
use crate::put_back;
use crate::signals;

/// The size of a disk whose option names none.
const USUAL_SIZE: Bytes = Bytes::gib(8);
/// As many as have names of one letter, less one for the results.
const MOST_DISKS: usize = 25;
/// Programs that a guest gets where this machine has them, besides busybox, without which there is none.
const PROGRAMS: [&str; 10] = [
    "dmsetup",
    "mkfs.ext4",
    "mkfs.xfs",
    "mkfs.btrfs",
    "btrfs",
    "mdadm",
    "lvm",
    "dd",
    "setpriv",
    "wipefs",
];
/// Modules that it loads at its start; what a kernel has built in is there without.
const MODULES: [&str; 4] = ["virtio_pci", "virtio_blk", "dm-mod", "md-mod"];
/// Modules that its kernel finds when it wants them; some take seconds to load where they are emulated.
const MORE_MODULES: [&str; 11] = [
    "dm-mirror",
    "dm-snapshot",
    "raid0",
    "raid1",
    "raid10",
    "raid456",
    "ext4",
    "xfs",
    "btrfs",
    "loop",
    "crc32c_generic",
];

/// Options of a guest.
#[derive(Debug, Clone, Args)]
pub(super) struct GuestArgs {
    /// A disk, as MODEL or MODEL:SIZE; again for the next one [default: hdd-7200:8G]
    #[arg(long = "disk", value_name = "MODEL[:SIZE]", value_parser = disk)]
    disks: Vec<Model>,
    /// An image, or the directory of an unpacked package [default: the kernel of this machine]
    #[arg(long, value_name = "KERNEL")]
    kernel: Option<PathBuf>,
    /// How its processor runs; auto takes KVM where a trial shows that it works
    #[arg(long, value_enum, default_value_t = Wanted::Auto, value_name = "MODE")]
    accelerator: Wanted,
    /// Memory of the guest
    #[arg(long, default_value = "2G", value_name = "SIZE")]
    memory: Bytes,
    /// Processors of the guest
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    processors: u32,
    /// Decides every random time of the models
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = crate::names::whole::<u64>)]
    seed: u64,
    /// End the guest after this time
    #[arg(long, default_value = "4h", value_name = "TIME")]
    time_limit: Nanos,
}

/// What is wanted of a guest's processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Wanted {
    Auto,
    Kvm,
    Tcg,
}

fn disk(text: &str) -> Result<Model, String> {
    let (name, size) = match text.split_once(':') {
        None => (text, Ok(USUAL_SIZE)),
        Some((name, size)) => (name, size.parse()),
    };
    let size = size.map_err(|error: etalon_units::ParseBytesError| error.to_string())?;
    Model::of(name, size)
}

/// A guest that is ready to boot, with everything that goes when it goes.
pub(super) struct Ready {
    pub(super) guest: Guest,
    pub(super) journal: Journal,
    pub(super) archive: Archive,
    pub(super) stop: Arc<AtomicBool>,
    models: Vec<Model>,
    network: Option<MadeNetwork>,
    servers: Vec<ModelServer>,
    scratch: Scratch,
}

impl GuestArgs {
    /// Makes its private directory, serves its disks and packs its programs, with what a network within it takes.
    pub(super) fn ready(&self, main: &str, network: Option<MadeNetwork>) -> anyhow::Result<Ready> {
        put_back::before_a_run();
        let stop = Arc::new(AtomicBool::new(false));
        signals::ask_to_stop_on_signal(&stop)?;
        let kernel = match &self.kernel {
            Some(place) => Kernel::at(place)?,
            None => Kernel::of_this_machine()
                .context("the kernel of this machine cannot be taken; name one by --kernel")?,
        };
        let archive = archive(network)?;
        let journal = Journal::open()?;
        let scratch = Scratch::create(&journal, &std::env::temp_dir())?;
        let directory = fs::canonicalize(scratch.held_path()).context("the private directory")?;
        let accelerator = match self.accelerator {
            Wanted::Tcg => Accelerator::Tcg,
            Wanted::Kvm => Accelerator::Kvm,
            Wanted::Auto => Accelerator::probe(&journal, &directory, &kernel, &stop)?,
        };
        let models = self.models()?;
        let servers = self.serve(&models, &directory)?;
        let disks = (0..models.len()).map(|number| GuestDisk::Served(socket(number)));
        output::note(&format!(
            "etalon: a guest with kernel {} boots, {accelerator}",
            kernel.release()
        ));
        let guest = Guest {
            kernel,
            accelerator,
            memory_mib: self.memory.0 >> 20,
            processors: self.processors,
            main: main.to_owned(),
            modules: MODULES.map(str::to_owned).to_vec(),
            more_modules: more_modules(network),
            disks: disks.collect(),
            time_limit: Duration::from_nanos(self.time_limit.get()),
            directory,
        };
        Ok(Ready {
            guest,
            journal,
            archive,
            stop,
            models,
            network,
            servers,
            scratch,
        })
    }

    fn models(&self) -> anyhow::Result<Vec<Model>> {
        if self.disks.len() > MOST_DISKS {
            let text = format!("--disk: a guest takes at most {MOST_DISKS} disks");
            return Err(BadUsage(text).into());
        }
        if self.memory < Bytes::mib(256) {
            let text = format!("--memory {}: give at least 256 MiB", self.memory);
            return Err(BadUsage(text).into());
        }
        Ok(match self.disks.is_empty() {
            true => vec![Model::of("hdd-7200", USUAL_SIZE).map_err(BadUsage)?],
            false => self.disks.clone(),
        })
    }

    fn serve(
        &self,
        models: &[Model],
        directory: &std::path::Path,
    ) -> anyhow::Result<Vec<ModelServer>> {
        let serve = |(number, model): (usize, &Model)| {
            let socket = Socket::bind(&directory.join(socket(number)))?;
            let seed = self.seed.wrapping_add(number as u64);
            Ok(model.served(socket, seed)?)
        };
        models.iter().enumerate().map(serve).collect()
    }
}

impl Ready {
    /// The record of the guest, with what its disks have answered until now.
    pub(super) fn record(&self) -> LabGuest {
        let disk = |(model, server): (&Model, &ModelServer)| {
            let facts = server.facts();
            LabDisk {
                model: model.class.name.to_owned(),
                size: model.size,
                answers: facts.answers,
                late_answers: facts.late,
                latest: Nanos(facts.latest_ns),
            }
        };
        LabGuest {
            accelerator: self.guest.accelerator.name().to_owned(),
            kernel: self.guest.kernel.release().to_owned(),
            disks: self.models.iter().zip(&self.servers).map(disk).collect(),
            network: self.network.map(MadeNetwork::record),
        }
    }

    /// Ends the servers and removes the private directory.
    pub(super) fn close(self) -> anyhow::Result<()> {
        drop(self.servers);
        Ok(self.scratch.close()?)
    }
}

fn more_modules(network: Option<MadeNetwork>) -> Vec<String> {
    let of_network = network.into_iter().flat_map(MadeNetwork::modules);
    let names = MORE_MODULES.into_iter().chain(of_network);
    names.map(str::to_owned).collect()
}

fn socket(number: usize) -> String {
    format!("disk-{number}")
}

/// What every guest gets of this machine's programs: etalon itself, busybox, and those that are there.
fn archive(network: Option<MadeNetwork>) -> anyhow::Result<Archive> {
    let mut archive = Archive::new();
    let libraries = Libraries::default();
    let missing = |program: &str| GuestError::MissingProgram {
        program: program.to_owned(),
    };
    let busybox = find_program("busybox", &[]).ok_or_else(|| missing("busybox"))?;
    libraries.add(&mut archive, &busybox, "/bin/busybox")?;
    let own = std::env::current_exe().context("etalon's own program")?;
    libraries.add(&mut archive, &own, "/usr/bin/etalon")?;
    if let Some(network) = network {
        network.pack(&mut archive, &libraries)?;
    }
    for name in PROGRAMS {
        if let Some(program) = find_program(name, &[]) {
            libraries.add(&mut archive, &program, &format!("/usr/sbin/{name}"))?;
        }
    }
    for name in [
        "pvs", "vgs", "lvs", "pvcreate", "vgcreate", "lvcreate", "vgremove",
    ] {
        if archive.has("usr/sbin/lvm") {
            archive.link(&format!("usr/sbin/{name}"), "lvm");
        }
    }
    Ok(archive)
}
