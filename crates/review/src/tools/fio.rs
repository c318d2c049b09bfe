//! What fio prints: `  read: IOPS=12.3k, BW=48.0MiB/s (50.4MB/s)(2884MiB/60001msec)`.

use super::Command;
use super::fio_heads::FioHeads;
use super::fio_options::FioOptions;
use crate::quantity::{rate_unit, size_unit};
use crate::{Action, Figure, Line, Page, Tool};

/// The jobs of a page.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let mut reader = Reader::default();
    let read = |line| reader.read(line);
    page.lines.iter().filter_map(read).collect()
}

/// What the lines above a result say of it.
#[derive(Debug, Default)]
struct Reader {
    heads: FioHeads,
    options: FioOptions,
}

impl Reader {
    /// The figure of a line, if it is a result.
    fn read(&mut self, line: &Line) -> Option<Figure> {
        if is_command(line) {
            // Another command: what the last one said is its own. The page cache is used unless it says otherwise.
            *self = Reader::default();
            self.options.set("direct", "0");
        }
        self.heads.add(line);
        self.add(line);
        let figure = result(line, &self.heads)?;
        Some(self.options.described(figure))
    }

    /// What its command or job file says: `--direct=1`, `size=4g`.
    fn add(&mut self, line: &Line) {
        for word in line.words() {
            if let Some((name, value)) = word.trim_start_matches('-').split_once('=') {
                self.options.set(name, value);
            }
        }
    }
}

/// A command that tells its job itself, on this line or on those after it, and not by a job file.
fn is_command(line: &Line) -> bool {
    let tells = line.text.contains("rw=") || line.text.contains("readwrite=");
    let goes_on = line.text.trim_end().ends_with('\\');
    (tells || goes_on) && Command::stands_in(line, "fio")
}

/// What stands behind a mark, up to the next comma.
pub(super) fn after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    let start = text.find(mark)? + mark.len();
    let end = text[start..].find(", ").map_or(text.len(), |at| start + at);
    Some(&text[start..end])
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
mod tests {
    use super::*;

    #[test]
    fn a_job_with_its_rate_block_and_directness() {
        let page = Page::read(
            "fio --name=a --rw=randread --bs=4k --direct=1 --size=4g\na: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, ioengine=libaio, iodepth=32\n  read: IOPS=12.3k, BW=48.0MiB/s (50.4MB/s)(2884MiB/60001msec)\n",
        );
        let found = figures(&page);
        assert_eq!(found.len(), 1);
        let figure = &found[0];
        assert_eq!(
            (figure.action, figure.block_bytes, figure.direct),
            (Action::RandomRead, Some(4096.0), Some(true))
        );
        assert_eq!(figure.bytes_per_second, Some(48.0 * 1048576.0));
        assert_eq!(
            (figure.operations_per_second, figure.seconds),
            (Some(12300.0), Some(60.001))
        );
        assert_eq!(figure.file_bytes, Some(4294967296.0));
    }

    #[test]
    fn a_command_that_does_not_say_direct_goes_through_the_page_cache() {
        let result = "\n  write: IOPS=12.3k, BW=48.0MiB/s (50.4MB/s)(2884MiB/60001msec)\n";
        let direct = |text: &str| figures(&Page::read(&format!("{text}{result}")))[0].direct;
        let command = "$ fio --name=a --rw=randwrite --size=4G";
        assert_eq!(direct(command), Some(false));
        assert_eq!(direct(&format!("{command} --direct=1")), Some(true));
        assert_eq!(direct(&format!("{command} --buffered=0")), Some(true));
        assert_eq!(
            direct("fio --name=a \\\n --rw=randwrite \\\n --direct=1"),
            Some(true)
        );
        let after = format!("{command} --direct=1{result}{command}");
        let all = figures(&Page::read(&format!("{after}{result}")));
        assert_eq!(all[1].direct, Some(false));
        for untold in ["", "fio --output=out.txt job.fio", "[job]\nrw=randwrite"] {
            assert_eq!(direct(untold), None, "{untold}");
        }
    }

