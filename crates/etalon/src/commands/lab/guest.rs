//! What the commands with a guest have in common: its options, its private directory, its disks and
//! the programs that it gets.

use std::cell::OnceCell;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use etalon_factor::{Journal, Scratch};
use etalon_lab::guest::{
    Accelerator, Archive, Guest, GuestDisk, GuestError, Libraries, ROOT, RUN, RootImage,
    ServingGuest, find_program,
};
use etalon_lab::serve::{ModelServer, ServedFacts, Socket};
use etalon_model::{LabDisk, LabGuest, LabImage};
use etalon_units::{Bytes, Nanos};

use super::kernel::ChosenKernel;
use super::made_image::MadeImage;
use super::model::Model;
use super::network::MadeNetwork;
use crate::exit::BadUsage;
use crate::output;
use crate::put_back;
use crate::signals;

/// The module that lays a filesystem in memory over one that is only read.
const OVERLAY: &str = "overlay";
/// As many as have names of one letter, less one for the results and one for the root filesystem.
const MOST_DISKS: usize = 24;
/// Programs that a guest gets where this machine has them, besides busybox, without which there is none.
const PROGRAMS: [&str; 11] = [
    "dmsetup",
    "mkfs.ext4",
    "mkfs.xfs",
    "mkfs.btrfs",
    "btrfs",
    "mdadm",
    "lvm",
    "make-bcache",
    "dd",
    "setpriv",
    "wipefs",
];
/// Modules that it loads at its start; what a kernel has built in is there without.
const MODULES: [&str; 4] = ["virtio_pci", "virtio_blk", "dm-mod", "md-mod"];
/// Modules that its kernel finds when it wants them; some take seconds to load where they are emulated.
const MORE_MODULES: [&str; 12] = [
    "bcache",
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
    /// A disk, as MODEL or MODEL:SIZE, and behind it how it fails, as :dies-after=30s; again for the
    /// next one [default: hdd-7200:8G]
    #[arg(long = "disk", value_name = "MODEL[:SIZE]", value_parser = Model::parsed)]
    disks: Vec<Model>,
    /// Decides every random time of the models
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = crate::names::whole::<u64>)]
    seed: u64,
    /// Run with the programs and libraries of this disk image (qcow2 or raw), which is only read
    #[arg(long, value_name = "IMAGE", value_parser = image())]
    root: Option<RootImage>,
    #[command(flatten)]
    machine: MachineArgs,
}

/// Options of the machine that a guest is.
#[derive(Debug, Clone, Args)]
pub(super) struct MachineArgs {
    /// An image, or the directory of an unpacked package; words of its command line may follow in the
    /// same quotes [default: host, the kernel of this machine]
    #[arg(long, value_name = "KERNEL")]
    kernel: Vec<String>,
    /// How its processor runs; auto takes KVM where a trial shows that it works
    #[arg(long, value_enum, default_value_t = Wanted::Auto, value_name = "MODE")]
    accelerator: Wanted,
    /// Memory of the guest
    #[arg(long, default_value = "2G", value_name = "SIZE")]
    memory: Bytes,
    /// Processors of the guest
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    processors: u32,
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

/// What the guests of one command have in common.
pub(super) struct Station {
    pub(super) journal: Journal,
    stop: Arc<AtomicBool>,
    /// What the trial of KVM came to, once it was made.
    accelerator: OnceCell<Accelerator>,
}

/// A guest that is ready to boot, with everything that goes when it goes.
pub(super) struct Ready {
    pub(super) guest: Guest,
    pub(super) journal: Journal,
    pub(super) archive: Archive,
    pub(super) stop: Arc<AtomicBool>,
    models: Vec<Model>,
    /// The guest that has the disks, where this one reaches them over a network.
    pub(super) serving: Option<ServingGuest>,
    image: Option<LabImage>,
    root: Option<String>,
    network: Option<MadeNetwork>,
    servers: Vec<ModelServer>,
    scratch: Scratch,
}

impl GuestArgs {
    /// Makes its private directory, serves its disks and packs its programs, with what a network within it takes.
    pub(super) fn ready(
        &self,
        station: &Station,
        kernel: &ChosenKernel,
        main: &str,
        network: Option<MadeNetwork>,
    ) -> anyhow::Result<Ready> {
        let models = self.models()?;
        let serve = |directory: &Path| self.serve(&models, directory);
        let machine = &self.machine;
        let mut ready = machine.ready_for(station, kernel, main, || archive(network), serve)?;
        let modules = network.into_iter().flat_map(MadeNetwork::modules);
        ready.guest.more_modules.extend(modules.map(str::to_owned));
        (ready.models, ready.network) = (models, network);
        if let Some(network) = network {
            ready.serving = network.server(&mut ready.guest, archive_of(&[])?)?;
        }
        self.put_root(&mut ready)?;
        Ok(ready)
    }

