//! How tables that show every column look.

use comfy_table::{LineStyle, TableStyle};

/// A line below the heading and one below the last row; the rows themselves stand close.
pub(crate) const STYLE: TableStyle = TableStyle::new()
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));
