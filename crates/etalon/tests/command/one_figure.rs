//! One figure of each cell, wherever it is told: the store's document, the list, the page, the summary, the rows of the
//! table and a comparison.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::{Home, Image, Loop, Mount, root_for};

/// Ten kinds of experiments with five cells and more among them each twice, so that they can be compared.
const KINDS: [&str; 10] = [
    "quick DIR --budget 3s",
    "measure DIR --op randread,randwrite,read,write -s 8M --time 60ms --runs 7",
    "together --alone --runs 6 -- DIR --op read -s 4M --bytes 4M -- DIR --op write -s 4M --bytes 4M",
    "metadata DIR --operations mkdir,create,stat,open,rename,unlink,rmdir --files 100 --runs 6",
    "work archive DIR --set size=200K --set level=1 --runs 6",
    "run PLAN DIR",
    "dd if=/dev/zero of=DIR/copy bs=64k count=40 conv=fsync --runs 7",
    "iozone -i 0 -i 1 -i 2 -s 4m -r 64 -f DIR/file --runs 6",
    "fdtree -d 2 -l 2 -f 3 -s 1 -o DIR --runs 7",
    "hdparm -tT --runs 2 DEVICE",
];

const PLAN: &str = r#"
question = "How much does a deeper queue give?"
expect = "More."
blocks = 6
[[workload]]
name = "reads"
op = "randread"
queue_depth = [1, 4]
file_size = "8M"
time = "60ms"
"#;

/// Digits that a page leaves out.
const ON_PAGE: f64 = 0.006;

struct KeptFigures {
    home: Home,
    seen: usize,
}

impl KeptFigures {
    fn json(&self, words: &[&str]) -> Value {
        let said = self.home.run(words);
        assert!(matches!(said.code, Some(0 | 3)), "{words:?}: {said:?}");
        said.json()
    }

    /// The figures of an experiment as its document has them: what all others are held against.
    fn figures(&self, id: &str) -> BTreeMap<String, (f64, Vec<f64>)> {
        let document = self.json(&["export", id, "--json"]);
        let cells = document["cells"].as_array().unwrap();
        let figure = |cell: &Value| {
            let headline = cell["headline"].as_str().unwrap();
            let value = cell[headline].as_f64().unwrap();
            let values = cell["values"].as_array().unwrap().iter();
            let values = values.map(|value| value.as_f64().unwrap()).collect();
            (cell["name"].as_str().unwrap().to_owned(), (value, values))
        };
        cells.iter().map(figure).collect()
    }

    fn check(&mut self, id: &str, line: &str) {
        let figures = self.figures(id);
        assert!(!figures.is_empty(), "{line}");
        self.seen += figures.len();
        let summary = self.json(&["show", id, "--json"]);
        for cell in summary["cells"].as_array().unwrap() {
            let (value, _) = &figures[cell["name"].as_str().unwrap()];
            assert_eq!(cell["median"].as_f64(), Some(*value), "{line}: show --json");
        }
        let list = self.json(&["list", "--json"]);
        let listed = list["experiments"].as_array().unwrap().iter();
        let mut listed = listed.filter(|one| one["id"].as_i64() == id.parse().ok());
        for figure in listed.next().unwrap()["figures"].as_array().unwrap() {
            let (value, _) = &figures[figure["name"].as_str().unwrap()];
            assert_eq!(figure["median"].as_f64(), Some(*value), "{line}: list");
        }
        self.check_rows(id, line, &figures);
        self.check_page(id, line, &figures);
    }

    /// Each value of a cell is that of one of its rows.
    fn check_rows(&self, id: &str, line: &str, figures: &BTreeMap<String, (f64, Vec<f64>)>) {
        let table = self.home.run(["export", id, "--csv"]).out;
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let rows: Vec<BTreeMap<String, String>> =
            reader.deserialize().map(Result::unwrap).collect();
        for (name, (_, values)) in figures {
            // A name that a spreadsheet would run has an apostrophe before it.
            let is_own =
                |row: &&BTreeMap<String, String>| row["cell"].trim_start_matches('\'') == name;
            let own = rows.iter().filter(is_own);
            let told: Vec<f64> = own.map(|row| row["figure"].parse().unwrap()).collect();
            for value in values {
                // The last digit of a number may be read another way.
                let is_told = told.iter().any(|one| (one / value - 1.0).abs() < 1e-12);
                assert!(is_told, "{line}: {name}: {value} is in no row: {told:?}");
            }
        }
    }

