//! What can be wrong with a command line, and what can fail outside the measured work.

use std::path::PathBuf;

use etalon_file_ops::FileOpError;

/// Why a command line of iozone is not carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IozoneUsage {
    /// No such option.
    #[error("there is no option {given}{}", near_text(near))]
    Unknown {
        /// As it was typed.
        given: String,
        /// Options that look like it.
        near: Vec<String>,
    },
    /// An option of iozone that is not offered.
    #[error("{option} is not offered: {reason}")]
    NotOffered {
        /// The option.
        option: String,
        /// Why, and what to use instead.
        reason: &'static str,
    },
    /// An option without its value.
    #[error("{option} needs {what}")]
    NoValue {
        /// The option.
        option: String,
        /// What is to follow it.
        what: &'static str,
    },
    /// A value that makes no sense.
    #[error("'{value}' is not what {option} takes: {expected}")]
    BadValue {
        /// The option.
        option: String,
        /// What was typed.
        value: String,
        /// The accepted form.
        expected: &'static str,
    },
    /// Text that belongs to no option.
    #[error("'{text}' belongs to no option; file names follow -f or -F")]
    Stray {
        /// The text.
        text: String,
    },
    /// Two options that exclude each other, or one that needs another.
    #[error("{0}")]
    Conflict(Conflict),
}

/// Which options do not go together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// Microseconds are a matter of one file.
    #[error(
        "-N counts microseconds per operation of one file and does not go with -t, -l and -u; use -O"
    )]
    MicrosTogether,
    /// Mixed work needs several workers.
    #[error("-i 8 mixes readers and writers, each a worker of its own; add -t 2 or more")]
    MixedAlone,
    /// A smallest size above the largest.
    #[error(
        "the smallest {what} ({least}) is above the largest ({most}); lower {lower} or raise {raise}"
    )]
    EmptyRange {
        /// File or record.
        what: &'static str,
        /// The lower end.
        least: etalon_units::Bytes,
        /// The upper end.
        most: etalon_units::Bytes,
        /// The option of the lower end.
        lower: &'static str,
        /// The option of the upper end.
        raise: &'static str,
    },
    /// Nothing but small records, and nothing but large files.
    #[error(
        "-a leaves records below {record} out of files of {size} and more, and there are no others here; add -z, which keeps them, or raise -q"
    )]
    NoLargeRecord {
        /// From this file size on.
        size: etalon_units::Bytes,
        /// Below this record size.
        record: etalon_units::Bytes,
    },
    /// Not one name for each worker.
    #[error("-F names {names} files for up to {workers} workers; name one for each")]
    Names {
        /// How many were named.
        names: usize,
        /// How many workers there will be.
        workers: usize,
    },
    /// Several names and no group.
    #[error(
        "-F names the files of a group, and without -t one file is measured; add -t {names}, or leave {others} out"
    )]
    NamesAlone {
        /// How many were named.
        names: usize,
        /// All but the first.
        others: String,
    },
    /// Record sizes one by one, and an end of a range of them.
    #[error(
        "{}, and {option} {size} a range of sizes; leave one of them out",
        sizes_text(records)
    )]
    RecordAndRange {
        /// `-r`.
        records: Vec<etalon_units::Bytes>,
        /// `-y` or `-q`.
        option: &'static str,
        /// What it says.
        size: etalon_units::Bytes,
    },
    /// `-l` above `-u`.
    #[error("-l {least} is above -u {most}; swap them")]
    Workers {
        /// `-l`.
        least: usize,
        /// `-u`.
        most: usize,
    },
    /// Numbers of workers one by one, and an end of a range of them.
    #[error(
        "-t names the numbers of workers, and {option} an end of a range; leave one of them out"
    )]
    WorkersAndRange {
        /// `-l` or `-u`.
        option: &'static str,
    },
    /// `-D`, `-G` or `-Z` without `-B`.
    #[error("{option} is a matter of mapped files; add -B")]
    NotMapped {
        /// The option.
        option: &'static str,
    },
    /// `-B` and `-I`.
    #[error("-B reaches files through the page cache, which -I bypasses; leave one of them out")]
    MappedDirect,
    /// `-H` and `-k`.
    #[error("-H copies each record and -k does not; leave one of them out")]
    TwoQueues,
    /// A queue and mapped files.
    #[error("-B reaches files as memory, where nothing can be under way; leave -B or {option} out")]
    MappedQueue {
        /// `-H` or `-k`.
        option: &'static str,
    },
    /// A queue and what goes record by record.
    #[error(
        "{what} go record by record, and {option} keeps several under way; leave one of them out"
    )]
    NotQueued {
        /// `-H` or `-k`.
        option: &'static str,
        /// What was chosen beside it.
        what: &'static str,
    },
    /// Pauses that a queue does not wait for.
    #[error(
        "{what} is taken from the time of a test, and with {option} the I/O goes on meanwhile; add -+J, which leaves it in, or leave {option} out"
    )]
    ThinkQueued {
        /// `-H` or `-k`.
        option: &'static str,
        /// What was chosen beside it.
        what: &'static str,
    },
    /// Two ways to fill a file.
    #[error("{one} and {other} each say what the records hold; leave one of them out")]
    TwoFills {
        /// An option.
        one: &'static str,
        /// Another.
        other: &'static str,
    },
    /// Comparing what a list may have left unwritten.
    #[error(
        "{fill} compares every byte that is read, and the list of -X may leave some unwritten; leave one of them out"
    )]
    ListCompared {
        /// `-V` or `-+d`.
        fill: &'static str,
    },
    /// `-+y`, `-+C` or `-+S` without `-+w`.
    #[error("{option} is a matter of data that repeat; add -+w")]
    NoSharedData {
        /// The option.
        option: &'static str,
    },
    /// `-+T` without a group.
    #[error("-+T logs the workers of a group; add -t")]
    StampsAlone,
    /// `-+B` without the mixed test.
    #[error(
        "-+B makes the mixed test sequential, which is not among the chosen; add -i 8 and -t 2"
    )]
    NothingMixed,
    /// A list and what it says itself.
    #[error("the list of {option} says where and how much; leave {what} out")]
    Listed {
        /// `-X` or `-Y`.
        option: &'static str,
        /// What was chosen beside it.
        what: &'static str,
    },
    /// Nothing left to do.
    #[error("-+n leaves nothing of the chosen tests to do; choose another -i")]
    NothingToDo,
}

