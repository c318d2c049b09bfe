//! Tables and sentences for people, made from judged records.
//!
//! [`Page`] is the terminal page of an experiment: what was measured, the table of its cells and
//! a sentence for each finding. [`ComparisonPage`] puts cells side by side, and [`render_text`] draws
//! a storage stack. [`HtmlReport`] is the report that opens in a browser. Nothing here knows how a run is made, and no function prints a
//! figure without its interval, its count and its verdict.

mod ascii;
mod checks_done;
mod choices;
mod comparison;
mod dots;
mod environment;
mod figures;
mod grid;
mod html;
mod interactions;
mod labels;
mod list;
mod page;
mod paint;
mod passport;
mod percentiles;
mod review;
mod role;
mod stack;
mod storage;
mod watch;
mod wrap;

pub use ascii::to_ascii;
pub use checks_done::{checks_done, checks_not_possible};
pub use choices::choice_in_words;
pub use comparison::{ComparedRow, ComparisonPage, Differing};
pub use dots::DotsPage;
pub use environment::{DifferencesPage, EnvironmentPage, NOT_KEPT};
pub use html::{
    DETAILED, Frame, HtmlReport, LatencyGist, Picture, RunGist, RunSeries, Subject, repeat_line,
    report_script, report_style,
};
pub use interactions::interactions_page;
pub use labels::label_spread_page;
pub use list::{ListPage, ListedRow, listed_figure};
pub use page::{Look, Page};
pub use paint::Painted;
pub use passport::PassportPage;
pub use percentiles::{PercentilesPage, parse_percentiles};
pub use review::ReviewPage;
pub use role::{display_name, figure_of_name};
pub use stack::render_text;
pub use watch::{WATCH_HEADING, watch_line, watch_lines, watch_machine, watch_page};
pub use wrap::{described, fitted, page_width, paragraph};

#[cfg(test)]
mod samples;
