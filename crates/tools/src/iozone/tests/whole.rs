//! Whole runs: what they print, leave behind and answer.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use etalon_testbed::{Loop, Mount, OF_THE_MACHINE, mkfs, root_for};

use super::{Ran, run, run_with, words};

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn help_and_version_end_well_and_a_bad_word_does_not() {
    let directory = tempfile::tempdir().unwrap();
    let help = run("-h", directory.path());
    assert_eq!(help.status, 0);
    assert!(help.out.contains("-U MOUNTPOINT") && help.out.contains("--precision P%"));
    assert_eq!(run("-v", directory.path()).status, 0);
    let bad = run("-s 4k -+e", directory.path());
    assert_eq!((bad.status, bad.out.as_str()), (2, ""));
    assert!(
        bad.err.starts_with("etalon iozone: there is no option -+e"),
        "{}",
        bad.err
    );
}

#[test]
fn a_group_of_two_with_its_files_kept() {
    let directory = tempfile::tempdir().unwrap();
    let line = "-R -b DIR/book -w -T -t 2 -F DIR/iodump1 DIR/iodump2 -i 0 -i 2 -s 1024 --runs 2";
    let ran = run(line, directory.path());
    assert!([0, 3].contains(&ran.status), "{}{}", ran.out, ran.err);
    assert_eq!(names(directory.path()), ["book", "iodump1", "iodump2"]);
    for file in ["iodump1", "iodump2"] {
        assert_eq!(
            std::fs::metadata(directory.path().join(file))
                .unwrap()
                .len(),
            1 << 20
        );
    }
    for line in [
        "\"  Initial write \"",
        "Min xfer",
        "n=2",
        "random write x2 1 MiB/4 KiB",
    ] {
        assert!(ran.out.contains(line), "{line}: {}", ran.out);
    }
}

#[test]
fn every_number_of_workers_is_measured() {
    let directory = tempfile::tempdir().unwrap();
    for (line, counts) in [("-t 3 -t 1", [1, 3].as_slice()), ("-u 2", &[1, 2])] {
        let line = format!("-T {line} -s 64 -i 0 -+n -f DIR/t --runs 1");
        let ran = completes(&line, directory.path());
        let heads = ran
            .out
            .matches("\tEach thread writes a 64 kByte file")
            .count();
        assert_eq!(heads, counts.len(), "{}", ran.out);
        let (least, most) = (counts[0], counts[1]);
        let range = format!("\tMin thread = {least} \n\tMax thread = {most} \n");
        assert!(ran.out.contains(&range), "{range}: {}", ran.out);
        for count in counts {
            let cell = format!("write x{count} 64 KiB/4 KiB");
            assert!(ran.out.contains(&cell), "{cell}: {}", ran.out);
        }
    }
}

/// What smaller groups left with -w is this command's own, whatever it holds.
#[test]
fn files_that_stay_are_written_again_by_the_next_number_of_workers() {
    for fill in ["", "-V 7", "-+d", "-+w 50"] {
        let directory = tempfile::tempdir().unwrap();
        let line = format!("-T {fill} -w -l 1 -u 2 -s 64 -i 0 -f DIR/t --runs 1");
        let ran = measures(&line, directory.path());
        for cell in ["rewrite x1 64 KiB/4 KiB", "rewrite x2 64 KiB/4 KiB"] {
            assert!(ran.out.contains(cell), "{line}: {}", ran.out);
        }
        assert_eq!(names(directory.path()), ["t.0", "t.1"], "{line}");
    }
}

