//! What fio prints: `  read: IOPS=12.3k, BW=48.0MiB/s (50.4MB/s)(2884MiB/60001msec)`.

use super::fio_clones::{FioPart, joined};
use super::fio_heads::{FioHeads, FioJob, after};
use super::fio_sections::{FioSections, options, section};
use super::{Command, is_told};
use crate::quantity::{rate_unit, size_unit};
use crate::{Action, Figure, Line, Page, Tool};

/// The run of a page, and the name and group of a job in it.
type Job = (usize, FioJob);

/// The jobs of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let results = results(page).into_iter();
    joined(
        results
            .filter(|one| !one.again)
            .map(|one| one.part)
            .collect(),
    )
}

/// The lines that a figure could be read of.
pub(super) fn lines(page: &Page) -> Vec<usize> {
    let figures = results(page).into_iter().map(|one| one.part.figure);
    let told = figures.filter(is_told);
    told.map(|figure| figure.line).collect()
}

fn results(page: &Page) -> Vec<FioResult> {
    let mut reader = Reader::default();
    let read = |line| reader.read(line);
    page.lines.iter().filter_map(read).collect()
}

/// A result, and whether a document above it says the same.
struct FioResult {
    part: FioPart<Job>,
    again: bool,
}

/// What the lines above a result say of it.
#[derive(Debug, Default)]
struct Reader {
    heads: FioHeads,
    sections: FioSections,
    /// Whether the last lines are those of a job file, behind which no result stands yet.
    in_file: bool,
    /// Whether results stand behind the last command or job file.
    has_results: bool,
    /// How many runs have begun, each head being the begin of one: no result stands between the heads of a run.
    run: usize,
    /// Whether the results of this run are told twice: with `--output-format=normal,json` they follow the document.
    documented: bool,
}

impl Reader {
    /// What a line tells, if it is a result.
    fn read(&mut self, line: &Line) -> Option<FioResult> {
        if is_command(line) {
            // Another command: what the last one said is its own.
            self.begin_run();
            self.heads = FioHeads::default();
            self.sections = FioSections::of_command();
            (self.in_file, self.has_results) = (false, false);
        }
        let is_head = self.heads.add(line);
        if is_head || line.text.trim_start().starts_with("Run status group") {
            self.begin_run();
        }
        self.documented |= line.text.contains("\"fio version\"");
        self.add(line);
        let figure = result(line, &self.heads)?;
        (self.in_file, self.has_results) = (false, true);
        let options = self.sections.of(self.heads.of_result().name.as_deref());
        Some(self.placed(options.described(figure)))
    }

    fn begin_run(&mut self) {
        self.run += 1;
        self.documented = false;
    }

    /// A result in its run.
    fn placed(&self, figure: Figure) -> FioResult {
        let job = self.heads.job_of_result();
        FioResult {
            again: self.documented && job.is_some(),
            part: FioPart {
                job: job.map(|job| (self.run, job.clone())),
                figure,
            },
        }
    }

    /// What its command or job file says: `--direct=1`, `size=4g`.
    fn add(&mut self, line: &Line) {
        if let Some(name) = section(&line.text) {
            self.begin_section(name);
        }
        if self.in_file && line.text.trim_start().starts_with(['#', ';']) {
            return;
        }
        for (name, value) in options(line) {
            match &*name {
                "name" if !self.in_file => self.sections.begin(&value),
                name => self.sections.set(name, &value),
            }
        }
    }

    /// A section of a job file, which is another one where results stand above it.
    fn begin_section(&mut self, name: &str) {
        if std::mem::take(&mut self.has_results) {
            self.sections = FioSections::default();
        }
        self.in_file = true;
        self.sections.begin(name);
    }
}

/// A command that tells its job itself, on this line or on those after it, and not by a job file.
fn is_command(line: &Line) -> bool {
    let is_told = |(name, _): &(String, String)| matches!(&**name, "name" | "rw" | "readwrite");
    let goes_on = || line.text.trim_end().ends_with('\\');
    Command::stands_in(line, "fio") && (goes_on() || options(line).iter().any(is_told))
}

fn result(line: &Line, heads: &FioHeads) -> Option<Figure> {
    let text = line.text.trim();
    let write = text.starts_with("write:");
    if !(write || text.starts_with("read:") || text.starts_with("read :")) {
        return None;
    }
    let head = heads.of_result();
    let action = Action::transfer(head.random, write);
    let newer = after(text, "BW=").map(|rest| rest.split([' ', '(']).next().unwrap_or(rest));
    let older = || Some(of_kib(after(text, "bw=")?));
    let bandwidth = &*newer.map(str::to_owned).or_else(older)?;
    let label = head.name.as_deref();
    let label = label.unwrap_or(if write { "write" } else { "read" });
    let mut figure = Figure::new(Tool::Fio, line.number, action, label);
    figure.bytes_per_second = scaled(bandwidth, rate_unit);
    let operations = after(text, "IOPS=").or_else(|| after(text, "iops="));
    figure.operations_per_second = operations.and_then(thousands);
    let moved = text.split('(').nth(2).and_then(|part| part.split_once('/'));
    figure.bytes = moved.and_then(|(bytes, _)| scaled(bytes, size_unit));
    figure.seconds = moved.and_then(|(_, time)| seconds(time));
    figure.block_bytes = head.block;
    figure.quoted = bandwidth.to_owned();
    Some(figure)
}

/// `60001msec)`, behind which newer ones of writes tell of zones.
fn seconds(text: &str) -> Option<f64> {
    let (milliseconds, _) = text.split_once("msec")?;
    milliseconds.parse::<f64>().ok().map(|time| time / 1e3)
}

/// `63317KB/s` of fio 2, whose KB is 1024 bytes (fio's HOWTO of 2.x, `kb_base`).
fn of_kib(text: &str) -> String {
    let text = text.trim_start();
    let units = [("KB/s", "KiB/s"), ("MB/s", "MiB/s"), ("GB/s", "GiB/s")];
    units
        .iter()
        .fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
}

/// `12.3k` as a count.
fn thousands(text: &str) -> Option<f64> {
    let text = text.split([' ', ',']).next()?;
    let (digits, factor) = match text.strip_suffix('k') {
        Some(digits) => (digits, 1e3),
        None => text
            .strip_suffix('M')
            .map_or((text, 1.0), |digits| (digits, 1e6)),
    };
    digits.parse::<f64>().ok().map(|value| value * factor)
}

fn scaled(text: &str, unit: fn(&str) -> Option<f64>) -> Option<f64> {
    let end = text.find(|c: char| c.is_alphabetic())?;
    Some(text[..end].parse::<f64>().ok()? * unit(&text[end..])?)
}

#[cfg(test)]
mod tests;
