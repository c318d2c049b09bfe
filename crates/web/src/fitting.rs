//! Whether a site fits where it is to stand, asked before any of it is made.

use std::path::Path;

use etalon_host::FreeSpace;
use etalon_units::Bytes;
use etalon_workload::room::{self, RoomError};

use crate::WebError;
use crate::site::Site;

/// Directories of a server beside its site.
const DIRECTORIES: u64 = 10;
/// What a file takes beyond its blocks: an inode of up to 512 bytes, and its name in the directory.
const NODE: u64 = 1024;

/// Refuses a site that does not fit below `place`, and says how many of its pages would.
///
/// # Errors
/// [`WebError::Room`], and [`WebError::Unknown`] where the free space cannot be told.
pub(crate) fn check(place: &Path, site: &Site) -> Result<(), WebError> {
    let block = FreeSpace::of_path(place).map_or(4096, |space| space.block().get());
    // The last block of each file is taken whole.
    let beyond = site.files().saturating_mul(block.saturating_add(NODE));
    let needed = Bytes(site.most_bytes().get().saturating_add(beyond));
    let fits = room::check(place, DIRECTORIES, site.files(), needed);
    fits.map_err(|source| refused(site, needed, source))
}

fn refused(site: &Site, needed: Bytes, source: RoomError) -> WebError {
    let fitting = match &source {
        RoomError::Space { free, .. } => free.as_f64() / needed.as_f64() * site.pages() as f64,
        RoomError::Inodes { free, .. } => {
            free.saturating_sub(DIRECTORIES) as f64 / (site.images() + 1) as f64
        }
        RoomError::Unknown { .. } => return WebError::Unknown(source),
    };
    WebError::Room {
        pages: site.pages(),
        images: site.images(),
        files: site.files(),
        fitting: fitting.floor() as u64,
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::PARAMETERS;

    fn told(source: RoomError) -> String {
        let given = ["pages", "images"].map(|name| (name.to_owned(), "1000".to_owned()));
        let values = etalon_work::Values::parse(&PARAMETERS, &given).unwrap();
        let site = Site::new(&values, 1).unwrap();
        refused(&site, Bytes::gib(100), source).to_string()
    }

    #[test]
    fn a_refusal_speaks_of_pages_and_says_how_many_fit() {
        let space = |free| RoomError::Space {
            path: "/mnt".into(),
            needed: Bytes::gib(100),
            free,
        };
        let few = told(space(Bytes::gib(10)));
        assert!(
            few.contains("1000 pages with 1000 images each has 1001000 files")
                && few.ends_with("100 such pages fit (--set pages=100)"),
            "{few}"
        );
        let none = told(space(Bytes::kib(1)));
        assert!(none.ends_with("not one such page fits"), "{none}");
        let inodes = RoomError::Inodes {
            path: "/mnt".into(),
            needed: 1_001_010,
            free: 1001 * 7 + DIRECTORIES,
        };
        let inodes = told(inodes);
        assert!(
            inodes.ends_with("7 such pages fit (--set pages=7)"),
            "{inodes}"
        );
    }

    #[test]
    fn the_largest_site_is_refused_before_it_is_made() {
        let most = [
            ("pages", "1000000"),
            ("images", "1000"),
            ("image_size", "16M"),
        ];
        let most = most.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let values = etalon_work::Values::parse(&PARAMETERS, &most).unwrap();
        let place = tempfile::tempdir().unwrap();
        let told = check(place.path(), &Site::new(&values, 1).unwrap()).unwrap_err();
        assert!(matches!(told, WebError::Room { .. }), "{told}");
    }
}
