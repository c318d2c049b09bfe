//! A virtual machine that boots a kernel and a few programs from memory, and says how it went.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What runs in a machine of its own.
pub(crate) struct Guest<'a> {
    /// Its cases, in the words of `init.sh`, one file after the other.
    pub(crate) scripts: &'a [&'a str],
    /// The sizes of its disks, in MiB.
    pub(crate) disks_mib: &'a [u64],
    /// Programs that it takes from here besides those of all guests.
    pub(crate) programs: &'a [PathBuf],
    /// Modules that it loads besides those of all guests.
    pub(crate) modules: &'a [&'a str],
}

/// Seconds after which the machine is ended from outside.
const TOO_LONG: &str = "840";
/// Programs that every guest takes from here, with their libraries.
const PROGRAMS: [&str; 4] = [
    "/usr/sbin/dmsetup",
    "/usr/sbin/mkfs.ext4",
    "/usr/bin/dd",
    "/usr/bin/setpriv",
];
/// Modules of a Debian kernel, below `kernel/` in its directory: files, and directories with all that is in them.
const MODULES: [&str; 7] = [
    "drivers/md",
    "drivers/block/virtio_blk.ko",
    "drivers/virtio",
    "crypto/async_tx",
    "crypto/xor.ko",
    "lib/raid6",
    "lib/libcrc32c.ko",
];

/// A kernel image and the directory of its modules.
pub(crate) struct Kernel {
    image: PathBuf,
    modules: PathBuf,
}

impl Kernel {
    /// The kernel of a Debian package unpacked (`dpkg -x`) to `ETALON_GUEST_KERNEL`, by default
    /// `guest-kernel` in the directory of the build.
    fn find() -> Option<Kernel> {
        let place = std::env::var_os("ETALON_GUEST_KERNEL").map(PathBuf::from);
        let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?;
        let place = place.unwrap_or_else(|| build.join("guest-kernel"));
        let first = |directory: PathBuf, prefix: &str| {
            let entries = fs::read_dir(directory).ok()?.flatten();
            let mut paths = entries.filter(|entry| {
                let name = entry.file_name();
                name.to_string_lossy().starts_with(prefix)
            });
            Some(paths.next()?.path())
        };
        Some(Kernel {
            image: first(place.join("boot"), "vmlinuz-")?,
            modules: first(place.join("lib/modules"), "")
                .or_else(|| first(place.join("usr/lib/modules"), ""))?,
        })
    }
}

/// What a boot needs, or which of it is missing.
pub(crate) fn needed() -> Result<Kernel, String> {
    let installed = |program: &str| {
        let asked = Command::new(program)
            .arg("--help")
            .stdin(Stdio::null())
            .output();
        asked.is_ok()
    };
    let tools = [
        "qemu-system-x86_64",
        "cpio",
        "busybox",
        "dmsetup",
        "ldd",
        "xz",
    ];
    if let Some(missing) = tools.into_iter().find(|tool| !installed(tool)) {
        return Err(format!("needs {missing}"));
    }
    Kernel::find()
        .ok_or_else(|| "needs an unpacked kernel package, see ETALON_GUEST_KERNEL".to_owned())
}

/// A program of this machine, or of Debian packages unpacked (`dpkg -x`) to `ETALON_GUEST_PROGRAMS`, by default
/// `guest-programs` in the directory of the build.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let places = ["usr/sbin", "usr/bin", "sbin", "bin"];
    let roots = [PathBuf::from("/"), unpacked()];
    let mut paths = roots
        .iter()
        .flat_map(|root| places.map(|place| root.join(place).join(name)));
    paths.find(|path| path.is_file())
}

fn unpacked() -> PathBuf {
    let place = std::env::var_os("ETALON_GUEST_PROGRAMS").map(PathBuf::from);
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    place.unwrap_or_else(|| build.join("guest-programs"))
}

