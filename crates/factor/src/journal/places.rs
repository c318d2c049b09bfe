//! Where the journal of this user may be.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use rustix::process::geteuid;

/// Root's own where it has no home: made by root only, and kept over a reboot (Filesystem Hierarchy
/// Standard 3.0, 5.8).
const PLACE_OF_ROOT: &str = "/var/lib/etalon/journal";

/// The places of this user in the order in which they are tried.
pub(super) fn places() -> Vec<PathBuf> {
    let is_root = geteuid().is_root();
    // Without HOME this is the home in the user database, which root need not ask for.
    let home = match env::var_os("HOME") {
        None if !is_root => env::home_dir().map(PathBuf::into_os_string),
        home => home,
    };
    places_of(env::var_os("XDG_STATE_HOME"), home, is_root)
}

/// No place that other users may write, as `/var/tmp` is, and none that a reboot empties: after a
/// power cut the journal must still be there.
fn places_of(state_home: Option<OsString>, home: Option<OsString>, is_root: bool) -> Vec<PathBuf> {
    let absolute = |value: Option<OsString>| value.map(PathBuf::from).filter(|p| p.is_absolute());
    let home = absolute(home).map(|home| home.join(".local/state"));
    absolute(state_home)
        .or(home)
        .map(|base| base.join("etalon/journal"))
        .into_iter()
        .chain(is_root.then(|| PathBuf::from(PLACE_OF_ROOT)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(state: Option<&str>, home: Option<&str>, is_root: bool) -> Vec<String> {
        places_of(state.map(Into::into), home.map(Into::into), is_root)
            .iter()
            .map(|place| place.display().to_string())
            .collect()
    }

    #[test]
    fn the_state_home_comes_before_the_place_of_root() {
        let home = "/h/.local/state/etalon/journal";
        assert_eq!(
            of(Some("/s"), Some("/h"), true),
            ["/s/etalon/journal", PLACE_OF_ROOT]
        );
        assert_eq!(of(Some("s"), Some("/h"), true), [home, PLACE_OF_ROOT]);
        assert_eq!(of(None, Some(""), true), [PLACE_OF_ROOT]);
        assert_eq!(of(None, None, true), [PLACE_OF_ROOT]);
    }

    #[test]
    fn an_ordinary_user_has_no_place_but_a_home() {
        assert_eq!(of(Some("/s"), Some("/h"), false), ["/s/etalon/journal"]);
        assert_eq!(of(None, Some("h"), false), [""; 0]);
        assert_eq!(of(None, None, false), [""; 0]);
    }
}
