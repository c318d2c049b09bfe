//! What a finding says: its English sentence, and the parts that other languages make theirs of.

use std::fmt::Display;

use etalon_model::SaidPart;
pub(crate) use etalon_model::Sentence;
use etalon_units::{Bytes, Nanos, Percent};

/// What stands in a placeholder.
#[derive(Clone)]
pub(crate) enum Value {
    /// A figure, with its unit.
    Figure(String),
    /// A name, which is the same in every language, or a word that the catalogues may have.
    Name(String),
}

/// A [`Sentence`] of an English text with `{placeholders}` and their values, `said!("{device} has {room}.", device =
/// name, room = bytes)`; the catalogues of the other languages have it by the [`SaidPart::key`] of the text.
macro_rules! said {
    ($text:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::sentence::sentence(
            $text,
            &[$((stringify!($name), &$value as &dyn $crate::sentence::Told)),*],
        )
    };
}
pub(crate) use said;

/// A word of English that stands as a name in a placeholder: the catalogues have it by its own key.
macro_rules! word {
    ($text:literal) => {
        $text
    };
}
pub(crate) use word;

/// A figure that was made for the page: `said!("{rate} wanted.", rate = figure(format!("{rate:.0}")))`.
pub(crate) fn figure(shown: impl Display) -> Value {
    Value::Figure(shown.to_string())
}

/// Behind [`said!`], whose calls are many and cost little code each.
pub(crate) fn sentence(english: &str, values: &[(&str, &dyn Told)]) -> Sentence {
    let mut text = english.to_owned();
    let mut part = SaidPart::new(english);
    for (name, value) in values {
        let (value, of_kind) = match value.told() {
            Value::Figure(value) => (value, &mut part.figures),
            Value::Name(value) => (value, &mut part.names),
        };
        text = text.replace(&format!("{{{name}}}"), &value);
        of_kind.insert((*name).to_owned(), value);
    }
    Sentence {
        text,
        parts: vec![part],
    }
}

/// What can stand in a placeholder.
pub(crate) trait Told {
    fn told(&self) -> Value;
}

impl Told for Value {
    fn told(&self) -> Value {
        self.clone()
    }
}

macro_rules! told {
    ($kind:ident: $($of:ty),*) => {
        $(impl Told for $of {
            fn told(&self) -> Value {
                Value::$kind(self.to_string())
            }
        })*
    };
}

told!(Name: String, &String, &str);
told!(Figure: Bytes, Nanos, Percent, i32, u32, u64, usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_has_its_values_and_keeps_them_for_other_languages() {
        let said = said!("{device} has {room} left.", device = "sda", room = 4_u64);
        assert_eq!(said.text, "sda has 4 left.");
        assert_eq!(
            said.parts[0].key,
            SaidPart::new("{device} has {room} left.").key
        );
        assert_eq!(said.parts[0].figures["room"], "4");
        assert_eq!(said.parts[0].names["device"], "sda");
    }

    #[test]
    fn parts_are_told_one_after_the_other() {
        let text = |one: Sentence, other| one.then(other).text;
        let noise = said!("; up to {some} are noise.", some = Bytes::kib(4));
        assert_eq!(
            text(said!("One."), noise.clone()),
            "One; up to 4 KiB are noise."
        );
        assert_eq!(text(said!("One."), said!("Two.")), "One. Two.");
        let in_english_only = Sentence::from("One.".to_owned()).then(noise);
        assert_eq!(in_english_only.parts, []);
    }
}
