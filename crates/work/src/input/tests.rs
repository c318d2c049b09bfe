use std::io::Read as _;

use etalon_units::Bytes;
use flate2::Crc;

use super::*;

fn plan(distribution: &str, mib: u64) -> InputPlan {
    InputPlan::new(distribution.parse().unwrap(), Bytes::mib(mib), 42)
}

/// One number for everything that a seed decides.
fn fingerprint(plan: &InputPlan) -> u32 {
    let mut crc = Crc::new();
    for entry in plan.entries() {
        crc.update(format!("{entry:?}").as_bytes());
    }
    crc.update(&sample(plan, u64::MAX));
    crc.sum()
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_every_machine() {
    let found = ["source-tree", "photos", "mail"].map(|name| fingerprint(&plan(name, 3)));
    assert_eq!(
        found,
        [3_594_056_229, 3_212_417_546, 984_961_806],
        "pinned: a change makes old results incomparable"
    );
}

#[test]
fn another_seed_gives_other_bytes() {
    let other = InputPlan::new(Distribution::Mail, Bytes::mib(1), 43);
    assert_ne!(sample(&other, 1000), sample(&plan("mail", 1), 1000));
}

#[test]
fn the_sizes_add_up_to_what_was_asked_for() {
    for name in Distribution::NAMES {
        for size in [1, 64, 100, 5000, 1 << 20, 3_000_001] {
            let plan = InputPlan::new(name.parse().unwrap(), Bytes(size), 7);
            let missing = size.max(64) - plan.bytes().get();
            assert!(missing < 64, "{name} {size}: {missing}");
            assert!(plan.files() > 0);
        }
    }
}

#[test]
fn compressibility_is_as_stated() {
    let ratio = |name: &str| plan(name, 4).record().compressibility.unwrap();
    assert!(
        (2.5..4.5).contains(&ratio("source-tree")),
        "{}",
        ratio("source-tree")
    );
    assert!(ratio("photos") < 1.01);
    assert!((1.2..2.5).contains(&ratio("mail")), "{}", ratio("mail"));
}

#[test]
fn sizes_have_the_stated_medians() {
    let median = |name: &str, mib| {
        let mut sizes: Vec<u64> = plan(name, mib)
            .entries()
            .filter_map(|entry| match entry {
                InputEntry::File { size, .. } => Some(*size),
                InputEntry::Link { .. } => None,
            })
            .collect();
        sizes.sort_unstable();
        sizes[sizes.len() / 2] as f64
    };
    assert!(
        (0.9..1.1).contains(&(median("source-tree", 64) / 4608.0)),
        "{}",
        median("source-tree", 64)
    );
    assert!((0.9..1.1).contains(&(median("photos", 1000) / 4_194_304.0)));
}

#[test]
fn needles_stand_in_as_many_files_as_promised_and_nowhere_else() {
    let plan = plan("source-tree", 4);
    let text = plan.text();
    let mut found = 0;
    stream(&plan, &text, None, |entry, contents| {
        if let (InputEntry::File { size, needle, .. }, Some(mut contents)) = (entry, contents) {
            let mut bytes = Vec::new();
            contents.read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes.len() as u64, *size);
            let here = memchr::memmem::find_iter(&bytes, NEEDLE.as_bytes()).count();
            assert_eq!(here, usize::from(*needle));
            found += here as u64;
        }
        Ok(())
    })
    .unwrap();
    assert!(found > 3);
    assert_eq!(found, plan.needles());
}

#[test]
fn the_bytes_do_not_depend_on_how_they_are_asked_for() {
    let plan = plan("mail", 1);
    let text = plan.text();
    for content in [
        fill::FileContent::Text,
        fill::FileContent::Incompressible,
        fill::FileContent::Base64,
    ] {
        let mut whole = vec![0; 10_000];
        fill::Filler::new(content, 5, &text).fill(&mut whole);
        let mut pieces = Vec::new();
        let mut filler = fill::Filler::new(content, 5, &text);
        for length in [1, 7, 4096, 95, 5801] {
            let mut piece = vec![0; length];
            filler.fill(&mut piece);
            pieces.extend(piece);
        }
        assert_eq!(pieces, whole, "{content:?}");
    }
}
