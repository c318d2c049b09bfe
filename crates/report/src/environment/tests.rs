use etalon_language::Language;
use etalon_model::stack::{StackTree, TargetKind};

use super::*;

fn record(facts: &[(&str, &str)]) -> EnvironmentRecord {
    let facts = facts
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    EnvironmentRecord {
        manifest: Manifest {
            facts: facts.collect(),
            hash: "d8f6".to_owned(),
            missing: Vec::new(),
            unreadable: Vec::new(),
        },
        stack: StackTree::of_nothing("/srv", TargetKind::Directory),
    }
}

fn page(facts: &[(&str, &str)], all: bool) -> String {
    let record = record(facts);
    let environments = [&record];
    EnvironmentPage {
        environments: &environments,
        all,
    }
    .to_string()
}

const FACTS: [(&str, &str); 14] = [
    ("cpu.model", "AMD EPYC"),
    ("cpu.processors", "2"),
    ("cpu.mitigation.mds", "Not affected"),
    ("memory.total", "24684096 kB"),
    ("memory.swap_total", "0 kB"),
    ("kernel.release", "6.1.0"),
    ("hypervisor.flag", "yes"),
    ("mount.fs_type", "ext4"),
    ("mount.options", "rw relatime"),
    ("mount.super_options", "rw discard"),
    ("layer.vda.queue.scheduler", "none"),
    ("layer.vda.kind.type", "disk"),
    ("layer.vda.kind.transport", "virtio"),
    ("layer.vda.size_bytes", "274877906944"),
];

#[test]
fn what_a_reader_asks_for_stands_first() {
    let text = page(&FACTS, false);
    for line in [
        "Processor     AMD EPYC, 2 processors",
        "Memory        23.5 GiB, no swap",
        "Kernel        6.1.0",
        "Distribution  not known",
        "Machine       virtual",
        "Filesystem    ext4 (rw,relatime,discard)",
        "Scheduler     vda none",
        "Disk          vda virtio, 256 GiB",
    ] {
        assert!(
            text.lines().take(10).any(|told| told == line),
            "{line}\n{text}"
        );
    }
    assert!(
        text.ends_with("\nEnvironment d8f6; 1 more with --environment --all\n"),
        "{text}"
    );
    assert!(!text.contains("mitigation"), "{text}");
}

#[test]
fn all_facts_are_there_when_they_are_asked_for() {
    let text = page(&FACTS, true);
    for (key, value) in FACTS {
        assert!(
            text.contains(&format!("\n  {key} = {value}\n")),
            "{key}: {text}"
        );
    }
    assert!(text.ends_with("\nEnvironment d8f6\n"), "{text}");
}

#[test]
fn a_fact_is_one_line_whatever_it_holds() {
    let text = page(
        &[
            ("fs.label", "a\nverdict: valid\x1b[2J"),
            ("cpu.governor", "a\nb\x1b[2J"),
        ],
        true,
    );
    assert!(
        text.contains("  fs.label = a\\nverdict: valid\\x1b[2J\n"),
        "{text}"
    );
    assert!(
        !text.contains('\x1b') && text.contains("Governor      a\\nb"),
        "{text}"
    );
}

#[test]
fn what_is_not_kept_is_said() {
    let page = EnvironmentPage {
        environments: &[],
        all: false,
    };
    assert_eq!(page.to_string(), format!("{}\n", not_kept()));
}

#[test]
fn names_and_headings_are_in_the_language_of_the_page() {
    for (language, lines) in [
        (
            Language::French,
            [
                "Processeur           AMD EPYC, 2 processeurs",
                "Mémoire              23,5 GiB, sans swap",
                "Distribution         inconnu",
                "Pile de stockage\u{a0}: vda",
                "Environnement d8f6\u{a0}; 1 de plus avec --environment --all",
            ],
        ),
        (
            Language::Dutch,
            [
                "Processor        AMD EPYC, 2 processoren",
                "Geheugen         23,5 GiB, geen swap",
                "Distributie      onbekend",
                "Opslagstapel: vda",
                "Omgeving d8f6; nog 1 met --environment --all",
            ],
        ),
    ] {
        let text = language.speak(|| page(&FACTS, false));
        for line in lines {
            assert!(text.lines().any(|told| told == line), "{line}\n{text}");
        }
    }
}
