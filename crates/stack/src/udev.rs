//! udev's database and the kernel's uevent files.

use std::collections::BTreeMap;
use std::path::Path;

use etalon_model::stack::DevNo;

use crate::context::Context;
use crate::text;

/// What udev knows of a block device.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct UdevEntry {
    /// Names below `/dev`.
    pub(crate) links: Vec<String>,
    /// Properties such as `ID_MODEL`.
    pub(crate) properties: BTreeMap<String, String>,
}

/// The entry of `devno`; empty when udev does not run here.
pub(crate) fn entry(context: &Context<'_>, devno: DevNo) -> UdevEntry {
    let path = context.roots.udev.join(format!("b{devno}"));
    match text::read_bytes(&path) {
        Ok(bytes) => parse(&String::from_utf8_lossy(&bytes)),
        Err(_) => UdevEntry::default(),
    }
}

/// Lines are `S:link`, `E:key=value` and others that do not matter here.
fn parse(text: &str) -> UdevEntry {
    let mut entry = UdevEntry::default();
    for line in text.lines() {
        if let Some(link) = line.strip_prefix("S:") {
            entry.links.push(text::clean(link));
        } else if let Some((key, value)) = line.strip_prefix("E:").and_then(|l| l.split_once('=')) {
            entry.properties.insert(key.to_owned(), text::clean(value));
        }
    }
    entry.links.sort();
    entry
}

impl UdevEntry {
    /// A property written with `\x20` for blanks (`ID_MODEL_ENC`), in plain form.
    pub(crate) fn encoded(&self, key: &str) -> Option<String> {
        let value = self.properties.get(key)?;
        let mut out = String::new();
        let mut rest = value.as_str();
        while let Some(at) = rest.find("\\x") {
            out.push_str(&rest[..at]);
            let code = rest.get(at + 2..at + 4);
            match code.and_then(|c| u8::from_str_radix(c, 16).ok()) {
                Some(byte) if byte.is_ascii() => {
                    out.push(byte as char);
                    rest = &rest[at + 4..];
                }
                _ => {
                    out.push_str("\\x");
                    rest = &rest[at + 2..];
                }
            }
        }
        out.push_str(rest);
        let plain = text::clean(&out);
        (!plain.is_empty()).then_some(plain)
    }

    /// A plain property.
    pub(crate) fn property(&self, key: &str) -> Option<String> {
        self.properties.get(key).filter(|v| !v.is_empty()).cloned()
    }
}

/// The value of `key` in `directory/uevent`.
pub(crate) fn uevent(context: &Context<'_>, directory: &Path, key: &str) -> Option<String> {
    let bytes = text::read_bytes(&directory.join("uevent")).ok()?;
    let _ = context;
    let text = String::from_utf8_lossy(&bytes);
    let mut pairs = text.lines().filter_map(|line| line.split_once('='));
    let value = pairs.find(|(name, _)| *name == key)?.1;
    let value = text::clean(value);
    (!value.is_empty()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_properties_are_told_apart() {
        let entry = parse(
            "S:disk/by-id/wwn-0x5\nI:123\nE:ID_MODEL_ENC=WDC\\x20WD10\\x20\\x20\nE:A=\nQ:x\n",
        );
        assert_eq!(entry.links, ["disk/by-id/wwn-0x5"]);
        assert_eq!(entry.encoded("ID_MODEL_ENC").as_deref(), Some("WDC WD10"));
        assert_eq!(entry.property("A"), None);
    }

    #[test]
    fn a_broken_escape_stands_as_it_is() {
        let entry = parse("E:K=a\\x2\nE:L=\\xé\\xzz");
        assert_eq!(entry.encoded("K").as_deref(), Some("a\\x2"));
        assert_eq!(entry.encoded("L").as_deref(), Some("\\xé\\xzz"));
    }
}
