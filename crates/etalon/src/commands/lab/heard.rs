//! What a guest tells its host while it runs: every run is kept the moment that it comes, whatever becomes of the guest.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use etalon_experiment::{Event, ExperimentError, Witness as _, WitnessError};
use etalon_judge::{Goal, judge_cells, made_in_guest, tell_guest};
use etalon_lab::guest::{CODE, GuestError, ServingGuest};
use etalon_model::{
    Cell, Choice, EnvironmentRecord, ExperimentState, JsonRecord as _, LabGuest, Run, TargetRecord,
};
use etalon_units::Nanos;

use super::ended::kept;
use super::guest::Ready;
use crate::bench::Bench;
use crate::plan::in_guest;
use crate::relay;

/// What a guest makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GuestShare {
    /// A whole experiment, whose settings and line are its own.
    Whole,
    /// A part of one that the host makes.
    Part,
}

/// What came of the guests of an experiment.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) target: TargetRecord,
    pub(super) runs: Vec<Run>,
    pub(super) cells: Vec<Cell>,
    pub(super) choices: Vec<Choice>,
    /// How far the experiment of the last guest got; none where it did not say so.
    pub(super) state: Option<ExperimentState>,
    environments: BTreeMap<String, Arc<EnvironmentRecord>>,
    code: Option<i32>,
}

/// Keeps what comes.
pub(super) struct Listener<'a> {
    pub(super) bench: &'a mut Bench,
    pub(super) heard: Heard,
    made: GuestShare,
    /// The guest as it was at the end of the run before.
    before: LabGuest,
}

impl<'a> Listener<'a> {
    pub(super) fn new(bench: &'a mut Bench, made: GuestShare) -> Listener<'a> {
        Listener {
            bench,
            heard: Heard::default(),
            made,
            before: LabGuest::default(),
        }
    }

    /// Boots a guest, whose disks have answered nothing yet, and keeps what it tells until it ends; the exit code of its command, and what that said to standard error.
    pub(super) fn boot(&mut self, ready: &mut Ready) -> anyhow::Result<(i32, String)> {
        self.before = LabGuest::default();
        let archive = std::mem::take(&mut ready.archive);
        let mut serving = ready.serving.take();
        if let Some(serving) = &mut serving {
            self.bench.says("the guest that serves the disk boots");
            serving.start(&ready.journal, &ready.stop)?;
        }
        let ready = &*ready;
        let guest = &ready.guest;
        let mut lines = guest.lines();
        let mut hear = || {
            let lines = lines.read().map_err(anyhow::Error::from);
            let heard = lines.and_then(|lines| {
                let mut lines = lines.iter();
                lines.try_for_each(|line| self.hear(line, ready))
            });
            let served = serving.as_mut().map_or(Ok(()), ServingGuest::look);
            let sound = served.and_then(|()| kept(ready.facts()));
            heard.and(sound.map_err(anyhow::Error::from))
        };
        let booted = guest.boot(&ready.journal, archive, &ready.stop, &mut hear);
        // What came between the last look and the end.
        let last = hear();
        if let Some(serving) = serving {
            serving.end()?;
        }
        let said = booted?.said;
        last?;
        let no_results = || GuestError::NoResults {
            console: guest.last_lines(),
        };
        Ok((self.heard.code.take().ok_or_else(no_results)?, said))
    }

    fn hear(&mut self, line: &str, ready: &Ready) -> anyhow::Result<()> {
        let (word, text) = line.split_once(' ').unwrap_or((line, ""));
        let unread = || format!("what the guest told of its {word} cannot be read");
        match word {
            relay::BEGUN => self.begin(text),
            relay::ENVIRONMENT => {
                let record = EnvironmentRecord::from_json(text).with_context(unread)?;
                let hash = record.manifest.hash.clone();
                self.heard.environments.insert(hash, Arc::new(record));
                Ok(())
            }
            relay::RUN => self.keep(Run::from_json(text).with_context(unread)?, ready.record()),
            relay::CELL => {
                self.heard
                    .cells
                    .push(Cell::from_json(text).with_context(unread)?);
                Ok(())
            }
            relay::CHOICES => {
                let choices = Vec::<Choice>::from_json(text).with_context(unread)?;
                self.choose(choices);
                Ok(())
            }
            relay::RUNNING if self.made == GuestShare::Part => {
                self.tell(Event::Running { cell: text })
            }
            other => {
                self.note(other, text);
                Ok(())
            }
        }
    }

    /// What moves nothing but the line, and how it ended.
    fn note(&mut self, word: &str, text: &str) {
        match word {
            relay::ENDED => self.heard.state = text.parse().ok(),
            CODE => self.heard.code = text.parse().ok(),
            relay::LINE if self.made == GuestShare::Whole => self.bench.says(text),
            relay::STEP if self.made == GuestShare::Whole => self.bench.steps(text),
            relay::REMARK => self.bench.remarks(text),
            _ => {}
        }
    }

    fn begin(&mut self, text: &str) -> anyhow::Result<()> {
        let begun = relay::read_begun(text, self.bench.new_experiment());
        let mut begun = begun.context("what the guest told of its experiment cannot be read")?;
        // Of this machine beside its guests the target is the directory here.
        if self.heard.target == TargetRecord::default() {
            self.heard.target = begun.target.clone();
        }
        match self.made {
            GuestShare::Whole => {
                in_guest(&mut begun.settings);
                self.bench.adopt(begun);
                Ok(())
            }
            GuestShare::Part => {
                let (target, at_most) = (&self.heard.target.clone(), Nanos(u64::MAX));
                self.tell(Event::Begun { target, at_most })
            }
        }
    }

    fn keep(&mut self, mut run: Run, guest: LabGuest) -> anyhow::Result<()> {
        if let Some(mark) = &mut run.circumstances.environment {
            mark.record = self.heard.environments.get(&mark.hash).cloned();
        }
        made_in_guest(&mut run, &guest.clone().since(&self.before));
        self.before = guest;
        self.add(run)
    }

    /// Keeps a run, whatever machine made it.
    pub(super) fn add(&mut self, mut run: Run) -> anyhow::Result<()> {
        run.position = u32::try_from(self.heard.runs.len())?;
        self.tell(Event::Ended { run: &run })?;
        self.heard.runs.push(run);
        Ok(())
    }

    pub(super) fn choose(&mut self, choices: Vec<Choice>) {
        for choice in choices {
            if !self.heard.choices.contains(&choice) {
                self.heard.choices.push(choice);
            }
        }
    }

    pub(super) fn pass_on(&mut self, event: Event<'_>) -> Result<(), WitnessError> {
        self.bench.event(event)
    }

    pub(super) fn tell(&mut self, event: Event<'_>) -> anyhow::Result<()> {
        let told = self.pass_on(event);
        Ok(told.map_err(ExperimentError::NotKept)?)
    }
}

impl Heard {
    /// The cells as the guest has judged them; those of runs that a guest left which did not come so far.
    pub(super) fn judged(&mut self) -> Vec<Cell> {
        if self.cells.is_empty() {
            return judge_cells(&self.runs, &Goal::default());
        }
        tell_guest(&mut self.cells, &self.runs);
        std::mem::take(&mut self.cells)
    }
}
