//! What the guest's modprobe reads of its modules, as depmod(8) writes it: made here, since depmod reads each module byte by
//! byte, which takes an emulated processor long.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::modules::{Module, depends, name_of, values};

/// A module and the names of those that it needs at once.
struct Entry<'a> {
    place: &'a str,
    depends: Vec<String>,
}

/// The files with their names: what each module needs (modules.dep(5)), and the names by which the kernel asks for one.
pub(super) fn files(modules: &[Module]) -> [(&'static str, String); 2] {
    [
        ("modules.dep", needs(modules)),
        ("modules.alias", aliases(modules)),
    ]
}

/// A line each: what has to be loaded before, the last of it first.
fn needs(modules: &[Module]) -> String {
    let known = modules.iter().map(|module| {
        let depends = depends(&module.content);
        let place = &*module.place;
        (own_name(module), Entry { place, depends })
    });
    let known: BTreeMap<String, Entry<'_>> = known.collect();
    let line = |name: &String| {
        let mut before = Vec::new();
        load(name, &known, &mut BTreeSet::new(), &mut before);
        let mut places = before.iter().rev().map(|name| known[*name].place);
        let own = places.next().unwrap_or_default();
        let others: String = places.map(|place| format!(" {place}")).collect();
        format!("{own}:{others}\n")
    };
    known.keys().map(line).collect()
}

/// Puts the module behind all that it needs.
fn load<'a>(
    name: &'a String,
    known: &'a BTreeMap<String, Entry<'a>>,
    seen: &mut BTreeSet<&'a String>,
    order: &mut Vec<&'a String>,
) {
    let Some(entry) = known.get(name).filter(|_| seen.insert(name)) else {
        return;
    };
    for needed in &entry.depends {
        load(needed, known, seen, order);
    }
    order.push(name);
}

fn aliases(modules: &[Module]) -> String {
    let of = |module: &Module| {
        let name = own_name(module);
        let aliases = values(&module.content, "alias=");
        let lines = aliases.map(|alias| format!("alias {alias} {name}\n"));
        lines.collect::<String>()
    };
    modules.iter().map(of).collect()
}

fn own_name(module: &Module) -> String {
    name_of(Path::new(&module.place)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_testbed::{skip, tool};
    use std::fs;

    fn module(place: &str, information: &str) -> Module {
        Module {
            place: place.to_owned(),
            content: format!("\0{information}\0").replace(' ', "\0").into_bytes(),
        }
    }

    #[test]
    fn what_a_module_needs_stands_behind_it_the_last_first() {
        let modules = [
            module("k/a-x.ko", "depends=b,c alias=fs-a alias=pci:v*d*"),
            module("k/b.ko", "depends=d"),
            module("k/c.ko", "depends=d,gone"),
            module("k/d.ko", "depends= alias=crypto-d"),
        ];
        let [(_, needs), (_, aliases)] = files(&modules);
        assert_eq!(
            needs,
            "k/a-x.ko: k/c.ko k/b.ko k/d.ko\nk/b.ko: k/d.ko\nk/c.ko: k/d.ko\nk/d.ko:\n"
        );
        assert_eq!(
            aliases,
            "alias fs-a a_x\nalias pci:v*d* a_x\nalias crypto-d d\n"
        );
    }

    /// The lines of a file, each with its words in order.
    fn lines(text: &str) -> BTreeSet<Vec<String>> {
        let words = |line: &str| {
            let (name, others) = line.split_once(' ').unwrap_or((line, ""));
            let mut others: Vec<&str> = others.split_whitespace().collect();
            others.sort_unstable();
            let words = [name].into_iter().chain(others);
            words.map(str::to_owned).collect()
        };
        text.lines().map(words).collect()
    }

    #[test]
    fn depmod_writes_the_same() {
        if !Path::new("/bin/busybox").exists() {
            skip("depmod_writes_the_same", "needs busybox");
            return;
        }
        let modules = [
            module(
                "k/a-x.ko",
                "depends=b,c alias=fs-a alias=pci:v*d* vermagic=1",
            ),
            module("k/b.ko", "depends=d vermagic=1"),
            module("k/c.ko", "depends=d vermagic=1"),
            module("k/d.ko", "depends= alias=crypto-d vermagic=1"),
        ];
        let root = tempfile::tempdir().unwrap();
        let place = root.path().join("lib/modules/1.2.3");
        for module in &modules {
            let path = place.join(&module.place);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &module.content).unwrap();
        }
        let root = root.path().to_str().unwrap();
        tool("busybox", &["depmod", "-b", root, "1.2.3"]);
        for (name, content) in files(&modules) {
            let theirs = fs::read_to_string(place.join(name)).unwrap();
            assert_eq!(lines(&content), lines(&theirs), "{name}");
        }
    }

    #[test]
    fn modules_that_need_each_other_come_to_an_end() {
        let modules = [module("k/a.ko", "depends=b"), module("k/b.ko", "depends=a")];
        let [(_, needs), _] = files(&modules);
        assert_eq!(needs, "k/a.ko: k/b.ko\nk/b.ko: k/a.ko\n");
    }
}
