//! Sentences and figures in the language of their reader.
//!
//! A [`Language`] is chosen by name or by the locale, and spoken for as long as a page is written
//! ([`Language::speak`]). Within, [`say!`] gives a message of the catalogues below `catalogues/`, whole
//! sentences with placeholders that a translator edits (<https://projectfluent.org>), and [`figure`] writes
//! a figure as the language does. What a catalogue lacks is said in English.
//!
//! ```
//! use etalon_language::{Language, figure, say};
//!
//! assert_eq!(say!("count-rows-of", count = 2u32, all = 9u32), "2 of 9 rows");
//! assert_eq!(Language::Dutch.speak(|| say!("count-rows-of", count = 2u32, all = 9u32)), "2 van 9 rijen");
//! assert_eq!(Language::French.speak(|| figure("13.2 k IOPS")), "13,2 k IOPS");
//! ```

mod argument;
mod ascii;
mod catalogue;
mod figure;
mod locale;
mod spoken;

pub use argument::{Argument, ArgumentValue};
pub use catalogue::{message, translation, translation_with};
pub use figure::{figure, localized};
pub use locale::{ParseLanguageError, locale, of_locale};
pub use spoken::{Language, in_ascii, is_ascii};

/// A message of the catalogues in the language that is spoken, with a value for each of its placeholders:
/// `say!("count-runs", count = 6u32)`.
#[macro_export]
macro_rules! say {
    ($id:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::message($id, &[$((stringify!($name), $crate::Argument::value(&$value))),*])
    };
}
