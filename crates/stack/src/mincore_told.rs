//! Whether mincore(2) tells this process what is so of a file.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::OnceLock;

use etalon_units::Bytes;
use rustix::fs::{Access, AtFlags, CWD, MemfdFlags, accessat, ftruncate, memfd_create};
use rustix::thread::CapabilitySet;

use crate::mincore::mincore;

/// An error where it does not: who neither owns a file nor may write it is told that all of it is in memory
/// (`can_do_mincore` in mm/mincore.c), and so is everybody by a kernel that only imitates Linux.
pub(crate) fn is_told_of(file: &File, path: &Path) -> io::Result<()> {
    static LOOKS: OnceLock<bool> = OnceLock::new();
    if !LOOKS.get_or_init(|| looks(untouched())) {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "this kernel calls every page of a file resident without a look at it",
        ));
    }
    let is_own = is_of(file.metadata()?.uid(), &uid_map());
    let may_write = || accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS).is_ok();
    if is_own || may_write() {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::PermissionDenied,
        "the kernel says how much of a file is in memory only to users who may write it",
    ))
}

/// By what was said of a page that nobody touched: gVisor pretends that every page of a mapping is resident. Where that
/// could not be asked, nothing speaks against the kernel.
fn looks(untouched: io::Result<Bytes>) -> bool {
    untouched.map_or(true, |resident| resident == Bytes::ZERO)
}

/// What mincore(2) says of a file in memory that has no page yet.
fn untouched() -> io::Result<Bytes> {
    let file = memfd_create("etalon-untouched", MemfdFlags::CLOEXEC)?;
    let page = rustix::param::page_size() as u64;
    ftruncate(&file, page)?;
    mincore(file.as_raw_fd(), page)
}

/// Which users of this user namespace are which outside (user_namespaces(7)).
fn uid_map() -> String {
    fs::read_to_string("/proc/self/uid_map").unwrap_or_default()
}

/// Whether this process owns what belongs to `owner`, or may do as if it did.
fn is_of(owner: u32, uid_map: &str) -> bool {
    let own = rustix::process::geteuid().as_raw();
    let may_all = rustix::thread::capabilities(None)
        .is_ok_and(|sets| sets.effective.contains(CapabilitySet::FOWNER));
    is_known(owner, uid_map) && (owner == own || may_all)
}

/// The owner that is shown of files whose owner a user namespace does not know (`DEFAULT_OVERFLOWUID` in
/// include/linux/highuid.h), on whose files its root has no capabilities (`capable_wrt_inode_uidgid` in
/// kernel/capability.c).
const UNKNOWN_OWNER: u32 = 65534;

/// Only the first namespace, which has every user, shows nobody else by that number.
fn is_known(owner: u32, uid_map: &str) -> bool {
    let is_first = || uid_map.split_whitespace().eq(["0", "0", "4294967295"]);
    owner != UNKNOWN_OWNER || is_first()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_file_that_may_only_be_read_is_not_told_of_by_mincore() {
        if !etalon_testbed::root_for("a_file_that_may_only_be_read_is_not_told_of_by_mincore") {
            return;
        }
        let (file, path) = (crate::samples::file_of(4096), std::env::temp_dir());
        is_told_of(file.as_file(), file.path()).unwrap();
        let foreign = tempfile::NamedTempFile::new_in(path).unwrap();
        let nobody = rustix::process::Uid::from_raw(65534);
        let asked = std::thread::scope(|scope| {
            // The identity is that of one thread.
            let thread = scope.spawn(|| {
                rustix::thread::set_thread_res_uid(nobody, nobody, nobody).unwrap();
                is_told_of(foreign.as_file(), foreign.path())
            });
            thread.join().unwrap()
        });
        let refused = asked.unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn a_kernel_that_calls_untouched_pages_resident_does_not_look() {
        assert!(looks(Ok(Bytes::ZERO)));
        assert!(!looks(Ok(Bytes(4096))));
        assert!(looks(Err(io::ErrorKind::Unsupported.into())));
        assert_eq!(untouched().unwrap(), Bytes::ZERO);
    }

    #[test]
    fn an_owner_whom_the_namespace_does_not_know_is_nobodys() {
        let first = "         0          0 4294967295\n";
        let rootless = "0 1000 1\n1 100000 65536\n";
        assert!(is_known(65534, first) && is_known(12345, rootless));
        assert!(!is_known(65534, rootless));
    }

    const ASKED: &str = "ETALON_TEST_ASKED_FILE";

    /// In a user namespace, as the test below starts it.
    #[test]
    #[ignore = "it is the process of another test"]
    fn ask_of_a_strangers_file() {
        let path = std::env::var_os(ASKED).unwrap();
        let file = File::open(&path).unwrap();
        assert!(is_told_of(&file, path.as_ref()).is_err());
    }

    #[test]
    fn root_of_a_user_namespace_is_not_told_of_a_strangers_file() {
        if !etalon_testbed::root_for("root_of_a_user_namespace_is_not_told_of_a_strangers_file") {
            return;
        }
        let file = crate::samples::file_of(4096);
        std::os::unix::fs::chown(file.path(), Some(12345), Some(12345)).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        fs::set_permissions(file.path(), mode).unwrap();
        let name = "mincore_told::tests::ask_of_a_strangers_file";
        let inside = etalon_testbed::ignored_test(name);
        let mut unshare = Command::new("unshare");
        unshare.args(["--user", "--map-root-user"]);
        unshare.arg(inside.get_program()).args(inside.get_args());
        let done = unshare.env(ASKED, file.path()).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        if said.contains("unshare failed") {
            return etalon_testbed::skip(
                "root_of_a_user_namespace_is_not_told_of_a_strangers_file",
                &said,
            );
        }
        let told = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(told.contains("1 passed"), "{told}{said}");
    }
}