    /// A guest whose only disk is an image.
    pub(super) fn with_image(
        &self,
        station: &Station,
        kernel: &ChosenKernel,
        image: MadeImage,
    ) -> anyhow::Result<Ready> {
        let serve = |_: &Path| Ok(Vec::new());
        let machine = &self.machine;
        let mut ready = machine.ready_for(station, kernel, RUN, || archive(None), serve)?;
        ready.guest.disks.push(GuestDisk::Image(image.disk));
        ready.image = Some(image.record);
        self.put_root(&mut ready)?;
        Ok(ready)
    }

    /// The image that the guest runs with is the last of its disks.
    fn put_root(&self, ready: &mut Ready) -> anyhow::Result<()> {
        let Some(image) = &self.root else {
            return Ok(());
        };
        if ready.network.is_some() {
            bail!(BadUsage(
                "a network within a guest is made by the programs of this machine: leave --root or the network out".to_owned()
            ));
        }
        let overlay = OVERLAY.to_owned();
        let kernel = &ready.guest.kernel;
        if !kernel.lacks(std::slice::from_ref(&overlay)).is_empty() {
            bail!(
                "--root: the kernel {} has no module {OVERLAY}, by which an image is only read: take one that has it (CONFIG_OVERLAY_FS)",
                kernel.release()
            );
        }
        ready.archive.file("root.sh", 0o644, ROOT.as_bytes());
        ready.root = Some(image.path().display().to_string());
        ready.guest.more_modules.push(overlay);
        ready.guest.disks.push(GuestDisk::Root(image.clone()));
        Ok(())
    }

    /// Whether an option names a disk.
    pub(super) fn names_disk(&self) -> bool {
        !self.disks.is_empty()
    }

    /// The same with these disks, where none is named.
    pub(super) fn with_usual(mut self, disks: &[&str]) -> anyhow::Result<GuestArgs> {
        if self.disks.is_empty() {
            let made = disks.iter().map(|disk| Model::parsed(disk));
            self.disks = made.collect::<Result<_, _>>().map_err(BadUsage)?;
        }
        Ok(self)
    }

    /// How many disks the guest gets.
    pub(super) fn disks(&self) -> usize {
        self.disks.len().max(1)
    }

    /// The kernels that were named.
    pub(super) fn kernels(&self) -> &[String] {
        &self.machine.kernel
    }

    /// The one kernel of a guest.
    pub(super) fn kernel(&self) -> anyhow::Result<ChosenKernel> {
        self.machine.kernel()
    }

    fn models(&self) -> anyhow::Result<Vec<Model>> {
        if self.disks.len() > MOST_DISKS {
            let text = format!("--disk: a guest takes at most {MOST_DISKS} disks");
            return Err(BadUsage(text).into());
        }
        Ok(match self.disks.is_empty() {
            true => vec![Model::usual().map_err(BadUsage)?],
            false => self.disks.clone(),
        })
    }

    fn serve(&self, models: &[Model], directory: &Path) -> anyhow::Result<Vec<ModelServer>> {
        let serve = |(number, model): (usize, &Model)| {
            let socket = Socket::bind(&directory.join(socket(number)))?;
            let seed = self.seed.wrapping_add(number as u64);
            Ok(model.served(socket, seed)?)
        };
        models.iter().enumerate().map(serve).collect()
    }
}

impl Station {
    /// What was left behind is put back; `stop` is set by signals from now on.
    pub(super) fn open() -> anyhow::Result<Station> {
        put_back::before_a_run();
        let stop = Arc::new(AtomicBool::new(false));
        signals::ask_to_stop_on_signal(&stop)?;
        Station::stopped_by(stop)
    }

    /// The same where both is done already.
    pub(super) fn stopped_by(stop: Arc<AtomicBool>) -> anyhow::Result<Station> {
        Ok(Station {
            journal: Journal::open()?,
            stop,
            accelerator: OnceCell::new(),
        })
    }
}

impl MachineArgs {
    /// The one kernel of a guest.
    pub(super) fn kernel(&self) -> anyhow::Result<ChosenKernel> {
        match &self.kernel[..] {
            [] => ChosenKernel::own(),
            [one] => ChosenKernel::named(one),
            [_, second, ..] => Err(BadUsage(format!(
                "--kernel '{second}': a guest has one kernel; several are compared by etalon lab run PLAN"
            ))
            .into()),
        }
    }

