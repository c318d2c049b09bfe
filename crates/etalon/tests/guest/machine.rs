//! A virtual machine that boots a kernel and a few programs from memory, and says how it went: a guest of
//! the laboratory.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use etalon_factor::Journal;
use etalon_lab::guest::{
    Accelerator, Archive, Guest as Room, GuestDisk, GuestError, Kernel, Libraries, find_program,
};

/// What runs in a machine of its own.
pub(crate) struct Guest<'a> {
    /// Its cases, in the words of `begin.sh`, one file after the other.
    pub(crate) scripts: &'a [&'a str],
    /// The sizes of its disks, in MiB.
    pub(crate) disks_mib: &'a [u64],
    /// Programs that it takes from here besides those of all guests.
    pub(crate) programs: &'a [PathBuf],
    /// Modules that it loads besides those of all guests.
    pub(crate) modules: &'a [&'a str],
    /// Modules that its kernel finds when it wants them.
    pub(crate) packed: &'a [&'a str],
    /// Whether its last disk tells a serial number, `etalon-results`.
    pub(crate) last_has_serial: bool,
}

/// After so long the machine is ended from outside.
const TOO_LONG: Duration = Duration::from_secs(1700);
/// Programs that every guest takes from here, with their libraries.
const PROGRAMS: [&str; 5] = [
    "/bin/busybox",
    "/usr/sbin/dmsetup",
    "/usr/sbin/mkfs.ext4",
    "/usr/bin/dd",
    "/usr/bin/setpriv",
];
/// Modules that every guest loads.
const MODULES: [&str; 3] = ["virtio_pci", "virtio_blk", "dm-mod"];
/// What protects a kernel from its users, and takes a tenth of the time of an emulated processor.
const UNHARDENED: [&str; 2] = ["mitigations=off", "init_on_alloc=0"];
/// Says that all cases have been run.
const END: &str = "echo done >$TO\nsync\n";

/// What a boot needs, or which of it is missing: the kernel of a Debian package unpacked (`dpkg -x`) to
/// `ETALON_GUEST_KERNEL`, by default `guest-kernel` in the directory of the build.
pub(crate) fn needed() -> Result<Kernel, String> {
    let tools = ["qemu-system-x86_64", "busybox", "dmsetup", "ldd"];
    if let Some(missing) = tools.into_iter().find(|tool| program(tool).is_none()) {
        return Err(format!("needs {missing}"));
    }
    Kernel::at(&place("ETALON_GUEST_KERNEL", "guest-kernel"))
        .map_err(|_| "needs an unpacked kernel package, see ETALON_GUEST_KERNEL".to_owned())
}

/// A program of this machine, or of Debian packages unpacked (`dpkg -x`) to `ETALON_GUEST_PROGRAMS`, by default
/// `guest-programs` in the directory of the build.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    find_program(name, &[unpacked()])
}

fn unpacked() -> PathBuf {
    place("ETALON_GUEST_PROGRAMS", "guest-programs")
}

fn place(variable: &str, usual: &str) -> PathBuf {
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let named = std::env::var_os(variable).map(PathBuf::from);
    named.unwrap_or_else(|| build.join(usual))
}

/// Boots the kernel with a guest's scripts; what came out of the second serial line and the console.
pub(crate) fn boot(kernel: &Kernel, guest: &Guest<'_>) -> (String, String) {
    let order: Vec<usize> = (0..guest.disks_mib.len()).collect();
    boot_each(kernel, guest, &[&order])
}

/// The same as often as there are orders of the disks, which keep what is on them: the guest ends each boot but the last by
/// a reset. What all of them said.
pub(crate) fn boot_each(
    kernel: &Kernel,
    guest: &Guest<'_>,
    orders: &[&[usize]],
) -> (String, String) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().canonicalize().unwrap();
    for (number, mib) in guest.disks_mib.iter().enumerate() {
        Room::make_disk(&path, &format!("disk{number}"), mib << 20).unwrap();
    }
    let (mut said, mut console) = (String::new(), String::new());
    for order in orders {
        let told = boot_once(kernel, guest, (&path, order));
        said.push_str(&told.0);
        console.push_str(&told.1);
    }
    (said, console)
}

fn boot_once(
    kernel: &Kernel,
    guest: &Guest<'_>,
    (place, order): (&Path, &[usize]),
) -> (String, String) {
    let journal = Journal::at(&place.join("journal")).unwrap();
    let directory = tempfile::tempdir_in(place).unwrap().keep();
    let disk = |number: &usize| {
        let name = format!("../disk{number}");
        match guest.last_has_serial && number + 1 == order.len() {
            true => GuestDisk::Numbered(name),
            false => GuestDisk::File(name),
        }
    };
    let disks = order.iter().map(disk).collect();
    let modules = MODULES.iter().chain(guest.modules);
    let scripts = [include_str!("begin.sh")].into_iter();
    let scripts = scripts.chain(guest.scripts.iter().copied()).chain([END]);
    let room = Room {
        kernel: kernel.clone(),
        accelerator: Accelerator::Tcg,
        memory_mib: 2048,
        processors: 1,
        main: scripts.collect::<Vec<_>>().join("\n"),
        modules: modules.map(|name| (*name).to_owned()).collect(),
        more_modules: guest.packed.iter().map(|name| (*name).to_owned()).collect(),
        parameters: UNHARDENED.map(str::to_owned).to_vec(),
        has_port: false,
        cable: None,
        disks,
        time_limit: TOO_LONG,
        directory,
    };
    let booted = room.boot(
        &journal,
        archive(guest),
        &AtomicBool::new(false),
        &mut || Ok::<(), GuestError>(()),
    );
    let booted = booted.unwrap_or_else(|error| panic!("{error}"));
    tell_times(&booted.console);
    (booted.said, booted.console)
}

/// How long each case took, as the console has it.
#[expect(clippy::print_stdout, reason = "a test tells where its time goes")]
fn tell_times(console: &str) {
    let lines = console.lines().map(str::trim_end);
    for line in lines.filter(|line| line.ends_with(" cs")) {
        println!("{line}");
    }
}

/// What the guest has besides its first program and the modules.
fn archive(guest: &Guest<'_>) -> Archive {
    let mut archive = Archive::new();
    let libraries = Libraries {
        roots: vec![unpacked()],
    };
    let mut add = |program: &Path, place: &str| {
        libraries.add(&mut archive, program, place).unwrap();
    };
    for program in PROGRAMS {
        add(Path::new(program), program);
    }
    for program in guest.programs {
        let name = program.file_name().unwrap().to_string_lossy();
        add(program, &format!("/usr/sbin/{name}"));
    }
    add(Path::new(env!("CARGO_BIN_EXE_etalon")), "/usr/bin/etalon");
    archive
}
