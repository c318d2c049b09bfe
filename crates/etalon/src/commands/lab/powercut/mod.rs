//! `etalon lab powercut`.

mod cutting;
mod database;
mod disks;
mod document;
mod guest;
mod outcome;
mod page;
mod talk;
mod writing_clock;
mod written;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use etalon_exchange::LabBody;
use etalon_lab::guest::GuestError;
use etalon_lab::powercut::{DeviceCuts, DeviceWriter, Durability, PowerCut};
use etalon_tools::Exit;

use super::ended::is_stopped;
use super::guest::MachineArgs;
use super::model::Model;
use super::print_document;
use crate::exit::BadUsage;
use crate::output;
use crate::signals;
use database::Database;
use outcome::CutOutcome;
use written::{OnFilesystem, Written};

/// Written until the last of the moments at which the power may fail.
const RECORDS: u64 = 64;

/// Cuts where none are asked for: on the virtual clock, and in a guest.
const USUAL_CUTS: (u64, u64) = (200, 20);
/// The guest holds all records in its memory.
const MOST_IN_A_GUEST: u64 = 1_000;

/// Options of `etalon lab powercut`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon lab powercut                            an honest disk
  etalon lab powercut --disk ssd-sata:ignores-flush
  etalon lab powercut --durability none --cuts 20
  etalon lab powercut --filesystem ext4 --disk ssd-sata:1G
  etalon lab powercut --filesystem ext4 --mount-options barrier=0
  etalon lab powercut --filesystem ext4 --write store
  etalon lab powercut --filesystem xfs --write postgresql

Numbered records are written one after the other. Each cut falls at a moment of
its own and loses what the disk has not put on its medium, sector by sector by
chance; then every record that was promised is read again.

Without a filesystem the disk is a model on a virtual clock, and each cut takes
a fresh one: no guest is needed. With one, a guest writes to a file, and mounts
and reads what each cut has left, on another disk.

Exit code 3 says that something was lost which had been promised.")]
pub(super) struct PowercutArgs {
    /// The disk, as MODEL or MODEL:SIZE, and :ignores-flush for one that lies [default: hdd-7200:8G]
    #[arg(long, value_name = "MODEL[:SIZE]", value_parser = Model::parsed)]
    disk: Option<Model>,
    /// When a record is taken for durable
    #[arg(long, value_enum, default_value_t = RecordDurability::Fsync, value_name = "HOW")]
    durability: RecordDurability,
    /// How often the power fails [default: 200, with a filesystem 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    cuts: Option<u64>,
    /// Write to a file on a filesystem of this kind, in a guest
    #[arg(long, value_enum, value_name = "FS")]
    filesystem: Option<Filesystem>,
    /// What is written there
    #[arg(long, value_enum, default_value_t = Subject(Written::Records), value_name = "WHAT", requires = "filesystem")]
    write: Subject,
    /// Mount it with these options, as mount -o has them
    #[arg(long, value_name = "OPTIONS", requires = "filesystem")]
    mount_options: Option<String>,
    /// Decides the moments, what each cut leaves, and every random time of the model
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = crate::names::whole::<u64>)]
    seed: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    machine: MachineArgs,
}

/// What is promised one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Subject(Written);

impl ValueEnum for Subject {
    fn value_variants<'a>() -> &'a [Subject] {
        const ALL: [Subject; 5] = [
            Subject(Written::Records),
            Subject(Written::Experiments),
            Subject(Written::Rows(Database::Sqlite)),
            Subject(Written::Rows(Database::Postgresql)),
            Subject(Written::Rows(Database::Mariadb)),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self.0 {
            Written::Records => PossibleValue::new("records").help("records in a file, by dd"),
            Written::Experiments => PossibleValue::new("store")
                .help("experiments in a store of etalon's own, whatever --durability says"),
            Written::Rows(database) => database.possible_value(),
        })
    }
}

/// What a guest makes on its disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Filesystem {
    Ext4,
    Xfs,
}

impl Filesystem {
    fn name(self) -> &'static str {
        match self {
            Filesystem::Ext4 => "ext4",
            Filesystem::Xfs => "xfs",
        }
    }
}

