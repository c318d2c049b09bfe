//! The symbols of `conv=`, `iflag=`, `oflag=` and `status=`: one table each.

use std::ffi::OsStr;

use etalon_workload::copy::{Case, Charset, Conversions, FileFlags, Records, StatusLevel};

use super::operand_error::{Conflict, OperandError};

type Switch<T> = fn(&mut T) -> &mut bool;

/// Symbols of `conv=` that are switched on one by one.
const CONVERSIONS: &[(&str, Switch<Conversions>)] = &[
    ("fsync", |c| &mut c.fsync),
    ("fdatasync", |c| &mut c.fdatasync),
    ("notrunc", |c| &mut c.notrunc),
    ("sparse", |c| &mut c.sparse),
    ("noerror", |c| &mut c.noerror),
    ("sync", |c| &mut c.sync),
    ("excl", |c| &mut c.excl),
    ("nocreat", |c| &mut c.nocreat),
    ("swab", |c| &mut c.swab),
];

/// Symbols of `iflag=` and `oflag=`.
const FLAGS: &[(&str, Switch<FileFlags>)] = &[
    ("append", |f| &mut f.append),
    ("direct", |f| &mut f.direct),
    ("directory", |f| &mut f.directory),
    ("dsync", |f| &mut f.dsync),
    ("sync", |f| &mut f.sync),
    ("fullblock", |f| &mut f.fullblock),
    ("nonblock", |f| &mut f.nonblock),
    ("noatime", |f| &mut f.noatime),
    ("nocache", |f| &mut f.nocache),
    ("noctty", |f| &mut f.noctty),
    ("nofollow", |f| &mut f.nofollow),
    ("count_bytes", |f| &mut f.count_bytes),
    ("skip_bytes", |f| &mut f.skip_bytes),
    ("seek_bytes", |f| &mut f.seek_bytes),
];

/// `conv=` as typed, before conflicts are looked for.
#[derive(Debug, Default)]
pub(crate) struct TypedConversions {
    switches: Conversions,
    text: TextSwitches,
}

/// The symbols of text, of which some exclude each other.
#[derive(Debug, Default)]
struct TextSwitches {
    lower: bool,
    upper: bool,
    ascii: bool,
    ebcdic: bool,
    ibm: bool,
    block: bool,
    unblock: bool,
}

const TEXT: &[(&str, Switch<TextSwitches>)] = &[
    ("lcase", |t| &mut t.lower),
    ("ucase", |t| &mut t.upper),
    ("ascii", |t| &mut t.ascii),
    ("ebcdic", |t| &mut t.ebcdic),
    ("ibm", |t| &mut t.ibm),
    ("block", |t| &mut t.block),
    ("unblock", |t| &mut t.unblock),
];

impl TypedConversions {
    /// Adds the comma-separated symbols of one `conv=` operand.
    pub(crate) fn add(&mut self, symbols: &OsStr) -> Result<(), OperandError> {
        for symbol in split(symbols) {
            let text = symbol.to_str().unwrap_or("");
            if let Some((_, switch)) = CONVERSIONS.iter().find(|(name, _)| *name == text) {
                *switch(&mut self.switches) = true;
            } else if let Some((_, switch)) = TEXT.iter().find(|(name, _)| *name == text) {
                *switch(&mut self.text) = true;
                self.switches.changes_data = true;
            } else {
                return Err(OperandError::Conversion(symbol.to_owned()));
            }
        }
        self.switches.changes_data |= self.switches.swab;
        Ok(())
    }

    /// The conversions, or the first conflict in the order in which dd looks for them.
    pub(crate) fn resolve(mut self, cbs: Option<usize>) -> Result<Conversions, OperandError> {
        let text = &mut self.text;
        // What changes the character set blocks or unblocks too, and none of it without a length.
        text.block = (text.block || text.ebcdic || text.ibm) && cbs.is_some();
        text.unblock = (text.unblock || text.ascii) && cbs.is_some();
        let tables = [text.ascii, text.ebcdic, text.ibm];
        let conflicts = [
            (
                tables.into_iter().filter(|&table| table).count() > 1,
                Conflict::Tables,
            ),
            (text.block && text.unblock, Conflict::Records),
            (text.lower && text.upper, Conflict::Case),
            (
                self.switches.excl && self.switches.nocreat,
                Conflict::Creation,
            ),
        ];
        if let Some((_, conflict)) = conflicts.into_iter().find(|(both, _)| *both) {
            return Err(OperandError::Conflict(conflict));
        }
        let first = |chosen: [bool; 3]| chosen.into_iter().position(|chosen| chosen);
        let charsets = [Charset::Ascii, Charset::Ebcdic, Charset::Ibm];
        Ok(Conversions {
            case: first([text.lower, text.upper, false]).map(|at| [Case::Lower, Case::Upper][at]),
            charset: first(tables).map(|at| charsets[at]),
            records: cbs.and_then(|length| match (text.block, text.unblock) {
                (true, _) => Some(Records::Block { length }),
                (_, true) => Some(Records::Unblock { length }),
                _ => None,
            }),
            ..self.switches
        })
    }
}

/// Adds the comma-separated symbols of one `iflag=` or `oflag=`; `refuse` makes the error.
pub(crate) fn add_flags(
    flags: &mut FileFlags,
    symbols: &OsStr,
    refuse: fn(std::ffi::OsString) -> OperandError,
) -> Result<(), OperandError> {
    for symbol in split(symbols) {
        let found = FLAGS.iter().find(|(name, _)| symbol.to_str() == Some(name));
        let (_, switch) = found.ok_or_else(|| refuse(symbol.to_owned()))?;
        *switch(flags) = true;
    }
    Ok(())
}

/// The level named by one `status=` operand, alone.
pub(crate) fn status(symbol: &OsStr) -> Result<StatusLevel, OperandError> {
    match symbol.to_str() {
        Some("none") => Ok(StatusLevel::None),
        Some("noxfer") => Ok(StatusLevel::NoTransfer),
        Some("progress") => Ok(StatusLevel::Progress),
        _ => Err(OperandError::Status(symbol.to_owned())),
    }
}

fn split(symbols: &OsStr) -> impl Iterator<Item = &OsStr> {
    use std::os::unix::ffi::OsStrExt;
    symbols
        .as_bytes()
        .split(|&byte| byte == b',')
        .map(OsStr::from_bytes)
}
