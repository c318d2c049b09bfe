//! This machine beside its guests: a directory of it is measured as it is, and as the place of a guest's disk.

use std::fs;

use anyhow::{Context as _, bail};
use etalon_engine::Control;
use etalon_experiment::plan::{PlanRequest, carry_out, describe};
use etalon_experiment::{Event, Site, SiteKind, Witness, WitnessError, claim};
use etalon_factor::Scratch;
use etalon_factor::condition::GuestImage;
use etalon_lab::guest::DiskImage;
use etalon_model::{JsonRecord as _, LabImage, Run, TargetRecord};
use etalon_units::Bytes;

use super::cases::FILES;
use super::guest::Station;
use super::heard::Listener;
use super::made_image::MadeImage;
use super::network::MadeNetwork;
use super::run_args::{LabRunArgs, command_line};
use crate::commands::run::refuse;
use crate::exit::BadUsage;
use crate::plan::Overrides;

/// What is measured where nothing is named.
const USUAL: &str = ".";
/// What a guest measures: the filesystem that it makes on its disk.
const IN_GUEST: &str = "/disk";

/// A directory of this machine.
pub(super) struct Here {
    site: Site,
}

impl Here {
    /// The directory behind `--`, or the current one, which takes its place among what is measured.
    pub(super) fn of(
        args: &LabRunArgs,
        network: Option<MadeNetwork>,
        given: &mut Overrides,
    ) -> anyhow::Result<Here> {
        if args.guest.names_disk() || network.is_some() {
            bail!(BadUsage(
                "a plan that compares this machine with its guests has their disks in the directory that it measures: leave --disk and --over out".to_owned()
            ));
        }
        if given.targets.is_empty() {
            given.targets.push(USUAL.into());
        }
        let [target] = &given.targets[..] else {
            bail!(BadUsage(
                "name one directory behind --, in which this machine and its guests are measured"
                    .to_owned()
            ));
        };
        let site = Site::look(target)?;
        if site.kind != SiteKind::Directory {
            bail!(BadUsage(format!(
                "'{}' is no directory: name one behind --, in which this machine and its guests are measured",
                target.display()
            )));
        }
        Ok(Here { site })
    }

    pub(super) fn target(&self) -> TargetRecord {
        self.site.record.clone()
    }

    /// What cannot end well is refused before anything is done.
    pub(super) fn refuse(&self, name: &str, request: &PlanRequest) -> anyhow::Result<()> {
        refuse(name, &describe(request, &[])?)
    }

    /// Makes this machine's own part.
    pub(super) fn make(
        &self,
        request: &PlanRequest,
        control: &Control,
        listener: &mut Listener<'_>,
    ) -> anyhow::Result<()> {
        let outcome = carry_out(request, Vec::new(), control, &mut OwnPart { listener })?;
        listener.choose(outcome.choices);
        match outcome.failure {
            Some(step) => bail!("{step} failed"),
            None => Ok(()),
        }
    }

    /// Lends an image in the directory, which goes behind it. Nobody else measures there meanwhile.
    pub(super) fn with_image(
        &self,
        station: &Station,
        image: GuestImage,
        act: impl FnOnce(MadeImage) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let _lock = claim(&[&self.site], None, |_, _| {})?;
        let place = Scratch::create(&station.journal, &self.site.path)?;
        let room = Bytes(place.space_allowance()?);
        if room < image.size {
            bail!(
                "an image of {} does not fit into '{}', where {room} may be used so that a tenth stays free: give the level a smaller size",
                image.size,
                self.site.path.display()
            );
        }
        let directory = fs::canonicalize(place.held_path()).context("the image's directory")?;
        let disk = DiskImage::make(&directory, image)?;
        let record = LabImage {
            format: image.format.name().to_owned(),
            cache: image.cache.name().to_owned(),
            size: image.size,
            beneath: self.site.record.beneath.clone(),
        };
        let made = act(MadeImage { disk, record });
        place.close()?;
        made
    }

    /// What a guest carries out: the plan in a filesystem on its disk.
    pub(super) fn command(seed: &[String]) -> String {
        let words = ["run", "/plan.toml", IN_GUEST].map(str::to_owned);
        command_line(FILES, &[&words, seed].concat())
    }
}

/// Keeps the runs of this machine beside those of guests, and passes on what is not a part's own.
struct OwnPart<'a, 'b> {
    listener: &'a mut Listener<'b>,
}

impl Witness for OwnPart<'_, '_> {
    fn event(&mut self, event: Event<'_>) -> Result<(), WitnessError> {
        match event {
            Event::Planned { .. } | Event::Block { .. } => Ok(()),
            Event::Ended { run } => Ok(self.listener.add(as_told(run)?)?),
            other => self.listener.pass_on(other),
        }
    }
}

/// A run as one that a guest has told: values that its operation does not use are as unknown.
fn as_told(run: &Run) -> Result<Run, WitnessError> {
    let mut told = Run::from_json(&run.to_json()?)?;
    let mark = told.circumstances.environment.as_mut();
    if let (Some(mark), Some(own)) = (mark, &run.circumstances.environment) {
        mark.record.clone_from(&own.record);
    }
    Ok(told)
}
