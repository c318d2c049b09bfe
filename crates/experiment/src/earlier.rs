//! Runs that stand already, to which a session adds more of the same.

use std::time::Instant;

use etalon_judge::environment_differences;
use etalon_model::stack::ManifestChange;
use etalon_model::{Backend, Choice, EnvironmentDifference, EnvironmentRecord, Run};
use etalon_units::Nanos;

use crate::changes::Changes;
use crate::{ExperimentError, Site, environment_of};

/// Whether a further run would be made under the conditions of those that stand.
///
/// # Errors
/// [`ExperimentError::Changed`] names what is not the same, [`ExperimentError::AnotherTarget`] what the target was and
/// is, and [`ExperimentError::NotKnown`] says that the runs keep no environment.
pub(crate) fn same_conditions(earlier: &[Run], site: &Site) -> Result<(), ExperimentError> {
    let Some(last) = earlier.last() else {
        return Ok(());
    };
    let Some(then) = last.environment() else {
        return match is_modelled(last) {
            true => Ok(()),
            false => Err(ExperimentError::NotKnown),
        };
    };
    match &environment_of(site).record {
        Some(now) => same_environment(then, now),
        None => Ok(()),
    }
}

/// What the kernel calls a disk by now counts as little as the order in which it found them, once the disk and the
/// filesystem are known to be the same.
fn same_environment(
    then: &EnvironmentRecord,
    now: &EnvironmentRecord,
) -> Result<(), ExperimentError> {
    if then.stack.is_same(&now.stack) == Some(false)
        && let Some((then, now)) = then.stack.described().zip(now.stack.described())
    {
        return Err(ExperimentError::AnotherTarget { then, now });
    }
    let differences = environment_differences(&[vec![then], vec![now]]).into_iter();
    let mut changes: Vec<ManifestChange> = differences.map(change).collect();
    changes.retain(|change| !change.is_memory_space());
    match changes.is_empty() {
        true => Ok(()),
        false => Err(ExperimentError::Changed(Changes(changes))),
    }
}

fn change(difference: EnvironmentDifference) -> ManifestChange {
    let mut values = difference.values.into_iter();
    ManifestChange {
        key: difference.key,
        before: values.next().flatten(),
        after: values.next().flatten(),
    }
}

/// The modelled device is the same on every machine.
fn is_modelled(run: &Run) -> bool {
    run.workload
        .io()
        .is_some_and(|io| io.backend == Backend::Fake)
}

/// How long an experiment took of which earlier passes took so long, and whose session began then.
pub(crate) fn elapsed(earlier: Nanos, begun: Instant) -> Nanos {
    let session = Nanos::from(begun.elapsed());
    Nanos(earlier.get().saturating_add(session.get()))
}

/// How many runs stood before, for the page.
pub(crate) fn told(earlier: &[Run]) -> Option<Choice> {
    let runs = earlier.iter().filter(|run| !run.is_cut()).count() as u64;
    (runs > 0).then_some(Choice::Continued { runs })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ext4 with this UUID on a disk with this name and serial number.
    fn on(uuid: &str, name: &str, devno: &str, serial: Option<&str>) -> EnvironmentRecord {
        let disk = serde_json::json!({
            "type": "disk", "transport": "ata", "serial": serial, "removable": false, "links": [], "by_id": [],
        });
        let tree = serde_json::json!({
            "target": "/srv", "resolved": "/srv", "kind": "directory", "missing": [], "warnings": [],
            "mount": {
                "id": 1, "parent": 0, "devno": devno, "root": "/", "point": "/srv", "fs_type": "ext4",
                "source": format!("/dev/{name}"), "options": [], "super_options": [],
            },
            "filesystem": { "fs_type": "ext4", "uuid": uuid, "detail": { "family": "other" } },
            "devices": [{
                "name": name, "devno": devno, "node": format!("/dev/{name}"), "size_bytes": 4096,
                "read_only": false, "kind": disk, "warnings": [], "below": [],
            }],
        });
        let stack = serde_json::from_value(tree).unwrap();
        let manifest = etalon_stack::manifest(&stack, &nowhere(), &[]);
        EnvironmentRecord { manifest, stack }
    }

    fn nowhere() -> etalon_stack::Roots {
        etalon_stack::Roots::under(std::path::Path::new("/nowhere"))
    }

    fn refused(then: &EnvironmentRecord, now: &EnvironmentRecord) -> String {
        same_environment(then, now).unwrap_err().to_string()
    }

    #[test]
    fn a_disk_that_got_another_name_is_the_same_and_another_disk_is_not() {
        let then = on("u", "sda", "8:0", Some("WFN1"));
        assert!(same_environment(&then, &on("u", "sdb", "8:16", Some("WFN1"))).is_ok());
        // Of a virtual disk the filesystem alone tells which it is.
        let of_guest = on("u", "vda", "254:0", None);
        assert!(same_environment(&of_guest, &on("u", "vdb", "254:16", None)).is_ok());
        let other = refused(&then, &on("v", "sda", "8:0", Some("WFN1")));
        assert!(
            other.contains("ext4 with the UUID u") && other.contains("UUID v"),
            "{other}"
        );
        let copied = refused(&then, &on("u", "sda", "8:0", Some("WFN2")));
        assert!(
            copied.contains("WFN1") && copied.contains("WFN2"),
            "{copied}"
        );
    }

    #[test]
    fn a_changed_setting_of_a_disk_with_another_name_is_a_change() {
        let then = on("u", "sda", "8:0", Some("WFN1"));
        let mut now = on("u", "sdb", "8:16", Some("WFN1"));
        let facts = &mut now.manifest.facts;
        facts.insert("layer.sdb.queue.scheduler".to_owned(), "bfq".to_owned());
        let told = refused(&then, &now);
        assert!(
            told.contains("layer.sda.queue.scheduler: not there -> 'bfq'"),
            "{told}"
        );
        now.manifest.facts.remove("layer.sdb.queue.scheduler");
        assert!(same_environment(&then, &now).is_ok());
        // What nothing tells apart is not taken for the same.
        let mut unknown = [
            on("u", "vda", "254:0", None),
            on("u", "vdb", "254:16", None),
        ];
        for record in &mut unknown {
            record.stack.filesystem.as_mut().unwrap().uuid = None;
        }
        assert!(refused(&unknown[0], &unknown[1]).contains("254:0"));
    }

    #[test]
    fn a_filesystem_without_a_device_is_the_same_after_it_was_mounted_anew() {
        let of = |devno: &str| {
            let mut record = on("u", "sda", "8:0", None);
            let facts = &mut record.manifest.facts;
            facts.insert("mount.devno".to_owned(), devno.to_owned());
            record
        };
        assert!(same_environment(&of("0:40"), &of("0:41")).is_ok());
        assert!(same_environment(&of("8:0"), &of("8:0")).is_ok());
        assert!(refused(&of("8:0"), &of("8:5")).contains("mount.devno"));
    }
}