fn sizes_text(records: &[etalon_units::Bytes]) -> String {
    let named: Vec<String> = records
        .iter()
        .map(|record| format!("-r {record}"))
        .collect();
    match named.as_slice() {
        [one] => format!("{one} gives the records one size"),
        several => format!("{} give the records their sizes", several.join(" and ")),
    }
}

fn near_text(near: &[String]) -> String {
    if near.is_empty() {
        return "; etalon iozone -h lists them all".to_owned();
    }
    format!(
        "; near it are {} (etalon iozone -h lists them all)",
        near.join(", ")
    )
}

/// What is wrong with a list of accesses.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// It is longer than a list may be.
    #[error("is longer than {most}; split it")]
    TooLong {
        /// The most.
        most: etalon_units::Bytes,
    },
    /// A line that is no access.
    #[error("line {number}, '{line}': expected {expected}")]
    BadLine {
        /// Its number, from 1.
        number: usize,
        /// Its beginning.
        line: String,
        /// The accepted form.
        expected: &'static str,
    },
    /// No access in it.
    #[error("has no access; a line is offset, size (bytes) and delay (milliseconds)")]
    Empty,
    /// Something that `O_DIRECT` does not move.
    #[error(
        "has {length} bytes at {offset}, and -I moves blocks of 512; leave -I out or change the line"
    )]
    Unaligned {
        /// Where.
        offset: u64,
        /// How much.
        length: u64,
    },
    /// Reads beyond what the other list writes.
    #[error("reads up to {read}, and the list of -X writes {written}; read less, or write more")]
    BeyondWritten {
        /// The end of what is read.
        read: etalon_units::Bytes,
        /// The end of what is written.
        written: etalon_units::Bytes,
    },
}

/// What ends the program beside a bad command line.
#[derive(Debug, thiserror::Error)]
pub enum IozoneError {
    /// The work could not begin.
    #[error(transparent)]
    Work(#[from] FileOpError),
    /// The passes could not be made.
    #[error(transparent)]
    Passes(#[from] etalon_experiment::ExperimentError),
    /// A list of accesses makes no sense.
    #[error("the list {} {source}", path.display())]
    List {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: ListError,
    },
    /// The output could not be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] std::io::Error),
    /// A file beside the output must not be written.
    #[error(transparent)]
    Refused(#[from] etalon_factor::guard::Refusal),
    /// A file beside the output could not be written.
    #[error("cannot write {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The kernel's answer.
        source: std::io::Error,
    },
    /// The workbook could not be written.
    #[error("cannot write the workbook {}: {source}", path.display())]
    Workbook {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: rust_xlsxwriter::XlsxError,
    },
}
