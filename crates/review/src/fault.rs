//! What can be wrong with a published measurement.

use std::borrow::Cow;

use etalon_language::translation;

use schemars::JsonSchema;
use serde::Serialize;

use crate::faults;
use crate::{Figure, Page, Setting, Table, tables, tools};

/// Something that is wrong with a published measurement.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Fault {
    /// Which fault.
    pub code: Cow<'static, str>,
    /// The line where it shows, from 1.
    pub line: usize,
    /// What is wrong, with the figures that show it.
    pub message: String,
    /// What would make it right.
    pub advice: Cow<'static, str>,
}

/// What a page holds.
#[derive(Debug, Clone)]
pub struct Material<'a> {
    /// The page.
    pub page: &'a Page,
    /// What programs printed in it.
    pub figures: Vec<Figure>,
    /// The tables of figures in it.
    pub tables: Vec<Table>,
    /// What it tells of the machine.
    pub setting: Setting,
}

impl<'a> Material<'a> {
    /// Everything that is found in a page.
    pub fn of(page: &'a Page) -> Material<'a> {
        Material {
            page,
            figures: tools::figures(page),
            tables: tables(page),
            setting: Setting::of(page),
        }
    }

    /// Whether there is a measurement at all.
    pub fn measures(&self) -> bool {
        !(self.figures.is_empty() && self.tables.is_empty())
    }
}

/// What names of messages begin with that are advice; a fault's code follows.
const ADVICE: &str = "advice-";

/// One kind of fault.
#[derive(Debug, Clone, Copy)]
pub struct FaultCheck {
    /// Its name.
    pub code: &'static str,
    /// What it is about, in a line.
    pub about: &'static str,
    /// What would make it right.
    pub advice: &'static str,
    /// Finds it: lines and sentences.
    pub find: fn(&Material<'_>) -> Vec<Fault>,
}

impl FaultCheck {
    /// A fault of this kind, with its advice in the language that is spoken.
    pub(crate) fn at(&self, line: usize, message: String) -> Fault {
        let advice = translation(&format!("{ADVICE}{}", self.code), None);
        Fault {
            code: Cow::Borrowed(self.code),
            line,
            message,
            advice: advice.map_or(Cow::Borrowed(self.advice), Cow::Owned),
        }
    }
}

/// Every kind of fault, the gravest first.
pub const FAULTS: &[FaultCheck] = &[
    faults::smaller_than_memory::CHECK,
    faults::faster_than_device::CHECK,
    faults::no_fsync::CHECK,
    faults::wrong_rate::CHECK,
    faults::wrong_base::CHECK,
    faults::wrong_mean::CHECK,
    faults::mixed_settings::CHECK,
    faults::repeated_figure::CHECK,
    faults::winner_within_noise::CHECK,
    faults::wild_runs::CHECK,
    faults::one_run::CHECK,
    faults::no_spread::CHECK,
    faults::share_of_total::CHECK,
    faults::unlike_rows::CHECK,
    faults::wrong_size::CHECK,
    faults::wrong_unit::CHECK,
    faults::idle_half::CHECK,
    faults::other_command::CHECK,
    faults::wrong_place::CHECK,
    faults::no_trim::CHECK,
    faults::no_lvm::CHECK,
    faults::no_description::CHECK,
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    const HEAD: &str = "### What would make each fault right that `etalon review` finds, by their codes. The English ones are those of the faults themselves.\n\n";

    #[test]
    fn the_english_catalogue_has_the_advice_of_the_faults() {
        let line = |check: &FaultCheck| format!("{ADVICE}{} = {}\n", check.code, check.advice);
        let catalogue = HEAD.to_owned() + &FAULTS.iter().map(line).collect::<String>();
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = own.join("../language/catalogues/en/faults.ftl");
        if std::env::var_os("ETALON_BLESS").is_some() {
            fs::write(&path, &catalogue).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), catalogue);
    }
}
