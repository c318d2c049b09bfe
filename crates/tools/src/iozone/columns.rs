//! How each operation is called, in columns, in reports and in a group's lines.

use etalon_file_ops::FileOp;

use super::Options;

/// The names of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OperationNames {
    /// The head of its column, in two lines.
    pub(crate) head: (&'static str, &'static str),
    /// The width of its column.
    pub(crate) width: usize,
    /// Its title in a report.
    pub(crate) report: &'static str,
    /// What a group's workers are called, with what stands around it in its lines.
    pub(crate) workers: &'static str,
    /// Its line in a group's report.
    pub(crate) summary: &'static str,
    /// In etalon's own lines.
    pub(crate) plain: &'static str,
}

const fn names(
    head: (&'static str, &'static str),
    width: usize,
    report: &'static str,
    workers: &'static str,
    summary: &'static str,
    plain: &'static str,
) -> OperationNames {
    OperationNames {
        head,
        width,
        report,
        workers,
        summary,
        plain,
    }
}

/// The names of `op`.
pub(crate) fn names_of(op: FileOp) -> OperationNames {
    use FileOp::*;
    match op {
        Write => names(
            ("", "write"),
            10,
            "Writer",
            " initial writers \t",
            "Initial write",
            "write",
        ),
        Rewrite => names(
            ("", "rewrite"),
            10,
            "Re-writer",
            " rewriters \t",
            "Rewrite",
            "rewrite",
        ),
        Read => names(("", "read"), 10, "Reader", " readers \t\t", "Read", "read"),
        Reread => names(
            ("", "reread"),
            10,
            "Re-Reader",
            "re-readers \t",
            "Re-read",
            "reread",
        ),
        RandomRead => names(
            ("random", "read"),
            10,
            "Random read",
            "random readers \t",
            "Random read",
            "random read",
        ),
        RandomWrite => names(
            ("random", "write"),
            10,
            "Random write",
            "random writers \t",
            "Random write",
            "random write",
        ),
        BackwardRead => names(
            ("bkwd", "read"),
            10,
            "Backward read",
            "reverse readers \t",
            "Reverse Read",
            "backward read",
        ),
        RecordRewrite => names(
            ("record", "rewrite"),
            11,
            "Record rewrite",
            "record rewriters \t",
            "Record rewrite",
            "record rewrite",
        ),
        StridedRead => names(
            ("stride", "read"),
            11,
            "Stride read",
            "stride readers \t",
            "Stride read",
            "strided read",
        ),
        Fwrite => names(
            ("", "fwrite"),
            10,
            "Fwrite",
            " fwriters \t",
            "Fwrite",
            "fwrite",
        ),
        Frewrite => names(
            ("", "frewrite"),
            10,
            "Re-Fwrite",
            " frewriters \t",
            "Re-Fwrite",
            "frewrite",
        ),
        Fread => names(("", "fread"), 10, "Fread", " freaders \t", "Fread", "fread"),
        Freread => names(
            ("", "freread"),
            10,
            "Re-Fread",
            " re-freaders \t",
            "Re-Fread",
            "freread",
        ),
        Mixed => names(
            ("", "mixed"),
            10,
            "Mixed workload",
            "mixed workload \t",
            "Mixed workload",
            "mixed random",
        ),
        Pwrite => names(
            ("", "pwrite"),
            10,
            "Pwrite",
            "pwrite writers \t",
            "Pwrite",
            "pwrite",
        ),
        Repwrite => names(
            ("", "repwrite"),
            10,
            "Re-Pwrite",
            "pwrite rewriters \t",
            "Re-Pwrite",
            "repwrite",
        ),
        Pread => names(
            ("", "pread"),
            10,
            "Pread",
            "pread readers \t",
            "Pread",
            "pread",
        ),
        Repread => names(
            ("", "repread"),
            10,
            "Re-Pread",
            "pread re-readers \t",
            "Re-Pread",
            "repread",
        ),
        Pwritev => names(
            ("", "pwritev"),
            10,
            "Pwritev",
            "pwritev writers \t",
            "Pwritev",
            "pwritev",
        ),
        Repwritev => names(
            ("", "repwritev"),
            10,
            "Re-Pwritev",
            "pwritev rewriters \t",
            "Re-Pwritev",
            "repwritev",
        ),
        Preadv => names(
            ("", "preadv"),
            10,
            "Preadv",
            "preadv readers \t",
            "Preadv",
            "preadv",
        ),
        Repreadv => names(
            ("", "repreadv"),
            10,
            "Re-Preadv",
            "preadv re-readers \t",
            "Re-Preadv",
            "repreadv",
        ),
    }
}

/// The columns of a table: the nine that are always there, the streams unless they cannot be
/// chosen, and each of the further families of which one was chosen.
pub(crate) fn columns_for(options: &Options) -> Vec<FileOp> {
    use FileOp::*;
    let mut columns = vec![
        Write,
        Rewrite,
        Read,
        Reread,
        RandomRead,
        RandomWrite,
        BackwardRead,
        RecordRewrite,
        StridedRead,
    ];
    if options.queue().is_none() {
        columns.extend([Fwrite, Frewrite, Fread, Freread]);
    }
    let chosen = options.operations();
    for family in [
        [Pwrite, Repwrite, Pread, Repread],
        [Pwritev, Repwritev, Preadv, Repreadv],
    ] {
        if family.iter().any(|op| chosen.contains(op)) {
            columns.extend(family);
        }
    }
    columns
}
