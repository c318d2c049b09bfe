//! Lines of fio as versions 2 and 3 print them.

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

/// Two clones of a job, as fio 3.33 prints them without `--group_reporting`, and what it says of both together.
const CLONES: &str = "c: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
...
fio-3.33
Starting 2 processes

c: (groupid=0, jobs=1): err= 0: pid=30821: Mon Nov 30 14:46:26 2026
  write: IOPS=69.7k, BW=272MiB/s (285MB/s)(274MiB/1005msec); 0 zone resets
c: (groupid=0, jobs=1): err= 0: pid=30823: Mon Nov 30 14:46:26 2026
  write: IOPS=71.1k, BW=278MiB/s (291MB/s)(278MiB/1001msec); 0 zone resets

Run status group 0 (all jobs):
  WRITE: bw=549MiB/s (575MB/s), 272MiB/s-278MiB/s (285MB/s-291MB/s), io=552MiB (578MB), run=1001-1005msec
";

#[test]
fn clones_of_a_job_are_one_run_and_their_rates_are_added_up() {
    let found = figures(&Page::read(&format!("{CLONES}{CLONES}")));
    assert_eq!(found.len(), 2);
    for one in &found {
        let mib = one.bytes_per_second.unwrap() / 1_048_576.0;
        assert!((mib - 549.0).abs() < 0.5, "{mib}");
        assert_eq!(one.operations_per_second.unwrap().round(), 140_517.0);
        assert_eq!(one.quoted, "272MiB/s + 278MiB/s");
    }
    assert!(crate::tools::unread(&Page::read(CLONES), &found[..1]).is_empty());
}

#[test]
fn what_is_printed_while_a_job_runs_is_not_added_to_what_follows() {
    let (_, status) = CLONES.split_once("processes\n").unwrap();
    assert_eq!(figures(&Page::read(&format!("{CLONES}{status}"))).len(), 2);
}

#[test]
fn results_under_a_document_of_the_same_run_are_no_run_of_their_own() {
    let (heads, results) = CLONES.split_once("\n\n").unwrap();
    let job = r#"{"jobname": "c", "groupid": 0, "write": {"io_bytes": 8192, "bw_bytes": 4096}}"#;
    let document = format!("{{\n\"fio version\": \"fio-3.33\",\n\"jobs\": [{job}]}}");
    let page = Page::read(&format!("{heads}\n{document}\n{results}{CLONES}"));
    let found = crate::tools::figures(&page);
    let rates: Vec<_> = found.iter().map(|one| one.bytes_per_second).collect();
    assert_eq!(rates.len(), 2, "{rates:?}");
    assert_eq!(rates[0], Some(4096.0));
    assert!(crate::tools::unread(&page, &found).is_empty());
}

/// A job file whose jobs differ, and the results of `JOBS`.
fn of_file(seq: &str, rand: &str) -> Vec<Figure> {
    let jobs = JOBS.replace("seq: (g=2)", "last: (g=2)");
    let jobs = jobs.replace("seq: (groupid=2", "last: (groupid=2");
    let file = format!(
        "[global]\ndirect=0 ; for all\nsize=1m\n[seq]\n{seq}\n[rand]\n{rand}\n[last]\nrw=write\nstonewall\n"
    );
    figures(&Page::read(&format!("{file}$ fio job.fio\n{jobs}")))
}

#[test]
fn each_job_of_a_file_has_its_own_options() {
    let told = |seq: &str, rand: &str| -> Vec<_> {
        let found = of_file(seq, rand).into_iter();
        found.map(|one| (one.direct, one.durable)).collect()
    };
    let (plain, direct) = ((Some(false), None), (Some(true), None));
    let synced = (Some(false), Some(true));
    assert_eq!(told("direct=1", "rw=randread"), [direct, plain, plain]);
    assert_eq!(told("#direct=1", "direct = 1"), [plain, direct, plain]);
    assert_eq!(told("; direct=1", "end_fsync=1"), [plain, synced, plain]);
    // A file behind the results of another is of others.
    let again = format!("[seq]\ndirect=1\n{JOBS}[other]\ndirect=0\n{JOBS}");
    let found = figures(&Page::read(&again));
    let of_rest: Vec<_> = found[3..].iter().map(|one| one.direct).collect();
    assert_eq!((found[0].direct, of_rest), (Some(true), vec![None; 3]));
}

#[test]
fn each_job_of_a_command_has_its_own_options() {
    let (heads, results) = CLONES.split_once("\n...").unwrap();
    let both = format!(
        "{heads}\n{}\n{results}",
        heads.replace("c: (g=0)", "d: (g=0)")
    );
    let both = both.replacen(
        "c: (groupid=0, jobs=1): err= 0: pid=30823",
        "d: (groupid=0",
        1,
    );
    for (command, direct) in [
        (
            "fio --rw=randwrite --name=c --direct=1 --name=d",
            [true, false],
        ),
        ("fio --name=c --name d --direct 1", [false, true]),
        ("fio --direct=1 --name=c --name=d --direct=0", [true, false]),
    ] {
        let found = figures(&Page::read(&format!("{command}\n{both}")));
        let told: Vec<_> = found.iter().map(|one| one.direct).collect();
        assert_eq!(told, direct.map(Some), "{command}");
    }
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
