//! Where the store lives when nobody names a place.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// Neither variable that could say where data belongs is set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no place for the store: neither XDG_DATA_HOME nor HOME is set to an absolute path; \
     set one of them or name a file with --store FILE"
)]
pub struct NoDataDirectory;

/// `$XDG_DATA_HOME/etalon/store.sqlite`, or `~/.local/share/etalon/store.sqlite` when that variable
/// is unset, empty or relative (XDG Base Directory Specification 0.8).
///
/// # Errors
/// [`NoDataDirectory`] when `HOME` gives no absolute path either.
pub fn default_path() -> Result<PathBuf, NoDataDirectory> {
    path_from(env::var_os("XDG_DATA_HOME"), env::var_os("HOME"))
}

fn path_from(
    data_home: Option<OsString>,
    home: Option<OsString>,
) -> Result<PathBuf, NoDataDirectory> {
    let absolute = |value: Option<OsString>| value.map(PathBuf::from).filter(|p| p.is_absolute());
    let base = absolute(data_home)
        .or_else(|| absolute(home).map(|home| home.join(".local/share")))
        .ok_or(NoDataDirectory)?;
    Ok(base.join("etalon/store.sqlite"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_base_directory_specification() {
        let of = |data: Option<&str>, home: Option<&str>| {
            path_from(data.map(Into::into), home.map(Into::into))
                .map(|path| path.to_str().unwrap().to_owned())
        };
        let default = Ok("/home/u/.local/share/etalon/store.sqlite".to_owned());
        assert_eq!(
            of(Some("/data"), Some("/home/u")),
            Ok("/data/etalon/store.sqlite".to_owned())
        );
        assert_eq!(of(None, Some("/home/u")), default);
        assert_eq!(of(Some(""), Some("/home/u")), default);
        assert_eq!(of(Some("data"), Some("/home/u")), default);
        assert_eq!(of(None, None), Err(NoDataDirectory));
        assert_eq!(of(None, Some("")), Err(NoDataDirectory));
    }
}
