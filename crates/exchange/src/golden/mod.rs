//! What exports write, held against texts that are kept.

mod tests;
