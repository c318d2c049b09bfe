//! Wrong words on the command line: one line that quotes them, exit code 2, nothing done.

use crate::common::{Ground, Home, left_in};

/// Words after `etalon`, and what the complaint must quote.
pub(crate) const WRONG: &[(&str, &str)] = &[
    ("quick T --budget 60", "'60'"),
    ("quick T --budget -5s", "'-5s'"),
    ("quick T --budget 1y", "'1y'"),
    ("quick T --precision 0%", "'0%'"),
    ("quick T --precision 5", "'5'"),
    ("quick T --precision 150%", "'150%'"),
    ("quick T --min-runs 3", "'3'"),
    ("quick T --min-runs -1", "'-1'"),
    ("quick T --min-runs 40", "--min-runs 40"),
    ("quick T --max-runs 0", "--max-runs 0"),
    ("quick T --seed x", "'x'"),
    ("quick T --nosuch", "'--nosuch'"),
    ("lab powercut --cuts 0", "'0'"),
    ("lab powercut --disk flat:ignores-flushes", "ignores-flush"),
    (
        "lab powercut --disk flat:1G:dies-at=2G",
        "is not within a disk of 1 GiB",
    ),
    (
        "lab powercut --disk flat:1G:dies-at=512M",
        "no other way than",
    ),
    (
        "lab powercut --filesystem ext4 --write sqlite --durability dsync",
        "commits by its own ways",
    ),
    ("lab powercut --durability often", "'often'"),
    ("lab powercut --mount-options barrier=0", "--filesystem"),
    ("lab powercut --kernel x", "--filesystem"),
    (
        "lab powercut --filesystem ext4 --cuts 1001",
        "--cuts 1001: give at most 1000",
    ),
    ("nosuch T", "'nosuch'"),
    ("help nosuch", "'nosuch'"),
    ("measure T", "--op"),
    ("measure T --op reed", "'reed'"),
    ("measure T --op read --runs 0", "'0'"),
    ("measure T --op read --runs many", "'many'"),
    ("measure T --rw read", "fio's --rw is --op here"),
    (
        "measure T --op read --bs 4k",
        "fio's --bs is --block-size here",
    ),
    (
        "measure T --op read --bs=4k",
        "fio's --bs is --block-size here",
    ),
    (
        "measure T --op read --iodepth 4",
        "fio's --iodepth is --queue-depth here",
    ),
    (
        "measure T --op read --numjobs 4",
        "fio's --numjobs is --jobs here",
    ),
    (
        "measure T --op read --size 1g",
        "'--size' found; fio's --size is --file-size here",
    ),
    (
        "measure T --op read --runtime 4",
        "'--runtime' found; fio's --runtime is --time here",
    ),
    (
        "measure T --op read --direct=1",
        "fio's --direct is --direct here, without a value",
    ),
    (
        "measure --filename=T --op read",
        "fio's --filename is the target here",
    ),
    ("measure T --op read --block-size 0", "block size is 0"),
    ("measure T --op read --block-size -4k", "'-4k'"),
    ("measure T --op read --block-size 4q", "'4q'"),
    (
        "measure T --op read --block-size 999999999T",
        "'999999999T'",
    ),
    (
        "measure T --op read --block-size 2G --backend null",
        "2147483648",
    ),
    (
        "measure T --op read --block-size 1000 --file-size 1M",
        "1000",
    ),
    ("measure T --op read --file-size 0", "--file-size 0"),
    ("measure T --op read --range 0", "--range 0"),
    ("measure T --op read --file-size 1M --offset 2M", "2 MiB"),
    ("measure T --op read --file-size 1M --range 2M", "2 MiB"),
    (
        "measure T --op read --file-size 4k --block-size 8k",
        "8 KiB",
    ),
    ("measure T --op strideread --stride 0", "stride is 0"),
    ("measure T --op read --queue-depth 0", "queue depth is 0"),
    ("measure T --op read --queue-depth 1000000", "1000000"),
    ("measure T --op read --queue-depth -1", "'-1'"),
    ("measure T --op read --jobs 0 --file-size 1M", "jobs is 0"),
    ("measure T --op read --jobs 100000 --file-size 4k", "100000"),
    ("measure T --op read -q 2 --batch 100000", "100000"),
    ("measure T --op create --files 0", "files is 0"),
    ("measure T --op create --files 999999999999", "999999999999"),
    ("measure T --op read --time 0s", "time is 0"),
    ("measure T --op read --time 10", "'10'"),
    ("measure T --op read --bytes 0", "bytes is 0"),
    ("measure T --op read --warm-up 20s", "20.0 s"),
    ("measure T --op read --rate 0", "'0'"),
    ("measure T --op read --rate nan", "'nan'"),
    ("measure T --op read --rate 1e300", "'1e300'"),
    ("measure T --op read --arrival poisson", "--rate"),
    ("measure T --op rw --read-percent 101", "'101'"),
    ("measure T --op read --distribution zipf:0", "'zipf:0'"),
    ("measure T --op write --fsync 0", "'0'"),
    ("measure T --op write --sync often", "'often'"),
    ("measure T --op read --backend spdk", "'spdk'"),
    ("measure T --op read --sqpoll --backend sync", "SQPOLL"),
    ("measure T --op read --direct --buffered", "--direct"),
    ("passport T --budget 3", "'3'"),
    ("passport T --budget -3m", "'-3m'"),
    ("metadata T --runs 0", "'0'"),
    ("metadata T --files -1", "'-1'"),
    ("metadata T --jobs 0", "0 jobs"),
    ("metadata T --file-size -4k", "'-4k'"),
    ("work nosuch T", "'nosuch'"),
    ("work archive T --runs 0", "'0'"),
    ("work archive T --set size=x", "'x'"),
    ("work archive T --set nosuch=1", "'nosuch'"),
    ("work", "<WORK>"),
    ("compare 1", "[ARM]"),
    ("compare x y", "'x'"),
    ("compare 1 2 --margin 2", "'2'"),
    ("compare 1 2 --margin -2%", "'-2%'"),
    ("show abc", "'abc'"),
    ("show", "<ID>"),
    ("export 1", "--csv"),
    ("export 0 --csv", "'0'"),
    ("completions tcsh", "'tcsh'"),
];

