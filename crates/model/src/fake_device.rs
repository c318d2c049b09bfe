//! The device that the `fake` backend models.

use etalon_units::{Bytes, Nanos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A modelled device: `servers` equal servers behind one first-in first-out queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FakeDevice {
    /// Time that one server needs for one operation.
    #[serde(rename = "service_ns", alias = "service")]
    pub service: Nanos,
    /// Operations served at the same time, at least 1.
    pub servers: u32,
    /// A stall begins at every multiple of this span; zero never stalls.
    #[serde(rename = "stall_every_ns", alias = "stall_every")]
    pub stall_every: Nanos,
    /// How long no server starts or continues work.
    #[serde(rename = "stall_ns", alias = "stall")]
    pub stall: Nanos,
    /// What serves the operations.
    #[serde(skip_serializing_if = "FakeKind::is_servers")]
    pub kind: FakeKind,
}

/// How a modelled device serves operations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FakeKind {
    /// Equal servers.
    #[default]
    Servers,
    /// A cache that takes so many writes at once, in front of one server.
    WriteCache {
        /// Writes that it holds.
        requests: u32,
    },
    /// A disk that turns; the time of an operation is that of its longest seek.
    Disk {
        /// Rate of the medium.
        bytes_per_second: u64,
        /// How far it reads ahead into its buffer.
        read_ahead_bytes: Bytes,
        /// Its size.
        size_bytes: Bytes,
    },
}

impl FakeKind {
    fn is_servers(&self) -> bool {
        *self == FakeKind::Servers
    }
}

impl Default for FakeDevice {
    /// One server of 100 µs that never stalls.
    fn default() -> Self {
        FakeDevice {
            service: Nanos::micros(100),
            servers: 1,
            stall_every: Nanos::ZERO,
            stall: Nanos::ZERO,
            kind: FakeKind::Servers,
        }
    }
}
