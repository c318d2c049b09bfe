//! A `/proc` of which the kernel shows a part only.

use std::os::unix::fs::chown;
use std::process::Command;

use crate::common::{Home, Mount, NOBODY, Said, public_binary, root_for, run};

/// Runs the program as `nobody` where `/proc` hides other users' processes and all that is not of processes
/// (proc(5)): memory, swap, the settings of the kernel.
fn hidden(home: &Home, words: &[&str]) -> Said {
    let shell = "mount -t proc -o hidepid=2,subset=pid proc /proc && exec setpriv \\
        --reuid=65534 --regid=65534 --clear-groups \"$0\" \"$@\"";
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "--propagation", "private", "sh", "-c", shell])
        .arg(public_binary());
    run(home.in_home(command, words))
}

#[test]
fn what_is_hidden_keeps_nothing_from_running_and_is_named() {
    if !root_for("what_is_hidden_keeps_nothing_from_running_and_is_named") {
        return;
    }
    let (home, mount) = (Home::of_nobody(), Mount::image("ext4", 64, "rw"));
    chown(mount.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let place = mount.path().to_str().unwrap();
    let words = "--op randread --file-size 4M --time 100ms --runs 2";
    let words: Vec<&str> = ["measure", place]
        .into_iter()
        .chain(words.split(' '))
        .collect();
    // The second finds a store that stands already.
    for id in ["1", "2"] {
        let said = hidden(&home, &words);
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
        let shown = hidden(&home, &["show", id, "--environment"]);
        assert_eq!(shown.code, Some(0), "{shown:?}");
        assert!(shown.joined().contains("Memory not known"), "{shown:?}");
    }
    let listed = hidden(&home, &["list"]);
    assert!(
        listed.code == Some(0) && listed.out.contains("measure"),
        "{listed:?}"
    );
    let restored = hidden(&home, &["restore"]);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    assert_eq!(crate::common::left_in(mount.path()), [""; 0]);
}