    /// The page gives each figure as far as its digits reach.
    fn check_page(&self, id: &str, line: &str, figures: &BTreeMap<String, (f64, Vec<f64>)>) {
        let page = self.home.run(["show", id, "--width", "200"]).out;
        let told: Vec<f64> = numbers(&page).collect();
        for (name, (value, _)) in figures {
            let is_told = told.iter().any(|one| (one / value - 1.0).abs() < ON_PAGE);
            assert!(
                is_told,
                "{line}: {name}: {value} is not on the page: {page}"
            );
        }
    }

    /// A comparison of two experiments gives both the figures that they have.
    fn check_compared(&self, ids: [&str; 2], line: &str) {
        let document = self.json(&["compare", ids[0], ids[1], "--json"]);
        let own = ids.map(|id| self.figures(id));
        for row in document["comparisons"].as_array().unwrap() {
            let name = row["name"].as_str().unwrap();
            for (arm, figures) in row["arms"].as_array().unwrap().iter().zip(&own) {
                let headline = arm["headline"].as_str().unwrap();
                let value = arm[headline]["value"].as_f64();
                assert_eq!(value, Some(figures[name].0), "{line}: compare, {name}");
            }
        }
    }
}

/// Every figure of a page in base units: a number and what follows it.
fn numbers(page: &str) -> impl Iterator<Item = f64> {
    let words: Vec<&str> = page.split_whitespace().collect();
    let factor = |unit: &str| {
        Some(match unit {
            "IOPS" | "/s" | "B/s" | "s" => 1.0,
            "k" | "k/s" => 1e3,
            "M" | "M/s" => 1e6,
            "KiB/s" => 1024.0,
            "MiB/s" => 1048576.0,
            "GiB/s" => 1073741824.0,
            "ms" => 1e-3,
            "µs" => 1e-6,
            _ => return None,
        })
    };
    let pairs: Vec<f64> = words
        .windows(2)
        .filter_map(|pair| match pair[0].strip_suffix("/s") {
            Some(number) => number.parse().ok(),
            None => Some(pair[0].parse::<f64>().ok()? * factor(pair[1])?),
        })
        .collect();
    pairs.into_iter()
}

#[test]
fn fifty_cells_of_ten_kinds_have_one_figure_wherever_it_is_told() {
    if !root_for("fifty_cells_of_ten_kinds_have_one_figure_wherever_it_is_told") {
        return;
    }
    let mount = Mount::image("ext4", 256, "rw");
    let disk = Loop::new(Image::full_in(mount.path(), 16));
    let plan = mount.path().join("plan.toml");
    std::fs::write(&plan, PLAN).unwrap();
    let mut told = KeptFigures {
        home: Home::new(),
        seen: 0,
    };
    for line in KINDS {
        let place = mount.path().to_str().unwrap();
        let word = |word: &str| match word {
            "DEVICE" => disk.device.to_str().unwrap().to_owned(),
            "PLAN" => plan.to_str().unwrap().to_owned(),
            word => word.replace("DIR", place),
        };
        let mut ids = Vec::new();
        for _ in 0..2 {
            let said = told
                .home
                .run_in_time(&line.split(' ').map(word).collect::<Vec<_>>());
            assert!(matches!(said.code, Some(0 | 3)), "{line}: {said:?}");
            ids.push(told.home.experiments().len().to_string());
            told.check(&ids[ids.len() - 1], line);
        }
        told.check_compared([&ids[0], &ids[1]], line);
    }
    assert!(told.seen >= 50, "only {} cells", told.seen);
}
