//! What stands in for a placeholder.

use std::borrow::Cow;

use etalon_units::{ByteRate, Bytes, Figure, Nanos, Percent};
use fluent_bundle::FluentValue;

use crate::figure;

/// A placeholder's value.
#[derive(Debug)]
pub enum ArgumentValue<'a> {
    /// Text, which stands as it is.
    Text(Cow<'a, str>),
    /// How many: it decides over singular and plural.
    Count(u64),
}

/// What can stand in for a placeholder: texts and counts as they are, figures as the language writes them.
pub trait Argument {
    /// The value in the language that is spoken.
    fn value(&self) -> ArgumentValue<'_>;
}

impl<T: Argument + ?Sized> Argument for &T {
    fn value(&self) -> ArgumentValue<'_> {
        (**self).value()
    }
}

impl Argument for str {
    fn value(&self) -> ArgumentValue<'_> {
        ArgumentValue::Text(Cow::Borrowed(self))
    }
}

impl Argument for String {
    fn value(&self) -> ArgumentValue<'_> {
        self.as_str().value()
    }
}

impl Argument for u32 {
    fn value(&self) -> ArgumentValue<'_> {
        ArgumentValue::Count(u64::from(*self))
    }
}

impl Argument for u64 {
    fn value(&self) -> ArgumentValue<'_> {
        ArgumentValue::Count(*self)
    }
}

impl Argument for usize {
    fn value(&self) -> ArgumentValue<'_> {
        ArgumentValue::Count(*self as u64)
    }
}

/// Figures, by what they print.
macro_rules! figures {
    ($($figure:ty),*) => {
        $(impl Argument for $figure {
            fn value(&self) -> ArgumentValue<'_> {
                ArgumentValue::Text(Cow::Owned(figure(self)))
            }
        })*
    };
}

figures!(ByteRate, Bytes, Figure, Nanos, Percent);

impl ArgumentValue<'_> {
    pub(crate) fn fluent(&self) -> FluentValue<'_> {
        match self {
            ArgumentValue::Text(text) => FluentValue::from(text.as_ref()),
            ArgumentValue::Count(count) => FluentValue::from(*count),
        }
    }
}