/// iozone's -w leaves a file for the next command, which writes to it again whatever -V filled it with. What somebody else
/// wrote there since is no longer this program's.
#[test]
fn a_file_that_stayed_is_written_again_by_the_next_command() {
    for fill in ["", "-V 7", "-+d", "-+w 50"] {
        let directory = tempfile::tempdir().unwrap();
        let line = format!("{fill} -w -s 64 -i 0 -f DIR/t --runs 1");
        for _ in 0..3 {
            measures(&line, directory.path());
            assert_eq!(names(directory.path()), ["t"], "{line}");
        }
        let kept = directory.path().join("t");
        let mut content = std::fs::read(&kept).unwrap();
        content[..12].copy_from_slice(b"dear reader,");
        std::fs::write(&kept, &content).unwrap();
        let ran = run(&line, directory.path());
        assert_eq!(ran.status, 4, "{line}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("--overwrite"), "{line}: {}", ran.err);
        assert_eq!(std::fs::read(&kept).unwrap(), content, "{line}");
    }
}

/// With -+k the size is that of all files together, and every line says what one of them has.
#[test]
fn workers_that_share_a_size_are_told_with_their_part_of_it() {
    let directory = tempfile::tempdir().unwrap();
    let line = "-T -t 4 -+k -s 64 -i 0 -f DIR/t --runs 1";
    let ran = completes(line, directory.path());
    for words in [
        "\tEach thread writes a 16 kByte file in 4 kByte records\n",
        "write x4 16 KiB/4 KiB",
    ] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    assert!(!ran.out.contains("64 KiB/"), "{}", ran.out);
}

#[test]
fn each_of_several_record_sizes_has_its_row() {
    let directory = tempfile::tempdir().unwrap();
    let line = "-s 64 -r 16 -r 4 -i 0 -+n -f DIR/t --runs 1";
    let ran = completes(line, directory.path());
    for words in ["Auto Mode", "Record Size 4 kB", "Record Size 16 kB"] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    let rows = ran.out.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        (words.next()? == "64").then(|| words.next().map(str::to_owned))?
    });
    assert_eq!(rows.collect::<Vec<_>>(), ["4", "16"]);
}

#[test]
fn reading_needs_a_file_and_leaves_a_strangers_file() {
    let directory = tempfile::tempdir().unwrap();
    let ran = run("-i 1 -f DIR/none -s 64", directory.path());
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("write it first with -i 0"), "{}", ran.err);
    std::fs::write(directory.path().join("mine"), vec![1; 65_536]).unwrap();
    let ran = run("-i 1 -f DIR/mine -s 64 --runs 2", directory.path());
    assert!([0, 3].contains(&ran.status), "{}{}", ran.out, ran.err);
    assert_eq!(names(directory.path()), ["mine"]);
    let short = run("-i 1 -f DIR/mine -s 128", directory.path());
    assert!(short.err.contains("64 KiB, and 128 KiB"), "{}", short.err);
}

/// Whoever left a file with -w may read it more than once.
#[test]
fn a_file_that_was_left_by_an_earlier_command_and_only_read_stays() {
    let directory = tempfile::tempdir().unwrap();
    measures("-w -i 0 -f DIR/t -s 64 --runs 1", directory.path());
    for _ in 0..2 {
        measures("-i 1 -f DIR/t -s 64 --runs 1", directory.path());
        assert_eq!(names(directory.path()), ["t"]);
    }
    completes("-i 0 -f DIR/t -s 64 --runs 1", directory.path());
}

/// iozone opens the file of its fwrite test as "w+", and that of the test after it as "r+".
#[test]
fn a_stream_is_written_to_a_new_file_and_then_over_it() {
    let directory = tempfile::tempdir().unwrap();
    measures("-w -i 0 -f DIR/t -s 256 --runs 1", directory.path());
    let ran = measures("-w -i 6 -i 7 -f DIR/t -s 64 --runs 2", directory.path());
    assert!(ran.out.contains("fwrite 64 KiB/4 KiB"), "{}", ran.out);
    let length = std::fs::metadata(directory.path().join("t")).unwrap().len();
    assert_eq!(length, 64 << 10);
}

