//! Tables and sentences for people, made from judged records.
//!
//! [`Page`] is the terminal page of an experiment: what was measured, the table of its cells and
//! a sentence for each finding. [`ComparisonPage`] puts cells side by side, and [`render_text`] draws
//! a storage stack. [`HtmlReport`] is the report that opens in a browser. Nothing here knows how a run is made, and no function prints a
//! figure without its interval, its count and its verdict.
//!
//! ```
//! use etalon_model::{
//!     Cell, Estimate, ExperimentKind, Headline, Interval, IoWorkload, LatencyHistogram, TargetRecord,
//!     Unit, Verdict,
//! };
//! use etalon_report::{Look, Page};
//! use etalon_units::Nanos;
//!
//! let interval = Interval { low: 12_900.0, high: 13_500.0, level: 0.95 };
//! let estimate = Estimate { value: 13_200.0, interval: Some(interval), runs: 6 };
//! let cell = Cell {
//!     name: "random read 4 KiB, depth 1".to_owned(),
//!     workload: IoWorkload::default().into(),
//!     unit: Unit::OperationsPerSecond,
//!     median: estimate,
//!     mean: estimate,
//!     headline: Headline::Median,
//!     values: vec![12_900.0, 13_000.0, 13_100.0, 13_300.0, 13_400.0, 13_500.0],
//!     latency: LatencyHistogram::new(),
//!     device_share: Some(1.0),
//!     findings: Vec::new(),
//!     verdict: Verdict::Valid,
//!     precision: None,
//! };
//! let target = TargetRecord {
//!     path: "/data".to_owned(),
//!     storage: Some("ext4 on sda: SATA disk, 256 GiB".to_owned()),
//!     ..TargetRecord::default()
//! };
//! let page = Page {
//!     kind: ExperimentKind::Measure,
//!     experiment: Some(7),
//!     target: &target,
//!     choices: &[],
//!     notes: &[],
//!     cells: &[cell],
//!     runs: &[],
//!     digest: None,
//!     elapsed: Nanos::secs(60),
//!     store: "",
//!     look: Look::default(),
//! };
//! assert_eq!(page.to_string(), "\
//! /data: ext4 on sda: SATA disk, 256 GiB (1 min 00 s, experiment 7)
//!
//! random read 4 KiB QD1: 13.2 k IOPS.
//! Good to within 2.3 % on this machine today.
//!
//!                             result      ±       95 % interval  runs
//! random read 4 KiB QD1  13.2 k IOPS  2.3 %  12.9 … 13.5 k IOPS     6
//! ");
//! ```

mod ascii;
mod beside_facts;
mod check_words;
mod checks_done;
mod choices;
mod comparison;
mod digest;
mod dots;
mod environment;
mod figures;
mod grid;
mod html;
mod interactions;
mod labels;
mod list;
mod median;
mod page;
mod paint;
mod passport;
mod percentiles;
mod review;
mod role;
mod stack;
mod storage;
mod watch;
mod width;
mod wrap;

pub use ascii::to_ascii;
pub use check_words::CheckWords;
pub use checks_done::ExperimentChecks;
pub use choices::choice_in_words;
pub use comparison::{
    ComparedRow, ComparisonPage, Differing, Mending, Trouble, missing_rows, not_compared,
};
pub use digest::PageDigest;
pub use dots::DotsPage;
pub use environment::{DifferencesPage, EnvironmentPage, not_kept};
pub use html::{
    DETAILED, Frame, HtmlReport, LatencyGist, Picture, RunSeries, Subject, repeat_line,
    report_script, report_style,
};
pub use interactions::interactions_page;
pub use labels::label_spread_page;
pub use list::{ListPage, ListedRow, listed_figure};
pub use page::{Look, Page, answer_in_words, findings_in_words};
pub use paint::Painted;
pub use passport::{LastPassport, PassportPage};
pub use percentiles::PercentilesPage;
pub use review::ReviewPage;
pub use role::{display_name, figure, figure_in, is_io, label};
pub use stack::render_text;
pub use watch::{WATCH_HEADING, watch_line, watch_lines, watch_machine, watch_page};
pub use wrap::{described, fitted, page_width, paragraph};

#[cfg(test)]
mod samples;
