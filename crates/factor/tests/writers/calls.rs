//! Calls that open for writing, make, cut, rename, link or remove.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

/// Names that are calls of that kind wherever they stand, by whatever path; methods are below.
const FUNCTIONS: [&str; 38] = [
    "chmod",
    "chmodat",
    "chown",
    "chownat",
    "copy_file",
    "create_dir",
    "create_dir_all",
    "fallocate",
    "fchmod",
    "fchown",
    "ftruncate",
    "hard_link",
    "lchown",
    "link",
    "linkat",
    "mkdir",
    "mkdirat",
    "mkfifo",
    "mknod",
    "mknodat",
    "mkostemp",
    "mkstemp",
    "remove_dir",
    "remove_dir_all",
    "remove_file",
    "rename",
    "renameat",
    "renameat2",
    "renameat_with",
    "rmdir",
    "set_permissions",
    "symlink",
    "symlinkat",
    "tempdir",
    "tempfile",
    "unlink",
    "unlinkat",
    "utimensat",
];

/// What is looked for besides: a name for the list, and what the code looks like.
const PATTERNS: [(&str, &str); 9] = [
    ("File::create", r"\bFile::create\("),
    ("File::create_new", r"\bFile::create_new\("),
    ("fs::write", r"\bfs::write\("),
    ("fs::copy", r"\bfs::copy\("),
    ("set_len", r"\.set_len\("),
    ("set_permissions", r"\.set_permissions\("),
    ("DirBuilder", r"\bDirBuilder::new\("),
    ("Connection::open", r"\bConnection::open\w*\("),
    (
        "OFlags",
        r"\b(?:OFlags::|OFlag::O_|libc::O_)(?:WRONLY|RDWR|CREATE|CREAT|TRUNC|TMPFILE|APPEND)\b",
    ),
];

/// Everything that is looked for, made once.
struct Looks {
    functions: Regex,
    patterns: Vec<(&'static str, Regex)>,
    options: Regex,
    writes: Regex,
}

static LOOKS: LazyLock<Looks> = LazyLock::new(|| Looks {
    functions: regex(&format!(
        r"(?:^|[^.\w])(?:\w+::)*({})\(",
        FUNCTIONS.join("|")
    )),
    patterns: PATTERNS.map(|(name, look)| (name, regex(look))).into(),
    options: regex(r"\b(?:OpenOptions::new|File::options)\(\)"),
    writes: regex(r"\.(?:write|append|create|create_new|truncate)\("),
});

/// The names of the calls in the code of a file.
pub(crate) fn calls_in(code: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for call in LOOKS.functions.captures_iter(code) {
        let before = &code[..call.get(0).map_or(0, |all| all.start() + 1)];
        if !before.trim_end().ends_with("fn") {
            found.extend(FUNCTIONS.iter().filter(|name| **name == &call[1]));
        }
    }
    let patterns = LOOKS.patterns.iter();
    found.extend(
        patterns
            .filter(|(_, look)| look.is_match(code))
            .map(|(name, _)| name),
    );
    if opens_for_writing(code) {
        found.insert("OpenOptions");
    }
    found
}

/// Options that are used up in the statement in which they begin, without a word of writing, only
/// read; what becomes of others is not known.
fn opens_for_writing(code: &str) -> bool {
    LOOKS.options.find_iter(code).any(|begin| {
        let rest = &code[begin.end()..];
        let statement = rest.split(';').next().unwrap_or(rest);
        let (options, opened) = match statement.split_once(".open(") {
            Some((options, _)) => (options, true),
            None => (statement, false),
        };
        !opened || LOOKS.writes.is_match(options)
    })
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

#[test]
fn each_kind_of_call_is_found_where_it_is_planted() {
    for (code, name) in [
        ("std::fs::write(path, text)?;", "fs::write"),
        ("fs::write(path, text)?;", "fs::write"),
        ("let file = File::create(path)?;", "File::create"),
        ("std::fs::File::create_new(path)?", "File::create_new"),
        ("fs::copy(a, b)", "fs::copy"),
        ("OpenOptions::new().write(true).open(path)", "OpenOptions"),
        (
            "File::options()\n    .append(true)\n    .open(path)",
            "OpenOptions",
        ),
        (
            "let mut options = OpenOptions::new(); options.write(w)",
            "OpenOptions",
        ),
        ("rustix::fs::open(path, OFlags::WRONLY, mode)", "OFlags"),
        (
            "openat(at, name, OFlags::CREATE | OFlags::EXCL, mode)",
            "OFlags",
        ),
        ("libc::open(path, libc::O_RDWR)", "OFlags"),
        ("nix::fcntl::OFlag::O_TRUNC", "OFlags"),
        ("file.set_len(0)?;", "set_len"),
        ("rustix::fs::ftruncate(&file, 0)", "ftruncate"),
        ("fallocate(file, mode, 0, length)", "fallocate"),
        ("fs::rename(a, b)", "rename"),
        ("renameat_with(at, a, at, b, flags)", "renameat_with"),
        (
            "use std::fs::remove_file;\nremove_file(path)",
            "remove_file",
        ),
        ("std::fs::remove_dir_all(path)", "remove_dir_all"),
        ("unlinkat(at, name, flags)", "unlinkat"),
        ("unlink(path)", "unlink"),
        ("fs::hard_link(a, b)", "hard_link"),
        ("linkat(at, a, at, b, flags)", "linkat"),
        ("std::os::unix::fs::symlink(a, b)", "symlink"),
        ("symlinkat(to, at, name)", "symlinkat"),
        ("mknodat(CWD, path, kind, mode, device)", "mknodat"),
        ("nix::unistd::mkfifo(path, mode)", "mkfifo"),
        ("fs::create_dir_all(path)", "create_dir_all"),
        ("mkdirat(at, name, mode)", "mkdirat"),
        ("DirBuilder::new().create(path)", "DirBuilder"),
        ("fs::set_permissions(path, mode)", "set_permissions"),
        (
            "Connection::open_with_flags(path, flags)",
            "Connection::open",
        ),
        ("tempfile::tempdir()", "tempdir"),
    ] {
        let found = calls_in(&format!("fn planted() {{\n    {code}\n}}"));
        assert_eq!(Vec::from_iter(found), [name], "{code}");
    }
}

#[test]
fn what_only_reads_is_none() {
    for code in [
        "File::open(path)?",
        "OpenOptions::new().read(true).custom_flags(flags).open(path); out.write(bytes)",
        "rustix::fs::open(path, OFlags::PATH | OFlags::RDONLY, mode)",
        "text.truncate(7); list.rename(x); out.write(b)?; fs::read_link(path)",
        "fn remove_file(path: &Path) {}",
        "fs::read(path)",
    ] {
        assert!(calls_in(code).is_empty(), "{code}: {:?}", calls_in(code));
    }
}
