//! How many files a pass over names may have, by the inodes that are free.

use std::path::Path;

use etalon_factor::ScratchError;
use etalon_host::FreeSpace;
use etalon_model::Choice;

use super::pace::LONGEST_SCALE;
use crate::ExperimentError;

/// Set aside for the directories of a pass and for the files of the other rows.
const BESIDE: u64 = 64;

/// Inodes that may be used; `None` where the filesystem makes them as it goes.
pub(super) fn free(directory: &Path) -> Result<Option<u64>, ExperimentError> {
    let space = FreeSpace::of_path(directory).map_err(|source| ScratchError::Io {
        path: directory.to_owned(),
        source,
    })?;
    Ok(space.inode_allowance())
}

/// The most files of which even the longest pass fits.
pub(super) fn most_files(free: Option<u64>) -> u64 {
    let fits = |free: u64| free.saturating_sub(BESIDE) as f64 / LONGEST_SCALE;
    free.map_or(u64::MAX, |free| fits(free) as u64)
}

/// Says why the rows of names are left out.
pub(super) fn too_few(free: Option<u64>) -> Choice {
    let free = free.unwrap_or_default();
    Choice::note(format!(
        "Creating, looking up and removing files is not measured: only {free} inodes may be used here while a tenth of all \
         stays free. Remove files that are not needed, or name another target."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_pass_leaves_a_tenth_of_the_inodes_free() {
        // ext4 of 64 MiB has 16384, of which 16373 are free.
        let free = 16_373 - 1639;
        let most = most_files(Some(free));
        assert_eq!(most, 11_736);
        assert!((most as f64 * LONGEST_SCALE) as u64 + BESIDE <= free);
        assert_eq!((most_files(Some(9)), most_files(None)), (0, u64::MAX));
    }
}
