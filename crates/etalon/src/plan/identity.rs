//! What a target is for good: names of devices are given anew with each boot, and mounts may be missing.

use std::path::PathBuf;

use anyhow::bail;
use etalon_experiment::Site;

use crate::exit::Dangerous;

/// A text for each target that is the same as long as the target is; empty where nothing is known that tells it.
pub(crate) fn identities(targets: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let told = |target: &PathBuf| Ok(Site::look(target)?.tree.identity().unwrap_or_default());
    targets.iter().map(told).collect()
}

/// Refuses to go on where a name leads to something else than it did; `then` is empty where nobody knows.
///
/// # Errors
/// [`Dangerous`], with both.
pub(crate) fn insist_on_the_same(
    targets: &[PathBuf],
    then: &[String],
    now: &[String],
) -> anyhow::Result<()> {
    for ((target, then), now) in targets.iter().zip(then).zip(now) {
        if !then.is_empty() && then != now {
            let now = match now.is_empty() {
                true => "something that tells no number",
                false => now,
            };
            bail!(Dangerous(format!(
                "'{}' was {then} when the plan was begun, and is {now}: see whether it is mounted and whether the name still stands for the same disk, then resume",
                target.display()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_filesystem_under_the_same_name_is_refused() {
        let target = [PathBuf::from("/srv")];
        let text = |text: &str| vec![text.to_owned()];
        let go_on = |then: &str, now: &str| insist_on_the_same(&target, &text(then), &text(now));
        assert!(go_on("ext4 with the UUID a", "ext4 with the UUID a").is_ok());
        assert!(go_on("", "ext4 with the UUID a").is_ok());
        assert!(insist_on_the_same(&target, &[], &text("x")).is_ok());
        for now in ["ext4 with the UUID b", ""] {
            let error = go_on("ext4 with the UUID a", now).unwrap_err().to_string();
            assert!(error.contains("'/srv' was ext4 with the UUID a"), "{error}");
        }
    }
}