/// Boots the kernel with a guest's scripts; what came out of the second serial line and the console.
pub(crate) fn boot(kernel: &Kernel, guest: &Guest<'_>) -> (String, String) {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let root = at("root");
    lay_out(&root, kernel, guest);
    pack(&root, &at("initrd"));
    let mut machine = Command::new("timeout");
    machine
        .args([TOO_LONG, "qemu-system-x86_64", "-accel", "tcg", "-M", "q35"])
        .args(["-m", "2048", "-nodefaults", "-display", "none"])
        .args(["-no-reboot", "-append"])
        .arg("console=ttyS0 panic=-1 quiet rdinit=/init")
        .arg("-kernel")
        .arg(&kernel.image)
        .arg("-initrd")
        .arg(at("initrd"));
    for (number, mib) in guest.disks_mib.iter().enumerate() {
        let disk = at(&format!("disk{number}"));
        File::create(&disk).unwrap().set_len(mib << 20).unwrap();
        let disk = disk.display();
        machine
            .arg("-drive")
            .arg(format!("if=virtio,format=raw,cache=unsafe,file={disk}"));
    }
    for line in ["console", "said"] {
        machine
            .arg("-serial")
            .arg(format!("file:{}", at(line).display()));
    }
    let ended = machine.stdin(Stdio::null()).output().unwrap();
    let read = |name: &str| {
        let bytes = fs::read(at(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    assert!(
        ended.status.success(),
        "the machine ended with {}: {}\n{}",
        ended.status,
        String::from_utf8_lossy(&ended.stderr),
        read("console")
    );
    (read("said"), read("console"))
}

/// The guest's root directory.
fn lay_out(root: &Path, kernel: &Kernel, guest: &Guest<'_>) {
    for directory in ["bin", "usr/bin", "usr/sbin"] {
        fs::create_dir_all(root.join(directory)).unwrap();
    }
    for program in PROGRAMS {
        add(root, Path::new(program), program);
    }
    for program in guest.programs {
        let name = program.file_name().unwrap().to_string_lossy();
        add(root, program, &format!("/usr/sbin/{name}"));
    }
    add(root, Path::new("/bin/busybox"), "/bin/busybox");
    let etalon = Path::new(env!("CARGO_BIN_EXE_etalon"));
    add(root, etalon, "/usr/bin/etalon");
    // A program of a development build is mostly debugging information.
    let _ = Command::new("strip")
        .arg(root.join("usr/bin/etalon"))
        .status();
    let release = kernel.modules.file_name().unwrap();
    let modules = root.join("lib/modules").join(release);
    for part in MODULES {
        let part = Path::new("kernel").join(part);
        add_modules(&kernel.modules.join(&part), &modules.join(&part));
    }
    fs::write(root.join("modules"), guest.modules.join(" ")).unwrap();
    fs::write(root.join("init"), include_str!("init.sh")).unwrap();
    fs::set_permissions(root.join("init"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(root.join("cases.sh"), guest.scripts.join("\n")).unwrap();
}

/// Adds a module or all of a directory, from Debian 13 on packed by xz. What a kernel has built in is no file.
fn add_modules(from: &Path, to: &Path) {
    let packed = from.with_extension("ko.xz");
    if from.is_dir() {
        for entry in fs::read_dir(from).unwrap().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let name = name.trim_end_matches(".xz");
            add_modules(&from.join(name), &to.join(name));
        }
        return;
    }
    let put = |bytes: Vec<u8>| {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    };
    if from.exists() {
        put(fs::read(from).unwrap());
    } else if packed.exists() {
        let mut unpack = Command::new("xz");
        let unpacked = unpack.arg("-dc").arg(packed).output().unwrap();
        assert!(unpacked.status.success(), "{unpacked:?}");
        put(unpacked.stdout);
    }
}

/// Copies a program to a place in the guest, and the libraries that it needs to their own.
fn add(root: &Path, program: &Path, place: &str) {
    let copy = |from: &Path, to: &str| {
        let to = root.join(to.trim_start_matches('/'));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    };
    copy(program, place);
    let own = unpacked().join("lib/x86_64-linux-gnu");
    let needed = Command::new("ldd")
        .arg(program)
        .env("LD_LIBRARY_PATH", &own)
        .output();
    let needed = String::from_utf8(needed.unwrap().stdout).unwrap();
    for library in needed.split_whitespace().filter(|w| w.starts_with('/')) {
        // ldd names a program that needs none by itself, followed by a colon.
        if Path::new(library).is_file() {
            let place = library.trim_start_matches(&*unpacked().to_string_lossy());
            copy(Path::new(library), place);
        }
    }
}

fn pack(root: &Path, initrd: &Path) {
    let packed = Command::new("sh")
        .args(["-c", "find . | cpio -o -H newc --quiet >\"$0\""])
        .arg(initrd)
        .current_dir(root)
        .status();
    assert!(packed.unwrap().success());
}
