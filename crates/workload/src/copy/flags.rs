//! The symbols of `conv=`, `iflag=`, `oflag=` and `status=`: one table each.

use std::ffi::OsStr;

use super::operand_error::{Conflict, OperandError};
use super::settings::{Case, Conversions, FileFlags, StatusLevel};

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

/// Symbols of `conv=` in dd(1) that are refused by name.
const NOT_OFFERED: &[&str] = &["ascii", "ebcdic", "ibm", "block", "unblock"];

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
    lower: bool,
    upper: bool,
    not_offered: Vec<&'static str>,
}

impl TypedConversions {
    /// Adds the comma-separated symbols of one `conv=` operand.
    pub(crate) fn add(&mut self, symbols: &OsStr) -> Result<(), OperandError> {
        for symbol in split(symbols) {
            let text = symbol.to_str().unwrap_or("");
            if let Some((_, switch)) = CONVERSIONS.iter().find(|(name, _)| *name == text) {
                *switch(&mut self.switches) = true;
            } else if text == "lcase" {
                self.lower = true;
            } else if text == "ucase" {
                self.upper = true;
            } else if let Some(name) = NOT_OFFERED.iter().find(|name| **name == text) {
                self.not_offered.push(name);
            } else {
                return Err(OperandError::Conversion(symbol.to_owned()));
            }
        }
        Ok(())
    }

    /// The conversions, or the first conflict in the order in which dd looks for them.
    pub(crate) fn resolve(mut self) -> Result<Conversions, OperandError> {
        let typed = |name| self.not_offered.contains(&name);
        let tables = ["ascii", "ebcdic", "ibm"].iter().filter(|t| typed(**t));
        let conflicts = [
            (tables.count() > 1, Conflict::Tables),
            (typed("block") && typed("unblock"), Conflict::Records),
            (self.lower && self.upper, Conflict::Case),
            (
                self.switches.excl && self.switches.nocreat,
                Conflict::Creation,
            ),
        ];
        if let Some((_, conflict)) = conflicts.into_iter().find(|(both, _)| *both) {
            return Err(OperandError::Conflict(conflict));
        }
        if let Some(name) = self.not_offered.first() {
            return Err(OperandError::ConversionNotOffered(name.into()));
        }
        self.switches.case = match (self.lower, self.upper) {
            (true, _) => Some(Case::Lower),
            (_, true) => Some(Case::Upper),
            _ => None,
        };
        Ok(self.switches)
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
