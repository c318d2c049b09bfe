//! A journal and a private directory that somebody has tampered with: `restore` removes what is
//! surely etalon's, and nothing else.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use etalon_testbed::wait_for;

use crate::common::{Ground, Guarded, Home, names_in, start};
use crate::dangers::none;

/// A measurement that was killed: its private directory and its entry are there.
struct Killed {
    home: Home,
    ground: Ground,
    private: PathBuf,
    entry: PathBuf,
    victim: PathBuf,
    guarded: Guarded,
}

impl Killed {
    fn new() -> Killed {
        let (home, ground) = (Home::new(), Ground::new());
        let place = ground.directory("measured");
        let words = [
            "measure",
            place.to_str().unwrap(),
            "--op",
            "randread",
            "-s",
            "1M",
            "--time",
            "60s",
        ];
        let mut child = start(home.etalon(words));
        let journal = home.path().join("state/etalon/journal");
        let entry = wait_for("a journal entry", || in_directory(&journal, ".json"));
        let private = wait_for("a private directory", || in_directory(&place, ""));
        wait_for("a file in it", || names_in(&private).pop());
        child.kill().unwrap();
        child.wait().unwrap();
        let victim = ground.directory("victim");
        fs::write(victim.join("precious"), "kept").unwrap();
        fs::write(victim.join("precious.tmp"), "kept").unwrap();
        let guarded = Guarded::new(&[], &[&victim.join("precious")], &[&victim]);
        Killed {
            home,
            ground,
            private,
            entry,
            victim,
            guarded,
        }
    }

    /// Restores, and says what was harmed.
    fn restored(&self, what: &str) -> Vec<String> {
        let said = self.home.run(["restore"]);
        let mut faults = self.guarded.changes();
        if !said.ended(&[0, 1]) {
            faults.push("no orderly end".to_owned());
        }
        faults
            .iter()
            .map(|fault| format!("{what}: {fault}: {said:?}"))
            .collect()
    }

    /// Writes the entry anew with another text in a place.
    fn rewrite(&self, from: &str, to: &str) {
        let text = fs::read_to_string(&self.entry).unwrap();
        assert!(text.contains(from), "{from:?} is not in {text}");
        fs::write(&self.entry, text.replace(from, to)).unwrap();
    }
}

fn in_directory(directory: &Path, end: &str) -> Option<PathBuf> {
    let mut names = names_in(directory).into_iter();
    let name = names.find(|name| name.to_string_lossy().ends_with(end))?;
    Some(directory.join(name))
}

/// One way to tamper.
type Forgery = (&'static str, fn(&Killed));

const FORGERIES: &[Forgery] = &[
    ("a link to a victim in its place", |killed| {
        fs::rename(&killed.private, killed.ground.path().join("away")).unwrap();
        symlink(&killed.victim, &killed.private).unwrap();
    }),
    ("a victim moved into its place", |killed| {
        fs::rename(&killed.private, killed.ground.path().join("away")).unwrap();
        symlink(&killed.victim, killed.ground.path().join("measured/link")).unwrap();
        fs::create_dir(&killed.private).unwrap();
        symlink(killed.victim.join("precious"), killed.private.join("data")).unwrap();
    }),
    ("links to a victim inside", |killed| {
        symlink(&killed.victim, killed.private.join("link")).unwrap();
        symlink(killed.victim.join("precious"), killed.private.join("link2")).unwrap();
    }),
    ("a hard link to a victim inside", |killed| {
        fs::hard_link(killed.victim.join("precious"), killed.private.join("hard")).unwrap();
    }),
    ("a parent that is a link", |killed| {
        let place = killed.ground.path().join("measured");
        let name = killed.private.file_name().unwrap();
        fs::rename(&place, killed.ground.path().join("away")).unwrap();
        symlink(&killed.victim, &place).unwrap();
        assert!(!killed.victim.join(name).exists());
    }),
    ("an entry that names another directory", |killed| {
        let place = killed.ground.path().join("measured");
        killed.rewrite(place.to_str().unwrap(), killed.victim.to_str().unwrap());
    }),
    ("an entry that climbs", |killed| {
        let place = killed.ground.path().join("measured");
        let climbing = format!("{}/../victim", place.display());
        killed.rewrite(place.to_str().unwrap(), &climbing);
    }),
    ("an entry that is a link to another file", |killed| {
        fs::remove_file(&killed.entry).unwrap();
        symlink(killed.victim.join("precious"), &killed.entry).unwrap();
    }),
    ("an entry that is a pipe", |killed| {
        fs::remove_file(&killed.entry).unwrap();
        crate::common::tool("mkfifo", &[killed.entry.to_str().unwrap()]);
    }),
    ("an entry of a gigabyte of nothing", |killed| {
        fs::File::create(&killed.entry)
            .unwrap()
            .set_len(1 << 30)
            .unwrap();
    }),
    ("an entry cut short", |killed| {
        let text = fs::read(&killed.entry).unwrap();
        fs::write(&killed.entry, &text[..text.len() / 2]).unwrap();
    }),
];

#[test]
fn a_forged_journal_harms_nobody() {
    let mut faults = Vec::new();
    for (what, forge) in FORGERIES {
        let killed = Killed::new();
        forge(&killed);
        let mut killed = killed;
        killed.guarded.look_again();
        faults.extend(killed.restored(what));
    }
    none(&faults);
}

#[test]
fn an_untouched_one_is_restored() {
    let killed = Killed::new();
    assert!(killed.restored("untouched").is_empty());
    assert!(!killed.private.exists());
    assert!(!killed.entry.exists());
}
