//! Whether the kernel has a module: loaded, built in, or there to be loaded (modules.dep(5), kmod's modules.builtin).

use std::fs;
use std::path::{Path, PathBuf};

use super::Need;

/// Where a kernel tells of its modules.
#[derive(Debug, Clone)]
pub(super) struct KernelModules {
    /// Those that are loaded, a directory each.
    loaded: PathBuf,
    /// The lists of those that can be loaded and of those that are built in.
    lists: PathBuf,
    release: String,
}

impl KernelModules {
    /// Of the kernel that runs.
    pub(super) fn of_this_machine() -> KernelModules {
        let name = rustix::system::uname();
        let release = name.release().to_string_lossy().into_owned();
        KernelModules {
            loaded: "/sys/module".into(),
            lists: Path::new("/lib/modules").join(&release),
            release,
        }
    }

    /// Whether the module can be loaded.
    pub(super) fn can_load(&self, name: &str) -> bool {
        self.is_listed("modules.dep", name)
    }

    /// What is missing where the kernel has not the module `name` and nothing else shows that it `is_there`. Without both
    /// lists a module may be built in, and nothing is claimed.
    pub(super) fn lack(&self, what: &str, name: &str, is_there: bool) -> Option<Need> {
        let has_lists = ["modules.dep", "modules.builtin"]
            .iter()
            .all(|list| self.lists.join(list).is_file());
        (has_lists && !is_there && !self.has(name)).then(|| self.need(what, name))
    }

    /// The same for the module that all others of a kind stand on, which shows itself wherever it is built in or loaded.
    pub(super) fn lack_base(&self, what: &str, name: &str, is_there: bool) -> Option<Need> {
        (!is_there && !self.has(name)).then(|| self.need(what, name))
    }

    fn has(&self, name: &str) -> bool {
        self.loaded.join(name.replace('-', "_")).is_dir()
            || self.can_load(name)
            || self.is_listed("modules.builtin", name)
    }

    fn is_listed(&self, list: &str, name: &str) -> bool {
        let listed = fs::read_to_string(self.lists.join(list)).unwrap_or_default();
        // The kernel takes `-` and `_` for the same.
        let plain = |name: &str| name.replace('-', "_");
        listed.lines().any(|line| {
            let path = line.split(':').next().unwrap_or_default();
            let file = path.rsplit('/').next().unwrap_or_default();
            file.split('.')
                .next()
                .is_some_and(|found| plain(found) == plain(name))
        })
    }

    fn need(&self, what: &str, name: &str) -> Need {
        let lack = format!(
            "{name}, which kernel {} has neither built in nor in {}: \
             install the package with this kernel's modules (linux-image or linux-modules-extra), or boot a kernel that has it",
            self.release,
            self.lists.display()
        );
        Need::Module {
            what: what.to_owned(),
            lack,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(lists: &[(&str, &str)]) -> (tempfile::TempDir, KernelModules) {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("loaded/dm_mirror")).unwrap();
        fs::create_dir(root.path().join("lists")).unwrap();
        for (name, text) in lists {
            fs::write(root.path().join("lists").join(name), text).unwrap();
        }
        let modules = KernelModules {
            loaded: root.path().join("loaded"),
            lists: root.path().join("lists"),
            release: "6.1.0".to_owned(),
        };
        (root, modules)
    }

    #[test]
    fn a_module_that_is_nowhere_is_named_and_others_are_not() {
        let dep = "kernel/drivers/md/raid1.ko.xz: kernel/drivers/md/md-mod.ko.xz\n\
                   kernel/drivers/md/dm-thin-pool.ko:\n";
        let builtin = "kernel/drivers/md/raid0.ko\n";
        let (_root, modules) = kernel(&[("modules.dep", dep), ("modules.builtin", builtin)]);
        for name in ["raid1", "dm-thin-pool", "raid0", "dm-mirror"] {
            assert_eq!(modules.lack("x", name, false), None, "{name}");
        }
        assert_eq!(modules.lack("x", "dm-raid", true), None);
        let text = modules.lack("lvm-raid1", "dm-raid", false).unwrap();
        let text = text.to_string();
        for part in [
            "lvm-raid1 needs the kernel module dm-raid",
            "6.1.0",
            "install",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn without_lists_only_the_base_is_known_to_be_missing() {
        let (_root, modules) = kernel(&[("modules.dep", "")]);
        assert_eq!(modules.lack("x", "raid1", false), None);
        assert_eq!(modules.lack_base("x", "md-mod", true), None);
        assert!(modules.lack_base("x", "md-mod", false).is_some());
    }
}
