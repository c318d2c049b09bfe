//! Disks, filesystems and arrays, made for real, read back, and undone.

#![expect(
    clippy::unwrap_used,
    reason = "in a helper of a test, a failure is a failed test"
)]
#![expect(clippy::print_stdout, reason = "a skipped test says so")]

mod again;
mod arrays;
mod kill;
mod limits;
mod machine;
mod mount;
mod reboot;
mod single;
mod values;
