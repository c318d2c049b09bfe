//! A device-mapper device's table as text, without the keys that it holds.

use std::fs::File;
use std::io;
use std::path::Path;

use etalon_model::stack::DevNo;

use super::ioctl::{self, HEADER};

// Offsets into `struct dm_ioctl`, whose size is `HEADER`.
const DATA_SIZE: usize = 12;
const DATA_START: usize = 16;
const TARGET_COUNT: usize = 20;
const FLAGS: usize = 28;
const DEVICE: usize = 40;
/// The interface's major version; the minor one says what the caller knows at most.
const VERSION: u32 = 4;

/// Size of `struct dm_target_spec`, which stands before each target's parameters.
const SPEC: usize = 40;
const SPEC_NEXT: usize = 20;
const SPEC_TYPE: usize = 24;

/// The table itself rather than the state of its targets.
const STATUS_TABLE: u32 = 1 << 4;
const BUFFER_FULL: u32 = 1 << 8;
/// Without it the state of a thin pool would be written to its disk first.
const NO_FLUSH: u32 = 1 << 11;
/// The kernel wipes its own copy of what it returns.
const SECURE_DATA: u32 = 1 << 15;

const FIRST_BUFFER: usize = 16 << 10;
const LARGEST_BUFFER: usize = 4 << 20;

/// Types whose parameters hold no secret. Those of others are left out: a table shows dm-crypt's
/// and dm-integrity's keys to root.
const OPEN_TYPES: [&str; 21] = [
    "linear",
    "striped",
    "mirror",
    "raid",
    "thin",
    "thin-pool",
    "snapshot",
    "snapshot-origin",
    "snapshot-merge",
    "cache",
    "writecache",
    "era",
    "clone",
    "multipath",
    "verity",
    "vdo",
    "zoned",
    "delay",
    "flakey",
    "zero",
    "error",
];

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The table: what was loaded.
    Table,
    /// The state of each target.
    Status,
}

/// One line for each target: first sector, sectors, type, parameters, as dmsetup(8) prints them,
/// with the size in bits of a key in the place of the key.
pub(super) fn ask(control: &Path, device: DevNo, part: Part) -> io::Result<Vec<u8>> {
    let control = File::open(control)?;
    let mut length = FIRST_BUFFER;
    loop {
        let mut words = request(device, part, length);
        ioctl::mapper_status(&control, &mut words)?;
        // Reserved at once: a vector that grows would leave copies behind.
        let mut bytes = Vec::with_capacity(length);
        bytes.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
        let full = number(&bytes, FLAGS).is_none_or(|flags| flags & BUFFER_FULL != 0);
        let text = (!full).then(|| lines(&bytes));
        wipe(&mut bytes, 0);
        wipe(&mut words, 0);
        match text {
            Some(text) => return Ok(text.into_bytes()),
            None if length < LARGEST_BUFFER => length *= 2,
            None => return Err(io::Error::other("its table is too long")),
        }
    }
}

/// Overwrites what may hold a key, also when the optimiser thinks that nobody looks any more.
fn wipe<T: Copy>(buffer: &mut [T], zero: T) {
    buffer.fill(zero);
    std::hint::black_box(buffer);
}

fn request(device: DevNo, part: Part, length: usize) -> Vec<u64> {
    let mut bytes = vec![0_u8; length];
    let mut put = |at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_ne_bytes());
    put(0, VERSION);
    put(DATA_SIZE, length as u32);
    put(DATA_START, HEADER as u32);
    let table = match part {
        Part::Table => STATUS_TABLE,
        Part::Status => 0,
    };
    put(FLAGS, table | NO_FLUSH | SECURE_DATA);
    let number = rustix::fs::makedev(device.major, device.minor);
    bytes[DEVICE..DEVICE + 8].copy_from_slice(&number.to_ne_bytes());
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().map(|word| u64::from_ne_bytes(*word)).collect()
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    bytes.try_into().ok().map(u32::from_ne_bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(8)?)?;
    bytes.try_into().ok().map(u64::from_ne_bytes)
}

/// The targets of an answer as text, up to the first that does not lie within it.
fn lines(answer: &[u8]) -> String {
    let mut text = String::new();
    let start = number(answer, DATA_START).map_or(usize::MAX, |n| n as usize);
    let data = answer.get(start..).unwrap_or_default();
    let mut at = 0_usize;
    for _ in 0..number(answer, TARGET_COUNT).unwrap_or(0) {
        let Some((line, next)) = data.get(at..).and_then(line) else {
            break;
        };
        text.push_str(&line);
        // Offsets count from the first target.
        match next as usize {
            next if next > at => at = next,
            _ => break,
        }
    }
    text
}

/// The line of one target, and where the next one is.
fn line(spec: &[u8]) -> Option<(String, u32)> {
    let (first, sectors) = (long(spec, 0)?, long(spec, 8)?);
    let kind = until_zero(spec.get(SPEC_TYPE..SPEC)?);
    let kind = crate::text::clean(&String::from_utf8_lossy(kind));
    let parameters = open_parameters(&kind, until_zero(spec.get(SPEC..)?));
    let line = format!("{first} {sectors} {kind} {parameters}");
    Some((line.trim_end().to_owned() + "\n", number(spec, SPEC_NEXT)?))
}

