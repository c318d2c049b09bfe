//! The ways to write the name of one thing.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

use crate::common::{absent, try_tool};

/// Names that lead to one file or device; what they need goes away with this.
pub(crate) struct Spellings {
    pub(crate) names: Vec<(&'static str, OsString, Option<PathBuf>)>,
    _open: File,
    bound: Vec<etalon_testbed::Mount>,
}

impl Spellings {
    /// Of a thing with an absolute path; links are made in `place`.
    pub(crate) fn of(thing: &Path, place: &Path) -> Spellings {
        fs::create_dir_all(place).unwrap();
        let mut spellings = Spellings {
            names: Vec::new(),
            _open: File::open(thing).unwrap(),
            bound: Vec::new(),
        };
        spellings.by_text(thing);
        spellings.by_link(thing, place);
        spellings.by_proc(thing);
        spellings.by_node(thing, place);
        spellings.bound(thing, place);
        spellings
    }

    fn add(&mut self, how: &'static str, name: impl Into<OsString>) {
        self.names.push((how, name.into(), None));
    }

    fn by_text(&mut self, thing: &Path) {
        let text = thing.to_str().unwrap();
        let (parent, name) = text.rsplit_once('/').unwrap();
        let last = parent.rsplit_once('/').unwrap().1;
        self.add("its path", text);
        self.add("with double slashes", text.replace('/', "//"));
        self.add("with a dot", format!("{parent}/./{name}"));
        self.add("through ..", format!("{parent}/../{last}/{name}"));
        self.add("with a trailing slash", format!("{text}/"));
        self.add("with a trailing dot", format!("{text}/."));
        let from = Some(PathBuf::from(parent));
        self.names.push(("relative", name.into(), from.clone()));
        self.names
            .push(("relative with ./", format!("./{name}").into(), from));
    }

    fn by_link(&mut self, thing: &Path, place: &Path) {
        let (first, second, third) = (place.join("link"), place.join("link2"), place.join("link3"));
        symlink(thing, &first).unwrap();
        symlink("link", &second).unwrap();
        symlink(&second, &third).unwrap();
        self.add("a link", &first);
        self.add("a chain of links", &third);
        let parent = place.join("parent");
        symlink(thing.parent().unwrap(), &parent).unwrap();
        self.add(
            "below a linked directory",
            parent.join(thing.file_name().unwrap()),
        );
    }

    fn by_proc(&mut self, thing: &Path) {
        use std::os::fd::AsRawFd as _;
        let (pid, fd) = (std::process::id(), self._open.as_raw_fd());
        self.add(
            "an open descriptor in /proc",
            format!("/proc/{pid}/fd/{fd}"),
        );
        self.add(
            "below /proc/self/root",
            format!("/proc/self/root{}", thing.display()),
        );
        let name = thing.file_name().unwrap().to_owned();
        let cwd = Path::new("/proc/self/cwd").join(name);
        let from = thing.parent().map(Path::to_owned);
        self.names.push(("below /proc/self/cwd", cwd.into(), from));
    }

    fn by_node(&mut self, thing: &Path, place: &Path) {
        let twin = place.join("twin");
        let known = fs::metadata(thing).unwrap();
        let made = if known.mode() & 0o170_000 == 0o060_000 {
            let (major, minor) = (
                rustix::fs::major(known.rdev()),
                rustix::fs::minor(known.rdev()),
            );
            let words = [
                twin.to_str().unwrap(),
                "b",
                &major.to_string(),
                &minor.to_string(),
            ];
            try_tool("mknod", &words).map(|_| ())
        } else {
            fs::hard_link(thing, &twin).map_err(|error| error.to_string())
        };
        match made {
            Ok(()) => {
                self.add("a twin node or hard link", &twin);
                let second = place.join("twin2");
                fs::hard_link(&twin, &second).unwrap();
                self.add("a hard link of the twin", second);
            }
            Err(why) => absent("a twin of a node", &why),
        }
        for (how, directory) in [
            ("a name in /dev/disk/by-diskseq", "/dev/disk/by-diskseq"),
            ("a name in /dev/disk/by-uuid", "/dev/disk/by-uuid"),
            ("a name in /dev/block", "/dev/block"),
        ] {
            match link_to(thing, Path::new(directory)) {
                Some(link) => self.add(how, link),
                None => absent(how, "this machine has none"),
            }
        }
    }

    fn bound(&mut self, thing: &Path, place: &Path) {
        let point = place.join("bound");
        File::create(&point).unwrap();
        let name = point.to_str().unwrap().to_owned();
        match etalon_testbed::Mount::try_at(&point, &["--bind", thing.to_str().unwrap()]) {
            Ok(bound) => {
                self.add("a bind mount of it", name);
                self.bound.push(bound);
            }
            Err(why) => absent("a bind mount of a name", &why),
        }
    }
}

fn link_to(thing: &Path, directory: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(directory).ok()?;
    let mut links = entries.flatten().map(|entry| entry.path());
    links.find(|link| fs::canonicalize(link).is_ok_and(|found| found == thing))
}
