//! Whether freed blocks are told to the disks by LVM, and by systemd once a week.

use std::path::PathBuf;

use super::GatheredFacts;

pub(super) fn read(facts: &mut GatheredFacts<'_>) {
    let lines = facts
        .context
        .attr_lines(facts.context.roots.etc.join("lvm/lvm.conf"));
    facts.put("lvm.issue_discards", issue_discards(&lines));
    let timer = timer_state(facts);
    facts.put("fstrim.timer", timer.map(str::to_owned));
}

/// The value of `issue_discards` in the section `devices`; lvm.conf(5): the last one counts.
fn issue_discards(lines: &[String]) -> Option<String> {
    let settings = lines
        .iter()
        .map(|line| line.split('#').next().unwrap_or_default());
    let values = settings.filter_map(|line| {
        let (key, value) = line.split_once('=')?;
        let is_own = matches!(key.trim(), "issue_discards" | "devices/issue_discards");
        is_own.then(|| crate::text::clean(value))
    });
    values.rev().find(|value| !value.is_empty())
}

/// `enabled`, `disabled` or `masked`; none where there is no such unit.
fn timer_state(facts: &GatheredFacts<'_>) -> Option<&'static str> {
    let roots = &facts.context.roots;
    let own = roots.etc.join("systemd/system");
    let places: [PathBuf; 2] = [own.clone(), roots.units.clone()];
    let units = places.map(|place| place.join("fstrim.timer"));
    let found = units.iter().find(|unit| unit.symlink_metadata().is_ok())?;
    let masked = found
        .read_link()
        .is_ok_and(|target| target.ends_with("dev/null"));
    let wanted = own.join("timers.target.wants/fstrim.timer");
    Some(match (masked, wanted.symlink_metadata().is_ok()) {
        (true, _) => "masked",
        (false, true) => "enabled",
        (false, false) => "disabled",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(text: &str) -> Option<String> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        issue_discards(&lines)
    }

    #[test]
    fn the_last_setting_counts_and_a_comment_does_not() {
        // As Debian and Fedora ship it: the explanation and the default are comments.
        let shipped = "devices {\n\t# Configuration option devices/issue_discards.\n\t# issue_discards = 0\n}\n";
        assert_eq!(of(shipped), None);
        assert_eq!(
            of("devices {\n  issue_discards = 1 # trim\n}").as_deref(),
            Some("1")
        );
        assert_eq!(
            of("devices/issue_discards=0\nissue_discards = 1").as_deref(),
            Some("1")
        );
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".{0,200}") {
            let _ = of(&text);
        }
    }
}
