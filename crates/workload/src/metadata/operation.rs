//! The operations on names.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One kind of operation; a run does them in the order of [`MetadataOperation::ALL`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum MetadataOperation {
    /// `mkdir(2)`: a directory is created.
    Mkdir,
    /// `open(2)` with `O_CREAT|O_EXCL` and `close(2)`: an empty file is created.
    Create,
    /// A file is opened, written and closed.
    Write,
    /// `newfstatat(2)`: the attributes of a file are looked up by name.
    Stat,
    /// A directory is opened, listed to its end by `getdents64(2)` and closed.
    Readdir,
    /// A file is opened for reading and closed.
    Open,
    /// `renameat2(2)` within the directory, to a free name.
    Rename,
    /// `linkat(2)`: a second name for a file.
    Link,
    /// `symlinkat(2)`: a symbolic link to a file.
    Symlink,
    /// `setxattr(2)`: an attribute `user.etalon` of 32 bytes is given to a file.
    SetXattr,
    /// `getxattr(2)`: the attribute is read back.
    GetXattr,
    /// `unlinkat(2)`: a file or link is removed; all names that the run made.
    Unlink,
    /// `unlinkat(2)` with `AT_REMOVEDIR`: an empty directory is removed.
    Rmdir,
}

/// A text that names no operation on names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no metadata operation; the operations are {names}, and xattr for both of setxattr and getxattr", names = MetadataOperation::names())]
pub struct UnknownMetadataOperation(pub String);

impl MetadataOperation {
    /// Every operation, in the order in which a run does them.
    pub const ALL: [MetadataOperation; 13] = [
        MetadataOperation::Mkdir,
        MetadataOperation::Create,
        MetadataOperation::Write,
        MetadataOperation::Stat,
        MetadataOperation::Readdir,
        MetadataOperation::Open,
        MetadataOperation::Rename,
        MetadataOperation::Link,
        MetadataOperation::Symlink,
        MetadataOperation::SetXattr,
        MetadataOperation::GetXattr,
        MetadataOperation::Unlink,
        MetadataOperation::Rmdir,
    ];

    /// The name on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            MetadataOperation::Mkdir => "mkdir",
            MetadataOperation::Create => "create",
            MetadataOperation::Write => "write",
            MetadataOperation::Stat => "stat",
            MetadataOperation::Readdir => "readdir",
            MetadataOperation::Open => "open",
            MetadataOperation::Rename => "rename",
            MetadataOperation::Link => "link",
            MetadataOperation::Symlink => "symlink",
            MetadataOperation::SetXattr => "setxattr",
            MetadataOperation::GetXattr => "getxattr",
            MetadataOperation::Unlink => "unlink",
            MetadataOperation::Rmdir => "rmdir",
        }
    }

    /// What a list such as `mkdir,create,xattr` names, in the order of a run; `all` names all.
    ///
    /// # Errors
    /// [`UnknownMetadataOperation`] with the first word that names nothing.
    pub fn parse_list(text: &str) -> Result<Vec<MetadataOperation>, UnknownMetadataOperation> {
        let mut list = Vec::new();
        for word in text
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
        {
            match word {
                "all" => list.extend(MetadataOperation::ALL),
                "xattr" => list.extend([MetadataOperation::SetXattr, MetadataOperation::GetXattr]),
                _ => list.push(word.parse()?),
            }
        }
        list.sort_unstable();
        list.dedup();
        Ok(list)
    }

    /// All names, separated by commas.
    pub fn names() -> String {
        MetadataOperation::ALL
            .map(MetadataOperation::name)
            .join(", ")
    }

    /// True when each operation is about a directory and not a file.
    pub const fn is_on_directories(self) -> bool {
        matches!(
            self,
            MetadataOperation::Mkdir | MetadataOperation::Readdir | MetadataOperation::Rmdir
        )
    }
}

impl fmt::Display for MetadataOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MetadataOperation {
    type Err = UnknownMetadataOperation;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        MetadataOperation::ALL
            .into_iter()
            .find(|operation| operation.name() == text)
            .ok_or_else(|| UnknownMetadataOperation(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_operation_reads_back_by_its_name() {
        for operation in MetadataOperation::ALL {
            assert_eq!(operation.name().parse(), Ok(operation));
            let json = serde_json::to_string(&operation).unwrap();
            assert_eq!(json, format!("\"{operation}\""));
        }
        assert!(MetadataOperation::ALL.is_sorted());
    }

    #[test]
    fn lists_are_put_in_the_order_of_a_run() {
        use MetadataOperation::*;
        assert_eq!(
            MetadataOperation::parse_list("unlink, xattr,create,create"),
            Ok(vec![Create, SetXattr, GetXattr, Unlink])
        );
        assert_eq!(
            MetadataOperation::parse_list("all").unwrap(),
            MetadataOperation::ALL
        );
        let error = MetadataOperation::parse_list("create,touch")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("'touch'") && error.contains("rename"),
            "{error}"
        );
    }

    proptest! {
        #[test]
        fn no_list_panics(text in "[a-z, ]{0,40}") {
            let _ = MetadataOperation::parse_list(&text);
        }
    }
}
