//! What is written, and what is found when it is read back.

mod pattern;

pub(crate) use pattern::Pattern;
