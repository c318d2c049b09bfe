//! `grep-tree`: all files of a tree are read and searched for a word.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use memchr::memmem;

use super::cache::{self, CACHE};
use super::error::WorkError;
use super::input::NEEDLE;
use super::job::Job;
use super::parameter::{Kind, Parameter, Values};
use super::process::{self, Program};
use super::step::Step;
use super::tree::{self, INPUT, WalkEvent, walk};
use super::{RealWork, without_effect};

/// Searches a tree.
pub(super) struct GrepTree;

static PATTERN: Parameter = Parameter {
    name: "pattern",
    kind: Kind::Text,
    default: "",
    help: "the fixed text to look for; without it a word that stands in a known number of the generated files",
};
static PROGRAM: Parameter = Parameter {
    name: "program",
    kind: Kind::Choice(&["internal", "system"]),
    default: "internal",
    help: "internal: within this program, one thread; system: the installed grep -rF",
};

static PARAMETERS: [Parameter; 6] = [PATTERN, PROGRAM, INPUT, tree::FILES, tree::SIZE, CACHE];

/// Bytes read at once.
const PIECE: usize = 256 << 10;

impl RealWork for GrepTree {
    fn name(&self) -> &'static str {
        "grep-tree"
    }

    fn summary(&self) -> &'static str {
        "read all files of a tree and look for a word"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn without_effect(&self, values: &Values) -> &'static [Parameter] {
        without_effect::beside_input(values)
    }

    fn check(&self, values: &Values) -> Result<(), WorkError> {
        Ok(without_effect::refuse_beside_input(values)?)
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let system = job.values().text(&PROGRAM) == "system";
        if system {
            process::need("grep", "grep")?;
        }
        let typed = job.values().text(&PATTERN).to_owned();
        // The number is known where both the tree and the word are our own.
        let ours = typed.is_empty() && job.values().path(&INPUT).is_none();
        let expected = if ours {
            Some(tree::plan(job, 1)?.needles())
        } else {
            None
        };
        let pattern = if typed.is_empty() {
            NEEDLE.to_owned()
        } else {
            typed
        };
        let root = tree::source(job, 1)?;
        cache::set(job, &root)?;
        let list = job.path("matches");
        let found = job.step("grep", |step| {
            if system {
                by_program(&root, &pattern, &list, step)
            } else {
                search(&root, &pattern, step)
            }
        })?;
        match expected {
            Some(expected) if expected != found => Err(WorkError::Mismatch {
                what: "files that contain the word",
                expected: expected.to_string(),
                found: found.to_string(),
            }),
            _ => Ok(()),
        }
    }
}

/// Number of files that contain the pattern.
fn search(root: &Path, pattern: &str, step: &mut Step<'_>) -> Result<u64, WorkError> {
    let finder = memmem::Finder::new(pattern);
    let stop = step.stop_flag();
    let mut buffer = vec![0; PIECE + pattern.len()];
    let (mut tally, mut found) = (step.tally, 0);
    walk(root, step, &mut |path, seen| {
        let WalkEvent::Leaf(meta) = seen else {
            return Ok(());
        };
        if !meta.is_file() {
            return Ok(());
        }
        let mut file = File::open(path).map_err(WorkError::io("open", path))?;
        let (mut kept, mut here) = (0, false);
        loop {
            stop.check().map_err(WorkError::io("read", path))?;
            let length = file
                .read(&mut buffer[kept..])
                .map_err(WorkError::io("read", path))?;
            if length == 0 {
                break;
            }
            let end = kept + length;
            here |= finder.find(&buffer[..end]).is_some();
            tally.bytes += length as u64;
            // A match may lie across two reads.
            kept = (pattern.len() - 1).min(end);
            buffer.copy_within(end - kept..end, 0);
        }
        tally.files += 1;
        found += u64::from(here);
        Ok(())
    })?;
    step.tally = tally;
    Ok(found)
}

fn by_program(
    root: &Path,
    pattern: &str,
    list: &Path,
    step: &mut Step<'_>,
) -> Result<u64, WorkError> {
    let words = ["grep", "-rlF", "--", pattern, "."];
    let program = Program::new(words, root).without_settings();
    let result = step.run(&program.output_to(list));
    match result {
        // grep(1): 1 means that nothing was found.
        Err(WorkError::Exit {
            ref status,
            ref stderr,
            ..
        }) if status == "exit status: 1" && stderr.is_empty() => {}
        result => result?,
    }
    let text = std::fs::read(list).map_err(WorkError::io("read", list))?;
    Ok(memchr::memchr_iter(b'\n', &text).count() as u64)
}
