//! What the program keeps for itself is open to its user only, and lies where nobody else can reach.

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::Path;
use std::process::Command;

use crate::common::{Ground, Home, NOBODY, Said, open_to_all, public_binary, root_for, run};

/// A measurement that is over soon.
const MEASURE: [&str; 6] = ["measure", "--op", "write", "-s", "1m", "--one-pass"];

/// Every file and directory below `path` with its permission bits.
fn modes(path: &Path) -> Vec<(String, bool, u32)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        let about = entry.metadata().unwrap();
        let mode = about.permissions().mode() & 0o7777;
        found.push((entry.path().display().to_string(), about.is_dir(), mode));
        if about.is_dir() {
            found.extend(modes(&entry.path()));
        }
    }
    found
}

#[test]
fn whatever_the_umask_what_is_kept_is_private() {
    for mask in ["0", "022", "077"] {
        let (home, ground) = (Home::new(), Ground::new());
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("umask {mask}; exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_etalon"));
        let mut words: Vec<_> = MEASURE.map(Into::into).to_vec();
        words.push(ground.path().as_os_str().to_owned());
        let said = run(home.in_home(command, words));
        // A figure from memory may be undecided; what counts here is that it was made and kept.
        assert!(said.out.contains("Kept as experiment"), "{said:?}");
        let modes = modes(home.path());
        assert!(modes.len() > 3, "{modes:?}");
        for (path, is_directory, mode) in modes {
            assert_eq!(mode, if is_directory { 0o700 } else { 0o600 }, "{path}");
        }
    }
}

/// As `nobody`, with nothing in the environment but what is given.
fn nobody_with(words: &[&str], surroundings: &[(&str, &Path)]) -> Said {
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(public_binary())
        .args(words)
        .env_clear()
        .current_dir("/");
    for (name, value) in surroundings {
        command.env(name, value);
    }
    run(command)
}

#[test]
fn an_ordinary_user_without_a_home_is_told_what_to_set() {
    if !root_for("an_ordinary_user_without_a_home_is_told_what_to_set") {
        return;
    }
    let said = nobody_with(&["restore"], &[]);
    said.refused(1, &["no journal can be kept", "set XDG_STATE_HOME"]);
    let home = Home::of_nobody();
    for name in ["HOME", "XDG_STATE_HOME"] {
        let said = nobody_with(&["restore"], &[(name, home.path())]);
        assert_eq!(said.out, "nothing was left behind\n", "{said:?}");
    }
}

#[test]
fn a_home_of_another_user_is_not_roots() {
    if !root_for("a_home_of_another_user_is_not_roots") {
        return;
    }
    // As sudo(8) leaves it where it keeps HOME; whoever owns it has planted a link.
    let (theirs, victim) = (Home::of_nobody(), Home::new());
    open_to_all(theirs.path());
    fs::write(victim.path().join("letter.tmp"), "1").unwrap();
    let parent = theirs.path().join(".local/state/etalon");
    fs::create_dir_all(&parent).unwrap();
    for below in [".local", ".local/state", ".local/state/etalon"] {
        chown(theirs.path().join(below), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    // Made by root in an earlier run, and so root's own: its owner may move it all the same.
    fs::create_dir(parent.join("journal")).unwrap();
    fs::set_permissions(parent.join("journal"), Permissions::from_mode(0o700)).unwrap();
    fs::write(parent.join("journal/unfinished.tmp"), "{").unwrap();
    symlink(victim.path(), parent.join("planted")).unwrap();

    let script = "mount -t tmpfs -o mode=755 none /var/lib || exit 9; exec \"$0\" restore";
    let mut command = with_own_mounts(script);
    command.env("HOME", theirs.path());
    command.env_remove("XDG_STATE_HOME");
    let said = run(command);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        parent.join("journal/unfinished.tmp").exists(),
        "it was used"
    );
    assert!(!parent.join("journal/lock").exists(), "it was used");
    assert!(victim.path().join("letter.tmp").exists());
}

/// A shell with mounts of its own, which keep the test apart from every other etalon on the machine; `$0` is the program.
fn with_own_mounts(script: &str) -> Command {
    let mut command = Command::new("/usr/bin/unshare");
    command.args(["--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_etalon")]);
    command
}

#[test]
fn without_a_home_root_keeps_out_of_what_everybody_writes() {
    if !root_for("without_a_home_root_keeps_out_of_what_everybody_writes") {
        return;
    }
    let script =
        "mount -t tmpfs none /var/tmp && mount -t tmpfs -o mode=755 none /var/lib || exit 9
        \"$0\" restore; code=$?
        ls -A /var/tmp; stat -c '%a %n' /var/lib/etalon; exit $code";
    let mut command = with_own_mounts(script);
    command.env_clear();
    let said = run(command);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.ends_with("\n700 /var/lib/etalon\n"), "{said:?}");
    assert_eq!(said.out.lines().count(), 2, "{said:?}");
}

#[test]
fn a_user_namespace_of_ones_own_has_a_journal() {
    let test = "a_user_namespace_of_ones_own_has_a_journal";
    if !root_for(test) {
        return;
    }
    // What root owns outside belongs to nobody known in there.
    let inside = |program: &Path| {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .args(["unshare", "-r"])
            .arg(program);
        command
    };
    if run(inside(Path::new("true"))).code != Some(0) {
        let _ = writeln!(std::io::stderr(), "SKIPPED {test}: no user namespaces here");
        return;
    }
    let home = Home::of_nobody();
    let said = run(home.in_home(inside(public_binary()), ["restore"]));
    assert_eq!(said.out, "nothing was left behind\n", "{said:?}");
    assert!(home.path().join("state/etalon/journal/lock").exists());
}
