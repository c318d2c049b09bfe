//! Programs that read iozone's output: their expressions, as their sources have them, over ours.

use regex::Regex;

use super::run;

/// What autotest's `iozone.py` takes from a table: lines of exactly fifteen numbers.
fn fifteen_numbers(text: &str) -> Vec<Vec<u64>> {
    text.lines()
        .filter_map(|line| {
            line.split_whitespace()
                .map(|word| word.parse().ok())
                .collect()
        })
        .filter(|numbers: &Vec<u64>| numbers.len() == 15)
        .collect()
}

#[test]
fn a_table_is_read_by_counting_numbers() {
    let directory = tempfile::tempdir().unwrap();
    let ran = run("-a -n 64 -g 128 -f DIR/t --runs 1", directory.path());
    let rows = fifteen_numbers(&ran.out);
    assert_eq!(rows.len(), 5 + 6, "{}", ran.out);
    assert_eq!((rows[0][0], rows[0][1]), (64, 4));
    assert!(
        rows.iter()
            .all(|row| row[2..].iter().all(|&figure| figure > 0))
    );
}

/// iozone2csv: the head is found by counting words, rows are lines with more than six numbers
/// between blanks, and the header's last lines are searched for settings.
#[test]
fn a_table_is_read_by_iozone2csv() {
    let directory = tempfile::tempdir().unwrap();
    let ran = run("-s 256 -f DIR/t --runs 1", directory.path());
    let lines: Vec<&str> = ran.out.split('\n').collect();
    let is_head = |line: &&str| {
        let line = line.to_lowercase();
        line.matches("random").count() == 2
            && ["bkwd", "record", "stride"]
                .iter()
                .all(|word| line.contains(word))
    };
    let head = lines.iter().position(is_head).unwrap();
    let version = lines[..4]
        .iter()
        .find(|line| line.to_lowercase().contains("version"))
        .unwrap();
    assert!(Regex::new(r"\d\.\d+").unwrap().is_match(version));
    let last_ten = &lines[head - 10..head];
    let word = |part: &str, from_end: usize| {
        let line = last_ten
            .iter()
            .find(|line| line.to_lowercase().contains(part))
            .unwrap();
        line.split_whitespace().rev().nth(from_end).unwrap()
    };
    assert_eq!(word("output is in", 0), "kBytes/sec");
    assert_eq!(word("time resolution =", 0), "seconds.");
    assert_eq!(word("processor cache size set to ", 1), "1024");
    assert_eq!(word("processor cache line size set to ", 1), "32");
    assert_eq!(word("file stride size", 3), "17");
    let digits = Regex::new(" [0-9]+ ").unwrap();
    let rows: Vec<_> = lines[head + 1..]
        .iter()
        .filter(|line| digits.find_iter(line).count() > 6)
        .collect();
    assert_eq!(rows.len(), 1, "{}", ran.out);
    assert_eq!(rows[0].split_whitespace().count(), 15);
}

/// The template of the Phoronix Test Suite's profile: the line after the one with `reclen`, the
/// third word for writing, the fifth for reading.
#[test]
fn a_table_is_read_by_the_phoronix_template() {
    let directory = tempfile::tempdir().unwrap();
    let ran = run("-s 1m -r 4k -i 0 -i 1 -f DIR/t --runs 1", directory.path());
    let mut lines = ran.out.lines().skip_while(|line| !line.contains("reclen"));
    let row: Vec<&str> = lines.nth(1).unwrap().split_whitespace().collect();
    assert_eq!((row[0], row[1], row.len()), ("1024", "4", 6));
    assert!(row[2].parse::<u64>().unwrap() > 0 && row[4].parse::<u64>().unwrap() > 0);
}

/// The test definitions of Linux's kernel functional testing: everything between the head and the
/// closing line is a row.
#[test]
fn nothing_but_rows_stands_between_head_and_end() {
    let directory = tempfile::tempdir().unwrap();
    let ran = run("-a -n 64 -g 64 -i 0 -f DIR/t --runs 1", directory.path());
    let lines = ran
        .out
        .lines()
        .skip_while(|line| !line.contains("kB  reclen"))
        .skip(1);
    let rows: Vec<_> = lines
        .take_while(|line| *line != "iozone test complete.")
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(rows.len(), 5, "{}", ran.out);
    assert!(rows.iter().all(|row| {
        row.split_whitespace()
            .all(|word| word.parse::<u64>().is_ok())
    }));
}

/// autotest's expressions for groups, its `KB` in the spelling of iozone 3.4 and later.
#[test]
fn a_group_is_read_by_autotest() {
    let directory = tempfile::tempdir().unwrap();
    let ran = run(
        "-T -t 2 -s 256 -i 0 -i 1 -F DIR/a DIR/b --runs 1",
        directory.path(),
    );
    let seen = |who: &str| {
        let pattern = format!(r"{who} for[\s]+([\d]+)\s+([-\w]+[-\w\s]*)\=[\s]+([\d\.]*) kB/sec");
        let regex = Regex::new(&pattern).unwrap();
        ran.out
            .lines()
            .filter_map(|line| regex.captures(line.trim()))
            .map(|found| {
                assert_eq!(&found[1], "2");
                assert!(found[3].parse::<f64>().unwrap() > 0.0);
                found[2].trim().to_owned()
            })
            .collect::<Vec<_>>()
    };
    let names = ["initial writers", "rewriters", "readers", "re-readers"];
    assert_eq!(seen("Children see throughput"), names);
    assert_eq!(seen("Parent sees throughput"), names);
    let per_thread = ran
        .out
        .lines()
        .filter(|line| line.trim().get(3..26) == Some(" throughput per thread "));
    assert_eq!(per_thread.count(), 12);
    assert_eq!(ran.out.matches("\tMin xfer ").count(), 4);
}
