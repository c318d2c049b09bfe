//! Processes that do I/O, as iotop(8) shows them.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use etalon_host::clock;
use etalon_model::stack::ProcessActivity;
use etalon_units::{Bytes, Nanos};

use crate::counters::parse_process_io;
use crate::roots::Roots;
use crate::text;

/// The busiest that are kept of one look.
const MOST_SHOWN: usize = 10;
/// A look that took so long is followed by this many times as long without one, so that machines
/// with thousands of processes do not pay more than a thousandth of a CPU for it.
const REST_FACTOR: u64 = 1000;

/// Every process with its last totals.
pub(super) struct ProcessWatch {
    procfs: PathBuf,
    before: HashMap<u32, (u64, u64)>,
    last: Option<Nanos>,
    rest_until: Nanos,
}

impl ProcessWatch {
    pub(super) fn new(roots: &Roots) -> ProcessWatch {
        ProcessWatch {
            procfs: roots.procfs.clone(),
            before: HashMap::new(),
            last: None,
            rest_until: Nanos::ZERO,
        }
    }

    /// The busiest processes since the last look; nothing while it rests, nor at the first.
    pub(super) fn look(&mut self, at: Nanos) -> Vec<ProcessActivity> {
        if at < self.rest_until {
            return Vec::new();
        }
        let span = self.last.map(|last| at.saturating_sub(last));
        let now = self.totals();
        let mut busy: Vec<ProcessActivity> = match span {
            Some(span) => now
                .iter()
                .filter_map(|(pid, now)| self.activity(*pid, *now, span))
                .collect(),
            None => Vec::new(),
        };
        busy.sort_by_key(|p| {
            (
                std::cmp::Reverse(p.read.get().saturating_add(p.written.get())),
                p.pid,
            )
        });
        busy.truncate(MOST_SHOWN);
        for process in &mut busy {
            process.name = self.name(process.pid);
        }
        self.before = now;
        self.last = Some(at);
        let took = clock::now().saturating_sub(at);
        self.rest_until = Nanos(
            at.get()
                .saturating_add(took.get().saturating_mul(REST_FACTOR)),
        );
        busy
    }

    /// Bytes read and made dirty by each process whose file may be read: one's own without root.
    fn totals(&self) -> HashMap<u32, (u64, u64)> {
        let entries = fs::read_dir(&self.procfs).into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let read = |pid: u32| {
            let path = self.procfs.join(pid.to_string()).join("io");
            let io = parse_process_io(&text::read_text(&path).ok()?, &path).ok()?;
            Some((pid, (io.read_bytes, io.write_bytes)))
        };
        pids.filter_map(read).collect()
    }

    fn activity(&self, pid: u32, now: (u64, u64), span: Nanos) -> Option<ProcessActivity> {
        // A process born since the last look began from nothing.
        let before = self.before.get(&pid).copied().unwrap_or((0, 0));
        let read = Bytes(now.0.saturating_sub(before.0));
        let written = Bytes(now.1.saturating_sub(before.1));
        (read.get() > 0 || written.get() > 0).then(|| ProcessActivity {
            pid,
            name: String::new(),
            read,
            written,
            span,
        })
    }

    /// As ps(1) shows it: the kernel's own threads, which have no command line, in brackets.
    fn name(&self, pid: u32) -> String {
        let process = self.procfs.join(pid.to_string());
        let name = text::clean(&text::read_text(&process.join("comm")).unwrap_or_default());
        let words = text::read_bytes(&process.join("cmdline"));
        match words.is_ok_and(|words| words.is_empty()) && !name.is_empty() {
            true => format!("[{name}]"),
            false => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_own_threads_are_told_by_brackets() {
        let proc = tempfile::tempdir().unwrap();
        for (pid, comm, words) in [(7, "md0_resync", ""), (8, "cp", "cp\0-a\0")] {
            let process = proc.path().join("proc").join(pid.to_string());
            fs::create_dir_all(&process).unwrap();
            fs::write(process.join("comm"), format!("{comm}\n")).unwrap();
            fs::write(process.join("cmdline"), words).unwrap();
        }
        let watch = ProcessWatch::new(&Roots::under(proc.path()));
        assert_eq!(
            (watch.name(7).as_str(), watch.name(8).as_str()),
            ("[md0_resync]", "cp")
        );
    }
}
