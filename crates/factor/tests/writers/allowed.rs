//! Who writes without the guard, and why that is safe.

/// Files of the private directory, which `factor::Scratch` makes for one run and holds open.
const PRIVATE: &str = "makes and removes files of the private directory, which the run alone has";
/// Real work: its trees are made by the work itself.
const OWN_TREE: &str = "works on a tree that it makes itself inside of the private directory";
/// What cargo runs for itself.
const WHILE_BUILT: &str =
    "is run by cargo while the program is built, and writes into the directory that cargo gives it";
/// The measured call itself.
const MEASURED: &str =
    "the measured call itself, on names that the run has made and holds by a directory";

/// A file below `crates`, calls in it, and the reason.
pub(crate) type Allowed = (&'static str, &'static [&'static str], &'static str);

/// Keep it short: a new line needs a reason why the guard cannot do it.
pub(crate) const ALLOWED: &[Allowed] = &[
    ("etalon/build.rs", &["fs::write"], WHILE_BUILT),
    ("language/build.rs", &["fs::write"], WHILE_BUILT),
    ("report/build.rs", &["fs::write"], WHILE_BUILT),
    (
        "web/src/nginx/mod.rs",
        &["fs::write"],
        "writes the configuration of a private nginx and its mark into the directory of that server, which lies in the private directory",
    ),
    ("web/src/site.rs", &["File::create_new"], OWN_TREE),
    (
        "stack/src/mincore_told.rs",
        &["ftruncate"],
        "gives a page to a file of memfd_create(2), which has no name and goes when it is closed",
    ),
    (
        "service/src/home.rs",
        &["chown", "create_dir", "set_permissions"],
        "makes the directory of a private server within the private directory and gives it to the user as whom that server runs",
    ),
    (
        "etalon/src/relay.rs",
        &["OpenOptions"],
        "writes to a port of virtio-serial, which the kernel lists with the name that the laboratory gave it and no option leads to",
    ),
    (
        "lab/src/guest/accelerator.rs",
        &["OpenOptions"],
        "opens /dev/kvm as QEMU does, to see whether this user may; nothing is written to it",
    ),
    (
        "lab/src/guest/boot.rs",
        &["File::create_new", "set_len"],
        PRIVATE,
    ),
    (
        "lab/src/guest/image.rs",
        &["File::create_new", "set_len"],
        PRIVATE,
    ),
    ("lab/src/guest/serving.rs", &["create_dir"], PRIVATE),
    (
        "lab/src/serve/medium.rs",
        &["fallocate", "set_len"],
        "gives a file without a name in memory, which holds a served disk, its length, and frees what was trimmed",
    ),
    (
        "lab/src/serve/socket.rs",
        &["remove_file", "set_permissions"],
        "makes a socket under a free name, and removes the name as long as it is that socket's",
    ),
    ("database/src/sqlite.rs", &["Connection::open"], PRIVATE),
    (
        "engine/src/plan/place.rs",
        &["OFlags", "OpenOptions", "remove_file"],
        "tries direct I/O on a file without a name, or on one with a name of its own that goes at once; \
         opens a target file for writing only where the plan allows it",
    ),
    (
        "engine/src/prepare/files.rs",
        &["OpenOptions", "remove_file"],
        PRIVATE,
    ),
    (
        "engine/src/prepare/mod.rs",
        &["File::create", "fallocate", "remove_file", "set_len"],
        PRIVATE,
    ),
    ("engine/src/prepare/record.rs", &["OpenOptions"], PRIVATE),
    (
        "engine/src/run/job.rs",
        &["OpenOptions"],
        "opens the files that were prepared in the private directory for the measured writes",
    ),
    (
        "experiment/src/quick/pilot.rs",
        &["create_dir_all"],
        PRIVATE,
    ),
    (
        "host/src/cache.rs",
        &["fs::write"],
        "asks the kernel to drop its caches, by the file in /proc that is there for it",
    ),
    (
        "store/src/open.rs",
        &["Connection::open"],
        "SQLite opens by a name: the one that the guard has judged, following no link",
    ),
    (
        "workload/src/copy/ends.rs",
        &["OFlags", "ftruncate"],
        "cuts an output of dd that the guard has opened, to where seek= begins; puts /dev/null in the place of standard \
         output once that is closed",
    ),
    (
        "workload/src/copy/open.rs",
        &["OFlags"],
        "names oflag=append for the guard, which opens the output",
    ),
    (
        "file-ops/src/file.rs",
        &["OpenOptions"],
        "opens iozone's files, which `file_ops::place` has taken before",
    ),
    (
        "file-ops/src/mapped/mod.rs",
        &["fallocate", "set_len"],
        "gives an open file of iozone its length before it is mapped",
    ),
    (
        "workload/src/metadata/job.rs",
        &[
            "OFlags",
            "linkat",
            "mkdirat",
            "renameat_with",
            "symlinkat",
            "unlinkat",
        ],
        MEASURED,
    ),
    ("workload/src/metadata/prepared.rs", &["mkdirat"], PRIVATE),
    (
        "workload/src/tree/walk.rs",
        &["OFlags", "mkdirat", "unlinkat"],
        MEASURED,
    ),
    (
        "work/src/archive.rs",
        &["File::create_new", "create_dir"],
        OWN_TREE,
    ),
    (
        "work/src/attributes.rs",
        &["File::create_new", "remove_file", "set_permissions"],
        "makes and removes a file of the private directory, to see which attributes are kept there",
    ),
    ("work/src/build.rs", &["create_dir"], OWN_TREE),
    (
        "work/src/delete_tree.rs",
        &["remove_dir", "remove_file"],
        OWN_TREE,
    ),
    (
        "work/src/input/write.rs",
        &[
            "OpenOptions",
            "create_dir",
            "create_dir_all",
            "set_permissions",
            "symlink",
        ],
        OWN_TREE,
    ),
    (
        "work/src/preserve.rs",
        &[
            "OpenOptions",
            "create_dir",
            "fchown",
            "hard_link",
            "lchown",
            "set_permissions",
            "symlink",
            "utimensat",
        ],
        OWN_TREE,
    ),
    ("work/src/process.rs", &["File::create"], OWN_TREE),
    (
        "work/src/program.rs",
        &["create_dir", "fs::write", "set_permissions"],
        OWN_TREE,
    ),
    ("work/src/startup.rs", &["create_dir", "fs::copy"], OWN_TREE),
];
