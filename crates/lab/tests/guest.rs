//! Guests that boot: what they see of their disks and modules, and what is said of those that do not
//! come to their end. Emulated, since some machines offer KVM and hang with it.

#![expect(
    clippy::unwrap_used,
    reason = "in a helper of a test, a failure is a failed test"
)]

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use etalon_factor::{Journal, restore};
use etalon_lab::catalogue::class;
use etalon_lab::guest::{
    Accelerator, Archive, Booted, Guest, GuestDisk, GuestError, Kernel, find_program,
};
use etalon_lab::serve::{Content, Export, ModelServer, Socket};
use etalon_testbed::skip;
use tempfile::TempDir;

const BYTES: u64 = 256 << 20;
/// Much longer than any guest here takes on any machine.
const NEVER: Duration = Duration::from_secs(1700);

/// The kernel for a test, which is skipped by name without it.
fn kernel(test: &str) -> Option<Kernel> {
    let place = std::env::var_os("ETALON_GUEST_KERNEL").map(PathBuf::from);
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let place = place.unwrap_or_else(|| build.join("guest-kernel"));
    let missing = ["qemu-system-x86_64", "busybox"].map(|name| find_program(name, &[]));
    match (Kernel::at(&place), missing) {
        (Ok(kernel), [Some(_), Some(_)]) => Some(kernel),
        _ => {
            skip(test, "needs QEMU, busybox and an unpacked kernel package");
            None
        }
    }
}

struct Room {
    place: TempDir,
    journal: Journal,
    guest: Guest,
}

fn room(kernel: Kernel, main: &str) -> Room {
    let place = TempDir::new().unwrap();
    let directory = place.path().canonicalize().unwrap().join("guest");
    std::fs::create_dir(&directory).unwrap();
    Room {
        journal: Journal::at(&place.path().join("journal")).unwrap(),
        guest: Guest {
            kernel,
            accelerator: Accelerator::Tcg,
            memory_mib: 512,
            processors: 1,
            main: main.to_owned(),
            modules: ["virtio_pci", "virtio_blk", "raid456"]
                .map(str::to_owned)
                .to_vec(),
            more_modules: Vec::new(),
            parameters: Vec::new(),
            has_port: false,
            cable: None,
            disks: Vec::new(),
            time_limit: NEVER,
            directory,
        },
        place,
    }
}

impl Room {
    /// Serves the guest's first disk.
    fn serve(&mut self, content: Content) -> ModelServer {
        let socket = Socket::bind(&self.guest.directory.join("disk-0")).unwrap();
        let export = Export {
            name: String::new(),
            bytes: BYTES,
            rotational: false,
        };
        self.guest.disks.push(GuestDisk::Served {
            socket: "disk-0".to_owned(),
            model: "ssd-sata".to_owned(),
            turns: false,
        });
        let disk = class("ssd-sata").unwrap().disk(BYTES, 1);
        ModelServer::start(socket, export, disk, content).unwrap()
    }

    fn boot(&self) -> Result<Booted, GuestError> {
        let mut archive = Archive::new();
        let busybox = std::fs::read(find_program("busybox", &[]).unwrap()).unwrap();
        archive.file("/bin/busybox", 0o755, &busybox);
        let booted = self
            .guest
            .boot(&self.journal, archive, &AtomicBool::new(false), &mut || {
                Ok(())
            });
        assert!(restore(&self.journal).is_empty(), "something was left");
        assert!(self.place.path().exists());
        booted
    }
}

#[test]
fn a_guest_reads_and_writes_a_served_model() {
    let Some(kernel) = kernel("a_guest_reads_and_writes_a_served_model") else {
        return;
    };
    let main = "exec >/dev/ttyS1
        uname -r
        cat /sys/block/vda/size
        echo precious | dd of=/dev/vda bs=512 seek=9 conv=sync,fsync
        echo 3 >/proc/sys/vm/drop_caches
        dd if=/dev/vda bs=512 skip=9 count=1 | tr -d '\\0'
        grep -c ^raid456 /proc/modules
        cat /sys/block/vda/queue/discard_granularity
        cat /sys/block/vda/queue/rotational
        cat /run/udev/data/b$(cat /sys/block/vda/dev)";
    let mut room = room(kernel.clone(), main);
    let server = room.serve(Content::new(BYTES).unwrap());
    let booted = room.boot().unwrap();
    let said: Vec<&str> = booted.said.split_whitespace().collect();
    let sectors = (BYTES / 512).to_string();
    let told = ["precious", "1", "512", "0", "E:ID_MODEL_ENC=ssd-sata"];
    let wanted = [&[kernel.release(), sectors.as_str()], &told[..]].concat();
    assert_eq!(said, wanted, "{}", booted.console);
    let facts = server.facts();
    assert!(
        facts.written_bytes >= 512 && facts.read_bytes >= 512,
        "{facts:?}"
    );
    assert_eq!(server.refused(), Vec::<String>::new());
}

#[test]
fn a_guest_goes_on_where_its_disk_has_no_room() {
    let Some(kernel) = kernel("a_guest_goes_on_where_its_disk_has_no_room") else {
        return;
    };
    let main = "exec >/dev/ttyS1
        dd if=/dev/zero of=/dev/vda bs=1M count=32 conv=fsync && echo kept
        echo goes on";
    let mut room = room(kernel, main);
    let content = Content::new(BYTES).unwrap();
    let server = room.serve(content.while_room(|| false));
    let booted = room.boot().unwrap();
    assert_eq!(booted.said.trim(), "goes on", "{}", booted.console);
    let facts = server.facts();
    assert!(facts.without_memory > 0, "{facts:?}");
}

#[test]
fn a_guest_that_hangs_is_ended_with_the_last_lines_of_its_console() {
    let Some(kernel) = kernel("a_guest_that_hangs_is_ended_with_the_last_lines_of_its_console")
    else {
        return;
    };
    let mut room = room(kernel, "echo it hangs now; sleep 100000");
    // By then it has either said so or not; the words of the error are its own.
    room.guest.time_limit = Duration::from_secs(1);
    let error = room.boot().unwrap_err();
    assert!(
        matches!(error, GuestError::TooLong { seconds: 1, .. }),
        "{error}"
    );
}
