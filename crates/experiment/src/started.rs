//! How this process was started, where that may change a figure.

use std::fs;

use etalon_model::ProcessSettings;
use etalon_model::stack::StackTree;
use etalon_stack::io_class;

/// Schedulers that look at the class of a request (the kernel's block/bfq-iosched.rst; mq-deadline since
/// 5.14).
const HEEDING: [&str; 3] = ["bfq", "mq-deadline", "cfq"];

/// The settings of this process on the way to `tree`; empty ones where there is nothing unusual.
pub(crate) fn settings(tree: &StackTree) -> ProcessSettings {
    let io_class = io_class();
    ProcessSettings {
        class_is_heeded: io_class.is_some() && is_heeded(tree),
        io_class,
        preloaded: preloaded(),
    }
}

/// Libraries that were loaded before all others.
pub(crate) fn preloaded() -> Vec<String> {
    let listed = fs::read_to_string("/etc/ld.so.preload").unwrap_or_default();
    let asked = std::env::var("LD_PRELOAD").unwrap_or_default();
    let maps = || fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut preloaded = names(&format!("{asked}:{listed}"));
    if !preloaded.is_empty() {
        let maps = maps();
        preloaded.retain(|name| is_loaded(name, &maps));
    }
    preloaded
}

fn is_heeded(tree: &StackTree) -> bool {
    let layers = tree.layers();
    let queues = layers.iter().filter_map(|layer| layer.queue.as_ref());
    let mut schedulers = queues.filter_map(|queue| queue.scheduler.as_deref());
    schedulers.any(|scheduler| HEEDING.contains(&scheduler))
}

/// Names divided by colons or blanks (ld.so(8)).
fn names(text: &str) -> Vec<String> {
    let words = text.split([':', ' ', '\n']).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// A program without a dynamic linker loads none of them.
fn is_loaded(name: &str, maps: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    maps.lines()
        .filter_map(|line| line.rsplit('/').next())
        .any(|mapped| mapped == file || mapped.starts_with(&format!("{file}.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_divided_and_held_against_what_is_loaded() {
        assert_eq!(
            names("/a/b.so c.so:\n/d.so\n"),
            ["/a/b.so", "c.so", "/d.so"]
        );
        let maps = "7f00-7f01 r--p 0 08:01 5 /usr/lib/libm.so.6\n7f02-7f03 rw-p 0 0 0\n";
        assert!(is_loaded("/lib/x86_64-linux-gnu/libm.so.6", maps));
        assert!(is_loaded("libm.so", maps));
        assert!(!is_loaded("/lib/libother.so", maps));
    }
}
