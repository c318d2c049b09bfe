//! Why operands of `dd` cannot be used, in `dd`'s own words, with the operand quoted.

use std::ffi::OsString;
use std::fmt;

use etalon_units::quoted;

/// Why a number cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberError {
    /// Not digits with a known suffix, or zero where a size is needed.
    Malformed,
    /// More than the operand can hold.
    TooLarge,
}

/// Two settings that exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    /// Two of `conv=ascii`, `conv=ebcdic`, `conv=ibm`.
    Tables,
    /// `conv=block` and `conv=unblock`.
    Records,
    /// `conv=lcase` and `conv=ucase`.
    Case,
    /// `conv=excl` and `conv=nocreat`.
    Creation,
    /// The flags `direct` and `nocache` on the same side.
    Cache,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Conflict::Tables => "cannot combine any two of {ascii,ebcdic,ibm}",
            Conflict::Records => "cannot combine block and unblock",
            Conflict::Case => "cannot combine lcase and ucase",
            Conflict::Creation => "cannot combine excl and nocreat",
            Conflict::Cache => "cannot combine direct and nocache",
        })
    }
}

/// Why a list of operands is refused; nothing was opened.
///
/// The text is what GNU dd prints after `dd: `, so that scripts which match on it go on working.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OperandError {
    /// An argument that is not `NAME=VALUE` with a known name.
    #[error("unrecognized operand {}", quoted(.0))]
    Unrecognized(OsString),
    /// A number that cannot be read, or a size of zero.
    #[error("invalid number: {}", quoted(.0))]
    Number(OsString),
    /// A number that does not fit.
    #[error("invalid number: {}: Value too large for defined data type", quoted(.0))]
    NumberTooLarge(OsString),
    /// An unknown symbol of `conv=`.
    #[error("invalid conversion: {}", quoted(.0))]
    Conversion(OsString),
    /// An unknown symbol of `iflag=`.
    #[error("invalid input flag: {}", quoted(.0))]
    InputFlag(OsString),
    /// An unknown symbol of `oflag=`, or one that means nothing for output.
    #[error("invalid output flag: {}", quoted(.0))]
    OutputFlag(OsString),
    /// An unknown symbol of `status=`.
    #[error("invalid status level: {}", quoted(.0))]
    Status(OsString),
    /// Two settings that exclude each other.
    #[error("{0}")]
    Conflict(Conflict),
}

impl OperandError {
    /// Whether dd adds its line that points to the help.
    pub fn points_to_help(&self) -> bool {
        matches!(
            self,
            OperandError::Unrecognized(_)
                | OperandError::Conversion(_)
                | OperandError::InputFlag(_)
                | OperandError::OutputFlag(_)
                | OperandError::Status(_)
        )
    }
}
