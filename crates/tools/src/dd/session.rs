//! Repeated copies, observed and judged like every other measurement.

use std::cell::OnceCell;
use std::convert::Infallible;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use etalon_experiment::run::{self, Observer, Schedule, Step};
use etalon_experiment::{ExperimentError, Site, Witness};
use etalon_model::{ConcurrentRuns, Run};
use etalon_workload::copy::CopySettings;
use etalon_workload::measurable::{EndedPart, Pass, PassReport};
use etalon_workload::{Measurable, PartWitness};

use super::copy_run::cell;
use super::kept::{self, Storage, storage, storage_at};
use super::options::DdOptions;
use super::run::{Copied, Copies};
use super::signals::Signals;
use super::{Console, added};
use crate::Exit;
use crate::keeper::{RunForwarder, RunKeeper, judged};

/// All runs of all copies, with everything that is printed about them.
pub(super) fn repeat(
    options: &DdOptions,
    copies: &[CopySettings],
    (out, err): (&mut dyn Write, &mut (dyn Write + Send)),
    keeper: &mut dyn RunKeeper,
) -> io::Result<Exit> {
    let console = Mutex::new(err);
    let sites = OnceCell::new();
    let mut session = DdSession::new(options, copies, &console, &sites);
    let cells = judged(&session.make(keeper)?);
    let Copied {
        passes,
        status,
        not_begun,
        output,
    } = session.work.copied;
    output?;
    if let Some(status) = not_begun {
        return Ok(status);
    }
    let err = console.into_inner().unwrap_or_else(PoisonError::into_inner);
    added::write(&passes, &cells, err)?;
    if options.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&passes)?)?;
    }
    Ok(status)
}

/// The passes of one command line.
pub(super) struct DdSession<'a, 'c> {
    pub(super) work: Copies<'a, 'c>,
    sites: &'a OnceCell<Vec<Site>>,
    /// None before the first pass, and where no copy lies on storage that can be looked at.
    observer: Option<Observer<'a>>,
    /// Listens also between two copies, where nothing of theirs does; none where each is made once.
    between: Option<Signals>,
}

impl<'a, 'c> DdSession<'a, 'c> {
    /// `sites` are filled once the files are open: an output may not be there before.
    fn new(
        options: &'a DdOptions,
        copies: &'a [CopySettings],
        console: &'a Console<'c>,
        sites: &'a OnceCell<Vec<Site>>,
    ) -> DdSession<'a, 'c> {
        DdSession {
            work: Copies::new(options, copies, console),
            sites,
            observer: None,
            between: None,
        }
    }

    /// Makes all passes. A copy that is made once is a copy and no measurement: it leaves no trace.
    /// The runs of the others.
    fn make(&mut self, keeper: &mut dyn RunKeeper) -> io::Result<Vec<Run>> {
        if self.work.options.runs.is_none() {
            if self.work.open() {
                self.work.copy(&());
            }
            return Ok(Vec::new());
        }
        let stored = self.work.settings.iter().find_map(storage);
        let target = stored.map(|storage| storage.path().to_owned());
        let ends = ends(self.work.settings);
        if let Err(status) = keeper.claim(&ends.iter().collect::<Vec<_>>()) {
            self.work.copied.not_begun = Some(status);
            return Ok(Vec::new());
        }
        let mut keeping = RunForwarder {
            target: target.unwrap_or_else(|| PathBuf::from("-")),
            keeper,
        };
        self.between = Some(Signals::listen()?);
        let stop = AtomicBool::new(false);
        let mut runs = Vec::new();
        let made = run::repeat(self, Schedule::Rows, &stop, &mut keeping, &mut runs);
        if self.is_interrupted() {
            let status = &mut self.work.copied.status;
            *status = status.and(Exit::Interrupted);
        }
        made.map_err(io::Error::other)?;
        Ok(runs)
    }

    fn is_interrupted(&self) -> bool {
        self.between.as_ref().is_some_and(Signals::interrupted)
    }

    /// Looks beneath the files, the first time that they are open.
    fn observe(&mut self) {
        if self.sites.get().is_some() {
            return;
        }
        let sites = self.sites.get_or_init(|| sites(self.work.settings));
        self.observer = (!sites.is_empty()).then(|| Observer::new(sites, true));
    }
}

