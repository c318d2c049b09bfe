//! The sentences, command by command.

/// Sentences for the findings of one command: a code and what to do.
pub(super) type Sentences = &'static [(&'static str, &'static str)];

pub(super) const DD: Sentences = &[
    (
        "direct-left",
        "Choose a bs= that the input fills, with iflag=fullblock where it comes in pieces.",
    ),
    ("not-durable", DURABLE_COPY),
    ("dirty-left", DURABLE_COPY),
    (
        "page-cache",
        "Read with iflag=direct, drop the cache before, or copy a file of at least 20 times the memory.",
    ),
    (
        "working-set",
        "Read with iflag=direct, or copy a larger file.",
    ),
    ("device-cache", LARGER_COPY),
    ("short-stroked", LARGER_COPY),
    ("few-operations", LARGER_COPY),
    ("unsteady", LARGER_COPY),
    ("warm-up", LARGER_COPY),
    ("cpu-bound", SPEED_OF_MACHINE),
    ("depth-one", ONE_AT_A_TIME),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
const DURABLE_COPY: &str =
    "Put what makes it durable inside the clock: conv=fsync, oflag=dsync or oflag=direct.";
const LARGER_COPY: &str = "Copy more: a larger count=, or a larger file.";

pub(super) const HDPARM: Sentences = &[
    (
        "page-cache",
        "Read with --direct, or leave -T out, which reads memory on purpose.",
    ),
    ("working-set", "Read with --direct."),
    ("device-cache", ELSEWHERE),
    ("short-stroked", ELSEWHERE),
    ("few-operations", MORE_RUNS),
    ("unsteady", MORE_RUNS),
    ("warm-up", MORE_RUNS),
    ("cpu-bound", SPEED_OF_MACHINE),
    ("depth-one", ONE_AT_A_TIME),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
const ELSEWHERE: &str =
    "Read other places of the device (--offset), or all of it with `etalon quick DEVICE`.";

pub(super) const IOZONE: Sentences = &[
    ("not-durable", DURABLE_RECORDS),
    ("dirty-left", DURABLE_RECORDS),
    (
        "page-cache",
        "Read with -I (O_DIRECT), remount with -U, or use a file of at least 20 times the memory.",
    ),
    (
        "working-set",
        "Read with -I (O_DIRECT), or use a larger file (-s).",
    ),
    ("device-cache", LARGER_FILE),
    ("short-stroked", LARGER_FILE),
    (
        "few-operations",
        "Use a larger file (-s) or smaller records (-r).",
    ),
    ("unsteady", LARGER_FILE),
    ("warm-up", LARGER_FILE),
    (
        "cpu-bound",
        "Use more processes (-t), or read it as the speed of this machine.",
    ),
    (
        "depth-one",
        "Use more processes (-t) or POSIX async I/O (-k).",
    ),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
const DURABLE_RECORDS: &str = "Add -e (fsync inside the clock), -o (O_SYNC) or -I (O_DIRECT).";
const LARGER_FILE: &str = "Use a larger file (-s).";

pub(super) const FDTREE: Sentences = &[
    ("not-durable", DURABLE_PHASE),
    ("dirty-left", DURABLE_PHASE),
    ("device-cache", LARGER_TREE),
    ("short-stroked", LARGER_TREE),
    ("few-operations", LARGER_TREE),
    ("unsteady", LARGER_TREE),
    ("warm-up", LARGER_TREE),
    ("working-set", LARGER_TREE),
    ("cpu-bound", SPEED_OF_MACHINE),
    ("depth-one", ONE_AT_A_TIME),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
const DURABLE_PHASE: &str = "Add --sync, which ends each phase with syncfs inside its clock.";
const LARGER_TREE: &str = "Make a larger tree: more files (-f), directories (-d) or levels (-l).";

pub(super) const METADATA: Sentences = &[
    ("not-durable", DURABLE_NAMES),
    ("dirty-left", DURABLE_NAMES),
    ("device-cache", MORE_FILES),
    ("short-stroked", MORE_FILES),
    ("few-operations", MORE_FILES),
    ("unsteady", MORE_FILES),
    ("warm-up", MORE_FILES),
    ("working-set", MORE_FILES),
    ("depth-one", "Use more jobs (`etalon metadata --jobs`)."),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
const DURABLE_NAMES: &str =
    "Put what makes it durable inside the clock: `etalon metadata --durability phase`.";
const MORE_FILES: &str = "Work on more files (`etalon metadata --files`).";

/// Real work, databases and web pages, whose parameters are set by `--set`.
pub(super) const WORK: Sentences = &[
    ("not-durable", ASKS_NO_MORE),
    ("dirty-left", ASKS_NO_MORE),
    ("device-cache", MORE_WORK),
    ("short-stroked", MORE_WORK),
    ("few-operations", MORE_WORK),
    ("unsteady", MORE_WORK),
    ("warm-up", MORE_WORK),
    ("working-set", MORE_WORK),
    (
        "cpu-bound",
        "Read it as the speed of this machine with such work.",
    ),
    (
        "depth-one",
        "Report it with the result: this work does one thing at a time.",
    ),
    ("cache-state", STATE_OF_CACHE),
    ("earlier-writes", PAUSE),
];
/// Pages that a server sent, or did not.
pub(super) const WEB: Sentences = &[(
    "run-failed",
    "See whether the address is right and what the server says in its log, or ask for less at once (--set clients).",
)];
const ASKS_NO_MORE: &str = "Report it with the result: this work asks for no more.";
const MORE_WORK: &str = "Give it more to do (--set; `etalon work list` shows the parameters), or repeat it more often (--runs).";

const MORE_RUNS: &str = "Repeat it more often (--runs).";
const SPEED_OF_MACHINE: &str = "Read it as the speed of this machine.";
const ONE_AT_A_TIME: &str =
    "This command does one thing at a time; `etalon measure --queue-depth` keeps more in flight.";
const STATE_OF_CACHE: &str = "Run as root, so that the cache can be emptied.";
const PAUSE: &str = "Wait a minute, and repeat it.";
