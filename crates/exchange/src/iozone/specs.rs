//! Every option, defined once: its name, its value, its help and its effect.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use etalon_model::SyncMode;
use etalon_units::{Bytes, Nanos, Percent};
use etalon_workload::file_ops::{Burst, WriteBack};

use super::size::size;
use super::{Ask, Goal, Options, Unit};

/// What follows an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Nothing.
    Nothing,
    /// One value, named so in the help.
    Value(&'static str),
    /// Names up to the next option.
    Names(&'static str),
}

/// A value as it was typed.
pub(crate) type Value<'a> = &'a OsStr;

/// What an option does; an error is the accepted form of its value.
#[derive(Clone, Copy)]
pub(crate) enum Effect {
    /// Without a value.
    Sets(fn(&mut Options)),
    /// With a value, or with each of the names.
    Reads(fn(&mut Options, Value<'_>) -> Result<(), &'static str>),
    /// Not offered, with the reason.
    NotOffered(&'static str),
}

/// One option.
#[derive(Clone, Copy)]
pub(crate) struct Spec {
    /// Without the leading dash: `a`, `+u`, `-runs`.
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    pub(crate) help: &'static str,
    pub(crate) effect: Effect,
}

const SIZE: &str = "a number of kilobytes, or one with k, m or g, from 1 byte to 8 EiB";
const WORKERS: &str = "a number of workers from 1 to 1024";
const DEPTH: &str = "a number of records under way at once, 1 to 1024";
const BURST: &str = "kilobytes and milliseconds with a comma between, such as 1024,20";
const HOSTS: &str = "this program works on one machine";
const DEDUP: &str = "the data are made so that nothing compresses or merges them";

const fn flag(name: &'static str, help: &'static str, set: fn(&mut Options)) -> Spec {
    Spec {
        name,
        takes: Takes::Nothing,
        help,
        effect: Effect::Sets(set),
    }
}

const fn value(
    name: &'static str,
    what: &'static str,
    help: &'static str,
    read: fn(&mut Options, Value<'_>) -> Result<(), &'static str>,
) -> Spec {
    Spec {
        name,
        takes: Takes::Value(what),
        help,
        effect: Effect::Reads(read),
    }
}

const fn missing(name: &'static str, takes: Takes, help: &'static str, why: &'static str) -> Spec {
    Spec {
        name,
        takes,
        help,
        effect: Effect::NotOffered(why),
    }
}

const NUMBER: Takes = Takes::Value("#");
const NAME: Takes = Takes::Value("NAME");

/// All options, iozone's in the order of the alphabet, then etalon's own.
pub(crate) const SPECS: &[Spec] = &[
    flag(
        "a",
        "a grid of file sizes (64 kB to 512 MB) and record sizes (4 kB to 16 MB)",
        |o| o.auto = true,
    ),
    flag(
        "A",
        "the same, write and read only, with small records on large files too",
        |o| {
            (o.auto, o.dense, o.all_records) = (true, true, true);
        },
    ),
    value(
        "b",
        "FILE",
        "write the figures to FILE as an XLSX workbook",
        |o, v| path(&mut o.workbook, v),
    ),
    flag(
        "B",
        "map the files into memory, but for the pread and pwrite tests, fwrite and fread",
        |o| o.mapped = true,
    ),
    flag("c", "close within the clock", |o| {
        o.settings.close_in_clock = true
    }),
    flag("C", "show each worker's part", |o| o.per_worker = true),
    value(
        "d",
        "#",
        "microseconds between the workers' starts",
        |o, v| {
            o.release_delay = Duration::from_micros(
                number(v, 0, 3_600_000_000).ok_or("microseconds, up to an hour")?,
            );
            Ok(())
        },
    ),
    flag(
        "D",
        "with -B: ask for the write-back of what was written, within the clock (MS_ASYNC)",
        |o| o.write_back = o.write_back.max(WriteBack::Asked),
    ),
    flag("e", "fsync within the clock", |o| {
        o.settings.flush_in_clock = true
    }),
    flag("E", "the pread and pwrite tests too", |o| {
        o.extension = true
    }),
    value("f", "FILE", "the file to work on (iozone.tmp)", |o, v| {
        path(&mut o.file, v)
    }),
    Spec {
        name: "F",
        takes: Takes::Names("FILE..."),
        help: "the files of a group, one for each worker",
        effect: Effect::Reads(|o, v| {
            o.files.push(PathBuf::from(v));
            Ok(())
        }),
    },
    value("g", "SIZE", "largest file of the grid", |o, v| {
        bytes(&mut o.max_size, v)
    }),
    flag(
        "G",
        "with -B: wait for the write-back of what was written, within the clock (MS_SYNC)",
        |o| o.write_back = WriteBack::Awaited,
    ),
    flag("h", "this help", |o| o.ask = Some(Ask::Help)),
    value(
        "H",
        "#",
        "asynchronous I/O: so many records under way at once, each copied from or to the test's own memory",
        |o, v| depth(&mut o.copying_queue, v),
    ),
    value(
        "i",
        "TEST",
        "a test, more than once for several: 0 write and rewrite, 1 read and reread, 2 random read and write, 3 backward read, 4 record rewrite, 5 strided read, 6 fwrite and again, 7 fread and again, 8 mixed random, 9 pwrite, 10 pread, 11 pwritev, 12 preadv",
        |o, v| {
            let test = number(v, 0, 12).ok_or("the number of a test, 0 to 12")?;
            o.tests.insert(test as u8);
            Ok(())
        },
    ),
    flag("I", "bypass the page cache (O_DIRECT)", |o| {
        o.settings.direct = true
    }),
    value(
        "j",
        "#",
        "stride of the strided read, in records (17)",
        |o, v| {
            o.settings.stride = number(v, 1, u64::MAX).ok_or("a number of records, at least 1")?;
            Ok(())
        },
    ),
    value(
        "J",
        "#",
        "milliseconds of computing before each record, outside the clock",
        |o, v| {
            let milliseconds = number(v, 0, 3_600_000).ok_or("milliseconds, up to an hour")?;
            o.settings.think.compute = Nanos(milliseconds * 1_000_000);
            Ok(())
        },
    ),
    value("k", "#", "the same without the copy", |o, v| {
        depth(&mut o.plain_queue, v)
    }),
    flag("K", "disturb reads by short reads elsewhere", |o| {
        o.settings.jitter = true
    }),
    value("l", "#", "fewest workers of a group", |o, v| {
        workers(&mut o.min_workers, v)
    }),
    value(
        "L",
        "#",
        "the processor's cache line in bytes, told in the header",
        |o, v| {
            o.cache_line = number(v, 1, 1 << 20).ok_or("a number of bytes")?;
            Ok(())
        },
    ),
    flag("m", "use several buffers in turn", |o| {
        o.settings.buffers = 16
    }),
    flag("M", "tell the machine in the header", |o| o.machine = true),
    value("n", "SIZE", "smallest file of the grid", |o, v| {
        bytes(&mut o.min_size, v)
    }),
    flag("N", "microseconds per operation", |o| {
        o.unit = Unit::Microseconds
    }),
    flag("o", "each write returns when durable (O_SYNC)", |o| {
        o.settings.sync = SyncMode::Sync
    }),
    flag("O", "operations per second", |o| o.unit = Unit::Operations),
    flag("p", "empty the processor's cache before each test", |o| {
        o.purge = true
    }),
    value(
        "P",
        "#",
        "bind the workers to processors, from this one on",
        |o, v| {
            o.first_cpu = Some(number(v, 0, 4095).ok_or("the number of a processor")? as usize);
            Ok(())
        },
    ),
    value("q", "SIZE", "largest record of the grid", |o, v| {
        bytes(&mut o.max_record, v)
    }),
    flag(
        "Q",
        "write each record's latency to wol.dat, rwol.dat, rol.dat and rrol.dat",
        |o| o.settings.latencies = true,
    ),
    value("r", "SIZE", "size of a record (4 kB)", |o, v| {
        bytes(&mut o.record, v)
    }),
    flag(
        "R",
        "repeat the figures as a report for a spreadsheet",
        |o| o.report = true,
    ),
    value("s", "SIZE", "size of the file (512 kB)", |o, v| {
        bytes(&mut o.size, v)
    }),
    value(
        "S",
        "#",
        "size of the processor's cache in kilobytes, for -p",
        |o, v| {
            o.cache =
                Bytes::kib(number(v, 1, 1 << 20).ok_or("a number of kilobytes up to 1048576")?);
            Ok(())
        },
    ),
    value(
        "t",
        "#",
        "a group of so many workers, a file each",
        |o, v| {
            workers(&mut o.min_workers, v)?;
            workers(&mut o.max_workers, v)
        },
    ),
    flag("T", "the workers are threads, not processes", |o| {
        o.threads = true
    }),
    value("u", "#", "most workers of a group", |o, v| {
        workers(&mut o.max_workers, v)
    }),
    value(
        "U",
        "MOUNTPOINT",
        "unmount and mount again before each test",
        |o, v| path(&mut o.remount, v),
    ),
    flag("v", "the version", |o| o.ask = Some(Ask::Version)),
    value(
        "V",
        "#",
        "fill records with this byte and compare what is read",
        |o, v| {
            o.settings.verify = Some(number(v, 0, 255).ok_or("a byte, 0 to 255")? as u8);
            Ok(())
        },
    ),
    flag("w", "leave the files at the end", |o| o.keep = true),
    flag("W", "lock the file while it is used", |o| {
        o.settings.lock = true
    }),
    flag("x", "no stonewall: each worker does its whole file", |o| {
        o.stonewall = false
    }),
    value(
        "X",
        "FILE",
        "write as FILE says, line by line: offset and size in bytes, milliseconds of computing before it",
        |o, v| path(&mut o.write_list, v),
    ),
    value("y", "SIZE", "smallest record of the grid", |o, v| {
        bytes(&mut o.min_record, v)
    }),
    value("Y", "FILE", "read as FILE says, likewise", |o, v| {
        path(&mut o.read_list, v)
    }),
    flag("z", "with -a: small records on large files too", |o| {
        o.all_records = true
    }),
    flag("Z", "with -B: every other record goes by a call", |o| {
        o.mapped_mixed = true
    }),
    value(
        "+A",
        "#",
        "tell the kernel the accesses: 0 normal, 1 random, 2 sequential, 3 not needed, 4 needed",
        |o, v| {
            let number = number(v, 0, 4).ok_or("0 to 4")?;
            o.advise(number as usize).then_some(()).ok_or("0 to 4")
        },
    ),
    value(
        "+b",
        "#,#",
        "rest after every burst: kilobytes of a burst, milliseconds of sleep, outside the clock",
        |o, v| {
            o.settings.think.burst = Some(burst(v).ok_or(BURST)?);
            Ok(())
        },
    ),
    missing(
        "+B",
        Takes::Nothing,
        "a sequential mixed load",
        "use `etalon measure --op rw`",
    ),
    missing("+C", NUMBER, "share of data equal within a file", DEDUP),
    missing(
        "+d",
        Takes::Nothing,
        "diagnose a broken filesystem",
        "use -V, which compares what is read",
    ),
    flag(
        "+D",
        "each write returns when its data are durable (O_DSYNC)",
        |o| o.settings.sync = SyncMode::DSync,
    ),
    missing("+h", NAME, "name of this host", HOSTS),
    flag(
        "+J",
        "computing and rests of -J, -X, -Y and -+b are within the clock",
        |o| o.settings.think.counted = true,
    ),
    flag("+k", "-s is the sum over all workers", |o| {
        o.constant_total = true
    }),
    missing(
        "+l",
        Takes::Nothing,
        "lock each record",
        "use -W, which locks the file",
    ),
    missing(
        "+L",
        Takes::Nothing,
        "lock each record of a shared file",
        "use -W, which locks the file",
    ),
    missing("+m", NAME, "a list of other machines", HOSTS),
    flag("+n", "no retests", |o| o.no_retest = true),
    flag("+N", "write over the old file instead of a new one", |o| {
        o.settings.keep_old = true
    }),
    value(
        "+p",
        "#",
        "percent of a mixed group that reads (50)",
        |o, v| {
            o.read_percent = number(v, 0, 100).ok_or("a percentage, 0 to 100")? as u8;
            Ok(())
        },
    ),
    value("+q", "#", "seconds between tests", |o, v| {
        o.pause = Duration::from_secs(number(v, 0, 86_400).ok_or("seconds, up to a day")?);
        Ok(())
    }),
    flag("+r", "reads and writes with O_SYNC", |o| {
        (o.settings.sync, o.settings.sync_reads) = (SyncMode::Sync, true);
    }),
    missing("+S", NUMBER, "seed of equal data", DEDUP),
    missing("+t", Takes::Nothing, "test the network", HOSTS),
    missing(
        "+T",
        Takes::Nothing,
        "time stamps in a log",
        "-Q writes each record's latency",
    ),
    flag("+u", "tell the processor time", |o| o.cpu = true),
    missing("+w", NUMBER, "share of data equal in all files", DEDUP),
    value(
        "+x",
        "#",
        "from one size of the grid to the next (2)",
        |o, v| {
            o.multiplier = number(v, 2, 1 << 20).ok_or("a factor, at least 2")?;
            Ok(())
        },
    ),
    missing(
        "+y",
        NUMBER,
        "share of data equal within and across files",
        DEDUP,
    ),
    missing(
        "+X",
        Takes::Nothing,
        "skip the I/O",
        "the figures would be those of no file at all",
    ),
    value(
        "-runs",
        "N",
        "measure each row so many times (3)",
        |o, v| {
            o.goal = Goal::Runs(number(v, 1, 1000).ok_or("a count from 1 to 1000")? as usize);
            Ok(())
        },
    ),
    value(
        "-precision",
        "P%",
        "measure each row until every interval is so narrow, 6 to 30 times",
        |o, v| {
            let percent: Option<Percent> = v.to_str().and_then(|text| text.parse().ok());
            let percent = percent.filter(|percent| percent.fraction() > 0.0);
            o.goal = Goal::Precision(percent.ok_or("a percentage above zero, such as 2.5%")?);
            Ok(())
        },
    ),
    flag("-fill", "do not keep a tenth of the filesystem free", |o| {
        o.fill = true
    }),
    flag("-help", "this help", |o| o.ask = Some(Ask::Help)),
];

fn number(value: Value<'_>, least: u64, most: u64) -> Option<u64> {
    let number = value.to_str()?.parse().ok()?;
    (least..=most).contains(&number).then_some(number)
}

fn bytes(slot: &mut Option<Bytes>, value: Value<'_>) -> Result<(), &'static str> {
    *slot = Some(value.to_str().and_then(size).ok_or(SIZE)?);
    Ok(())
}

fn workers(slot: &mut Option<usize>, value: Value<'_>) -> Result<(), &'static str> {
    *slot = Some(number(value, 1, 1024).ok_or(WORKERS)? as usize);
    Ok(())
}

fn burst(value: Value<'_>) -> Option<Burst> {
    let (size, rest) = value.to_str()?.split_once(',')?;
    let (size, rest) = (size.parse::<u64>().ok()?, rest.parse::<u64>().ok()?);
    let within = (1..=1 << 40).contains(&size) && rest <= 3_600_000;
    within.then_some(Burst {
        bytes: Bytes::kib(size),
        rest: Nanos(rest * 1_000_000),
    })
}

fn depth(slot: &mut Option<usize>, value: Value<'_>) -> Result<(), &'static str> {
    *slot = Some(number(value, 1, 1024).ok_or(DEPTH)? as usize);
    Ok(())
}

fn path(slot: &mut Option<PathBuf>, value: Value<'_>) -> Result<(), &'static str> {
    if value.is_empty() {
        return Err("a file name");
    }
    *slot = Some(PathBuf::from(value));
    Ok(())
}