/// What the inputs and outputs stand on; an output that is not there stands on its directory.
fn ends(settings: &[CopySettings]) -> Vec<Site> {
    let files = settings.iter().flat_map(|s| [&s.input, &s.output]);
    let look = |file: &PathBuf| {
        let parent = file.parent().filter(|p| !p.as_os_str().is_empty());
        let directory = parent.unwrap_or(Path::new("."));
        Site::look(file).or_else(|_| Site::look(directory))
    };
    let is_storage = |file: &&PathBuf| !file.exists() || storage_at(file);
    let files = files.flatten().filter(is_storage);
    files.filter_map(|file| look(file).ok()).collect()
}

/// What lies beneath the copies that are on storage; none where one of them cannot be looked at.
fn sites(settings: &[CopySettings]) -> Vec<Site> {
    let stored = settings.iter().filter_map(storage);
    let sites: Result<Vec<Site>, _> = stored.map(|on| Site::look(on.path())).collect();
    sites.unwrap_or_default()
}

impl run::Session for DdSession<'_, '_> {
    fn open(
        &mut self,
        block: u32,
        _runs: &[Run],
        _witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        let runs = self.work.options.runs.map_or(1, std::num::NonZeroU32::get);
        Ok(if block < runs { vec![0] } else { Vec::new() })
    }

    fn pass(
        &mut self,
        step: Step,
        _witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        if !self.work.open() {
            return Ok(Vec::new());
        }
        self.observe();
        match &self.observer {
            Some(observer) => {
                let observed = observer.observe(&mut self.work, step.begun, None)?;
                Ok(observed.runs)
            }
            None => {
                self.work.copy(&());
                Ok(Vec::new())
            }
        }
    }

    fn is_over(&self) -> bool {
        self.work.is_over() || self.is_interrupted()
    }
}

impl Measurable for Copies<'_, '_> {
    type Error = Infallible;

    fn get_ready(&mut self, _pass: Pass) -> Result<(), Infallible> {
        self.open();
        Ok(())
    }

    fn files(&self, target: usize) -> Vec<PathBuf> {
        let stored = self.settings.iter().filter_map(storage).nth(target);
        let file = stored.map(Storage::path).filter(|path| path.is_file());
        file.map(Path::to_owned).into_iter().collect()
    }

    fn parts(&self) -> Vec<(String, usize)> {
        let stored = (1..)
            .zip(self.settings)
            .filter(|(_, s)| storage(s).is_some());
        let names = stored.map(|(number, _): (usize, _)| number.to_string());
        names.zip(0..).collect()
    }

    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), Infallible> {
        self.copy(witness);
        Ok(())
    }

    fn report(&mut self, ended: &[EndedPart]) -> PassReport {
        let Some(together) = self
            .copied
            .passes
            .last()
            .filter(|_| self.copied.not_begun.is_none())
        else {
            return PassReport::default();
        };
        let mut report = PassReport::default();
        let copies = together.iter().zip(&self.options.groups);
        for (number, (copy, operands)) in (1..).zip(copies) {
            let Some(storage) = storage(&copy.settings) else {
                continue;
            };
            let (part, cell) = (number.to_string(), cell(number, together.len()));
            let mut one = kept::report(copy, operands, (&part, &cell), storage);
            one.target = report.parts.len();
            one.concurrent = concurrent_runs(number, ended);
            report.parts.push(one);
        }
        report
    }
}

/// The other copies, which began at the same time: the shortest tells for how long all were at work.
fn concurrent_runs(number: usize, ended: &[EndedPart]) -> Option<ConcurrentRuns> {
    let own = ended.iter().find(|part| part.part == number.to_string())?;
    let others = ended.iter().filter(|part| part.part != own.part);
    let others: Vec<String> = others.map(|part| format!("copy {}", part.part)).collect();
    let shared = ended.iter().map(|part| part.elapsed).min()?;
    (!others.is_empty()).then_some(ConcurrentRuns {
        others,
        span: own.elapsed,
        shared,
    })
}
