//! How long a test waits.

use std::time::Duration;

/// What takes longer hangs. It is no bound on how long anything may take: far above it on a machine on which much else goes
/// on, where a guest that boots within seconds was seen to need minutes, and below what `.ci/runner` gives a whole binary.
pub const HANG: Duration = Duration::from_secs(600);
