//! What others published of a measurement: read, and judged.
//!
//! [`Page::read`] takes a text or a saved web page, English or French, comma or point. The readers
//! in [`tools`] find what benchmark programs printed in it, [`tables`] the tables that people made
//! of such figures, [`Setting`] what is told of the machine. [`review`] asks each check of
//! [`FAULTS`] what it makes of all that. Nothing here measures, and nothing knows who asks.

mod fault;
mod faults;
mod figure;
mod heads;
mod number;
mod page;
mod quantity;
mod setting;
mod table;
pub mod tools;

pub use fault::{FAULTS, Fault, FaultCheck, Material};
pub use figure::{Action, Figure, Tool};
pub use number::{Decimal, Number};
pub use page::{Line, Page};
pub use setting::Setting;
pub use table::{Row, Table, tables};

use schemars::JsonSchema;
use serde::Serialize;

/// What a page holds, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Review {
    /// Figures of benchmark programs that were found.
    pub figures: Vec<Figure>,
    /// Tables of figures that were found.
    pub tables: usize,
    /// What is told of the machine.
    pub setting: Setting,
    /// What is wrong, the most important first.
    pub faults: Vec<Fault>,
}

/// Reads a published text and judges it, in the language that is spoken.
pub fn review(text: &str) -> Review {
    let page = Page::read(text);
    let material = Material::of(&page);
    let mut faults: Vec<Fault> = FAULTS
        .iter()
        .flat_map(|check| (check.find)(&material).into_iter())
        .collect();
    faults.sort_by_key(|fault| (FAULTS.iter().position(|c| c.code == fault.code), fault.line));
    Review {
        tables: material.tables.len(),
        figures: material.figures,
        setting: material.setting,
        faults,
    }
}
