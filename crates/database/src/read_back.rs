//! What an engine was told, held against what it says when it is asked.

use std::collections::BTreeMap;

use crate::DatabaseError;

/// Settings by the engine's own names, with the values that it shall show.
pub(crate) type Asked = Vec<(&'static str, String)>;

/// Whether it shows them all; letters of either case are one to every engine.
pub(crate) fn read_back(
    engine: &'static str,
    asked: &Asked,
    shown: &BTreeMap<String, String>,
) -> Result<(), DatabaseError> {
    for (name, wanted) in asked {
        let found = shown.get(*name).map_or("", String::as_str);
        if !found.eq_ignore_ascii_case(wanted) {
            return Err(DatabaseError::Setting {
                engine,
                name,
                wanted: wanted.clone(),
                found: found.to_owned(),
                advice: "this version does not take it here; leave it out or ask for another value",
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_the_engine_did_not_take_is_an_error_with_both_values() {
        let shown = [("fsync", "on"), ("innodb_doublewrite", "ON")];
        let shown: BTreeMap<String, String> = shown
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let check = |name, wanted: &str| read_back("It", &vec![(name, wanted.to_owned())], &shown);
        assert!(check("fsync", "on").is_ok() && check("innodb_doublewrite", "on").is_ok());
        let error = check("fsync", "off").unwrap_err().to_string();
        assert!(
            error.starts_with("It was told fsync=off and says fsync=on: "),
            "{error}"
        );
        assert!(check("wal_sync_method", "fsync").is_err());
    }
}
