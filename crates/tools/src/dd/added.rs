//! Etalon's own lines after those of dd.

use std::io::{self, Write};

use etalon_model::Cell;
use etalon_model::stack::share;
use etalon_stats::{Estimate, Level, MIN_RUNS_LAB, Sample};
use etalon_units::{Bytes, Nanos, Percent};

use super::copy_run::{CopyRun, cell};
use crate::reasons::write_reasons;
use etalon_workload::copy::{CopyObservation, Dirty, Share, StatusLevel, human};

/// The counters count whole pages and everybody's writes: of less than this a share tells nothing.
const WORTH_A_SHARE: Bytes = Bytes::mib(1);
const TOO_LITTLE: &str =
    "below 1 MiB whole pages and the filesystem's own writes outweigh the data";

/// Writes what dd does not tell about the runs of each copy, `runs[run][copy]`, and what is made of them in `cells`.
pub(crate) fn write(runs: &[Vec<CopyRun>], cells: &[Cell], err: &mut dyn Write) -> io::Result<()> {
    let Some(last) = runs.last() else {
        return Ok(());
    };
    for (place, run) in last.iter().enumerate() {
        let which = match last.len() {
            1 => String::new(),
            _ => format!(" {}", place + 1),
        };
        let label = format!("etalon{which}");
        let judged = cells
            .iter()
            .find(|one| one.name == cell(place + 1, last.len()));
        // The exit status tells of it, whatever else is to be silent.
        if let Some(cell) = judged {
            write_reasons(&label, cell, err)?;
        }
        if run.settings.status == StatusLevel::None {
            continue;
        }
        let several = runs.len() > 1;
        if several {
            writeln!(err, "{label}: of the last of {} runs:", runs.len())?;
        }
        one(&label, run, err)?;
        let of_place = || runs.iter().filter_map(|together| together.get(place));
        let rates: Vec<f64> = match judged {
            // Where no copy was whole, the values are of what broken ones did.
            Some(_) if !of_place().any(CopyRun::is_whole) => Vec::new(),
            // The runs that count: what is left out there is in no figure here.
            Some(judged) => judged.values.iter().map(|rate| rate / 1e6).collect(),
            None => of_place()
                .filter_map(|run| megabytes_per_second(run, run.elapsed))
                .collect(),
        };
        spread((&label, "rate"), rates, runs.len(), err)?;
        let durable: Vec<f64> = of_place()
            .filter_map(|run| {
                let after = run.observed.fsync_after?;
                megabytes_per_second(run, Nanos(run.elapsed.get() + after.get()))
            })
            .collect();
        if durable.len() > 1 {
            spread((&label, "rate until durable"), durable, runs.len(), err)?;
        }
    }
    Ok(())
}

fn one(label: &str, run: &CopyRun, err: &mut dyn Write) -> io::Result<()> {
    let (read, written) = (run.counts.read, run.counts.written());
    errors(label, run, err)?;
    if run.counts.sought > Bytes::ZERO {
        writeln!(
            err,
            "{label}: {} of the output are holes, which no device took: conv=sparse sought over them, and the rate counts them",
            run.counts.sought
        )?;
    }
    without_direct(label, run, err)?;
    let observed: &CopyObservation = &run.observed;
    match &observed.dirty {
        Dirty::Bytes(dirty) => {
            writeln!(
                err,
                "{label}: {dirty} of the output were in memory only when dd ended{}",
                part_of(*dirty, written)
            )?;
        }
        Dirty::NothingLasts => {}
        Dirty::InMemory => writeln!(
            err,
            "{label}: this is memory, not a disk: {}; nothing of the output is durable",
            observed.in_memory.join(", ")
        )?,
        Dirty::NotKnown(why) => writeln!(err, "{label}: data left in memory is not known: {why}")?,
    }
    if let Some(after) = observed.fsync_after {
        let total = Nanos(run.elapsed.get() + after.get());
        writeln!(
            err,
            "{label}: durable {after} later, at {} over {total}",
            human::rate(run.counts.bytes.get(), total.get())
        )?;
    }
    for disk in &observed.disks {
        writeln!(
            err,
            "{label}: disk {} read {} and wrote {}, all processes together",
            disk.name, disk.read, disk.written
        )?;
    }
    if read.max(written) < WORTH_A_SHARE {
        return writeln!(err, "{label}: no device share: {TOO_LITTLE}");
    }
    let input = worth_telling(read, &observed.input_share);
    let output = worth_telling(written, &observed.output_share);
    write_share(label, "delivered", "input", &input, err)?;
    write_share(label, "took", "output", &output, err)
}

