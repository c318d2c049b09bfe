//! What a database or a server tells of one part of a run.

use std::collections::BTreeMap;

use etalon_units::{Bytes, Nanos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the database or the server behind a part of a run did, and how it is set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ServiceFacts {
    /// Its name and version.
    pub engine: String,
    /// The settings that decide durability and caching, as it told them itself.
    pub settings: BTreeMap<String, String>,
    /// The settings among them with which a commit that was acknowledged can be lost, as
    /// `NAME=VALUE`.
    pub volatile: Vec<String>,
    /// Clients that worked at the same time.
    pub clients: u32,
    /// Transactions that were committed and had changed something.
    pub commits: u64,
    /// Pages that were looked for in its own cache and found there.
    pub cache_hits: u64,
    /// Pages that it had to ask the kernel for.
    pub cache_misses: u64,
    /// Whether the part was to find nothing in memory.
    pub cold: bool,
    /// Bytes of its files that the page cache held all the same when such a part began; `None` where that cannot be told,
    /// and for other parts.
    #[serde(rename = "kept_in_memory_bytes")]
    pub kept_in_memory: Option<Bytes>,
    /// Processor time of its own processes; zero where it works within this one.
    #[serde(rename = "server_cpu_ns")]
    pub server_cpu: Nanos,
    /// Checkpoints that began or ended meanwhile without having been asked for.
    pub checkpoints: u64,
    /// Bytes of pages that were changed before and that it wrote to their files meanwhile, of its own accord.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[serde(rename = "written_back_bytes")]
    pub written_back: Bytes,
    /// How long its clients waited for each other's locks, all of them together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "lock_wait_ns")]
    pub lock_wait: Option<Nanos>,
    /// The data with their indexes; `None` where it does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "data_bytes")]
    pub data: Option<Bytes>,
    /// How much of them its own cache can hold; `None` where it does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "own_cache_bytes")]
    pub own_cache: Option<Bytes>,
    /// Whether it stood before and goes on: its storage need not be that of the target, and its caches are as they were.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stands: bool,
    /// Requests that were made.
    pub requests: u64,
    /// Requests that failed, by what was wrong with them.
    pub failed: BTreeMap<String, u64>,
    /// What each operation took, in their order, which is the same in every run; empty where several clients made them at
    /// once, and where there are too many to be kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "operation_times_ns")]
    pub operation_times: Vec<Nanos>,
    /// How it is reached, where that is a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkFacts>,
}

/// The network between the client and a server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NetworkFacts {
    /// The interface.
    pub interface: String,
    /// What it can carry in a second; `None` where the kernel does not tell.
    #[serde(rename = "speed_bytes_per_second")]
    pub speed: Option<Bytes>,
    /// Bytes that came in meanwhile, for whomever.
    pub received_bytes: Bytes,
    /// From one look at that counter to the other, pauses and all, by a clock that at a single look says when it was made;
    /// absent in what older versions kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "span_ns")]
    pub span: Option<Nanos>,
}

impl ServiceFacts {
    /// Share of the pages that its own cache had; `None` where it was asked for none.
    pub fn hit_share(&self) -> Option<f64> {
        let asked = self.cache_hits + self.cache_misses;
        (asked > 0).then(|| self.cache_hits as f64 / asked as f64)
    }

    /// What happened since an earlier look at the same server: its counters less those of then; what it is and how it
    /// is set is of now.
    pub fn since(mut self, before: &ServiceFacts) -> ServiceFacts {
        self.cache_hits = self.cache_hits.saturating_sub(before.cache_hits);
        self.cache_misses = self.cache_misses.saturating_sub(before.cache_misses);
        self.server_cpu = self.server_cpu.saturating_sub(before.server_cpu);
        self.checkpoints = self.checkpoints.saturating_sub(before.checkpoints);
        let written = self.written_back.get();
        self.written_back = Bytes(written.saturating_sub(before.written_back.get()));
        if let (Some(now), Some(then)) = (&mut self.lock_wait, before.lock_wait) {
            *now = now.saturating_sub(then);
        }
        if let (Some(now), Some(then)) = (&mut self.network, &before.network) {
            let received = now.received_bytes.get();
            now.received_bytes = Bytes(received.saturating_sub(then.received_bytes.get()));
            let looks = now.span.zip(then.span);
            now.span = looks.map(|(now, then)| now.saturating_sub(then));
        }
        self
    }

    /// Requests that failed.
    pub fn failures(&self) -> u64 {
        self.failed.values().sum()
    }
}

fn is_zero(bytes: &Bytes) -> bool {
    *bytes == Bytes::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_those_since_the_earlier_look_and_the_rest_is_of_now() {
        let look = |count: u64| ServiceFacts {
            engine: format!("engine at {count}"),
            cache_hits: 2 * count,
            cache_misses: 3 * count,
            server_cpu: Nanos(4 * count),
            checkpoints: 5 * count,
            written_back: Bytes(7 * count),
            lock_wait: Some(Nanos(8 * count)),
            network: Some(NetworkFacts {
                received_bytes: Bytes(6 * count),
                span: Some(Nanos(9 * count)),
                ..NetworkFacts::default()
            }),
            ..ServiceFacts::default()
        };
        let since = look(10).since(&look(7));
        let wanted = ServiceFacts {
            engine: "engine at 10".to_owned(),
            ..look(3)
        };
        assert_eq!(since, wanted);
        // A server that was started anew counts from zero again.
        assert_eq!(look(1).since(&look(7)).cache_hits, 0);
    }
}
