//! Charts, drawn by ourselves: from plain numbers to marks, and from marks to SVG.
//!
//! A chart ([`XyChart`], [`RowsChart`], [`HeatMap`], [`Surface`], [`Radar`], [`Tree`]) says what is to be seen and
//! gives a [`Drawing`], a list of marks in pixels, at the width that it is asked for. A drawing
//! becomes SVG for a page whose style sheet is [`style_sheet`], or a file of its own. Nothing here knows
//! what the numbers mean: units and formats come with the axes.

mod axis;
mod caption;
mod chart;
mod drawing;
mod escape;
mod png;
mod scale;
mod style;
mod svg;

pub use axis::Axis;
pub use chart::heat::{HeatCell, HeatMap};
pub use chart::radar::{Radar, RadarFigure, RadarSeries};
pub use chart::rows::{DotRow, RowsChart, RunDot};
pub use chart::strip::Strip;
pub use chart::surface::{Surface, SurfacePoint, SurfaceSet};
pub use chart::tree::{Tree, TreeBox};
pub use chart::xy::{Annotations, Cut, Dot, MarkedSpan, Plateau, Series, XyChart};
pub use drawing::{Anchor, Drawing, Mark, Point, Shape};
pub use escape::escape;
pub use png::png;
pub use scale::{Scale, ScaleKind};
pub use style::{Class, SERIES, style_sheet};
pub use svg::{inline, standalone};