/// What a writer asks for before it relies on a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RecordDurability {
    /// an fsync after each record has returned
    Fsync,
    /// each write with O_DSYNC has returned
    Dsync,
    /// each write has returned, and nobody asked for more
    None,
}

impl RecordDurability {
    fn durability(self) -> Durability {
        match self {
            RecordDurability::Fsync => Durability::Fsync,
            RecordDurability::Dsync => Durability::Dsync,
            RecordDurability::None => Durability::None,
        }
    }
}

impl PowercutArgs {
    pub(super) fn run(&self) -> anyhow::Result<Exit> {
        let outcome = match self.filesystem {
            Some(filesystem) => self.beneath(filesystem),
            None => self.bare(),
        };
        let outcome = match outcome {
            Err(error) if is_stopped(&error) => {
                output::note("etalon: interrupted; the cuts made so far are discarded");
                return Ok(Exit::Interrupted);
            }
            outcome => outcome?,
        };
        match self.json {
            true => print_document(LabBody::PowerCuts(document::of(&outcome)))?,
            false => output::print_page(&page::of(&outcome, output::width()))?,
        }
        Ok(outcome.exit())
    }

    /// Cuts of a bare disk on the virtual clock.
    fn bare(&self) -> anyhow::Result<CutOutcome> {
        if self.machine.names_kernel() {
            let text = "--kernel: no guest is booted without --filesystem; give both";
            return Err(BadUsage(text.to_owned()).into());
        }
        let stop = Arc::new(AtomicBool::new(false));
        signals::ask_to_stop_on_signal(&stop)?;
        let disk = self.disk()?;
        let cuts = DeviceCuts::new(DeviceWriter {
            class: disk.class,
            bytes: disk.size.0,
            promise: disk.promise(),
            durability: self.durability.durability(),
            records: RECORDS,
            seed: self.seed,
        })?;
        let cut = |number| match stop.load(Ordering::Relaxed) {
            true => Err(GuestError::Stopped.into()),
            false => Ok(cuts.cut(number)?),
        };
        let made = (1..=self.cuts.unwrap_or(USUAL_CUTS.0)).map(cut);
        let made = made.collect::<anyhow::Result<_>>()?;
        Ok(self.outcome(disk, None, made, Vec::new()))
    }

    /// Cuts beneath a filesystem, in a guest.
    fn beneath(&self, filesystem: Filesystem) -> anyhow::Result<CutOutcome> {
        let written = self.write.0;
        if let (Written::Rows(database), RecordDurability::Dsync) = (written, self.durability) {
            let text = format!(
                "--durability dsync: {} commits by its own ways; give fsync, with which a commit waits for the disk, or none",
                database.title()
            );
            return Err(BadUsage(text).into());
        }
        let on = OnFilesystem {
            written,
            filesystem: filesystem.name(),
            options: self.mount_options.clone(),
            durability: self.durability.durability(),
        };
        let cuts = self.cuts.unwrap_or(USUAL_CUTS.1);
        if cuts > MOST_IN_A_GUEST {
            let text = format!("--cuts {cuts}: give at most {MOST_IN_A_GUEST} with --filesystem");
            return Err(BadUsage(text).into());
        }
        let disk = self.disk()?;
        let (made, unmountable) = guest::cut(&self.machine, &on, &disk, self.seed, cuts)?;
        Ok(self.outcome(disk, Some(on), made, unmountable))
    }

    fn disk(&self) -> anyhow::Result<Model> {
        match self.disk {
            Some(disk) if disk.fails_otherwise() => {
                let text = format!(
                    "--disk '{}': what a power cut leaves is known of a disk that fails in no other way than ignores-flush",
                    disk.name()
                );
                Err(BadUsage(text).into())
            }
            Some(disk) => Ok(disk),
            None => Ok(Model::usual().map_err(BadUsage)?),
        }
    }

    fn outcome(
        &self,
        disk: Model,
        on: Option<OnFilesystem>,
        cuts: Vec<PowerCut>,
        unmountable: Vec<String>,
    ) -> CutOutcome {
        CutOutcome {
            disk,
            on,
            durability: self.durability.durability(),
            seed: self.seed,
            cuts,
            unmountable,
        }
    }
}
