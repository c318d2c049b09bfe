//! What help, README and docs show is carried out, on a small ground and shortened where an example
//! would take long; each shortening stands here.

use std::path::Path;

use crate::common::{Ground, Home, Image, Loop, SHORT, Said, in_time, run};
use crate::manners::subcommands;

/// What an example may end with: done, a figure that is invalid, an asked precision missed, slower.
const ENDS: [i32; 4] = [0, 3, 5, 7];

/// Examples that are not carried out, by how they begin, and why.
const LEFT_OUT: [(&str, &str); 18] = [
    (
        "etalon run",
        "takes a block device's scheduler; plans::presets runs them",
    ),
    (
        "etalon resume",
        "needs a plan that was killed; plans::killed does it",
    ),
    ("etalon rerun", "needs a plan; plans::again does it"),
    (
        "etalon compare --by label",
        "needs experiments with labels; experiments has it",
    ),
    (
        "etalon plan from",
        "needs a measurement by number; plans::writing does it",
    ),
    (
        "etalon passport",
        "ten runs of each workload; experiments has it",
    ),
    (
        "etalon work",
        "minutes long; tasks and the works' own tests run each",
    ),
    (
        "etalon watch",
        "without an end; the plain form is run by eighty_columns",
    ),
    (
        "etalon lab check",
        "ends with 1 where something is missing; lab has it",
    ),
    (
        "etalon lab run",
        "needs a kernel's package and minutes; lab_guests runs one",
    ),
    (
        "etalon lab powercut --filesystem",
        "needs a kernel's package; lab_powercuts cuts some",
    ),
    ("etalon lab shell", "waits for keys; lab_guests types some"),
    ("etalon lab serve", "without an end; lab_guests ends one"),
    ("etalon serve", "without an end; served ends one"),
    ("etalon help", "a topic of the parser of options"),
    (
        "etalon iozone -a",
        "minutes long; iozone's own tests run the grid",
    ),
    ("etalon hdparm", "five seconds a run; tools_kept runs it"),
    ("etalon report 7 8 -o report.html --open", "opens a browser"),
];

/// Examples are carried out by so many at once, each in a home and on a filesystem of its own: most of
/// their time they wait.
const WORKERS: usize = 6;

/// Names of an example and what stands for them.
fn stand_ins(ground: &Path, device: Option<&Path>) -> Vec<(&'static str, String)> {
    let place = ground.to_str().unwrap().to_owned();
    let mut names: Vec<(&str, String)> = [
        "/mnt/first",
        "/mnt/second",
        "/mnt/disk",
        "/mnt/usb",
        "/mnt",
        "/srv",
    ]
    .map(|name| (name, place.clone()))
    .to_vec();
    if let Some(device) = device {
        let device = device.to_str().unwrap();
        names.extend(["/dev/nvme0n1", "/dev/sda", "/dev/sdb"].map(|n| (n, device.to_owned())));
    }
    names
}

/// The lines that begin with the program's name, indented or in a block.
fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim_start_matches([' ', '$']));
    let lines = lines.filter(|line| *line == "etalon" || line.starts_with("etalon "));
    // A usage line stands for many.
    lines
        .filter(|line| !line.contains('['))
        .map(str::to_owned)
        .collect()
}

fn of_help(home: &Home) -> Vec<String> {
    let texts = subcommands(home).into_iter().map(|command| {
        let mut help = home.etalon([&command, "--help"]);
        // So that the parser of options breaks no example.
        help.env("COLUMNS", "300");
        run(help).out
    });
    texts.flat_map(|text| lines(&text)).collect()
}

/// Blocks between fences, and those that are indented by four.
fn of_documents() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = [
        "README",
        "docs/guide",
        "docs/plans",
        "docs/databases",
        "docs/web",
        "docs/lab",
        "docs/review",
    ];
    let texts = docs.map(|name| std::fs::read_to_string(root.join(format!("{name}.md"))).unwrap());
    let of = |text: &String| {
        let fenced = text.split("```").skip(1).step_by(2).flat_map(lines);
        let indented = text.lines().filter(|line| line.starts_with("    etalon"));
        fenced.chain(indented.flat_map(lines)).collect::<Vec<_>>()
    };
    texts.iter().flat_map(of).collect()
}

/// The words of an example, without what stands behind two spaces, a pipe or a redirection.
fn words(line: &str, names: &[(&str, String)]) -> Vec<String> {
    let line = line.split("  ").next().unwrap();
    let words = shlex::split(line).unwrap().into_iter().skip(1);
    let words = words.take_while(|word| !["|", ">", "&&", "<", "#"].contains(&word.as_str()));
    let stand_in = |word: String| {
        let found = names.iter().find(|(name, _)| word.contains(name));
        found.map_or(word.clone(), |(name, place)| word.replacen(name, place, 1))
    };
    words.map(stand_in).collect()
}