    /// Heads and results of three jobs, as fio 3.33 prints them.
    const JOBS: &str = "seq: (g=0): rw=read, bs=(R) 1024KiB-1024KiB, (W) 1024KiB-1024KiB, (T) 1024KiB-1024KiB, ioengine=psync, iodepth=1
rand: (g=1): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
seq: (g=2): rw=write, bs=(R) 64.0KiB-64.0KiB, (W) 64.0KiB-64.0KiB, (T) 64.0KiB-64.0KiB, ioengine=psync, iodepth=1
fio-3.33
Starting 3 processes

seq: (groupid=0, jobs=1): err= 0: pid=20148: Mon Nov 30 14:43:04 2026
  read: IOPS=1422, BW=1422MiB/s (1491MB/s)(1425MiB/1002msec)
rand: (groupid=1, jobs=1): err= 0: pid=20282: Mon Nov 30 14:43:04 2026
  read: IOPS=15.7k, BW=61.3MiB/s (64.3MB/s)(61.4MiB/1001msec)
seq: (groupid=2, jobs=1): err= 0: pid=20378: Mon Nov 30 14:43:06 2026
  write: IOPS=7412, BW=463MiB/s (486MB/s)(464MiB/1001msec); 0 zone resets
";

    #[test]
    fn each_result_is_of_the_job_whose_name_stands_above_it() {
        let found = figures(&Page::read(JOBS));
        let told: Vec<_> = found
            .iter()
            .map(|one| (&*one.label, one.action, one.block_bytes, one.seconds))
            .collect();
        let kib = |count: f64| Some(count * 1024.0);
        assert_eq!(
            told,
            [
                ("seq", Action::Read, kib(1024.0), Some(1.002)),
                ("rand", Action::RandomRead, kib(4.0), Some(1.001)),
                ("seq", Action::Write, kib(64.0), Some(1.001))
            ]
        );
    }

    #[test]
    fn jobs_of_fio_2_are_told_apart_too() {
        let page = Page::read(
            "seq: (g=0): rw=read, bs=1M-1M/1M-1M/1M-1M, ioengine=sync, iodepth=1\nrand: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=sync, iodepth=1\nseq: (groupid=0, jobs=1): err= 0: pid=11: Mon Nov 30 14:43:04 2015\n  read : io=1024.0MB, bw=102400KB/s, iops=100, runt= 10240msec\nrand: (groupid=0, jobs=1): err= 0: pid=12: Mon Nov 30 14:43:04 2015\n  read : io=10240KB, bw=1024.0KB/s, iops=256, runt= 10000msec\n",
        );
        let found = figures(&page);
        let told: Vec<_> = found.iter().map(|f| (f.action, f.block_bytes)).collect();
        assert_eq!(
            told,
            [
                (Action::Read, Some(1_048_576.0)),
                (Action::RandomRead, Some(4096.0))
            ]
        );
    }

    #[test]
    fn the_lines_of_fio_2_count_in_kib() {
        let page = Page::read("  read : io=10240MB, bw=63317KB/s, iops=15829, runt=165607msec\n");
        let found = figures(&page);
        assert_eq!(found[0].bytes_per_second, Some(63317.0 * 1024.0));
        assert_eq!(found[0].operations_per_second, Some(15829.0));
    }

    #[test]
    fn the_files_of_all_clones_of_a_job_count() {
        let result = "\n  read: IOPS=500, BW=2000KiB/s (2048kB/s)(20MiB/10240msec)\n";
        let size = |text: &str| figures(&Page::read(&format!("{text}{result}")))[0].size();
        let gib = |count: u64| Some((count << 30) as f64);
        let command = "fio --name=r --rw=read --size=4g";
        assert_eq!(size(&format!("{command} --numjobs=16")), gib(64));
        assert_eq!(size("[r]\nsize=4g\nnumjobs=16"), gib(64));
        assert_eq!(
            size(&format!("{command} --numjobs=16 --filename=/mnt/f")),
            gib(4)
        );
        // What another command said is its own.
        let before = format!("{command} --numjobs=16{result}");
        let all = figures(&Page::read(&format!("{before}{command}{result}")));
        assert_eq!(all[1].size(), gib(4));
    }
}
