//! The modules of a kernel and what each needs.
//!
//! What a module needs is read from the module itself, as depmod(8) does to write `modules.dep`: a
//! package that was only unpacked has no such file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::GuestError;

/// The largest module that is unpacked.
const LARGEST_BYTES: u64 = 256 << 20;

/// Modules by name. Those of a kernel that has everything built in are none.
#[derive(Debug, Default)]
pub(super) struct Modules {
    root: PathBuf,
    paths: BTreeMap<String, PathBuf>,
}

/// One unpacked module.
#[derive(Debug)]
pub(super) struct Module {
    /// Its place in the guest, below the directory of the kernel's modules.
    pub(super) place: String,
    pub(super) content: Vec<u8>,
}

impl Modules {
    /// Those in a directory and its directories.
    pub(super) fn below(root: &Path) -> Modules {
        let mut modules = Modules {
            root: root.to_owned(),
            paths: BTreeMap::new(),
        };
        let mut open = vec![root.to_owned()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => open.push(path),
                    _ => modules
                        .paths
                        .extend(name_of(&path).map(|name| (name, path))),
                }
            }
        }
        modules
    }

    /// Those of the named modules that are not there, and not in the list of what is built in (`modules.builtin`).
    pub(super) fn lacks(&self, names: &[String], built_in: &str) -> Vec<String> {
        let mut has: BTreeSet<String> = self.paths.keys().cloned().collect();
        has.extend(built_in.lines().filter_map(|line| name_of(Path::new(line))));
        let names = names.iter().filter(|name| !has.contains(&plain(name)));
        names.cloned().collect()
    }

    /// The named modules with all that they need. A name that is not there is built into the kernel, or
    /// not to be had: the guest shows it where it is used.
    pub(super) fn with_needs(&self, names: &[String]) -> Result<Vec<Module>, GuestError> {
        let mut wanted: Vec<String> = names.iter().map(|name| plain(name)).collect();
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        while let Some(name) = wanted.pop() {
            let Some(path) = self.paths.get(&name).filter(|_| seen.insert(name.clone())) else {
                continue;
            };
            let content = unpacked(path).map_err(|source| GuestError::Module {
                path: path.clone(),
                source,
            })?;
            wanted.extend(needs(&content));
            found.push(Module {
                place: place(path.strip_prefix(&self.root).unwrap_or(path)),
                content,
            });
        }
        Ok(found)
    }
}

/// The modules to load, a line each, with what the kernel's command line has for it as `module.parameter=value`.
pub(super) fn load_list(modules: &[String], command_line: &[String]) -> String {
    let line = |module: &String| {
        let words = command_line.iter().filter_map(|word| word.split_once('.'));
        let own = words.filter(|(name, _)| plain(name) == plain(module));
        let parameters: String = own.map(|(_, value)| format!(" {value}")).collect();
        format!("{module}{parameters}\n")
    };
    modules.iter().map(line).collect()
}

/// The kernel takes `-` and `_` for the same.
fn plain(name: &str) -> String {
    name.replace('-', "_")
}

pub(super) fn name_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    Some(plain(name.split_once(".ko")?.0))
}

/// The guest has it unpacked.
fn place(path: &Path) -> String {
    let place = path.to_string_lossy();
    let end = place.rfind(".ko").map_or(place.len(), |at| at + 3);
    place[..end].to_owned()
}

fn unpacked(path: &Path) -> io::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    let mut content = Vec::new();
    match path.extension().and_then(|end| end.to_str()) {
        Some("xz") => {
            let reader = liblzma::read::XzDecoder::new(file);
            reader.take(LARGEST_BYTES).read_to_end(&mut content)?
        }
        Some("zst") => {
            let reader = zstd::Decoder::new(file)?;
            reader.take(LARGEST_BYTES).read_to_end(&mut content)?
        }
        _ => file.take(LARGEST_BYTES).read_to_end(&mut content)?,
    };
    Ok(content)
}

/// What the section `.modinfo` of a module names: `depends=a,b`, and `softdep=pre: c d post: e`.
fn needs(module: &[u8]) -> Vec<String> {
    let soft = values(module, "softdep=").flat_map(str::split_whitespace);
    let soft = soft.filter(|word| !word.ends_with(':')).map(plain);
    depends(module).into_iter().chain(soft).collect()
}

/// Those without which the kernel does not load it.
pub(super) fn depends(module: &[u8]) -> Vec<String> {
    let names = values(module, "depends=").flat_map(|names| names.split(','));
    names.filter(|name| !name.is_empty()).map(plain).collect()
}

/// What its section `.modinfo` has behind each `key=`.
pub(super) fn values<'a>(module: &'a [u8], key: &'a str) -> impl Iterator<Item = &'a str> {
    let texts = module.split(|byte| *byte == 0);
    let texts = texts.filter_map(|text| std::str::from_utf8(text).ok());
    texts.filter_map(move |text| text.strip_prefix(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_loaded_with_what_the_command_line_has_for_it() {
        let words = |line: &str| Vec::from_iter(line.split(' ').map(str::to_owned));
        let line = words("quiet null_blk.irqmode=2 virtio_blk.queue_depth=16 null-blk.gb=1");
        let list = load_list(&words("virtio-blk dm-mod null_blk quiet"), &line);
        assert_eq!(
            list,
            "virtio-blk queue_depth=16\ndm-mod\nnull_blk irqmode=2 gb=1\nquiet\n"
        );
    }

    #[test]
    fn a_module_brings_what_it_needs_however_it_is_packed() {
        let root = tempfile::tempdir().unwrap();
        let put = |name: &str, content: &[u8]| {
            let path = root.path().join("kernel").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        };
        put(
            "fs/top-most.ko",
            b"\x7fELF\0depends=middle,built_in\0softdep=pre: low-er\0",
        );
        let middle = zstd::encode_all(&b"\0depends=\0alias=x\0"[..], 0).unwrap();
        put("lib/middle.ko.zst", &middle);
        let mut packed = liblzma::write::XzEncoder::new(Vec::new(), 0);
        io::Write::write_all(&mut packed, b"\0depends=top_most\0").unwrap();
        put("lib/low-er.ko.xz", &packed.finish().unwrap());
        put("lib/unused.ko", b"");
        let modules = Modules::below(root.path());
        let found = modules.with_needs(&["top_most".to_owned()]).unwrap();
        let places: BTreeSet<&str> = found.iter().map(|module| module.place.as_str()).collect();
        let wanted = [
            "kernel/fs/top-most.ko",
            "kernel/lib/low-er.ko",
            "kernel/lib/middle.ko",
        ];
        assert_eq!(places, BTreeSet::from(wanted));
        let names = ["low_er", "dm-mod", "nosuch"].map(str::to_owned);
        let built_in = "kernel/drivers/md/dm-mod.ko\nkernel/fs/ext4/ext4.ko\n";
        assert_eq!(modules.lacks(&names, built_in), ["nosuch"]);
        assert!(
            found
                .iter()
                .all(|module| module.content.starts_with(b"\0") || module.content[0] == 0x7f)
        );
        assert!(
            Modules::default()
                .with_needs(&["ext4".to_owned()])
                .unwrap()
                .is_empty()
        );
    }
}