/// Sets an option to a value, whether the example has it or not.
fn set(words: &mut Vec<String>, option: &str, value: &str) {
    match words.iter().position(|word| word == option) {
        Some(at) => words[at + 1] = value.to_owned(),
        None => words.extend([option, value].map(str::to_owned)),
    }
}

/// The same example with less of everything.
fn shortened(mut words: Vec<String>, ground: &Path) -> Vec<String> {
    let first = words.first().cloned().unwrap_or_default();
    match first.as_str() {
        "" | "quick" => set(&mut words, "--budget", SHORT),
        _ if first.starts_with('/') => set(&mut words, "--budget", SHORT),
        "continue" if words.contains(&"--runs".to_owned()) => set(&mut words, "--runs", "1"),
        "continue" => set(&mut words, "--budget", SHORT),
        "measure" => {
            let counts_files = words.contains(&"--files".to_owned());
            match counts_files {
                true => set(&mut words, "--files", "100"),
                false => {
                    set(&mut words, "--time", "20ms");
                    if !words.iter().any(|word| word.starts_with("/dev/")) {
                        set(&mut words, "--file-size", "4M");
                    }
                }
            }
            set(&mut words, "--runs", "2");
        }
        "metadata" => {
            set(&mut words, "--files", "20");
            set(&mut words, "--runs", "2");
        }
        "together" => {
            if let Some(at) = words.iter().position(|word| word == "--time") {
                words.drain(at..at + 2);
            }
            words.splice(1..1, ["--time", "20ms", "--runs", "2"].map(str::to_owned));
            words = words
                .into_iter()
                .flat_map(
                    |word| match word.starts_with('/') && !word.starts_with("/dev/") {
                        true => vec![word, "-s".to_owned(), "4M".to_owned()],
                        false => vec![word],
                    },
                )
                .collect();
        }
        "dd" => words.iter_mut().for_each(|word| {
            if word.starts_with("count=") {
                *word = "count=2".to_owned();
            }
        }),
        "fdtree" => {
            for (option, value) in [("-d", "2"), ("-l", "1"), ("-f", "2")] {
                set(&mut words, option, value);
            }
            set(&mut words, "-o", ground.to_str().unwrap());
        }
        "iozone" => {
            set(&mut words, "-s", "1m");
            for word in &mut words {
                *word = word.replace("a/one", "one").replace("b/two", "two");
            }
            set(&mut words, "--runs", "2");
        }
        // A check that is this short has fewer runs and rows than the measurements.
        "compare" => words.iter_mut().for_each(|word| {
            let named = word.replace("3/random read", "1/randread");
            let named = named.replace("5/random read", "5/randread");
            let named = named.replace("3@", "1@");
            *word = named.trim_end_matches(" QD1").to_owned();
        }),
        "lab" if words.contains(&"--rebuild".to_owned()) => set(&mut words, "--size", "1G"),
        "completions" | "man" => words[1] = words[1].replace("/usr/local/share/man/man1", "man"),
        _ => {}
    }
    words
}

fn ends_well(said: &Said) -> bool {
    said.code.is_some_and(|code| ENDS.contains(&code))
}

fn check(home: &Home, ground: &Path) {
    let place = ground.to_str().unwrap();
    let said = home.run_in_time(&["quick", place, "--budget", SHORT, "-s", "16M"]);
    assert!(ends_well(&said), "{said:?}");
}

/// A store with experiments 1 to 9, of which 3 and 7 are checks, each on a ground of its own and both
/// made at once.
fn kept(first: (&Home, &Path), second: (&Home, &Path)) -> Vec<u8> {
    let (home, place) = (first.0, first.1.to_str().unwrap());
    let fake = "--op randread -q 1,32 --file-size 8M --backend fake --time 20ms --runs 12";
    let measure = || ["measure", place].into_iter().chain(fake.split(' '));
    let bundle = second.0.path().join("check");
    let bundle = bundle.to_str().unwrap();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            check(second.0, second.1);
            second.0.run(["export", "1", "--bundle", "-o", bundle])
        });
        let mut other = Some(other);
        for id in 1..=9 {
            let said = match id {
                3 => {
                    check(home, first.1);
                    continue;
                }
                7 => {
                    let exported = other.take().unwrap().join().unwrap();
                    assert_eq!(exported.code, Some(0), "{exported:?}");
                    home.run(["import", bundle])
                }
                _ => home.run(measure()),
            };
            assert!(ends_well(&said), "{said:?}");
        }
    });
    std::fs::read(home.store()).unwrap()
}

/// What other programs printed.
const PRINTED: [(&str, &str); 2] = [
    ("iozone.txt", "         1048576      64   250000   251000\n"),
    (
        "fio.json",
        r#"{"fio version": "fio-3.33", "jobs": [{"jobname": "a", "read": {"io_bytes": 4096, "bw_bytes": 4096, "iops": 1}}]}"#,
    ),
];

