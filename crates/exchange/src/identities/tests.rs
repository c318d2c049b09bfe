use etalon_model::stack::{Layer, ProcessActivity, StackTree, TargetKind};
use etalon_model::{EnvironmentMark, MachineActivity, SaidPart};
use serde_json::json;

use super::*;
use crate::samples::experiment;

const SERIAL: &str = "S3Z8NB0K123456";
const BY_ID: &str = "ata-Fast_SSD_S3Z8NB0K123456";
const UUID: &str = "0b8a8c48-93ec-4097-905c-2cbf3ed767ce";

fn disk() -> Layer {
    let kind = json!({
        "type": "disk", "transport": "iscsi", "model": "Fast SSD", "serial": SERIAL, "wwid": "naa.5002538e40abcdef",
        "removable": false, "by_id": [BY_ID],
        "links": [{"bus": "iscsi", "target": "iqn.2024-01.org.acme:disk1", "portal": "10.1.2.3:3260"}],
    });
    let layer = json!({
        "name": "sda", "devno": "8:0", "node": "/dev/sda", "size_bytes": 4096, "read_only": false,
        "queue": null, "kind": kind, "warnings": [], "below": [],
    });
    serde_json::from_value(layer).unwrap()
}

fn record() -> EnvironmentRecord {
    let facts = [
        ("cpu.model", "Fast CPU"),
        ("fs.label", "secretlabel"),
        ("fs.uuid", UUID),
        (
            "kernel.cmdline",
            "quiet root=/dev/mapper/acme-root ip=10.1.2.3 mitigations=off",
        ),
        ("layer.sda.kind.by_id", BY_ID),
        (
            "layer.sda.kind.links.0.target",
            "iqn.2024-01.org.acme:disk1",
        ),
        ("layer.sda.kind.model", "Fast SSD"),
        ("layer.sda.kind.serial", SERIAL),
        ("mount.point", "/home/alice/work"),
    ];
    let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let mut record = EnvironmentRecord {
        manifest: Default::default(),
        stack: StackTree {
            devices: vec![disk()],
            ..StackTree::of_nothing("/home/alice/work", TargetKind::Directory)
        },
    };
    record.manifest.facts = facts.into();
    record.manifest.hash = hash(&record.manifest.facts);
    record
}

fn hash(facts: &BTreeMap<String, String>) -> String {
    let numbers = format!("{facts:?}")
        .bytes()
        .fold([0_u64, 7], |[a, b], byte| {
            let next = a.wrapping_mul(31).wrapping_add(u64::from(byte));
            [next, b.wrapping_mul(1_000_003) ^ next]
        });
    numbers.map(|number| format!("{number:016x}")).concat()
}

fn named() -> Experiment {
    let mut experiment = experiment();
    let record = Arc::new(record());
    let begun = &mut experiment.header.begun;
    begun.owner = Some("machine-id boot 1 2 3".to_owned());
    begun.target.path = "/home/alice/work".to_owned();
    begun.target.beneath = format!("/home/alice/work on sda: disk {SERIAL}");
    begun.settings = json!({"destroy": SERIAL, "file": format!("/dev/disk/by-id/{BY_ID}")});
    for run in &mut experiment.runs {
        run.circumstances.environment = Some(EnvironmentMark::of(Arc::clone(&record)));
        let backup = ProcessActivity {
            pid: 7,
            name: "alices-backup".to_owned(),
            read: Default::default(),
            written: Default::default(),
            span: Default::default(),
        };
        run.circumstances.machine = Some(MachineActivity {
            others: vec![backup.clone()],
            ..MachineActivity::default()
        });
        let mut said = SaidPart::new("{programs}");
        said.names
            .insert("programs".to_owned(), "alices-backup (7)".to_owned());
        run.findings[0].code = "foreign-io".to_owned();
        run.findings[0].message =
            "others wrote; doing I/O meanwhile: alices-backup (7).".to_owned();
        run.findings[0].said = vec![said];
    }
    experiment
}

fn hidden_with(secret: &str) -> Experiment {
    let mut experiment = named();
    without_identities(
        &mut experiment,
        &Hiding {
            secret,
            hash: &hash,
        },
    )
    .unwrap();
    experiment
}

fn text_of(experiment: &Experiment) -> String {
    let mut out = Vec::new();
    crate::to_json(experiment, &mut out).unwrap();
    let bundle = crate::to_bundle(experiment).unwrap();
    out.extend(zstd::decode_all(bundle.as_slice()).unwrap());
    crate::to_csv(experiment, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn nothing_that_names_disk_machine_or_user_is_left() {
    let names = [
        SERIAL,
        "naa.5002538e40abcdef",
        UUID,
        "secretlabel",
        "acme",
        "10.1.2.3",
        "alice",
        "machine-id boot",
    ];
    let (before, after) = (text_of(&named()), text_of(&hidden_with("s")));
    for name in names {
        assert!(before.contains(name), "{name}");
        assert!(!after.contains(name), "{name}");
    }
    for stays in [
        "Fast SSD",
        "Fast CPU",
        "quiet",
        "mitigations=off",
        "/home/hidden-",
    ] {
        assert!(after.contains(stays), "{stays}");
    }
}

#[test]
fn equal_stays_equal_by_one_secret_and_says_nothing_by_another() {
    let disk_of = |experiment: &Experiment| {
        let facts = &experiment.environments()[0].manifest.facts;
        facts["layer.sda.kind.serial"].clone()
    };
    let [a, b, other] = ["s", "s", "t"].map(hidden_with);
    assert_eq!(disk_of(&a), disk_of(&b));
    assert_ne!(disk_of(&a), disk_of(&other));
    assert_eq!(a.header.begun.settings["destroy"], disk_of(&a));
    let file = a.header.begun.settings["file"].as_str().unwrap();
    let facts = &a.environments()[0].manifest.facts;
    assert_eq!(
        file,
        format!("/dev/disk/by-id/{}", facts["layer.sda.kind.by_id"])
    );
}

#[test]
fn runs_keep_their_environment_under_the_hash_of_its_facts() {
    let hidden = hidden_with("s");
    let environments = hidden.environments();
    assert_eq!(environments.len(), 1);
    let facts = &environments[0].manifest.facts;
    assert_eq!(environments[0].manifest.hash, hash(facts));
    for mark in hidden.environment_marks() {
        assert_eq!(mark.hash, hash(facts));
    }
    let back = crate::from_bundle(&crate::to_bundle(&hidden).unwrap()).unwrap();
    assert_eq!(back.environments(), environments);
}

#[test]
fn what_is_hidden_is_hidden_once() {
    let once = hidden_with("s");
    let mut twice = once.clone();
    without_identities(
        &mut twice,
        &Hiding {
            secret: "t",
            hash: &hash,
        },
    )
    .unwrap();
    assert_eq!(text_of(&twice), text_of(&once));
}