#[test]
fn wrong_words_are_quoted_in_one_line_and_nothing_is_done() {
    let (home, ground) = (Home::new(), Ground::new());
    for (words, part) in WRONG {
        let words = words.split(' ').map(|word| match word {
            "T" => ground.name(),
            word => word,
        });
        home.run(words).refused(2, &[part]);
    }
    assert_eq!(left_in(ground.path()), [""; 0]);
    // A refused measurement may have opened the store, but is no experiment.
    if home.store().exists() {
        assert_eq!(home.experiments().len(), 0);
    }
}

#[test]
fn a_budget_too_short_for_one_block_names_one_that_is_enough() {
    let (home, ground) = (Home::new(), Ground::new());
    for budget in ["0s", "1ns", "500ms"] {
        let said = home.run(["quick", ground.name(), "--budget", budget]);
        said.refused(1, &["a budget of", "is too short", "give --budget "]);
        let line = said.complaint();
        let enough = line.split("give --budget ").nth(1).unwrap();
        let enough = enough.split(' ').next().unwrap();
        assert!(enough.ends_with('s'), "{line}");
    }
    assert_eq!(home.experiments().len(), 0);
    assert_eq!(left_in(ground.path()), [""; 0]);
}

#[test]
fn what_o_direct_asks_for_names_a_path_that_the_user_knows() {
    let (home, ground) = (Home::new(), Ground::new());
    for words in [
        "measure T --op read --block-size 1000 --file-size 1M",
        "together -- T --op read --block-size 1000 --file-size 1M -- T --op read --file-size 1M",
    ] {
        let words = words.replace(" T ", &format!(" {} ", ground.name()));
        let said = home.run(words.split(' '));
        let line = said.complaint();
        assert!(!line.contains("/proc/"), "{line}");
        assert!(line.contains("1000"), "{line}");
    }
}

#[test]
fn a_word_that_is_neither_command_nor_target_is_bad_usage() {
    let home = Home::new();
    home.run(["draw"])
        .refused(2, &["unknown command 'draw'", "--help"]);
    home.run(["compre"])
        .refused(2, &["did you mean 'compare'?", "--help"]);
    home.run(["./draw"]).refused(1, &["'./draw'"]);
}

#[test]
fn a_store_may_stand_before_the_subcommand() {
    let home = Home::new();
    let store = home.path().join("other.sqlite");
    let store = store.to_str().unwrap();
    let said = home.run(["--store", store, "show", "4"]);
    said.refused(1, &["no store at", "other.sqlite"]);
}

#[test]
fn what_cannot_be_measured_is_named() {
    let home = Home::new();
    let file = home.path().join("file");
    std::fs::write(&file, b"").unwrap();
    let pipe = home.path().join("pipe");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    for command in ["quick", "measure", "stack"] {
        let with = |target: &str| {
            let op: &[&str] = if command == "measure" {
                &["--op", "read", "--time", "100ms"]
            } else {
                &[]
            };
            home.run([&[command, target], op].concat())
        };
        with("/no/such/place").refused(1, &["'/no/such/place'"]);
        with("").refused(2, &["TARGET"]);
        with("/dev/null").refused(1, &["'/dev/null'", "a character device"]);
        with(pipe.to_str().unwrap()).refused(1, &["a named pipe"]);
    }
    let quick = home.run(["quick", file.to_str().unwrap()]);
    quick.refused(1, &["file'", "etalon measure FILE --op read"]);
    // A filesystem on which nobody can make a directory is there all the same.
    let strange = home.run(["measure", "/proc", "--op", "read"]);
    strange.refused(1, &["no test files can be made in '/proc'"]);
    let empty = home.run(["measure", file.to_str().unwrap(), "--op", "read"]);
    empty.refused(1, &["is empty"]);
}
