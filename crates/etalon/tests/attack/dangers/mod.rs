//! Names of what must not be written.

pub(crate) mod devices;
pub(crate) mod files;
pub(crate) mod marks;
pub(crate) mod special;
pub(crate) mod spellings;

use std::ffi::OsString;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::common::Guarded;
use crate::ways::Answer::Unchanged;
use crate::ways::{Kind, Scene, WAYS, Way};

/// A name, and what must stay as it is behind it.
pub(crate) struct Danger {
    /// Said when it fails.
    pub(crate) what: String,
    /// What is typed.
    pub(crate) name: OsString,
    pub(crate) kind: Kind,
    /// Where the command is started; its home where there is no need.
    pub(crate) from: Option<PathBuf>,
    pub(crate) guarded: Guarded,
}

impl Danger {
    /// A device over an image.
    pub(crate) fn device(what: &str, device: &Path, image: &Path) -> Danger {
        Danger {
            what: what.to_owned(),
            name: device.into(),
            kind: Kind::Device,
            from: None,
            guarded: Guarded::new(&[device], &[image], &[]),
        }
    }

    /// The same thing under another name.
    pub(crate) fn spelled(self, how: &str, name: impl Into<OsString>) -> Danger {
        Danger {
            what: format!("{} as {how}", self.what),
            name: name.into(),
            ..self
        }
    }
}

/// How many ways are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Breadth {
    /// The first of each option of the commands that are told a device to write.
    Core,
    /// The first of each option that could write.
    Each,
    /// All but the slow.
    All,
    /// Those that read for seconds.
    Slow,
}

impl Breadth {
    fn has(self, index: usize) -> bool {
        let way = &WAYS[index];
        let is_same = |other: &Way| (other.command, other.option) == (way.command, way.option);
        let is_core = ["dd", "iozone", "measure"].contains(&way.command);
        match self {
            Breadth::Core => is_core && Breadth::Each.has(index),
            Breadth::Each => way.answer != Unchanged && !WAYS[..index].iter().any(is_same),
            Breadth::All => !way.slow,
            Breadth::Slow => way.slow,
        }
    }
}

/// Tries ways on a danger; gives one line for each that did harm or was not refused.
pub(crate) fn attack(scene: &Scene, danger: &mut Danger, breadth: Breadth) -> Vec<String> {
    let fits = |&index: &usize| breadth.has(index) && WAYS[index].on.contains(&danger.kind);
    let ways: Vec<&Way> = (0..WAYS.len())
        .filter(fits)
        .map(|index| &WAYS[index])
        .collect();
    let mut faults = Vec::new();
    // What was made since this danger was is no fault.
    danger.guarded.look_again();
    for way in ways {
        let said = scene.try_way(way, &danger.name, danger.from.as_deref());
        let mut wrong: Vec<String> = way.fault(&said).into_iter().collect();
        wrong.extend(danger.guarded.changes());
        if !wrong.is_empty() {
            // So that the next way is judged by itself.
            danger.guarded.look_again();
            let (command, words) = (way.command, way.words);
            faults.push(format!(
                "{}: {command} {words} [{}]: {}",
                danger.what,
                way.option,
                wrong.join("; ")
            ));
        }
    }
    faults
}

/// How many attack at once, each in a scene of its own: a good part of the time a command looks at a quiet disk.
pub(crate) const WORKERS: usize = 3;

/// The faults that so many find at once, of which each is told its number.
pub(crate) fn at_once(worker: impl Fn(usize) -> Vec<String> + Sync) -> Vec<String> {
    let worker = &worker;
    thread::scope(|scope| {
        let begun: Vec<_> = (0..WORKERS)
            .map(|number| scope.spawn(move || worker(number)))
            .collect();
        let ended = begun.into_iter().map(|one| one.join());
        ended
            .flat_map(|found| found.unwrap_or_else(|failed| resume_unwind(failed)))
            .collect()
    })
}

/// The faults of each, several at once.
pub(crate) fn of_each<T: Send>(
    all: impl Iterator<Item = T> + Send,
    faults_of: impl Fn(T) -> Vec<String> + Sync,
) -> Vec<String> {
    let left = Mutex::new(all);
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    at_once(|_| std::iter::from_fn(next).flat_map(&faults_of).collect())
}

/// Tries ways on all of them, at once on those that have nothing in common.
pub(crate) fn attack_all(dangers: &mut [Danger], breadth: Breadth) -> Vec<String> {
    let apart = dangers.chunk_by_mut(|one, other| one.guarded.shares_with(&other.guarded));
    of_each(apart, |together| {
        let scene = Scene::new();
        let faults = together.iter_mut();
        faults
            .flat_map(|danger| attack(&scene, danger, breadth))
            .collect()
    })
}

/// Fails with all lines at once.
pub(crate) fn none(faults: &[String]) {
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
