//! The plain records that cross rooms, and the version of their schema.
