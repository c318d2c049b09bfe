//! Wrong plans: what is said of each names its line, its key, its value and what is accepted.

use crate::common::{Ground, Home};

const GOOD: &str = "question = \"Which?\"\n[[workload]]\nop = \"read\"\ntime = \"1s\"\n[[factor]]\nname = \"nomerges\"\nlevels = [0, 2]\n";

/// Its workload, and all of it but the question.
const READS: &str = "op = \"read\"\ntime = \"1s\"\n";
const ALL: &str =
    "op = \"read\"\ntime = \"1s\"\n[[factor]]\nname = \"nomerges\"\nlevels = [0, 2]\n";

/// What is exchanged in the good plan, by what.
const WRONG: &[(&str, &str)] = &[
    ("question = \"Which?\"\n", ""),
    ("\"Which?\"", "7"),
    ("\"Which?\"", "\"\""),
    ("\"Which?\"", "\"Which?"),
    ("question", "Question"),
    ("question =", "question"),
    ("[[workload]]", "budget = \"soon\"\n[[workload]]"),
    ("[[workload]]", "budget = \"0s\"\n[[workload]]"),
    ("[[workload]]", "budget = 30\n[[workload]]"),
    ("[[workload]]", "precision = \"0%\"\n[[workload]]"),
    ("[[workload]]", "precision = \"fine\"\n[[workload]]"),
    ("[[workload]]", "blocks = 0\n[[workload]]"),
    ("[[workload]]", "blocks = \"8\"\n[[workload]]"),
    ("[[workload]]", "blocks = -8\n[[workload]]"),
    ("[[workload]]", "order = \"shuffled\"\n[[workload]]"),
    ("[[workload]]", "seed = -1\n[[workload]]"),
    ("[[workload]]", "seed = 1.5\n[[workload]]"),
    ("[[workload]]", "targets = \"/srv\"\n[[workload]]"),
    ("[[workload]]", "targets = [7]\n[[workload]]"),
    ("[[workload]]", "setup = \"sync\"\n[[workload]]"),
    ("[[workload]]", "precondition = 2\n[[workload]]"),
    ("[[workload]]", "[precondition]\nfills = 11\n[[workload]]"),
    ("[[workload]]", "[precondition]\nrounds = 4\n[[workload]]"),
    ("[[workload]]", "[precondition]\npurge = 1\n[[workload]]"),
    ("[[workload]]", "[precondition]\nfill = 1\n[[workload]]"),
    ("[[workload]]", "primary = \"reads\"\n[[workload]]"),
    ("[[workload]]", "question = \"Twice?\"\n[[workload]]"),
    ("[[workload]]", "[workload]"),
    ("[[workload]]\nop = \"read\"\ntime = \"1s\"\n", ""),
    ("op = \"read\"\n", ""),
    ("\"read\"", "\"raed\""),
    ("\"read\"", "\"create\""),
    ("\"1s\"", "\"1 parsec\""),
    ("\"1s\"", "1979-05-27"),
    ("time", "tiem"),
    ("time = \"1s\"", "block_size = \"4 apples\""),
    ("time = \"1s\"", "queue_depth = \"deep\""),
    ("time = \"1s\"", "queue_depth = []"),
    ("time = \"1s\"", "queue_depth = [4, 4]"),
    ("time = \"1s\"", "jobs = { many = 1 }"),
    ("time = \"1s\"", "cache = \"tepid\""),
    ("time = \"1s\"", "think_every = 4"),
    ("time = \"1s\"", "runs = 6"),
    ("time = \"1s\"", "name = 7"),
    ("time = \"1s\"", "latency_target = \"5ms\""),
    ("time = \"1s\"", "time = \"1s\"\nfsync = 1"),
    ("time = \"1s\"", "read_percent = 70"),
    ("time = \"1s\"", "batch = 4"),
    ("time = \"1s\"", "shared = true"),
    ("time = \"1s\"", "backend = \"mmap\"\ndirect = true"),
    ("time = \"1s\"", "file_size = 0"),
    ("op = \"read\"", "op = \"randwrite\"\ncache = \"warm\""),
    (
        "time = \"1s\"",
        "name = \"a\"\n[[workload]]\nname = \"a\"\nop = \"write\"",
    ),
    ("\"nomerges\"", "\"merges\""),
    ("name = \"nomerges\"\n", ""),
    ("levels = [0, 2]\n", ""),
    ("levels", "level"),
    ("[0, 2]", "[]"),
    ("[0, 2]", "0"),
    ("[0, 2]", "[0, 3]"),
    ("[0, 2]", "[0, \"none\"]"),
    ("[0, 2]", "[0, 0]"),
    ("[0, 2]", "[0, { value = 1, hard = true }]"),
    (READS, "work = \"postgres\"\n"),
    (READS, "work = \"sqlite\"\nop = \"read\"\n"),
    (READS, "work = \"sqlite\"\nsynchronus = \"off\"\n"),
    (READS, "work = \"sqlite\"\nrows = \"many\"\n"),
    (READS, "work = \"sqlite\"\nrows = [1000, 2000]\n"),
    (READS, "work = \"sqlite\"\nsteps = []\n"),
    (
        ALL,
        "work = \"sqlite\"\n[[factor]]\nname = \"fsync\"\nlevels = [\"on\"]\n",
    ),
    (
        ALL,
        "work = \"sqlite\"\n[[factor]]\nname = \"synchronous\"\nlevels = [\"full\", \"of\"]\n",
    ),
    (
        ALL,
        "work = \"sqlite\"\nmemory = \"1M\"\n[[factor]]\nname = \"memory\"\nlevels = [\"2M\"]\n",
    ),
    (
        ALL,
        "work = \"pgbench\"\n[[factor]]\nname = \"region\"\nlevels = [\"first 10%\"]\n",
    ),
    (
        ALL,
        "work = \"sysbench\"\n[[factor]]\nname = \"flush_method\"\nlevels = [\"fsync\"]\n[[workload]]\nwork = \"pgbench\"\n",
    ),
    (
        "levels = [0, 2]\n",
        "levels = [0, 2]\n[[factor]]\nname = \"nomerges\"\nlevels = [1]\n",
    ),
    (
        "levels = [0, 2]\n",
        "levels = [0, 2]\n[[combination]]\nscheduler = \"none\"\n",
    ),
    (
        "levels = [0, 2]\n",
        "levels = [0, 2]\n[[combination]]\nnomerges = 1\n",
    ),
    ("levels = [0, 2]\n", "levels = [0, 2]\n[[combination]]\n"),
    (
        "levels = [0, 2]\n",
        "levels = [0, 2]\n[[combination]]\nnomerges = 0\n[[combination]]\nnomerges = 0\n",
    ),
];

#[test]
fn what_is_wrong_with_a_plan_is_told_with_line_column_key_value_and_accepted_form() {
    let (home, ground) = (Home::new(), Ground::new());
    let mut told = String::new();
    for (good, wrong) in WRONG {
        assert!(GOOD.contains(good), "{good}");
        let plan = super::plan(&home, &GOOD.replacen(good, wrong, 1));
        let said = home.run(["run", &plan, ground.name(), "--dry-run"]);
        assert_eq!(said.code, Some(2), "{wrong}: {said:?}");
        let text = said.err.replace(&plan, "plan.toml");
        assert!(
            text.starts_with("etalon: plan.toml: line "),
            "{wrong}: {text}"
        );
        told.push_str(&text);
    }
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/command/plans/wrong.txt");
    if std::env::var_os("ETALON_WRITE_GOLDEN").is_some() {
        std::fs::write(golden, &told).unwrap();
    }
    let expected = std::fs::read_to_string(golden).unwrap();
    for (told, expected) in told.lines().zip(expected.lines()) {
        assert_eq!(told, expected);
    }
    assert_eq!(told.lines().count(), expected.lines().count());
}