/// A share of so many bytes, or why it tells nothing.
fn worth_telling(bytes: Bytes, share: &Share) -> Share {
    match share {
        Share::Of(_) if bytes < WORTH_A_SHARE => Share::None(TOO_LITTLE.to_owned()),
        other => other.clone(),
    }
}

/// ` (12 % of all bytes)`; nothing where so little was copied that a share tells nothing.
fn part_of(dirty: Bytes, bytes: Bytes) -> String {
    match share(dirty.get(), bytes.get()) {
        Some(part) if bytes >= WORTH_A_SHARE => format!(" ({part} of all bytes)"),
        _ => String::new(),
    }
}

/// What is missing from the output of a copy that met errors.
fn errors(label: &str, run: &CopyRun, err: &mut dyn Write) -> io::Result<()> {
    if run.failed {
        return writeln!(
            err,
            "{label}: not a whole copy: it failed after {}, kept as far as the device took them",
            run.counts.bytes
        );
    }
    match run.unread() {
        Some(unread) => writeln!(err, "{label}: not a whole copy: {unread}"),
        None => Ok(()),
    }
}

/// That `oflag=direct` held for little or nothing of the output, and what helps.
fn without_direct(label: &str, run: &CopyRun, err: &mut dyn Write) -> io::Result<()> {
    let counts = &run.counts;
    if !counts.left_direct_early() {
        return Ok(());
    }
    let came_short = counts.partial_in > 1 && !run.settings.input_flags.fullblock;
    let advice = match came_short {
        true => "; iflag=fullblock fills them",
        false => "",
    };
    writeln!(
        err,
        "{label}: {} of the output went through the page cache: dd turns O_DIRECT off at the first block that is not whole{advice}",
        counts.buffered
    )
}

fn write_share(
    label: &str,
    verb: &str,
    side: &str,
    share: &Share,
    err: &mut dyn Write,
) -> io::Result<()> {
    match share {
        Share::Of(part) => writeln!(
            err,
            "{label}: the device beneath the {side} {verb} {part} of all bytes"
        ),
        Share::None(why) => writeln!(err, "{label}: no device share of the {side}: {why}"),
    }
}

/// The rate over `span` in dd's unit; none for a run that met errors or took no time.
fn megabytes_per_second(run: &CopyRun, span: Nanos) -> Option<f64> {
    let seconds = span.as_secs_f64();
    (run.is_whole() && seconds > 0.0).then(|| run.counts.bytes.as_f64() / seconds / 1e6)
}

/// Of the runs that count among so many that were made.
fn spread(
    (label, what): (&str, &str),
    rates: Vec<f64>,
    made: usize,
    err: &mut dyn Write,
) -> io::Result<()> {
    let count = rates.len();
    match Sample::new(rates) {
        Ok(sample) if count > 1 => {
            let summary = sample.summary(Level::REPORTED);
            let headline = Estimate::of_runs(&sample);
            let cv = summary.cv.map_or_else(
                || "no CV".to_owned(),
                |cv| format!("CV {}", Percent::from_fraction(cv)),
            );
            writeln!(
                err,
                "{label}: {what} {headline:.1} MB/s, {:.1} to {:.1}, {cv}",
                summary.min, summary.max
            )
        }
        Ok(_) if made > 1 => writeln!(
            err,
            "{label}: one of {made} runs counts, and one has no spread"
        ),
        Ok(_) => writeln!(
            err,
            "{label}: one run has no spread; --runs {MIN_RUNS_LAB} gives an interval"
        ),
        Err(_) => writeln!(err, "{label}: no whole copy, and so no rate to judge"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::dd::Dd;
    use crate::tests::served;

    #[test]
    fn copies_of_which_none_is_whole_have_no_rate() {
        let place = tempfile::tempdir().unwrap();
        let output = place.path().join("output");
        for operands in ["if=/proc/self/mem conv=noerror,sync", "if=/proc/self/mem"] {
            let line = format!("{operands} of={} bs=4k count=3 --runs 6", output.display());
            let words: Vec<std::ffi::OsString> = line.split(' ').map(Into::into).collect();
            let said = served::<Dd>(&words, &AtomicBool::new(false)).err;
            let own = || said.lines().filter(|line| line.starts_with("etalon"));
            let none = "etalon: no whole copy, and so no rate to judge";
            assert!(own().any(|line| line == none), "{said}");
            assert!(!own().any(|line| line.contains("(95 %")), "{said}");
        }
    }

    #[test]
    fn of_tiny_amounts_no_share_is_told() {
        assert_eq!(part_of(Bytes::kib(4), Bytes(6)), "");
        assert_eq!(
            part_of(Bytes::mib(1), Bytes::mib(2)),
            " (50 % of all bytes)"
        );
    }
}
