//! A path as text, or as the list of its bytes where it is not UTF-8.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TextForm {
    Text(String),
    Bytes(Vec<u8>),
}

pub(crate) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    let form = match path.to_str() {
        Some(text) => TextForm::Text(text.to_owned()),
        None => TextForm::Bytes(path.as_os_str().as_bytes().to_vec()),
    };
    form.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<PathBuf, D::Error> {
    Ok(match TextForm::deserialize(d)? {
        TextForm::Text(text) => PathBuf::from(text),
        TextForm::Bytes(bytes) => PathBuf::from(OsString::from_vec(bytes)),
    })
}