    /// A guest with this archive, and disks that `serve` binds within the private directory in their order.
    pub(super) fn ready_for(
        &self,
        station: &Station,
        chosen: &ChosenKernel,
        main: &str,
        archive: impl FnOnce() -> anyhow::Result<Archive>,
        serve: impl FnOnce(&Path) -> anyhow::Result<Vec<ModelServer>>,
    ) -> anyhow::Result<Ready> {
        if self.memory < Bytes::mib(256) {
            let text = format!("--memory {}: give at least 256 MiB", self.memory);
            return Err(BadUsage(text).into());
        }
        let archive = archive()?;
        let scratch = Scratch::create(&station.journal, &std::env::temp_dir())?;
        let directory = fs::canonicalize(scratch.held_path()).context("the private directory")?;
        let accelerator = self.accelerator(station, chosen, &directory)?;
        let servers = serve(&directory)?;
        let served = |(number, server): (usize, &ModelServer)| GuestDisk::Served {
            socket: socket(number),
            model: server.export().name.clone(),
            turns: server.export().rotational,
        };
        let disks = servers.iter().enumerate().map(served).collect();
        let modules = MODULES.into_iter().map(str::to_owned);
        let guest = Guest {
            kernel: chosen.kernel.clone(),
            accelerator,
            memory_mib: self.memory.0 >> 20,
            processors: self.processors,
            main: main.to_owned(),
            modules: modules.chain(chosen.modules.clone()).collect(),
            more_modules: MORE_MODULES.map(str::to_owned).to_vec(),
            parameters: chosen.parameters.clone(),
            has_port: false,
            cable: None,
            disks,
            time_limit: Duration::from_nanos(self.time_limit.get()),
            directory,
        };
        Ok(Ready {
            guest,
            journal: station.journal.clone(),
            archive,
            stop: Arc::clone(&station.stop),
            models: Vec::new(),
            serving: None,
            image: None,
            root: None,
            network: None,
            servers,
            scratch,
        })
    }

    /// As asked; the trial of KVM is made once, with the first kernel.
    fn accelerator(
        &self,
        station: &Station,
        chosen: &ChosenKernel,
        directory: &Path,
    ) -> anyhow::Result<Accelerator> {
        if let Some(known) = station.accelerator.get() {
            return Ok(*known);
        }
        let found = match self.accelerator {
            Wanted::Tcg => Accelerator::Tcg,
            Wanted::Kvm => Accelerator::Kvm,
            Wanted::Auto => {
                let (journal, stop) = (&station.journal, &station.stop);
                Accelerator::probe(journal, directory, &chosen.kernel, stop)?
            }
        };
        Ok(*station.accelerator.get_or_init(|| found))
    }

    /// Whether a kernel is named, which only a guest can boot.
    pub(super) fn names_kernel(&self) -> bool {
        !self.kernel.is_empty()
    }
}

impl Ready {
    /// Which kernel boots, and how its processor runs.
    pub(super) fn boots(&self) -> String {
        let (kernel, accelerator) = (&self.guest.kernel, self.guest.accelerator);
        format!(
            "etalon: a guest with kernel {} boots, {accelerator}",
            kernel.release()
        )
    }

    /// Says so.
    pub(super) fn tell(&self) {
        output::note(&self.boots());
    }

    /// What each of its served disks has answered since its start, in their order.
    pub(super) fn facts(&self) -> impl Iterator<Item = ServedFacts> {
        self.servers.iter().map(ModelServer::facts)
    }

    /// The record of the guest, with what its disks have answered since its start.
    pub(super) fn record(&self) -> LabGuest {
        let disk = |(model, server): (&Model, &ModelServer)| {
            let facts = server.facts();
            LabDisk {
                model: model.name(),
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
            image: self.image.clone(),
            root: self.root.clone(),
            network: self.network.map(MadeNetwork::record),
        }
    }

    /// Ends the servers and removes the private directory.
    pub(super) fn close(self) -> anyhow::Result<()> {
        drop(self.serving);
        drop(self.servers);
        Ok(self.scratch.close()?)
    }
}

/// Reads an image where it is named, before anything is made.
fn image() -> impl TypedValueParser<Value = RootImage> {
    PathBufValueParser::new().try_map(|path| RootImage::at(&path))
}

/// Tells what the console of a guest said last, if it said anything.
pub(super) fn tell_console(lines: &str) {
    if !lines.is_empty() {
        output::note_lines(&format!("The console of the guest said last:\n{lines}\n"));
    }
}

/// The name of a disk's socket within the private directory.
pub(super) fn socket(number: usize) -> String {
    format!("disk-{number}")
}

/// What every guest gets of this machine's programs: etalon itself, busybox, and those that are there.
pub(super) fn archive(network: Option<MadeNetwork>) -> anyhow::Result<Archive> {
    let mut archive = archive_of(&PROGRAMS)?;
    let libraries = Libraries::default();
    let own = std::env::current_exe().context("etalon's own program")?;
    libraries.add(&mut archive, &own, "/usr/bin/etalon")?;
    if let Some(network) = network {
        network.pack(&mut archive, &libraries)?;
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

/// Busybox, without which there is no guest, and what is there of these programs.
pub(super) fn archive_of(programs: &[&str]) -> anyhow::Result<Archive> {
    let mut archive = Archive::new();
    let libraries = Libraries::default();
    let missing = || GuestError::MissingProgram {
        program: "busybox".to_owned(),
    };
    let busybox = find_program("busybox", &[]).ok_or_else(missing)?;
    libraries.add(&mut archive, &busybox, "/bin/busybox")?;
    for name in programs {
        if let Some(program) = find_program(name, &[]) {
            libraries.add(&mut archive, &program, &format!("/usr/sbin/{name}"))?;
        }
    }
    Ok(archive)
}