fn until_zero(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// The parameters without secrets.
fn open_parameters(kind: &str, parameters: &[u8]) -> String {
    let text = |bytes: &[u8]| crate::text::clean(&String::from_utf8_lossy(bytes));
    if kind != "crypt" {
        let open = OPEN_TYPES.contains(&kind);
        return if open {
            text(parameters)
        } else {
            String::new()
        };
    }
    // Cipher, key, offset of the initialisation vectors, device, offset, number of options, options.
    let fields = parameters.split(|byte| *byte == b' ').enumerate();
    let fields = fields.map(|(index, field)| match index {
        1 => key_bits(field).map_or("?".to_owned(), |bits| bits.to_string()),
        _ => text(field),
    });
    fields.collect::<Vec<_>>().join(" ")
}

/// Length of a key in bits: written in hexadecimal, or as `:bytes:type:description` when it is in
/// the kernel's keyring (the kernel's device-mapper/dm-crypt.rst).
fn key_bits(key: &[u8]) -> Option<u64> {
    match key.strip_prefix(b":") {
        Some(kept) => {
            let bytes = kept.split(|byte| *byte == b':').next()?;
            let bytes: u64 = std::str::from_utf8(bytes).ok()?.parse().ok()?;
            bytes.checked_mul(8)
        }
        None => u64::try_from(key.len()).ok()?.checked_mul(4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DEVNO: DevNo = DevNo {
        major: 253,
        minor: 300,
    };

    /// An answer as the kernel writes it (drivers/md/dm-ioctl.c, retrieve_status).
    fn answer(targets: &[(u64, u64, &str, &str)]) -> Vec<u8> {
        let mut data = Vec::new();
        for (first, sectors, kind, parameters) in targets {
            let length = SPEC + (parameters.len() + 1).next_multiple_of(8);
            let next = data.len() + length;
            let mut spec = vec![0; length];
            spec[..8].copy_from_slice(&first.to_ne_bytes());
            spec[8..16].copy_from_slice(&sectors.to_ne_bytes());
            spec[20..24].copy_from_slice(&(next as u32).to_ne_bytes());
            spec[24..24 + kind.len()].copy_from_slice(kind.as_bytes());
            spec[40..40 + parameters.len()].copy_from_slice(parameters.as_bytes());
            data.extend(spec);
        }
        let mut bytes = vec![0; HEADER];
        bytes[16..20].copy_from_slice(&(HEADER as u32).to_ne_bytes());
        bytes[20..24].copy_from_slice(&(targets.len() as u32).to_ne_bytes());
        bytes.extend(data);
        bytes
    }

    #[test]
    fn the_request_names_the_device_as_the_kernel_encodes_it() {
        let words = request(DEVNO, Part::Table, 1024);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        assert_eq!(bytes.len(), 1024);
        assert_eq!(
            (number(&bytes, 0), number(&bytes, DATA_SIZE)),
            (Some(4), Some(1024))
        );
        assert_eq!(number(&bytes, FLAGS), Some(0x8810));
        assert_eq!(number(&request_bytes(Part::Status), FLAGS), Some(0x8800));
        // huge_encode_dev: the low byte of the minor number, the major number, the rest.
        assert_eq!(long(&bytes, DEVICE), Some(0x2c | 253 << 8 | 0x100 << 12));
    }

    fn request_bytes(part: Part) -> Vec<u8> {
        let words = request(DEVNO, part, 1024);
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    #[test]
    fn each_target_is_a_line() {
        let answer = answer(&[
            (0, 8192, "linear", "8:34 2048"),
            (8192, 4096, "striped", "2 128 8:34 10240 8:50 2048"),
            (12288, 8, "error", ""),
        ]);
        assert_eq!(
            lines(&answer),
            "0 8192 linear 8:34 2048\n8192 4096 striped 2 128 8:34 10240 8:50 2048\n12288 8 error\n"
        );
    }

    #[test]
    fn keys_are_left_out() {
        let secret = "0123456789abcdef".repeat(8);
        let text = lines(&answer(&[
            (
                0,
                8,
                "crypt",
                &format!("aes-xts-plain64 {secret} 0 8:2 32768 1 allow_discards"),
            ),
            (
                8,
                8,
                "crypt",
                "aes-xts-plain64 :64:logon:cryptsetup:secret 0 8:2 0",
            ),
            (
                16,
                8,
                "integrity",
                "8:2 0 4 J 1 internal_hash:hmac(sha256):deadbeef",
            ),
            (24, 8, "unheard-of", "deadbeef"),
        ]));
        assert_eq!(
            text,
            "0 8 crypt aes-xts-plain64 512 0 8:2 32768 1 allow_discards\n\
             8 8 crypt aes-xts-plain64 512 0 8:2 0\n\
             16 8 integrity\n24 8 unheard-of\n"
        );
    }

    proptest! {
        #[test]
        fn no_answer_panics(
            header in prop::collection::vec(any::<u8>(), 0..64),
            count: u32, start in 0_u32..400,
            rest in prop::collection::vec(any::<u8>(), 0..600),
        ) {
            let _ = lines(&header);
            let mut bytes = vec![0; HEADER];
            bytes[16..20].copy_from_slice(&start.to_ne_bytes());
            bytes[20..24].copy_from_slice(&count.to_ne_bytes());
            bytes.extend(rest);
            let _ = lines(&bytes);
        }

        #[test]
        fn no_key_of_any_form_is_shown(key in "[0-9a-f]{16,128}|:[0-9]{1,3}:logon:[a-z]{12,20}") {
            let shown = open_parameters("crypt", format!("aes {key} 0 8:2 0").as_bytes());
            prop_assert!(!shown.contains(&key) && shown.ends_with(" 0 8:2 0"), "{}", shown);
        }
    }
}
