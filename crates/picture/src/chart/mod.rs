//! The kinds of charts, a file each.

pub(crate) mod heat;
pub(crate) mod names;
pub(crate) mod radar;
pub(crate) mod rows;
pub(crate) mod strip;
pub(crate) mod surface;
pub(crate) mod tree;
pub(crate) mod xy;
