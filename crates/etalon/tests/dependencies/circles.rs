//! Of two files of a crate one can be read without the other, unless one is a module and the other lies in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{Visit, visit_path};
use syn::{ItemMod, ItemUse, UseTree};

/// The file of a module by the module's path within its crate: `["commands", "lab"]`.
pub(crate) type File = Vec<String>;

/// What each file needs of others.
type Needs = BTreeMap<File, BTreeSet<File>>;

/// The paths that a file names, but those of modules within it, which are tests.
#[derive(Default)]
struct Named(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Named {
    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add(Vec::new(), &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words = path.segments.iter().map(|word| word.ident.to_string());
        self.0.push(words.collect());
        visit_path(self, path);
    }
}

impl Named {
    fn add(&mut self, mut begin: Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                begin.push(path.ident.to_string());
                self.add(begin, &path.tree);
            }
            UseTree::Group(group) => {
                let trees = group.items.iter();
                trees.for_each(|tree| self.add(begin.clone(), tree));
            }
            UseTree::Name(name) => self.0.push([begin, vec![name.ident.to_string()]].concat()),
            UseTree::Rename(name) => self.0.push([begin, vec![name.ident.to_string()]].concat()),
            UseTree::Glob(_) => self.0.push(begin),
        }
    }
}

/// The sources of a crate by their modules.
pub(crate) fn sources(directory: &Path, module: &File, found: &mut BTreeMap<File, String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let within = || [&module[..], std::slice::from_ref(&name)].concat();
        if path.is_dir() {
            sources(&path, &within(), found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = match name.as_str() {
                "mod" | "lib" | "main" => module.clone(),
                _ => within(),
            };
            found.insert(file, fs::read_to_string(&path).unwrap());
        }
    }
}

/// The file that a path leads to, as seen from this one.
fn resolved(file: &File, path: &[String], files: &BTreeMap<File, String>) -> Option<File> {
    let (first, rest) = path.split_first()?;
    let above = rest.iter().take_while(|word| *word == "super").count();
    let mut whole = match first.as_str() {
        "crate" => File::new(),
        "self" => file.clone(),
        "super" => file[..file.len().checked_sub(above + 1)?].to_vec(),
        _ => return None,
    };
    whole.extend_from_slice(&rest[above..]);
    while !files.contains_key(&whole) {
        whole.pop()?;
    }
    Some(whole)
}

fn needs(files: &BTreeMap<File, String>) -> Needs {
    let of = |file: &File, text: &str| {
        let mut named = Named::default();
        named.visit_file(&syn::parse_file(text).unwrap());
        let found = named
            .0
            .iter()
            .filter_map(|path| resolved(file, path, files));
        found
            .filter(|other| !other.starts_with(file) && !file.starts_with(other))
            .collect()
    };
    let files = files.iter();
    files
        .map(|(file, text)| (file.clone(), of(file, text)))
        .collect()
}

/// The files from which a way leads back to themselves.
fn in_circles(needs: &Needs) -> Vec<&File> {
    let leads_back = |from: &&File| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![*from]);
        while let Some(file) = next.pop() {
            next.extend(needs[file].iter().filter(|other| seen.insert(*other)));
        }
        seen.contains(from)
    };
    needs.keys().filter(leads_back).collect()
}

#[test]
fn no_two_files_need_each_other() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut all, mut circles) = (0, Vec::new());
    for entry in fs::read_dir(crates).unwrap() {
        let (path, mut files) = (entry.unwrap().path(), BTreeMap::new());
        sources(&path.join("src"), &File::new(), &mut files);
        let needs = needs(&files);
        let found = in_circles(&needs).into_iter();
        circles.extend(found.map(|file| path.join(file.join("/"))));
        all += needs.values().map(BTreeSet::len).sum::<usize>();
    }
    assert!(circles.is_empty(), "{circles:?}");
    assert!(all > 1000, "only {all} needs were found");
}

#[test]
fn circles_are_found_and_what_lies_in_a_module_is_none() {
    let module = |path: &str| path.split('/').map(str::to_owned).collect::<File>();
    let files = [
        ("a", "use super::b::c::{D, E}; mod within;"),
        ("a/within", "use super::X; use crate::f;"),
        ("b", "mod c; pub(crate) use c::D;"),
        ("b/c", "fn g() { crate::f::h() }"),
        ("f", "use super::a as other;"),
        ("i", "use crate::a; mod tests { use super::super::j; }"),
        ("j", "use crate::i::*;"),
    ];
    let files = files.map(|(path, text)| (module(path), text.to_owned()));
    let needs = needs(&BTreeMap::from(files));
    let circle = ["a", "b/c", "f"].map(module);
    assert_eq!(in_circles(&needs), circle.iter().collect::<Vec<_>>());
}
