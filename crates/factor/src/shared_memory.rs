//! The shared memory that a killed server leaves: PostgreSQL does (proc_sysvipc(5)).

use std::fs;
use std::process::{Command, Stdio};

use crate::{Liveness, ProcessStamp};

/// By what a segment is known. Its maker's number alone may be another program's: numbers are given anew after a while, and
/// begin anew with each boot.
struct Maker {
    pid: u32,
    uid: u32,
    started_s: u64,
}

impl Maker {
    /// `None` where a segment that bears the number need not be the process's: it lives, has ended in another boot or
    /// container, or its number is another process's by now.
    fn of(process: &ProcessStamp, uid: u32) -> Option<Maker> {
        let has_ended = process.is_of_this_boot() && process.liveness() == Liveness::Dead;
        let is_free = ProcessStamp::of(process.pid).is_err();
        Some(Maker {
            pid: process.pid,
            uid,
            started_s: process.started_s().filter(|_| has_ended && is_free)?,
        })
    }
}

/// Removes the segments that an ended process of the user `uid` made and nobody uses any more.
pub(crate) fn remove_shared_memory(process: &ProcessStamp, uid: u32) {
    let Some(maker) = Maker::of(process, uid) else {
        return;
    };
    let table = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
    for segment in unused_of(&table, &maker) {
        let mut remove = Command::new("ipcrm");
        remove.args(["-m", &segment]).stdin(Stdio::null());
        let _ = remove.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

fn unused_of(table: &str, maker: &Maker) -> Vec<String> {
    let mut lines = table.lines();
    let titles: Vec<&str> = lines
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let segments = lines.filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |name: &str| -> Option<u64> {
            let at = titles.iter().position(|title| *title == name)?;
            words.get(at)?.parse().ok()
        };
        let is_makers = number("cpid")? == u64::from(maker.pid)
            && number("uid")? == u64::from(maker.uid)
            && number("ctime")? >= maker.started_s;
        let is_left = is_makers && number("nattch")? == 0;
        Some(number("shmid")?.to_string()).filter(|_| is_left)
    });
    segments.collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::os::unix::fs::chown;
    use std::sync::atomic::AtomicBool;

    use rustix::process::Signal;
    use tempfile::TempDir;

    use super::*;
    use crate::server_end::end_left;
    use crate::{Journal, Server, ServerOrder};

    #[test]
    fn segments_that_nobody_uses_are_found_by_their_maker() {
        let table = "       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  cgid      atime      dtime      ctime                   rss                  swap\n\
                     1         32768   600                    56  4711  4712      0 65534 65534 65534 65534 0 0 0 4096 0\n\
                     2         32769   600                    56  4711  4712      2 65534 65534 65534 65534 0 0 0 4096 0\n\
                     3         32770   600                    56  4712  4712      0 65534 65534 65534 65534 0 0 0 4096 0\n";
        let maker = |pid| Maker {
            pid,
            uid: 65534,
            started_s: 0,
        };
        assert_eq!(unused_of(table, &maker(4711)), ["32768"]);
        assert!(unused_of(table, &maker(1)).is_empty() && unused_of("", &maker(4711)).is_empty());
    }

    #[test]
    fn segments_of_another_user_or_from_before_the_process_are_not_its_own() {
        let table = "key shmid perms size cpid lpid nattch uid gid cuid cgid atime dtime ctime rss swap\n\
                     1 5 600 56 4711 4712 0 65534 65534 65534 65534 0 0 1700000000 4096 0\n\
                     2 6 600 56 4711 4712 0 1000 1000 1000 1000 0 0 1700000000 4096 0\n\
                     3 7 600 56 4711 4712 0 65534 65534 65534 65534 0 0 1699999999 4096 0\n";
        let maker = |uid, started_s| Maker {
            pid: 4711,
            uid,
            started_s,
        };
        assert_eq!(unused_of(table, &maker(65534, 1_700_000_000)), ["5"]);
        assert_eq!(unused_of(table, &maker(1000, 1_700_000_000)), ["6"]);
        assert!(unused_of(table, &maker(65534, 1_700_000_001)).is_empty());
        let without = table.replace("ctime", "time");
        assert!(unused_of(&without, &maker(65534, 0)).is_empty());
    }

    fn has_segment(pid: u32) -> bool {
        let table = fs::read_to_string("/proc/sysvipc/shm").unwrap();
        let pid = pid.to_string();
        let mut lines = table.lines().skip(1);
        lines.any(|line| line.split_whitespace().nth(4) == Some(&pid))
    }

    /// A process that has made a segment and ended.
    fn ended_maker() -> ProcessStamp {
        let mut made = Command::new("/bin/sh")
            .args(["-c", "read word && exec ipcmk -M 4096 >/dev/null"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let stamp = ProcessStamp::of(made.id()).unwrap();
        made.stdin.take().unwrap().write_all(b"go\n").unwrap();
        assert!(made.wait().unwrap().success());
        assert!(has_segment(stamp.pid));
        stamp
    }

    #[test]
    fn what_a_restore_does_not_know_for_the_servers_own_stays() {
        let place = TempDir::new().unwrap();
        let maker = ended_maker();
        let rebooted = ProcessStamp {
            boot: "another".to_owned(),
            ..maker.clone()
        };
        let later = ProcessStamp {
            start_ticks: maker.start_ticks + 100_000,
            ..maker.clone()
        };
        for other in [&rebooted, &later] {
            end_left(place.path(), Some(other));
            assert!(has_segment(maker.pid), "{other}");
        }
        end_left(&place.path().join("gone"), Some(&maker));
        assert!(has_segment(maker.pid));
        if rustix::process::geteuid().is_root() {
            chown(place.path(), Some(65534), None).unwrap();
            end_left(place.path(), Some(&maker));
            assert!(has_segment(maker.pid));
            chown(place.path(), Some(0), None).unwrap();
        }
        end_left(place.path(), Some(&maker));
        assert!(!has_segment(maker.pid));
    }

    #[test]
    fn what_a_server_leaves_goes_with_it() {
        let (place, notes) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let journal = Journal::at(&notes.path().join("journal")).unwrap();
        let order = ServerOrder {
            words: ["ipcmk", "-M", "4096"].map(Into::into).to_vec(),
            directory: fs::canonicalize(place.path()).unwrap(),
            log: notes.path().join("log"),
            user: None,
        };
        let mut server = Server::start(&journal, &order).unwrap();
        let pid = server.pid();
        server.wait(&AtomicBool::new(false)).unwrap().unwrap();
        assert!(has_segment(pid));
        server.end(Signal::QUIT).unwrap();
        assert!(!has_segment(pid));
    }
}
