//! What one copy is to do: the operands of `dd` as types, before anything is opened.

use std::ffi::OsString;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// Block size where neither `bs=` nor `ibs=`/`obs=` is given, as in dd(1).
pub const DEFAULT_BLOCK_BYTES: usize = 512;
/// Largest block: a buffer with room for its alignment must fit the address space.
pub const MAX_BLOCK_BYTES: usize = isize::MAX as usize - super::buffer::ALIGNMENT;

/// One copy, fully described.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CopySettings {
    /// `if=`; standard input when absent.
    pub input: Option<PathBuf>,
    /// `of=`; standard output when absent.
    pub output: Option<PathBuf>,
    /// Size of one read in bytes, at least 1.
    #[serde(rename = "input_block_bytes")]
    pub input_block: usize,
    /// Size of one write in bytes, at least 1.
    #[serde(rename = "output_block_bytes")]
    pub output_block: usize,
    /// Output is gathered into whole output blocks; otherwise each read is written as it came.
    pub regroup: bool,
    /// Where reading starts, relative to where the input stands.
    pub skip: Extent,
    /// Where writing starts, relative to where the output stands.
    pub seek: Extent,
    /// Where the copy ends; without it at the end of the input.
    pub count: Option<Extent>,
    /// What happens to the data and to the output file.
    pub conversions: Conversions,
    /// How the input is opened and read.
    pub input_flags: FileFlags,
    /// How the output is opened and written.
    pub output_flags: FileFlags,
    /// What is printed.
    pub status: StatusLevel,
}

/// A distance in whole blocks and a rest in bytes that is smaller than a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Extent {
    /// Whole blocks.
    pub blocks: u64,
    /// Bytes beyond the last whole block.
    pub bytes: usize,
}

impl Extent {
    /// `bytes` split by `block`, which is at least 1.
    pub fn of_bytes(bytes: u64, block: usize) -> Extent {
        let block = block.max(1) as u64;
        Extent {
            blocks: bytes / block,
            bytes: (bytes % block) as usize,
        }
    }

    /// Whether it is no distance at all.
    pub fn is_zero(self) -> bool {
        self.blocks == 0 && self.bytes == 0
    }

    /// The distance in bytes; `None` beyond what a file offset holds (2^63 - 1).
    pub fn in_bytes(self, block: usize) -> Option<u64> {
        self.blocks
            .checked_mul(block as u64)?
            .checked_add(self.bytes as u64)
            .filter(|&bytes| i64::try_from(bytes).is_ok())
    }
}

/// `conv=`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Conversions {
    /// `fsync` at the end, inside the clock.
    pub fsync: bool,
    /// `fdatasync` at the end, inside the clock.
    pub fdatasync: bool,
    /// The output file keeps its length.
    pub notrunc: bool,
    /// Output blocks that are all zero are sought over instead of written.
    pub sparse: bool,
    /// Reading goes on after a read error.
    pub noerror: bool,
    /// Short input blocks are padded to the input block size.
    pub sync: bool,
    /// The output file must not exist.
    pub excl: bool,
    /// The output file must exist.
    pub nocreat: bool,
    /// Each pair of bytes is swapped.
    pub swab: bool,
    /// Letters change case (ASCII only).
    pub case: Option<Case>,
    /// Characters change their set.
    pub charset: Option<Charset>,
    /// Lines become records of one length, or records lines; never without `cbs=`.
    pub records: Option<Records>,
    /// Some conversion was named that changes data, be it without effect for want of `cbs=`:
    /// output is then gathered into whole blocks.
    pub changes_data: bool,
}

impl Conversions {
    /// What `conv=sync` fills a short block with, before any conversion.
    pub(crate) fn padding(&self) -> u8 {
        match self.records {
            Some(_) => b' ',
            None => 0,
        }
    }
}

/// `conv=ascii`, `conv=ebcdic` and `conv=ibm`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Charset {
    /// From EBCDIC to ASCII.
    Ascii,
    /// From ASCII to EBCDIC.
    Ebcdic,
    /// From ASCII to the EBCDIC of IBM's printers.
    Ibm,
}

/// `conv=block` and `conv=unblock`, with the length from `cbs=`, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Records {
    /// Each line becomes a record, filled with spaces or cut.
    Block {
        /// Bytes in a record.
        length: usize,
    },
    /// Each record becomes a line without the spaces at its end.
    Unblock {
        /// Bytes in a record.
        length: usize,
    },
}

/// `conv=lcase` and `conv=ucase`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Case {
    /// Upper case becomes lower case.
    Lower,
    /// Lower case becomes upper case.
    Upper,
}

/// `iflag=` and `oflag=`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileFlags {
    /// `O_APPEND`.
    pub append: bool,
    /// `O_DIRECT`: the page cache is bypassed.
    pub direct: bool,
    /// The target must be a directory.
    pub directory: bool,
    /// `O_DSYNC`: each operation waits until data is durable.
    pub dsync: bool,
    /// `O_SYNC`: as `dsync`, metadata too.
    pub sync: bool,
    /// Reads go on until an input block is full.
    pub fullblock: bool,
    /// `O_NONBLOCK`.
    pub nonblock: bool,
    /// `O_NOATIME`.
    pub noatime: bool,
    /// Cached pages are dropped as the copy goes on.
    pub nocache: bool,
    /// `O_NOCTTY`.
    pub noctty: bool,
    /// `O_NOFOLLOW`.
    pub nofollow: bool,
    /// `count=` is in bytes.
    pub count_bytes: bool,
    /// `skip=` is in bytes.
    pub skip_bytes: bool,
    /// `seek=` is in bytes.
    pub seek_bytes: bool,
}

/// `status=`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StatusLevel {
    /// Errors only.
    None,
    /// The records, but not the line with bytes, time and rate.
    NoTransfer,
    /// All three lines.
    #[default]
    Default,
    /// All three lines, and once a second where the copy stands.
    Progress,
}

impl CopySettings {
    /// What messages call the input.
    pub fn input_name(&self) -> OsString {
        name_of(self.input.as_ref(), "standard input")
    }

    /// What messages call the output.
    pub fn output_name(&self) -> OsString {
        name_of(self.output.as_ref(), "standard output")
    }
}

fn name_of(path: Option<&PathBuf>, otherwise: &str) -> OsString {
    path.map_or_else(|| otherwise.into(), |path| path.clone().into_os_string())
}
