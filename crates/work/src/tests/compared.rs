//! Copies and backups of a tree of the user's that are compared with it.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;

use super::*;

/// A tree with a socket, a pipe and a root that not everybody may enter.
fn tree() -> tempfile::TempDir {
    let mine = place();
    fs::write(mine.path().join("one"), "one").unwrap();
    let _socket = UnixListener::bind(mine.path().join("socket")).unwrap();
    let pipe = mine.path().join("pipe");
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, pipe, kind, rustix::fs::Mode::RWXU, 0).unwrap();
    fs::set_permissions(mine.path(), fs::Permissions::from_mode(0o710)).unwrap();
    mine
}

#[test]
fn what_no_copy_has_is_not_missed_in_it() {
    let mine = tree();
    let input = mine.path().display().to_string();
    for (work, name, value) in [
        ("copy-tree", "preserve", "all"),
        ("backup", "program", "internal"),
        ("backup", "program", "system"),
    ] {
        let given = [("input", &*input), ("verify", "yes"), (name, value)];
        assert_eq!(done(work, &given).input.unwrap().files, 1, "{work}");
    }
}

/// Writes to a file of the input when a step has ended.
struct Writing<'a>(&'a Path);

impl PartWitness for Writing<'_> {
    fn begins(&self, _part: &str) {}

    fn ended(&self, _part: &str) {
        fs::write(self.0, "another").unwrap();
    }
}

#[test]
fn an_input_that_lives_is_no_wrong_data() {
    let (mine, place) = (tree(), place());
    let file = mine.path().join("one");
    let given = typed(&[("input", &mine.path().display().to_string())]);
    let witness = Writing(&file);
    let context = context(place.path(), &given, &GO, &witness);
    let record = find("copy-tree").unwrap().run(&context).unwrap();
    let WorkEnd::Failed { message } = &record.ended else {
        panic!("{:?}", record.ended)
    };
    let expected = format!("'{}' changed while it was copied", file.display());
    assert!(message.starts_with(&expected), "{message}");
}

#[test]
fn a_single_file_is_no_tree_to_back_up() {
    let (mine, place) = (tree(), place());
    let file = mine.path().join("one").display().to_string();
    let error = run_on(place.path(), "backup", &[("input", &file)], &GO).unwrap_err();
    let expected = format!("parameter input: '{file}' is not a directory");
    assert_eq!(error.to_string(), expected);
    assert_eq!(names(&done("copy-tree", &[("input", &file)])), ["copy"]);
}
