//! Every option, defined once.

use std::path::PathBuf;
use std::time::Duration;

use etalon_file_ops::WriteBack;
use etalon_model::SyncMode;
use etalon_units::{Bytes, Nanos, Percent};

use super::specs::{
    Effect, Spec, Takes, burst, bytes, depth, flag, missing, number, one_of, one_of_workers, path,
    percent, value, workers,
};
use super::{Ask, Repeat, Unit};

const HOSTS: &str = "this program works on one machine";
const BURST: &str = "kilobytes and milliseconds with a comma between, such as 1024,20";
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
        "write each record's latency to wol.dat, rwol.dat, rol.dat and rrol.dat, of a group to Child_0_wol.dat and so on, which must be new",
        |o| o.settings.latencies = true,
    ),
    value(
        "r",
        "SIZE",
        "size of a record (4 kB); several make a grid",
        |o, v| one_of(&mut o.records, v),
    ),
    flag(
        "R",
        "repeat the figures as a report for a spreadsheet",
        |o| o.report = true,
    ),
    value(
        "s",
        "SIZE",
        "size of the file (512 kB); several make a grid",
        |o, v| one_of(&mut o.sizes, v),
    ),
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
        "a group of so many workers, a file each; several are measured in turn",
        |o, v| one_of_workers(&mut o.worker_counts, v),
    ),
    flag("T", "the workers are threads, not processes", |o| {
        o.threads = true
    }),
    value(
        "u",
        "#",
        "most workers of a group; without -l from one on",
        |o, v| workers(&mut o.max_workers, v),
    ),
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
            o.verify = Some(number(v, 0, 255).ok_or("a byte, 0 to 255")? as u8);
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
    flag(
        "+B",
        "the mixed group (-i 8) reads and writes from the start to the end",
        |o| o.sequential_mix = true,
    ),
    value(
        "+C",
        "#",
        "with -+y: percent of the repeated data that only the file itself has",
        |o, v| percent(&mut o.own_repeated, v),
    ),
    flag(
        "+d",
        "write what the place in the file says, compare every byte that is read, name the first wrong one",
        |o| o.diagnose = true,
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
    flag("+l", "lock each record while it is moved", |o| {
        o.settings.lock_records = true
    }),
    flag("+L", "the same, and all workers use one file", |o| {
        (o.settings.lock_records, o.shared) = (true, true);
    }),
    missing("+m", NAME, "a list of other machines", HOSTS),
    flag("+n", "no retests", |o| o.no_retest = true),
    flag("+N", "write over the old file instead of a new one", |o| {
        o.settings.keep_old = true
    }),
    value(
        "+p",
        "#",
        "percent of a mixed group that reads, rounded down to whole workers (every other one)",
        |o, v| percent(&mut o.read_percent, v),
    ),
    value("+q", "#", "seconds between tests", |o, v| {
        o.pause = Duration::from_secs(number(v, 0, 86_400).ok_or("seconds, up to a day")?);
        Ok(())
    }),
    flag("+r", "reads and writes with O_SYNC", |o| {
        (o.settings.sync, o.settings.sync_reads) = (SyncMode::Sync, true);
    }),
    value(
        "+S",
        "#",
        "with -+w: a number; only files written with the same one share data",
        |o, v| {
            o.set = Some(number(v, 0, u64::MAX).ok_or("a whole number")?);
            Ok(())
        },
    ),
    missing("+t", Takes::Nothing, "test the network", HOSTS),
    flag(
        "+T",
        "write when each worker of a group began and ended each test to Child_0.log and so on, which must be new",
        |o| o.time_stamps = true,
    ),
    flag("+u", "tell the processor time", |o| o.cpu = true),
    value(
        "+w",
        "#",
        "percent of each record that the other files have too, at the same place",
        |o, v| percent(&mut o.shared_data, v),
    ),
    value(
        "+x",
        "#",
        "from one size of the grid to the next (2)",
        |o, v| {
            o.multiplier = number(v, 2, 1 << 20).ok_or("a factor, at least 2")?;
            Ok(())
        },
    ),
    value(
        "+y",
        "#",
        "with -+w: percent of that which every record has",
        |o, v| percent(&mut o.repeated, v),
    ),
    missing(
        "+X",
        Takes::Nothing,
        "skip the I/O",
        "the figures would be those of no file at all",
    ),
    value("-runs", "N", "measure each figure so many times", |o, v| {
        o.repeat = Repeat::Runs(number(v, 1, 1000).ok_or("a count from 1 to 1000")? as usize);
        Ok(())
    }),
    value(
        "-precision",
        "P%",
        "measure each figure until its interval is so narrow, 30 times at most",
        |o, v| {
            let percent: Option<Percent> = v.to_str().and_then(|text| text.parse().ok());
            let percent = percent.filter(|percent| percent.fraction() > 0.0);
            o.repeat = Repeat::Precision(percent.ok_or("a percentage above zero, such as 2.5%")?);
            Ok(())
        },
    ),
    value(
        "-overwrite",
        "FILE",
        "write over this file of yours and remove it at the end, where -f, -F or -U names it",
        |o, v| {
            let mut file = None;
            path(&mut file, v)?;
            o.overwrite.extend(file);
            Ok(())
        },
    ),
    flag("-fill", "do not keep a tenth of the filesystem free", |o| {
        o.fill = true
    }),
    flag("-help", "this help", |o| o.ask = Some(Ask::Help)),
];
