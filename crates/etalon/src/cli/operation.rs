//! What `--op` names: I/O of the engine, or a metadata operation.

use std::fmt;
use std::str::FromStr;

use etalon_model::Operation;
use etalon_workload::metadata::MetadataOperation;

/// One operation of `measure` and `together`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MeasuredOperation {
    Io(Operation),
    Names(MetadataOperation),
}

impl MeasuredOperation {
    /// Every operation that can be measured alone, on data and then on names.
    pub(crate) fn all() -> impl Iterator<Item = MeasuredOperation> {
        let names = MetadataOperation::ALL.into_iter();
        let names = names.filter(|operation| operation.stands_alone());
        let data = Operation::ALL.map(MeasuredOperation::Io);
        data.into_iter().chain(names.map(MeasuredOperation::Names))
    }

    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            MeasuredOperation::Io(operation) => operation.name(),
            MeasuredOperation::Names(operation) => operation.name(),
        }
    }
}

/// A text that names no operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnknownMeasuredOperation(String);

impl fmt::Display for UnknownMeasuredOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (data, names) = (Operation::names(), MetadataOperation::names());
        let input = &self.0;
        write!(
            f,
            "unknown operation '{input}'; reads and writes: {data}; metadata operations: {names}"
        )
    }
}

impl std::error::Error for UnknownMeasuredOperation {}

/// `write` writes data; files of a tree are written by `etalon metadata`.
impl FromStr for MeasuredOperation {
    type Err = UnknownMeasuredOperation;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let data = text.parse().map(MeasuredOperation::Io);
        let names = || text.parse().map(MeasuredOperation::Names);
        data.or_else(|_| names())
            .map_err(|_| UnknownMeasuredOperation(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_goes_before_names_and_an_unknown_word_shows_both() {
        let write = MeasuredOperation::Io(Operation::Write);
        assert_eq!("write".parse(), Ok(write));
        let mkdir = MeasuredOperation::Names(MetadataOperation::Mkdir);
        assert_eq!("mkdir".parse(), Ok(mkdir));
        let error = "touch".parse::<MeasuredOperation>().unwrap_err();
        let text = error.to_string();
        for word in ["'touch'", "randread", "unlink"] {
            assert!(text.contains(word), "{text}");
        }
    }
}