#[test]
fn a_remounted_filesystem_is_the_same_after_a_whole_run_and_is_left_alone_where_it_would_not_be() {
    let test = "a_remounted_filesystem_is_the_same_after_a_whole_run_and_is_left_alone_where_it_would_not_be";
    if !root_for(test) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let image = directory.path().join("image");
    let file = std::fs::File::create(&image).unwrap();
    file.set_len(64 << 20).unwrap();
    mkfs("ext4", &[image.to_str().unwrap()]);
    let device = Loop::over(&image, &[]);
    let mount = Mount::new(&["-o", "data=journal,commit=60", device.name()]);
    let mounts = || std::fs::read_to_string("/proc/self/mounts").unwrap();
    let line = || {
        let here = mount.path().to_str().unwrap();
        let mounts = mounts();
        mounts.lines().find(|l| l.contains(here)).map(str::to_owned)
    };
    let before = line();
    let ran = run(
        "-U DIR -f DIR/x -i 0 -i 1 -s 1m -r 64 --runs 2",
        mount.path(),
    );
    assert!([0, 3].contains(&ran.status), "{}{}", ran.out, ran.err);
    assert_eq!(line(), before);
    assert_eq!(names(mount.path()), ["lost+found"]);

    let part = mount.path().join("lost+found");
    let bound = Mount::new(&["--bind", part.to_str().unwrap()]);
    let ran = run("-U DIR -f DIR/x -i 0 -s 64", bound.path());
    assert_eq!(ran.status, 4, "{}", ran.err);
    assert!(ran.err.contains("is bound there"), "{}", ran.err);
    assert!(mounts().contains(bound.path().to_str().unwrap()));
}

