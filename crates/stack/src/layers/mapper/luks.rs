//! The LUKS header beneath a dm-crypt device (LUKS1 and LUKS2 on-disk format specifications).

use etalon_model::stack::{Crypt, Layer};
use etalon_units::Bytes;

use crate::bits::Block;
use crate::context::Context;

/// The LUKS1 header and the binary part of LUKS2.
const BINARY_LENGTH: usize = 4096;
/// Largest LUKS2 header, binary and JSON together.
const LARGEST_HEADER: u64 = 4 << 20;

/// Adds cipher, key and sector size, where the header can be read and is LUKS.
pub(super) fn fill_in(context: &Context<'_>, below: &Layer, crypt: &mut Crypt) {
    let what = "encryption header";
    let Some(binary) = context.device_bytes(below, 0, BINARY_LENGTH, what) else {
        return;
    };
    let header = Block {
        bytes: &binary,
        big_endian: true,
    };
    if !binary.starts_with(b"LUKS\xba\xbe") {
        return;
    }
    match header.u16(6) {
        Some(1) => first_version(&header, crypt),
        Some(2) => {
            let size = header.u64(8).filter(|size| *size <= LARGEST_HEADER);
            let length = size.and_then(|s| usize::try_from(s).ok()?.checked_sub(BINARY_LENGTH));
            let offset = BINARY_LENGTH as u64;
            let json = length.and_then(|length| context.device_bytes(below, offset, length, what));
            let filled = json.and_then(|json| second_version(&json, crypt));
            if filled.is_none() {
                context.note(
                    format!("cipher of {}", crypt.name),
                    "its LUKS2 header cannot be understood",
                );
            }
        }
        _ => {}
    }
}

fn first_version(header: &Block<'_>, crypt: &mut Crypt) {
    let cipher = header.text(8, 32).zip(header.text(40, 32));
    crypt.cipher = cipher.map(|(cipher, mode)| format!("{cipher}-{mode}"));
    crypt.key_bits = header.u32(108).map(|bytes| u64::from(bytes) * 8);
    // LUKS1 knows no other.
    crypt.sector_size = Some(Bytes(512));
}

/// The JSON ends at its first zero byte.
fn second_version(json: &[u8], crypt: &mut Crypt) -> Option<()> {
    let json = json.split(|byte| *byte == 0).next()?;
    let header: serde_json::Value = serde_json::from_slice(json).ok()?;
    let segment = header.get("segments")?.as_object()?.values().next()?;
    let cipher = segment.get("encryption")?.as_str()?;
    crypt.cipher = Some(crate::text::clean(cipher));
    crypt.sector_size = segment
        .get("sector_size")
        .and_then(|s| s.as_u64())
        .map(Bytes);
    let slot = header
        .get("keyslots")
        .and_then(|k| k.as_object()?.values().next());
    let key_bytes = slot.and_then(|slot| slot.get("key_size")?.as_u64());
    crypt.key_bits = key_bytes.and_then(|bytes| bytes.checked_mul(8));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn crypt() -> Crypt {
        Crypt {
            name: "home".to_owned(),
            format: "LUKS2".to_owned(),
            cipher: None,
            key_bits: None,
            sector_size: None,
            offset: None,
            options: None,
        }
    }

    #[test]
    fn the_first_version_has_fixed_fields() {
        let mut bytes = vec![0; 592];
        bytes[8..11].copy_from_slice(b"aes");
        bytes[40..51].copy_from_slice(b"xts-plain64");
        bytes[108..112].copy_from_slice(&64_u32.to_be_bytes());
        let mut crypt = crypt();
        first_version(
            &Block {
                bytes: &bytes,
                big_endian: true,
            },
            &mut crypt,
        );
        assert_eq!(crypt.cipher.as_deref(), Some("aes-xts-plain64"));
        assert_eq!(crypt.key_bits, Some(512));
    }

    #[test]
    fn the_second_version_has_json() {
        let json = b"{\"keyslots\":{\"0\":{\"key_size\":64}},\"segments\":{\"0\":{\"encryption\":\"aes-xts-plain64\",\"sector_size\":4096}}}\0\0\xff";
        let mut crypt = crypt();
        second_version(json, &mut crypt).unwrap();
        assert_eq!(crypt.cipher.as_deref(), Some("aes-xts-plain64"));
        assert_eq!(
            (crypt.key_bits, crypt.sector_size),
            (Some(512), Some(Bytes(4096)))
        );
    }

    proptest! {
        #[test]
        fn no_header_panics(bytes in prop::collection::vec(any::<u8>(), 0..300), json in "[{}\":a-z0-9,]{0,80}") {
            first_version(&Block { bytes: &bytes, big_endian: true }, &mut crypt());
            let _ = second_version(json.as_bytes(), &mut crypt());
        }
    }
}
