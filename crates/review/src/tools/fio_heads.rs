//! What fio says of its jobs before they run, one head a job: all heads stand before the first result.

use std::collections::BTreeMap;

use crate::Line;
use crate::quantity::option_size;

/// A job by its name and its group: a job that waits for those before it begins a group, and names may come again.
pub(super) type FioJob = (String, u32);

/// The head of a job.
#[derive(Debug, Clone, Default)]
pub(super) struct FioHead {
    /// Its name, where the result tells it.
    pub(super) name: Option<String>,
    /// Whether it goes to random places.
    pub(super) random: bool,
    /// Bytes of an operation.
    pub(super) block: Option<f64>,
}

/// The heads of a page up to a line of it, and the job that the results under that line are of.
#[derive(Debug, Default)]
pub(super) struct FioHeads {
    jobs: BTreeMap<FioJob, FioHead>,
    last: FioHead,
    current: Option<FioJob>,
}

impl FioHeads {
    /// Takes a line in, be it a head, the begin of a job's results or neither; whether it is a head.
    pub(super) fn add(&mut self, line: &Line) -> bool {
        if let Some((job, head)) = head(line) {
            self.jobs.insert(job, head.clone());
            (self.last, self.current) = (head, None);
            return true;
        }
        if let Some(job) = job_before(&line.text, ": (groupid=") {
            self.current = Some(job);
        }
        false
    }

    /// The job whose results are read, where its head is known.
    pub(super) fn job_of_result(&self) -> Option<&FioJob> {
        let known = |job: &&FioJob| self.jobs.contains_key(*job);
        self.current.as_ref().filter(known)
    }

    /// The head of the job whose results are read; of one whose line was cut away, the last head.
    pub(super) fn of_result(&self) -> FioHead {
        let Some(job) = &self.current else {
            return self.last.clone();
        };
        FioHead {
            name: Some(job.0.clone()),
            ..self.jobs.get(job).unwrap_or(&self.last).clone()
        }
    }
}

/// `name: (g=0): rw=randread, bs=(R) 4096B-4096B, ..., ioengine=libaio, iodepth=32`
fn head(line: &Line) -> Option<(FioJob, FioHead)> {
    let job = job_before(&line.text, ": (g=")?;
    let head = FioHead {
        name: None,
        random: after(&line.text, "rw=")?.contains("rand"),
        block: after(&line.text, "bs=").and_then(block),
    };
    Some((job, head))
}

/// Name and group of a line such as `name: (groupid=0, jobs=1): err= 0: ...`.
fn job_before(text: &str, mark: &str) -> Option<FioJob> {
    let (name, rest) = text.split_once(mark)?;
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    Some((name.trim().to_owned(), rest[..end].parse().ok()?))
}

/// `(R) 1024KiB-1024KiB`, or `4K-4K/4K-4K/4K-4K` of fio 2.
fn block(text: &str) -> Option<f64> {
    let text = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = text.find(['-', ',', '/']).unwrap_or(text.len());
    option_size(&text[..end], 1.0)
}

/// What stands behind a mark, up to the next comma.
pub(super) fn after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    let start = text.find(mark)? + mark.len();
    let end = text[start..].find(", ").map_or(text.len(), |at| start + at);
    Some(&text[start..end])
}