#[test]
fn what_cannot_be_is_told_and_refused() {
    let directory = tempfile::tempdir().unwrap();
    for (line, status, part) in [
        ("-f DIR -s 64", 4, "not a regular file"),
        ("-f DIR/no/such -s 64", 1, "No such file"),
        ("-f DIR/t -s 4 -r 16", 1, "does not fit"),
        (
            "-f DIR/t -a -s 4 -r 16",
            1,
            "a record of 16 KiB does not fit into a file of 4 KiB",
        ),
        (
            "-f DIR/t -a -n 64 -g 64 -y 128",
            1,
            "a record of 128 KiB does not fit into a file of 64 KiB",
        ),
        (
            "-T -t 2 -F DIR/a DIR/b -a -s 4 -r 16",
            1,
            "a record of 16 KiB does not fit into a file of 4 KiB",
        ),
        ("-f DIR/t -s 9000000g", 1, "stay so"),
        ("-f DIR/t -s 64 -b DIR/no/book", 1, "cannot write"),
        ("-f DIR/t -s 64 -U /", 4, ""),
    ] {
        let ran = run(line, directory.path());
        assert_eq!(ran.status, status, "{line}: {}", ran.err);
        assert!(ran.err.contains(part), "{line}: {}", ran.err);
        assert!(!ran.out.contains("test complete"), "{line}: {}", ran.out);
        assert_eq!(names(directory.path()), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn what_is_ignored_is_said_on_standard_error() {
    let directory = tempfile::tempdir().unwrap();
    let ran = run("-s 64 -i 0 -g 1m -f DIR/t --runs 1", directory.path());
    assert_eq!(ran.status, 3, "{}{}", ran.out, ran.err);
    let said = "etalon iozone: without -a no grid is measured; ignored: -g\n";
    assert!(ran.err.contains(said), "{}", ran.err);
    assert!(!ran.out.contains("ignored"), "{}", ran.out);
}

#[test]
fn a_stop_keeps_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("t");
    let mut args = words("-s 1m -f");
    args.push(file.into());
    let ran = run_with(&args, &AtomicBool::new(true));
    assert_eq!(ran.status, 130);
    assert!(ran.out.contains("ended early"), "{}", ran.out);
    assert_eq!(names(directory.path()), Vec::<String>::new());
}

/// A command line that measures something, whatever its verdicts.
fn measures(line: &str, directory: &Path) -> Ran {
    let ran = run(line, directory);
    let done = [0, 3].contains(&ran.status);
    assert!(done, "{line}: {}{}", ran.out, ran.err);
    ran
}

/// The same, to the end, and with nothing left behind.
fn completes(line: &str, directory: &Path) -> Ran {
    let ran = measures(line, directory);
    assert!(ran.out.contains("iozone test complete."), "{}", ran.out);
    assert!(names(directory).is_empty(), "{line}");
    ran
}

/// The first of several runs of a line that is right, or that nothing but the machine could have made wrong: a run that
/// the machine disturbed is in no count.
fn undisturbed(line: &str, directory: &Path, is_right: impl Fn(&str) -> bool) -> Ran {
    let mut ran = run(line, directory);
    for number in 1..5 {
        let met = |code: &&str| ran.out.contains(&format!("[{code}]"));
        if is_right(&ran.out) || !OF_THE_MACHINE.iter().any(met) {
            break;
        }
        // A burst of other work is over sooner or later.
        std::thread::sleep(Duration::from_secs(1) * number);
        ran = run(line, directory);
    }
    ran
}

/// The counts of runs in the verdict's lines.
fn counts(out: &str) -> Vec<&str> {
    out.split(", n=")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect()
}

#[test]
fn the_figures_of_a_file_size_learn_from_one_another() {
    let directory = tempfile::tempdir().unwrap();
    let grid = "-a -n 64 -g 128 -i 0 -i 1 -f DIR/t --precision 1000000%";
    let of_two = vec!["2"; 4 * (5 + 6)];
    let many = undisturbed(grid, directory.path(), |out| counts(out) == of_two);
    assert!(
        many.out.contains("share what their runs say"),
        "{}",
        many.out
    );
    assert_eq!(counts(&many.out), of_two);
    let line = "-s 64 -i 0 -i 1 -f DIR/t --precision 1000000%";
    let alone = undisturbed(line, directory.path(), |out| counts(out) == ["6"; 4]);
    assert!(
        !alone.out.contains("share what their runs say"),
        "{}",
        alone.out
    );
    assert_eq!(counts(&alone.out), vec!["6"; 4]);
}

#[test]
fn rows_come_in_the_grid_s_order_though_measured_together() {
    let directory = tempfile::tempdir().unwrap();
    let ran = run("-a -n 64 -g 128 -i 0 -f DIR/t --runs 2", directory.path());
    let head = |line: &str| {
        let mut words = line.split_whitespace().map(str::parse::<u64>);
        Some((words.next()?.ok()?, words.next()?.ok()?))
    };
    let rows: Vec<(u64, u64)> = ran.out.lines().filter_map(head).collect();
    let expected = [(64, 5), (128, 6)]
        .into_iter()
        .flat_map(|(size, rows)| (0..rows).map(move |k| (size, 4 << k)));
    assert_eq!(rows, expected.collect::<Vec<_>>(), "{}", ran.out);
}

#[test]
fn a_precision_that_cannot_be_reached_is_given_up() {
    let directory = tempfile::tempdir().unwrap();
    let line = "-s 64 -i 0 -f DIR/t --precision 0.0001%";
    let ran = undisturbed(line, directory.path(), |out| out.contains("n=6)"));
    assert_eq!(ran.status, 3);
    assert!(
        ran.out.contains("n=6)") && !ran.out.contains(": valid"),
        "{}",
        ran.out
    );
}

#[test]
fn lists_take_the_place_of_records() {
    let directory = tempfile::tempdir().unwrap();
    let list = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
    list("w", "# of a run\n0 4096 1\n8192 4096 0\n4096 1000 0\n");
    list("r", "8192 100 0\n");
    list("far", "9000 9000 0\n");
    list("bad", "0 10 0\n0 ten 0\n");
    for line in [
        "-X DIR/w -Y DIR/r -N -E -R -f DIR/t --runs 2",
        "-X DIR/w -i 0 -i 1 -O -b DIR/w.xlsx -f DIR/t --runs 2",
        "-Y DIR/far -B -f DIR/t --runs 2",
        "-X DIR/w -k 2 -+J -f DIR/t --runs 2",
        "-X DIR/w -Y DIR/w -O -C -T -t 2 -F DIR/a DIR/b --runs 2",
    ] {
        let ran = measures(line, directory.path());
        assert!(ran.out.contains("/as listed"), "{line}: {}", ran.out);
        assert!(
            !ran.out.contains("inf") && !ran.out.contains("NaN"),
            "{}",
            ran.out
        );
    }
    let ran = run("-X DIR/w -w -f DIR/t --runs 1", directory.path());
    let row = ran
        .out
        .lines()
        .skip_while(|line| !line.contains("reclen"))
        .nth(1);
    let words: Vec<&str> = row.unwrap().split_whitespace().collect();
    assert_eq!((words[0], words[1], words.len()), ("12", "0", 4));
    let data = std::fs::read(directory.path().join("t")).unwrap();
    assert_eq!(data.len(), 12_288);
    assert!(data[5096..8192].iter().all(|&byte| byte == 0), "a hole");
    assert!(data[8192..].iter().any(|&byte| byte != 0));
    for (line, part) in [
        ("-X DIR/bad", "bad line 2, '0 ten 0': expected offset"),
        ("-X DIR/none", "cannot be read"),
        ("-X DIR", "not a regular file"),
        ("-X DIR/w -I", "-I moves blocks of 512"),
        ("-X DIR/w -Y DIR/far", "reads up to 17.6 KiB"),
    ] {
        let ran = run(&format!("{line} -f DIR/t"), directory.path());
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{line}");
        assert!(ran.err.contains(part), "{line}: {}", ran.err);
    }
}

#[test]
fn computing_and_rests_are_outside_the_clock() {
    let directory = tempfile::tempdir().unwrap();
    let line = "-J 1 -+b 16,1 -s 64 -i 0 -i 1 -f DIR/t --runs 1";
    let ran = run(line, directory.path());
    for told in [
        "\tCompute time 0.001000 seconds for reads and writes.\n",
        "\tBurst size set to 16 Kbytes.\n\tBurst sleep duration set to 1 msec\n",
    ] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
    let counted = run("-J 1 -+J -s 16 -i 0 -f DIR/t --runs 1", directory.path());
    assert!(
        counted.out.contains("Think time is included"),
        "{}",
        counted.out
    );
    assert!([0, 3].contains(&counted.status), "{}", counted.err);
}

#[test]
fn contents_locks_and_sequential_mixes_run() {
    let directory = tempfile::tempdir().unwrap();
    for line in [
        "-+d -E -s 256 -f DIR/t --runs 2",
        "-+d -k 4 -s 256 -f DIR/t --runs 2",
        "-+d -B -+l -s 256 -f DIR/t --runs 2",
        "-+d -+L -T -t 3 -s 256 -f DIR/t --runs 2",
        "-+L -T -t 2 -s 256 -i 0 -i 8 -+B -F DIR/a --runs 2",
        "-+w 50 -+y 50 -+C 50 -+S 3 -T -t 2 -s 256 -i 0 -i 1 -F DIR/a DIR/b --runs 2",
    ] {
        let ran = completes(line, directory.path());
        let own_work = line.contains("-+d") || line.contains("-+w");
        assert_eq!(ran.out.contains("[own-work]"), own_work, "{}", ran.out);
    }
}

/// The first wrong byte is named, with what stands there and what should.
#[test]
fn a_flipped_bit_is_found_where_it_lies() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("t");
    let wrote = run("-+d -w -s 256 -i 0 -+n -f DIR/t --runs 1", directory.path());
    assert!([0, 3].contains(&wrote.status), "{}", wrote.err);
    let mut data = std::fs::read(&file).unwrap();
    let before = data[100_001];
    data[100_001] ^= 4;
    std::fs::write(&file, &data).unwrap();
    let ran = run("-+d -s 256 -i 1 -f DIR/t --runs 1", directory.path());
    assert_eq!(ran.status, 1, "{}", ran.out);
    let told = format!(
        "comparison (0x{:02x} in place of 0x{before:02x}) of '{}' at byte 100001 failed",
        data[100_001],
        directory.path().join("t").display()
    );
    assert!(ran.out.contains(&told), "{told}: {}", ran.out);
}

#[test]
fn queues_run_alone_and_in_a_group() {
    let directory = tempfile::tempdir().unwrap();
    for line in [
        "-k 4 -s 256 -f DIR/t --runs 2",
        "-H 3 -I -V 7 -s 256 -i 0 -i 1 -i 2 -f DIR/t --runs 2",
        "-k 2 -T -t 2 -s 256 -i 0 -i 8 -F DIR/a DIR/b --runs 2",
    ] {
        let ran = completes(line, directory.path());
        assert!(ran.out.contains("sync I/O ("), "{}", ran.out);
    }
}

#[test]
fn mapped_files_run_alone_and_in_a_group() {
    let directory = tempfile::tempdir().unwrap();
    for line in [
        "-B -s 256 -i 0 -i 1 -i 2 -i 3 -i 4 -i 5 -E -f DIR/t --runs 2",
        "-B -G -Z -V 7 -s 256 -i 0 -i 1 -f DIR/t --runs 2",
        "-B -D -T -t 2 -s 256 -i 0 -i 8 -F DIR/a DIR/b --runs 2",
    ] {
        let ran = completes(line, directory.path());
        assert!(ran.out.contains("Files are mapped"), "{}", ran.out);
    }
}

/// Each file size is measured after the one before it, so that their passes are no common blocks.
#[test]
fn cells_of_two_file_sizes_have_no_block_in_common() {
    let directory = tempfile::tempdir().unwrap();
    let ran = run("-s 64 -s 128 -r 4 -i 0 -f DIR/t --runs 2", directory.path());
    let blocks = |cell: &str| {
        let own = ran.kept.iter().filter(move |run| run.cell == cell);
        own.map(|run| run.block).collect::<Vec<_>>()
    };
    assert_eq!(blocks("write 64 KiB/4 KiB"), [0, 1]);
    assert_eq!(blocks("rewrite 64 KiB/4 KiB"), [0, 1]);
    assert_eq!(blocks("write 128 KiB/4 KiB"), [2, 3]);
}

/// What a keeper is handed stands for what is printed: every run of every figure.
#[test]
fn every_run_is_handed_on() {
    let directory = tempfile::tempdir().unwrap();
    // -x: no worker is stopped when the first is done.
    let line = "-s 256 -r 4 -i 0 -i 8 -T -t 2 -I -x -F DIR/a DIR/b --runs 2";
    let ran = run(line, directory.path());
    let told: Vec<(&str, u32)> = ran
        .kept
        .iter()
        .map(|run| (run.cell.as_str(), run.block))
        .collect();
    let cells = ["write", "rewrite", "mixed random"].map(|op| format!("{op} x2 256 KiB/4 KiB"));
    let made = |block| cells.iter().map(move |cell| (cell.as_str(), block));
    let runs = made(0).chain(made(1));
    assert_eq!(
        told,
        runs.collect::<Vec<_>>(),
        "in the order of their making"
    );
    let written = &ran.kept[0].measurement;
    assert_eq!(
        (written.writes.operations, written.reads.operations),
        (128, 0)
    );
    let rates = written.jobs.iter().map(|job| job.bytes.get());
    assert_eq!(rates.collect::<Vec<_>>(), [256 << 10; 2]);
    let mixed = &ran.kept[2].measurement;
    assert_eq!(mixed.reads.operations + mixed.writes.operations, 128);
    let task = ran.kept[0].workload.task().unwrap();
    let set = |name: &str| {
        let value = task.parameters.get(name);
        value.map_or_else(String::new, ToString::to_string)
    };
    assert_eq!(
        (set("workers"), set("record"), set("threads")),
        ("2".to_owned(), "4 KiB".to_owned(), "yes".to_owned())
    );
    for off in ["sync_reads", "remounted", "think"] {
        assert_eq!(set(off), "", "{off}");
    }
}