/// The files that examples name, beside a store that holds `kept`.
fn furnish(home: &Home, ground: &Path, kept: &[u8]) {
    std::fs::write(home.store(), kept).unwrap();
    let copies = [
        "old.sqlite",
        "other.sqlite",
        "results.sqlite",
        "other-machine.sqlite",
        "a.sqlite",
        "b.sqlite",
        "north.sqlite",
        "south.sqlite",
    ];
    for name in copies {
        std::fs::copy(home.store(), ground.join(name)).unwrap();
    }
    for (form, name) in [
        ("--bundle", "results.etalon"),
        ("--json", "experiment.json"),
    ] {
        let file = ground.join(name);
        let said = home.run(["export", "7", form, "-o", file.to_str().unwrap()]);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    for (name, text) in PRINTED {
        std::fs::write(ground.join(name), text).unwrap();
    }
    let page = "  read: IOPS=12.3k, BW=48.0MiB/s (50.3MB/s)(144MiB/3001msec)\n";
    for name in ["page.html", "results.txt"] {
        std::fs::write(ground.join(name), page).unwrap();
    }
    std::fs::write(ground.join("a"), vec![7; 1 << 20]).unwrap();
    for name in ["man", "charts"] {
        std::fs::create_dir_all(ground.join(name)).unwrap();
    }
}

fn is_left_out(line: &str) -> bool {
    LEFT_OUT.iter().any(|(start, _)| line.starts_with(start))
}

/// Carries an example out in a store that holds what it names; a device only where one can be made.
fn carried_out(
    (home, ground): (&Home, &Path),
    line: &str,
    words: &[String],
    kept: &[u8],
) -> Option<String> {
    let said = in_time(words, |words| {
        std::fs::write(home.store(), kept).unwrap();
        let mut command = home.etalon(words);
        command.current_dir(ground);
        run(command)
    });
    let Said { code, out, err } = &said;
    (!ends_well(&said)).then(|| format!("{line}\n    {words:?} ended with {code:?}: {err}{out}"))
}

/// Where examples are carried out, one after the other.
struct Worker {
    home: Home,
    ground: Ground,
    examples: Vec<String>,
}

impl Worker {
    fn new(kept: &[u8]) -> Worker {
        let (home, ground) = (Home::new(), Ground::new());
        furnish(&home, ground.path(), kept);
        Worker {
            home,
            ground,
            examples: Vec::new(),
        }
    }

    /// What did not end well.
    fn carry_out(&self, device: Option<&Path>, kept: &[u8]) -> Vec<String> {
        let place = self.ground.path();
        let names = stand_ins(place, device);
        let one = |line: &String| {
            let words = shortened(words(line, &names), place);
            carried_out((&self.home, place), line, &words, kept)
        };
        self.examples.iter().filter_map(one).collect()
    }
}

/// Every example once, with what it comes to.
fn all_examples(home: &Home, ground: &Path, device: Option<&Path>) -> Vec<(Vec<String>, String)> {
    let names = stand_ins(ground, device);
    let mut examples = of_help(home);
    examples.extend(of_documents());
    let examples = examples.into_iter().filter(|line| !is_left_out(line));
    let mut all: Vec<(Vec<String>, String)> = examples
        .map(|line| (shortened(words(&line, &names), ground), line))
        .collect();
    all.sort();
    all.dedup_by(|one, other| one.0 == other.0);
    let needs_disk = |word: &String| word.contains("/dev/sd") || word.contains("/dev/nv");
    all.retain(|(words, _)| !words.iter().any(needs_disk));
    all
}

#[test]
fn the_examples_of_help_readme_and_docs_are_carried_out() {
    let disk = rustix::process::geteuid()
        .is_root()
        .then(|| Loop::new(Image::new(32)));
    let device = disk.as_ref().map(|disk| disk.device.as_path());
    let [first, second] = [(); 2].map(|()| (Home::new(), Ground::new()));
    let kept = kept((&first.0, first.1.path()), (&second.0, second.1.path()));
    let all = all_examples(&first.0, first.1.path(), device);
    let mut workers: Vec<Worker> = (0..WORKERS).map(|_| Worker::new(&kept)).collect();
    for (at, (words, line)) in all.iter().enumerate() {
        // One at a time measures on the disk, and one where the kept experiments were made.
        let is_on_disk = words.iter().any(|word| word.starts_with("/dev/loop"));
        let at = match (is_on_disk, words.first().map(String::as_str)) {
            (true, _) => 0,
            (_, Some("continue")) => 1,
            _ => at % WORKERS,
        };
        workers[at].examples.push(line.clone());
    }
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let kept = &kept;
        let begin = |worker| scope.spawn(move || Worker::carry_out(worker, device, kept));
        let begun: Vec<_> = workers.iter().map(begin).collect();
        let ended = begun.into_iter().flat_map(|one| one.join().unwrap());
        ended.collect()
    });
    assert!(all.len() > 60, "{}", all.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
